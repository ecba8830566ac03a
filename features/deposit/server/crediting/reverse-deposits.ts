import type { OrganisationTx, Schema } from '@holdfast/db'
import { lockCpfpOrders, type OrderRow, releaseCpfpOrders } from '@holdfast/features/transfer/server'
import { announceAll, type Announcement, forEachApart } from '@holdfast/jobs'
import { throwFirst } from '@holdfast/features/network/server'
import { InsufficientBalanceError, reverse } from '@holdfast/ledger'
import { newId } from '@holdfast/units'
import { type Selectable, sql } from 'kysely'
import type { ScanNeeds } from '../reading/advance.ts'
import { lastCredits } from './credit-reference.ts'
import { REVERSAL_DUE } from './reversal-due.ts'

/** Takes back every deposit above `height`: credits are reversed by an entry, nothing is deleted. Safe to repeat. */
export async function reverseDeposits(needs: ScanNeeds, chain: string, height: bigint): Promise<void> {
  const rows = await needs.db.asSystem((tx) =>
    tx
      .selectFrom('deposit')
      .select(['org_id', 'id'])
      .where('chain', '=', chain)
      .where('height', '>', height)
      .where('state', '<>', 'reversed')
      .orderBy('height', 'desc')
      .execute(),
  )
  // The blocks are forgotten once all of this is taken back.
  throwFirst(
    await forEachApart(rows, ({ org_id, id }) =>
      needs.db.asOrganisation(org_id, async (tx) => announceAll(tx, needs.ports, await reverseDeposit(tx, needs, await lockDeposit(tx, id)))),
    ),
  )
}

/** A deposit to be taken back, with the CPFP orders for it, all locked until the transaction ends. */
type Locked = { row: Selectable<Schema['deposit']> | undefined; cpfpOrders: OrderRow[] }

/** Locks before anything is posted, as everywhere. */
async function lockDeposit(tx: OrganisationTx, depositId: string): Promise<Locked> {
  const row = await tx.selectFrom('deposit').selectAll().where('org_id', '=', tx.orgId).where('id', '=', depositId).forNoKeyUpdate().executeTakeFirst()
  return { row, cpfpOrders: row ? await lockCpfpOrders(tx, row.chain, [row]) : [] }
}

/**
 * Reverses what could not be reversed when its block went away, as far as there is enough now. Call it wherever
 * sub-wallets are credited, in the same transaction: the money that came back must not be spent a second time. It leaves out what
 * is already locked, because the holder of that lock waits for its sub-wallet and reverses it afterwards. Returns the news.
 */
export async function reverseDue(
  tx: OrganisationTx,
  needs: ScanNeeds,
  of: { subWalletIds: readonly string[]; chain: string; contract: string },
): Promise<Announcement[]> {
  const rows = await tx
    .selectFrom('deposit')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where(sql<boolean>`sub_wallet_id = any(${of.subWalletIds}::uuid[])`)
    .where('chain', '=', of.chain)
    .where('contract', '=', of.contract)
    .where('state', '=', 'credited')
    .where('sub_status', '=', REVERSAL_DUE)
    .orderBy('height')
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  const news: Announcement[] = []
  for (const row of rows)
    news.push(...(await reverseDeposit(tx, needs, { row, cpfpOrders: await lockCpfpOrders(tx, row.chain, [row], 'those that nobody has') })))
  return news
}

async function reverseDeposit(tx: OrganisationTx, needs: ScanNeeds, { row, cpfpOrders }: Locked): Promise<Announcement[]> {
  const { ports } = needs
  if (!row || row.state === 'reversed') return []
  const nowMs = ports.clock.nowMs()
  const taken = row.state !== 'credited' || (await takeBack(tx, needs, row, cpfpOrders))
  const change = taken
    ? { state: 'reversed' as const, sub_status: null, confirmations: 0n, reversed_at: Math.max(nowMs, Number(row.created_at)) }
    : { sub_status: REVERSAL_DUE }
  if (!taken && row.sub_status === REVERSAL_DUE) return []
  await tx
    .updateTable('deposit')
    .set({ ...change, updated_at: Math.max(nowMs, Number(row.created_at)) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .execute()
  const ids = { deposit_id: row.id, sub_wallet_id: row.sub_wallet_id }
  return [
    { topic: 'deposit.changed', ids },
    ...(row.state === 'credited' ? [{ topic: 'balance.changed' as const, ids: { sub_wallet_id: row.sub_wallet_id } }] : []),
  ]
}

async function takeBack(tx: OrganisationTx, needs: ScanNeeds, row: { id: string }, cpfpOrders: readonly OrderRow[]): Promise<boolean> {
  const credit = (await lastCredits(tx, [row.id])).get(row.id)
  if (!credit) throw new Error(`deposit ${row.id} is credited but not in the books`)
  if (await reverseCredit(tx, needs, credit.id)) return true
  // It was to pay for its CPFP.
  await releaseCpfpOrders(tx, needs, cpfpOrders)
  return cpfpOrders.length > 0 && reverseCredit(tx, needs, credit.id)
}

async function reverseCredit(tx: OrganisationTx, { ports }: ScanNeeds, transferId: string): Promise<boolean> {
  try {
    await reverse(tx, { id: newId(ports.clock.nowMs(), ports.random), transferId, nowMs: ports.clock.nowMs() })
    return true
  } catch (cause) {
    if (cause instanceof InsufficientBalanceError) return false
    throw cause
  }
}
