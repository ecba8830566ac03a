import { type Block, type BlockTransfer, ChainError } from '@holdfast/chain-core'
import { actForOrganisation, inParts, type OrganisationTx, type Schema, type SystemTx } from '@holdfast/db'
import {
  agreedAnswer,
  assetByContract,
  type FinalView,
  hasAsset,
  nameOfAsset,
  type Network,
  SourcesDisagreeError,
  throwFirst,
} from '@holdfast/features/network/server'
import { freeTaken, type Settled } from '@holdfast/features/transfer/server'
import { announceAll, type Announcement, forEachApart } from '@holdfast/jobs'
import { hold, InsufficientBalanceError, release, reverse, settle } from '@holdfast/ledger'
import { formatAmount, known, newId } from '@holdfast/units'
import type { Selectable } from 'kysely'
import type { ScanNeeds } from './advance.ts'
import { ownersOf } from './match-deposits.ts'

/*
 * Tokens that somebody took under an allowance: they leave an address without an order of that address. The ledger follows the chain, and people are told,
 * unless a collection of ours took them.
 */

type AllowanceSpend = Selectable<Schema['token_pull']>
type Taken = BlockTransfer & { takenBy: string }

/** People see an allowance spend for this long, and for as long as the spender may take more, unless somebody has acknowledged it. */
const TOLD_FOR_MS = 7 * 24 * 3_600_000

/** Writes down the allowance spends that a block reports for addresses of any organisation. Posted only when the block is final. */
export async function insertAllowanceSpends(tx: SystemTx, { ports }: ScanNeeds, network: Network, block: Block): Promise<void> {
  const nowMs = ports.clock.nowMs()
  const rows = (await ownAllowanceSpends(tx, network, block)).map((each) => ({ ...each, id: newId(nowMs, ports.random), created_at: nowMs }))
  for (const orgId of [...new Set(rows.map((each) => each.org_id))].sort()) {
    await actForOrganisation(tx, orgId, async (own) => {
      const seen: { id: string; sub_wallet_id: string }[] = []
      for (const part of inParts(rows.filter((each) => each.org_id === orgId)))
        seen.push(
          ...(await own
            .insertInto('token_pull')
            .values(part)
            .onConflict((conflict) =>
              conflict
                .columns(['org_id', 'chain', 'txid', 'tx_index', 'block_hash'])
                .doUpdateSet({ reversed_at: null, booked_at: null, settlement: null })
                .where('token_pull.reversed_at', 'is not', null),
            )
            .returning(['id', 'sub_wallet_id'])
            .execute()),
        )
      await announceAll(own, ports, seen.map(newsOf))
    })
  }
}

/** The allowance spends that a block reports for addresses of ours. */
export async function ownAllowanceSpends(tx: SystemTx, network: Network, block: Block) {
  const taken = block.transfers.filter(
    (each): each is Taken => each.takenBy !== undefined && each.from !== each.to && assetByContract(network, each.asset.contract ?? '') !== undefined,
  )
  if (taken.length === 0) return []
  const owners = await ownersOf(
    tx,
    network,
    taken.map(({ from }) => from),
  )
  return taken.flatMap((each) =>
    owners(each.from)
      .filter(({ orgId }) => hasAsset(network, orgId, contractOf(each)))
      .map(({ orgId, subWalletId }) => rowOf(each, { orgId, subWalletId, block })),
  )
}

/** A network's own coin has no allowances, so every allowance spend is of a token. */
const contractOf = ({ asset, txid }: Taken): string => known(asset.contract, `the contract of the token that ${txid} took`)

function rowOf(moved: Taken, { orgId, subWalletId, block }: { orgId: string; subWalletId: string; block: Block }) {
  return {
    org_id: orgId,
    chain: moved.asset.chain,
    txid: moved.txid,
    tx_index: moved.index,
    block_hash: block.hash,
    height: block.height,
    sub_wallet_id: subWalletId,
    address: moved.from,
    contract: contractOf(moved),
    amount: moved.amount,
    to_address: moved.to,
    taken_by: moved.takenBy,
  }
}

