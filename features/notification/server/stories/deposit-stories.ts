import type { OrganisationTx, Schema } from '@holdfast/db'
import { DEPOSIT_STATUS } from '@holdfast/features/transaction/server'
import { isNotHeld } from '@holdfast/features/wallet/server'
import { type Selectable, sql } from 'kysely'
import { assetFields, confirmationsOf, type RecordContext } from './record-fields.ts'
import type { Step, Story } from '../story.ts'

/** Deposits of one sub-wallet that are looked at after one block. */
const DEPOSITS_AT_ONCE = 500

/** `assigned` is the comment that people said a held payment should have carried. */
type DepositOfWallet = Selectable<Schema['deposit']> & { wallet_id: string; assigned: string | null }

/** What events say has changed: one deposit, or the unfinished ones of a sub-wallet. */
type Changed = { deposit_id?: string | undefined; sub_wallet_id?: string | undefined }

/**
 * Deposits as they stand now, each once: those that are named, and every unfinished one of the sub-wallets that are named without one. A deposit keeps no
 * history: its present state is its story.
 */
export async function depositStories(tx: OrganisationTx, context: RecordContext, changed: readonly Changed[]): Promise<Story[]> {
  const ids = new Set(changed.flatMap(({ deposit_id: id }) => id ?? []))
  const subWallets = new Set(changed.flatMap(({ deposit_id: id, sub_wallet_id: of }) => (id === undefined ? (of ?? []) : [])))
  const rows =
    ids.size === 0
      ? []
      : await depositsWith(tx)
          .where(sql<boolean>`deposit.id = any(${[...ids]}::uuid[])`)
          .execute()
  for (const subWallet of subWallets) rows.push(...(await unfinishedOf(tx, subWallet)))
  return [...new Map(rows.map((row) => [row.id, row])).values()].map((row) => storyOf(context, row))
}

function depositsWith(tx: OrganisationTx) {
  return tx
    .selectFrom('deposit')
    .innerJoin('sub_wallet', (join) => join.onRef('sub_wallet.org_id', '=', 'deposit.org_id').onRef('sub_wallet.id', '=', 'deposit.sub_wallet_id'))
    .selectAll('deposit')
    .select('sub_wallet.wallet_id')
    .select((row) =>
      row
        .selectFrom('deposit_claim')
        .select('comment')
        .whereRef('deposit_claim.org_id', '=', 'deposit.org_id')
        .whereRef('deposit_claim.deposit_id', '=', 'deposit.id')
        .where('deposit_claim.state', '=', 'confirmed')
        .orderBy('decided_at', 'desc')
        .limit(1)
        .as('assigned'),
    )
    .where('deposit.org_id', '=', tx.orgId)
    .orderBy('deposit.height')
    .orderBy('deposit.id')
}

async function unfinishedOf(tx: OrganisationTx, subWalletId: string): Promise<DepositOfWallet[]> {
  return (
    depositsWith(tx)
      .where('deposit.sub_wallet_id', '=', subWalletId)
      .where('deposit.state', 'in', ['unconfirmed', 'confirmed'])
      // What is held was told of when it came, and no block changes it.
      .where(isNotHeld)
      .limit(DEPOSITS_AT_ONCE)
      .execute()
  )
}

function storyOf(context: RecordContext, row: DepositOfWallet): Story {
  const step = stepOf(context, row)
  const isWaiting = row.state === 'unconfirmed' || row.state === 'confirmed'
  const progress = isWaiting ? { done: confirmationsOf(context, row.chain, row.height).done, step: { ...step, event: 'deposit.confirmations' } } : null
  return { side: 'deposit', recordId: row.id, walletId: row.wallet_id, requestId: null, steps: [step], progress }
}

function stepOf(context: RecordContext, row: DepositOfWallet): Step {
  const status = DEPOSIT_STATUS[row.state]
  const atMs = Number(row.updated_at)
  const { done, need } = confirmationsOf(context, row.chain, row.state === 'reversed' ? null : row.height)
  return {
    sourceSeq: 0n,
    marker: `${row.state}/${row.sub_status ?? ''}`,
    event: `deposit.${row.state}`,
    status,
    atMs,
    fields: {
      id: row.id,
      request_id: null,
      wallet_id: row.wallet_id,
      sub_wallet_id: row.sub_wallet_id,
      status,
      sub_status: row.sub_status ?? '',
      ...assetFields(context, row).fields(row.amount),
      address_from: row.from_address === '' ? null : row.from_address,
      address_to: row.address,
      memo: row.memo,
      assigned_memo: row.assigned,
      txid: row.found_in === 'balance' ? null : row.txid,
      tx_index: row.tx_index,
      tx_height: row.state === 'reversed' ? null : String(row.height),
      confirmations: done,
      need_confirmations: need,
      created_at: Number(row.created_at),
      updated_at: atMs,
    },
  }
}
