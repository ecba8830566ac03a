import { ChainError, type ChainNode, readBrc20Asset } from '@holdfast/chain-core'
import { actForOrganisation, DatabaseError, inParts, type OrganisationTx, type Schema } from '@holdfast/db'
import { agreedAnswer, type FinalView, findLedgerAlarm, type Network, setAlarms, SourcesDisagreeError, throwFirst } from '@holdfast/features/network/server'
import { holdForCpfpOrders, lockCpfpOrders, type Settled } from '@holdfast/features/transfer/server'
import { tokenSeenBy } from '@holdfast/features/utxo/server'
import { HELD_DEPOSITS, isNotHeld } from '@holdfast/features/wallet/server'
import { announceAll, type Announcement } from '@holdfast/jobs'
import { credit } from '@holdfast/ledger'
import { at, known, newId } from '@holdfast/units'
import { type Selectable, sql } from 'kysely'
import { type Cursor, memoOf, type ScanNeeds } from '../reading/advance.ts'
import { nextReferences } from './credit-reference.ts'
import { endUntrue, wordsOfPayment } from './end-untrue.ts'
import { isShownByBalance, type MovedInside } from '../reading/shown-by-balance.ts'
import { reverseDue } from './reverse-deposits.ts'

/** Writes how many blocks stand on top of each deposit that is not final yet, for people to watch. */
export async function countConfirmations({ db, ports }: ScanNeeds, { chain, finalityBlocks }: Network, tip: Cursor): Promise<void> {
  const nowMs = ports.clock.nowMs()
  await db.asSystem(async (tx) => {
    const counted = await tx
      .updateTable('deposit')
      .set({
        confirmations: sql<bigint>`${tip.height}::int8 - height`,
        state: sql<'confirmed' | 'unconfirmed'>`case when ${tip.height}::int8 > height then 'confirmed' else 'unconfirmed' end`,
        updated_at: sql<bigint>`greatest(updated_at, ${nowMs}::int8)`,
      })
      .where('chain', '=', chain)
      .where('state', 'in', ['unconfirmed', 'confirmed'])
      .where('height', '<=', tip.height)
      .where(sql<boolean>`confirmations <> ${tip.height}::int8 - height`)
      // A held one waits for no block once it is final.
      .where(sql<boolean>`(confirmations < ${finalityBlocks} or ${isNotHeld})`)
      .returning(['org_id', 'sub_wallet_id'])
      .execute()
    const byOrganisation = Map.groupBy(counted, (each) => each.org_id)
    for (const orgId of [...byOrganisation.keys()].sort()) {
      const subWallets = new Set(known(byOrganisation.get(orgId), `the deposits of organisation ${orgId}`).map((each) => each.sub_wallet_id))
      await actForOrganisation(tx, orgId, (own) =>
        announceAll(
          own,
          ports,
          [...subWallets].map((id) => ({ topic: 'deposit.changed', ids: { sub_wallet_id: id } })),
        ),
      )
    }
  })
}

/** A deposit that is final and waits because the ledger of its asset does not add up. */
const LEDGER_BROKEN = 'books_broken'
/** A final deposit that could not be credited for a reason of its own. */
const NOT_BOOKED = 'not_booked'

/**
 * Credits every deposit whose block is final and still ours: the ledger, the row and the news in one transaction, once. If a
 * chain has several sources, a second one must show the same payment. Returns what was credited. Throws SourcesDisagreeError.
 */
export async function creditFinal(needs: ScanNeeds, network: Network, final: FinalView): Promise<Settled[]> {
  const rows = await needs.db.readSystem((tx) =>
    tx
      .selectFrom('deposit')
      .innerJoin('chain_block', (join) =>
        join
          .onRef('chain_block.chain', '=', 'deposit.chain')
          .onRef('chain_block.height', '=', 'deposit.height')
          .onRef('chain_block.hash', '=', 'deposit.block_hash'),
      )
      .selectAll('deposit')
      .where('deposit.chain', '=', network.chain)
      .where('deposit.state', 'in', ['unconfirmed', 'confirmed'])
      .where('deposit.height', '<=', final.height)
      // A held deposit is shown to people and credited to nobody.
      .where(isNotHeld)
      .orderBy('deposit.height')
      .orderBy('deposit.id')
      .execute(),
  )
  return creditSeen(needs, network, final, rows)
}

type Arrived = Selectable<Schema['deposit']>

/**
 * Credits final deposits, together for each asset of an organisation, once the sources have each of them; those that never existed end.
 * Returns what was credited. Throws SourcesDisagreeError, after those before it are credited.
 */