/**
 * Posts the allowance spends of final blocks, after their deposits are credited, and tells people. If less is available, because an order
 * holds it, the spend waits until that order has ended. Returns what was posted. Throws SourcesDisagreeError.
 */
export async function bookAllowanceSpends(needs: ScanNeeds, network: Network, final: FinalView): Promise<Settled[]> {
  const rows = await needs.db.readSystem((tx) =>
    tx
      .selectFrom('token_pull')
      .innerJoin('chain_block', (join) =>
        join
          .onRef('chain_block.chain', '=', 'token_pull.chain')
          .onRef('chain_block.height', '=', 'token_pull.height')
          .onRef('chain_block.hash', '=', 'token_pull.block_hash'),
      )
      .selectAll('token_pull')
      .where('token_pull.chain', '=', network.chain)
      .where('booked_at', 'is', null)
      .where('reversed_at', 'is', null)
      .where('token_pull.height', '<=', final.height)
      .orderBy('token_pull.height')
      .orderBy('token_pull.id')
      .execute(),
  )
  const booked: Settled[] = []
  const failed = await forEachApart(rows, async (row) => {
    if (final.sources.length > 1) await assertTakenByAll(final, row)
    const left = await allowanceOf(network, row)
    if (await bookAllowanceSpend(needs, network, row, left)) booked.push({ orgId: row.org_id, chain: network.chain, contract: row.contract })
  })
  throwFirst(failed)
  return booked
}

async function assertTakenByAll(final: FinalView, row: AllowanceSpend): Promise<void> {
  const what = `what ${row.txid} took of ${row.address}`
  const seen = await agreedAnswer(final, what, async (source) => {
    const block = await source.readBlock(row.height)
    const found = block?.transfers.find((each) => each.txid === row.txid && each.index === row.tx_index)
    return block?.hash === row.block_hash && found?.from === row.address && found.amount === row.amount && found.asset.contract === row.contract
  })
  if (!seen) throw new SourcesDisagreeError(`${what}: it was read, and now no source has it`)
}

/** For open pages. */
function newsOf({ id, sub_wallet_id }: Pick<AllowanceSpend, 'id' | 'sub_wallet_id'>): Announcement {
  return { topic: 'pull.changed', ids: { pull_id: id, sub_wallet_id } }
}

/** How much more the spender may take, by the word of one source; undefined if that is unknown. */
async function allowanceOf(
  { node }: Network,
  { address, taken_by, contract }: Pick<AllowanceSpend, 'address' | 'taken_by' | 'contract'>,
): Promise<bigint | undefined> {
  return node.contracts?.allowance(address, taken_by, contract).catch((cause: unknown) => {
    if (!(cause instanceof ChainError)) throw cause
    return undefined
  })
}

