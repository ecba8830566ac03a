import { ChainError, readBrc20Asset } from '@holdfast/chain-core'
import { actForOrganisation, DatabaseError, type OrganisationTx } from '@holdfast/db'
import { agreedAnswer, type FinalView, findLedgerAlarm, type Network, setAlarms, SourcesDisagreeError } from '@holdfast/features/network/server'
import { holdForCpfpOrders, lockCpfpOrders, type Settled } from '@holdfast/features/transfer/server'
import { tokenSeenBy } from '@holdfast/features/utxo/server'
import { HELD_DEPOSITS } from '@holdfast/features/wallet/server'
import { announceAll, type Announcement } from '@holdfast/jobs'
import { credit } from '@holdfast/ledger'
import { known, newId } from '@holdfast/units'
import { sql } from 'kysely'
import { type Cursor, memoOf, type ScanNeeds } from '../reading/advance.ts'
import { nextReference } from './credit-reference.ts'
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
      // One that is held waits for no block once it is final.
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

/** What is held is told to people and credited to nobody. */
const isNotHeld = sql<boolean>`(deposit.sub_status is null or deposit.sub_status <> all(${HELD_DEPOSITS}::text[]))`

/** A deposit that is final and waits because the ledger of its asset does not add up. */
const LEDGER_BROKEN = 'books_broken'
/** One that is final and could not be booked for a reason of its own. */
const NOT_BOOKED = 'not_booked'

/**
 * Credits every deposit whose block is final and still ours: the ledger, the row and the news in one transaction, once. Where a
 * chain has several sources, a second one has to show the same payment. Returns what was booked. Throws SourcesDisagreeError.
 */
export async function creditFinal(needs: ScanNeeds, network: Network, final: FinalView): Promise<Settled[]> {
  const rows = await needs.db.asSystem((tx) =>
    tx
      .selectFrom('deposit')
      .innerJoin('chain_block', (join) =>
        join
          .onRef('chain_block.chain', '=', 'deposit.chain')
          .onRef('chain_block.height', '=', 'deposit.height')
          .onRef('chain_block.hash', '=', 'deposit.block_hash'),
      )
      .select(['deposit.org_id', 'deposit.chain', 'deposit.id', 'deposit.height', 'deposit.txid', 'deposit.tx_index', 'deposit.block_hash'])
      .select(['deposit.contract', 'deposit.address', 'deposit.amount', 'deposit.memo', 'deposit.found_in'])
      .where('deposit.chain', '=', network.chain)
      .where('deposit.state', 'in', ['unconfirmed', 'confirmed'])
      .where('deposit.height', '<=', final.height)
      .where(isNotHeld)
      .orderBy('deposit.height')
      .orderBy('deposit.id')
      .execute(),
  )
  const booked: Settled[] = []
  for (const row of rows) {
    // What was found by balance was asked of all sources when it was found.
    if (final.sources.length > 1 && row.found_in !== 'balance' && !(await isSeenByAll(needs, final, row))) {
      await needs.db.asOrganisation(row.org_id, (tx) => endUntrue(tx, needs, network, row.id))
      continue
    }
    if (await creditOrMark(needs, network, row)) booked.push({ orgId: row.org_id, chain: network.chain, contract: row.contract })
  }
  return booked
}

/**
 * Credits a deposit. Where that cannot be done for a reason of its own, whatever that is, the deposit is marked, an alarm says why and others go on; it
 * is tried
 * again with every block. True where it was credited now.
 */
export async function creditOrMark(needs: ScanNeeds, network: Network, row: { org_id: string; id: string }): Promise<boolean> {
  try {
    return await needs.db.asOrganisation(row.org_id, (tx) => creditDeposit(tx, needs, network, row.id))
  } catch (cause) {
    if (cause instanceof ChainError || cause instanceof DatabaseError) throw cause
    // Where the database itself is gone, this fails as well, and nothing was marked.
    await needs.db.asOrganisation(row.org_id, (tx) => markUnbooked(tx, needs, network, row.id, cause))
    return false
  }
}