export async function creditSeen(needs: ScanNeeds, network: Network, final: FinalView, rows: readonly Arrived[]): Promise<Settled[]> {
  const view = { ...final, sources: final.sources.map(rememberBlock) }
  const seen: Arrived[] = []
  const failed: unknown[] = []
  for (const row of rows) {
    try {
      // A deposit found by balance was confirmed by all sources when it was found.
      const isThere = final.sources.length < 2 || row.found_in === 'balance' || (await isSeenByAll(needs, view, row))
      if (isThere) seen.push(row)
      else await needs.db.asOrganisation(row.org_id, (tx) => endUntrue(tx, needs, network, row.id))
    } catch (cause) {
      failed.push(cause)
      break
    }
  }
  const booked: Settled[] = []
  // One that could not be credited before is tried by itself, so that others can still be credited together.
  const together = Map.groupBy(seen, ({ org_id, contract, id, sub_status }) => (sub_status === NOT_BOOKED ? id : `${org_id}|${contract}`))
  for (const part of [...together.values()].flatMap(inParts)) {
    const { org_id: orgId, contract } = at(part, 0)
    if (await creditOrMark(needs, network, orgId, idsOf(part))) booked.push({ orgId, chain: network.chain, contract })
  }
  throwFirst(failed)
  return booked
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** A source that is not asked twice in a row for the same block: it may have brought many deposits. */
function rememberBlock(source: ChainNode): ChainNode {
  let last: { height: bigint; block: ReturnType<ChainNode['readBlock']> } | undefined
  const readBlock: ChainNode['readBlock'] = (height) => {
    if (last?.height !== height) last = { height, block: source.readBlock(height) }
    return last.block
  }
  return { ...source, readBlock }
}

/**
 * Credits deposits of one asset of an organisation together. If that fails, credits each by itself; one that fails for any reason of its own
 * is marked, an alarm says why and others go on; it is tried again with every block. True if something was credited now.
 */
async function creditOrMark(needs: ScanNeeds, network: Network, orgId: string, ids: readonly string[]): Promise<boolean> {
  try {
    return await needs.db.asOrganisation(orgId, (tx) => creditDeposits(tx, needs, network, ids))
  } catch (cause) {
    if (cause instanceof ChainError || cause instanceof DatabaseError) throw cause
    // If the database itself is gone, this fails as well, and nothing was marked.
    if (ids.length === 1) await needs.db.asOrganisation(orgId, (tx) => markUnbooked(tx, needs, network, at(ids, 0), cause))
    if (ids.length <= 1) return false
    let isCredited = false
    for (const id of ids) isCredited = (await creditOrMark(needs, network, orgId, [id])) || isCredited
    return isCredited
  }
}

async function markUnbooked(tx: OrganisationTx, needs: ScanNeeds, network: Network, depositId: string, cause: unknown): Promise<void> {
  const row = await tx.selectFrom('deposit').selectAll().where('org_id', '=', tx.orgId).where('id', '=', depositId).forNoKeyUpdate().executeTakeFirstOrThrow()
  const why = cause instanceof Error ? cause.message : String(cause)
  const reason = `${wordsOfPayment(network, row)} cannot be booked: ${why}`
  await setAlarms(tx, needs.ports, ['uncredited'], [], [{ chain: row.chain, contract: row.contract, place: row.address, cause: 'uncredited', reason }])
  await noteWhy(tx, needs, [row], NOT_BOOKED)
}

type Seen = MovedInside & { height: bigint; txid: string; tx_index: number; contract: string; amount: bigint; memo: string | null; found_in: string }

/**
 * Whether the sources have a payment that was read, in the very block: a block's hash fixes its content, but a source could misreport the block.
 * False if two or more agree that the block has no such payment. Throws SourcesDisagreeError if they differ.
 */
export async function isSeenByAll({ db }: ScanNeeds, final: FinalView, row: Seen): Promise<boolean> {
  const what = `payment ${row.tx_index} of ${row.txid} in block ${row.height}`
  const seen = await agreedAnswer(final, what, async (source) => {
    if (readBrc20Asset(row.contract) !== undefined) return tokenSeenBy(db, source, row)
    const block = await source.readBlock(row.height)
    if (block?.hash !== row.block_hash) return 'another block'
    if (row.found_in === 'inside' && block.internalTransfers === 'unseen') return isShownByBalance(db, source, row, block)
    const found = block.transfers.find((each) => each.txid === row.txid && each.index === row.tx_index)
    const isSame = found?.to === row.address && found.amount === row.amount && (found.asset.contract ?? '') === row.contract
    return isSame && memoOf(found) === row.memo
  })
  if (seen === 'another block') throw new SourcesDisagreeError(`${what}: it was read, and now no source has its block`)
  return seen
}

/** Credits final deposits of one asset, and reports it. True if one was credited now. */
export async function creditDeposits(tx: OrganisationTx, needs: ScanNeeds, network: Network, ids: readonly string[]): Promise<boolean> {
  const news = await bookDeposits(tx, needs, network, ids)
  if (news) await announceAll(tx, needs.ports, news)
  return news !== undefined
}

/**
 * The same without reporting: returns the news, to be sent last in the transaction; undefined if nothing was credited. Locks are taken in this order, each
 * kind in the order of its ids: deposits, orders that sped one up, and what a posting locks.
 */
export async function bookDeposits(
  tx: OrganisationTx,
  needs: ScanNeeds,
  { chain, finalityBlocks }: Network,
  wanted: readonly string[],
): Promise<Announcement[] | undefined> {
  const { ports } = needs
  const own = () => tx.selectFrom('deposit').where('org_id', '=', tx.orgId).where(isOneOf(wanted))
  const found = await own().selectAll().select(isFromOwn.as('from_own')).orderBy('id').forNoKeyUpdate().execute()
  const rows = found.filter(({ state, sub_status }) => (state === 'unconfirmed' || state === 'confirmed') && !HELD_DEPOSITS.includes(sub_status ?? ''))
  const [first] = rows
  if (!first) return undefined
  const { contract } = first
  if (rows.some((row) => row.contract !== contract || row.chain !== chain)) throw new Error('deposits that are credited together are of one asset')
  if (await findLedgerAlarm(tx, { chain, contracts: [contract] })) {
    await noteWhy(tx, needs, rows, LEDGER_BROKEN)
    return undefined
  }
  const cpfpOrders = await lockCpfpOrders(tx, chain, rows)
  const ids = idsOf(rows)
  const references = await nextReferences(tx, ids)
  const nowMs = ports.clock.nowMs()
  const notBefore = sql<bigint>`greatest(created_at, ${nowMs}::int8)`
  await tx
    .updateTable('deposit')
    .set({ state: 'credited', sub_status: null, confirmations: BigInt(finalityBlocks), credited_at: notBefore, updated_at: notBefore })
    .where('org_id', '=', tx.orgId)
    .where(isOneOf(ids))
    .execute()
  const credits = rows.map((row) => ({
    id: newId(nowMs, ports.random),
    reference: known(references.get(row.id), `the reference of deposit ${row.id}`),
    nowMs: Math.max(nowMs, Number(row.created_at)),
    subWalletId: row.sub_wallet_id,
    asset: { chain, contract: contract === '' ? null : contract },
    amount: row.amount,
    fromOwn: row.from_own,
    address: row.address,
  }))
  const posted = await credit(tx, credits)
  if (!posted.every((each) => each.posted)) throw new Error(`deposit ${first.id} is in the books already`)
  const marked = rows.filter(({ sub_status }) => sub_status === NOT_BOOKED).map(({ address }) => ({ chain, contract, place: address }))
  if (marked.length > 0) await setAlarms(tx, ports, ['uncredited'], marked, [])
  await holdForCpfpOrders(tx, needs, cpfpOrders)
  const subWalletIds = [...new Set(rows.map((row) => row.sub_wallet_id))]
  const takenBack = await reverseDue(tx, needs, { subWalletIds, chain, contract })
  return [...takenBack, ...rows.map(newsOf), ...subWalletIds.map((id): Announcement => ({ topic: 'balance.changed', ids: { sub_wallet_id: id } }))]
}

/** Whether a deposit comes from an address of the same organisation. */
const isFromOwn = sql<boolean>`exists (
  select from address where address.org_id = deposit.org_id and address.chain = deposit.chain and address.address = deposit.from_address)`
const isOneOf = (ids: readonly string[]) => sql<boolean>`deposit.id = any(${ids}::uuid[])`

const newsOf = ({ id, sub_wallet_id }: Pick<Arrived, 'id' | 'sub_wallet_id'>): Announcement => ({
  topic: 'deposit.changed',
  ids: { deposit_id: id, sub_wallet_id },
})

type Marked = Pick<Arrived, 'id' | 'sub_status' | 'sub_wallet_id'>

async function noteWhy(tx: OrganisationTx, { ports }: ScanNeeds, rows: readonly Marked[], why: string): Promise<void> {
  const unnoted = rows.filter(({ sub_status }) => sub_status !== why)
  if (unnoted.length === 0) return
  await tx
    .updateTable('deposit')
    .set({ sub_status: why, updated_at: sql<bigint>`greatest(updated_at, ${ports.clock.nowMs()}::int8)` })
    .where('org_id', '=', tx.orgId)
    .where(isOneOf(idsOf(unnoted)))
    .execute()
  await announceAll(tx, ports, unnoted.map(newsOf))
}