async function bookAllowanceSpend({ db, ports }: ScanNeeds, network: Network, row: AllowanceSpend, left: bigint | undefined): Promise<boolean> {
  const asset = { chain: row.chain, contract: row.contract }
  const nowMs = Math.max(ports.clock.nowMs(), Number(row.created_at))
  try {
    return await db.asOrganisation(row.org_id, async (tx) => {
      const settlement = newId(nowMs, ports.random)
      const isOurs = await freeTaken(tx, ports, row)
      const taken = await tx
        .updateTable('token_pull')
        .set({ booked_at: nowMs, settlement, reason: isOurs ? null : wordsOf(network, row, left) })
        .where('org_id', '=', tx.orgId)
        .where('id', '=', row.id)
        .where('booked_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (!taken) return false
      const holdId = newId(nowMs, ports.random)
      await hold(tx, {
        id: holdId,
        reference: `pull:${holdId}`,
        nowMs,
        subWalletId: row.sub_wallet_id,
        address: row.address,
        amounts: [{ asset, amount: row.amount }],
      })
      await settle(tx, { id: settlement, holdId, nowMs, payments: [{ to: 'external', asset, amount: row.amount }] })
      await announceAll(tx, ports, [newsOf(row), { topic: 'balance.changed', ids: { sub_wallet_id: row.sub_wallet_id } }])
      return true
    })
  } catch (cause) {
    if (cause instanceof InsufficientBalanceError) return false
    throw cause
  }
}

function wordsOf(network: Network, { contract, amount, taken_by, to_address, txid }: AllowanceSpend, left: bigint | undefined): string {
  const asset = known(assetByContract(network, contract), `the token ${contract}`)
  const shown = (sum: bigint) => `${formatAmount(sum, asset.decimals)} ${nameOfAsset(asset)}`
  const more = left === undefined ? 'what it may still take is not known' : left === 0n ? 'it may take nothing more' : `it may take ${shown(left)} more`
  return `${taken_by} took ${shown(amount)} for ${to_address} in ${txid}; ${more}`
}

/** Ends the alarms of old spends if the spender may take nothing more. */
export async function endAllowanceSpendAlarms({ db, ports }: ScanNeeds, network: Network): Promise<void> {
  const nowMs = ports.clock.nowMs()
  const told = await db.asSystem((tx) =>
    tx
      .selectFrom('token_pull')
      .select(['org_id', 'address', 'contract', 'taken_by'])
      .select((of) => of.fn.max('created_at').as('last'))
      .where('chain', '=', network.chain)
      .where('reason', 'is not', null)
      .where('told_until_at', 'is', null)
      .groupBy(['org_id', 'address', 'contract', 'taken_by'])
      .execute(),
  )
  const failed = await forEachApart(told, async ({ org_id, address, contract, taken_by, last }) => {
    if (BigInt(last) > BigInt(nowMs - TOLD_FOR_MS)) return
    if (((await allowanceOf(network, { address, contract, taken_by })) ?? 0n) > 0n) return
    await db.asOrganisation(org_id, (tx) =>
      tx
        .updateTable('token_pull')
        .set({ told_until_at: nowMs })
        .where('org_id', '=', tx.orgId)
        .where('chain', '=', network.chain)
        .where('address', '=', address)
        .where('contract', '=', contract)
        .where('taken_by', '=', taken_by)
        .where('told_until_at', 'is', null)
        .execute(),
    )
  })
  throwFirst(failed)
}

/** Reverses what was posted of blocks above `height`, and deletes what was not. Safe to repeat. */
export async function reverseAllowanceSpends({ db, ports }: ScanNeeds, chain: string, height: bigint): Promise<void> {
  const rows = await db.asSystem(async (tx) => {
    await tx
      .deleteFrom('token_pull')
      .where('chain', '=', chain)
      .where('height', '>', height)
      .where('booked_at', 'is', null)
      .where('reversed_at', 'is', null)
      .execute()
    return tx
      .selectFrom('token_pull')
      .select(['org_id', 'id'])
      .where('chain', '=', chain)
      .where('height', '>', height)
      .where('reversed_at', 'is', null)
      .execute()
  })
  throwFirst(await forEachApart(rows, ({ org_id, id }) => db.asOrganisation(org_id, (tx) => reverseAllowanceSpend(tx, ports, id))))
}

async function reverseAllowanceSpend(tx: OrganisationTx, ports: ScanNeeds['ports'], id: string): Promise<void> {
  const row = await tx.selectFrom('token_pull').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row?.settlement || row.reversed_at !== null) return
  const nowMs = Math.max(ports.clock.nowMs(), Number(row.created_at))
  const reversal = await reverse(tx, { id: newId(nowMs, ports.random), transferId: row.settlement, nowMs })
  await release(tx, { id: newId(nowMs, ports.random), holdId: reversal.id, nowMs })
  await tx.updateTable('token_pull').set({ reversed_at: nowMs }).where('org_id', '=', tx.orgId).where('id', '=', id).execute()
  await announceAll(tx, ports, [newsOf(row), { topic: 'balance.changed', ids: { sub_wallet_id: row.sub_wallet_id } }])
}