async function markUnbooked(tx: OrganisationTx, needs: ScanNeeds, network: Network, depositId: string, cause: unknown): Promise<void> {
  const row = await tx.selectFrom('deposit').selectAll().where('org_id', '=', tx.orgId).where('id', '=', depositId).forNoKeyUpdate().executeTakeFirstOrThrow()
  const why = cause instanceof Error ? cause.message : String(cause)
  const reason = `${wordsOfPayment(network, row)} cannot be booked: ${why}`
  await setAlarms(tx, needs.ports, ['uncredited'], [], [{ chain: row.chain, contract: row.contract, place: row.address, cause: 'uncredited', reason }])
  await noteWhy(tx, needs, row, NOT_BOOKED)
}

type Seen = MovedInside & { height: bigint; txid: string; tx_index: number; contract: string; amount: bigint; memo: string | null; found_in: string }

/**
 * Whether the sources have a payment that was read, in the very block: a block's hash says what is in it, but a source could tell of the block otherwise
 * than it
 * is. False where two or more agree that the block has no such payment. Throws SourcesDisagreeError where they differ.
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

/** Credits a deposit that is final, and tells of it. True where it was credited now. */
export async function creditDeposit(tx: OrganisationTx, needs: ScanNeeds, network: Network, depositId: string): Promise<boolean> {
  const news = await bookDeposit(tx, needs, network, depositId)
  if (news) await announceAll(tx, needs.ports, news)
  return news !== undefined
}

/** The same without telling of it: what is to be told, as the last of the transaction; undefined where nothing was credited. */
export async function bookDeposit(tx: OrganisationTx, needs: ScanNeeds, { finalityBlocks }: Network, depositId: string): Promise<Announcement[] | undefined> {
  const { ports } = needs
  const row = await tx.selectFrom('deposit').selectAll().where('org_id', '=', tx.orgId).where('id', '=', depositId).forNoKeyUpdate().executeTakeFirst()
  if ((row?.state !== 'unconfirmed' && row?.state !== 'confirmed') || HELD_DEPOSITS.includes(row.sub_status ?? '')) return undefined
  if (await findLedgerAlarm(tx, { chain: row.chain, contracts: [row.contract] })) {
    await noteWhy(tx, needs, row, LEDGER_BROKEN)
    return undefined
  }
  const cpfpOrders = await lockCpfpOrders(tx, row)
  const nowMs = Math.max(ports.clock.nowMs(), Number(row.created_at))
  await tx
    .updateTable('deposit')
    .set({ state: 'credited', sub_status: null, confirmations: BigInt(finalityBlocks), credited_at: nowMs, updated_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', depositId)
    .execute()
  const { posted } = await credit(tx, {
    id: newId(nowMs, ports.random),
    reference: await nextReference(tx, depositId),
    nowMs,
    subWalletId: row.sub_wallet_id,
    asset: { chain: row.chain, contract: row.contract === '' ? null : row.contract },
    amount: row.amount,
  })
  if (!posted) throw new Error(`deposit ${depositId} is in the books already`)
  if (row.sub_status === NOT_BOOKED) await setAlarms(tx, ports, ['uncredited'], [{ chain: row.chain, contract: row.contract, place: row.address }], [])
  await holdForCpfpOrders(tx, needs, cpfpOrders)
  const takenBack = await reverseDue(tx, needs, { subWalletId: row.sub_wallet_id, chain: row.chain, contract: row.contract })
  const ids = { deposit_id: depositId, sub_wallet_id: row.sub_wallet_id }
  return [...takenBack, { topic: 'deposit.changed', ids }, { topic: 'balance.changed', ids: { sub_wallet_id: row.sub_wallet_id } }]
}

async function noteWhy(
  tx: OrganisationTx,
  { ports }: ScanNeeds,
  row: { id: string; sub_status: string | null; sub_wallet_id: string; updated_at: bigint },
  why: string,
): Promise<void> {
  if (row.sub_status === why) return
  await tx
    .updateTable('deposit')
    .set({ sub_status: why, updated_at: Math.max(ports.clock.nowMs(), Number(row.updated_at)) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .execute()
  await announceAll(tx, ports, [{ topic: 'deposit.changed', ids: { deposit_id: row.id, sub_wallet_id: row.sub_wallet_id } }])
}
