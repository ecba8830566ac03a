import { type Block, type BlockTransfer, pinnedContract } from '@holdfast/chain-core'
import { actForOrganisation, askAlong, inParts, type OrganisationTx, type SystemTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { type Alarm, type Network, setAlarms } from '@holdfast/features/network/server'
import { followBlock } from '@holdfast/features/utxo/server'
import { announceAll } from '@holdfast/jobs'
import { known } from '@holdfast/units'
import { sql } from 'kysely'
import { insertCharges } from './charges.ts'
import { AMOUNT_TOO_LARGE } from '../holds/too-large.ts'
import { REVERSAL_DUE } from '../crediting/reversal-due.ts'
import { arrivalOf, type Match, matchDeposits, matchUnverified } from './match-deposits.ts'
import { tellOddLogs } from './odd-logs.ts'
import { insertAllowanceSpends } from './allowance-spends.ts'
import { settlePending } from './settle-pending.ts'

export type ScanNeeds = Pick<ServerContext, 'ports' | 'db' | 'networks'>
export type Cursor = { height: bigint; hash: string }
/** The cursor, and down to which block a server began to give blocks up. */
export type KeptCursor = Cursor & { rewinding_to: bigint | null }

/** Blocks kept behind what is final and posted, to find where a reorganisation began; many times the depth of any reorganisation ever seen. */
export const BLOCKS_KEPT = 4096n
/** Older blocks are deleted each time this many have come. */
export const FORGET_EVERY = 64n

export async function readCursor({ db }: Pick<ScanNeeds, 'db'>, chain: string): Promise<KeptCursor | undefined> {
  return db.readSystem((tx) => tx.selectFrom('chain_cursor').select(['height', 'hash', 'rewinding_to']).where('chain', '=', chain).executeTakeFirst())
}

/** Begins to read a chain at a block. Earlier blocks are not read: no address of ours existed then. */
export async function beginAt({ db, ports }: ScanNeeds, chain: string, block: Block): Promise<void> {
  const nowMs = ports.clock.nowMs()
  await db.asSystem(async (tx) => {
    await tx
      .insertInto('chain_cursor')
      .values({ chain, height: block.height, hash: block.hash, booked_height: block.height, updated_at: nowMs })
      .onConflict((conflict) => conflict.column('chain').doNothing())
      .execute()
    await keepBlock(tx, { chain }, block)
  })
}

/** Writes a block down as one of ours; a block that is written already stays. */
export async function keepBlock(tx: SystemTx, { chain }: Pick<Network, 'chain'>, { height, hash, parentHash }: Block): Promise<void> {
  await tx
    .insertInto('chain_block')
    .values({ chain, height, hash, parent_hash: parentHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Takes in the block after the cursor: its payments to us, the block itself and the cursor, in one transaction. So a block is
 * taken in whole or not at all, and never one without the one before. False if somebody else has moved the cursor.
 */
export async function advance(needs: ScanNeeds, network: Network, from: Cursor, block: Block): Promise<boolean> {
  if (block.height !== from.height + 1n || block.parentHash !== from.hash) throw new Error(`block ${block.height} does not follow block ${from.height}`)
  const nowMs = needs.ports.clock.nowMs()
  const { chain } = network
  return needs.db.asSystem(async (tx) => {
    const cursor = await tx.selectFrom('chain_cursor').select(['height', 'hash']).where('chain', '=', chain).forUpdate().executeTakeFirst()
    if (cursor?.height !== from.height || cursor.hash !== from.hash) return false
    const tokens = await followBlock(tx, { ...block, chain }, nowMs)
    const matches = await matchDeposits(tx, network, { ...block, transfers: [...block.transfers, ...tokens] })
    askAlong(tx, tx.insertInto('chain_block').values({ chain, height: block.height, hash: block.hash, parent_hash: block.parentHash }))
    if (block.height % FORGET_EVERY === 0n) await forgetBlocks(tx, chain)
    const moved = { height: block.height, hash: block.hash, updated_at: nowMs, ...(block.internalTransfers === 'unseen' && { unseen_height: block.height }) }
    askAlong(tx, tx.updateTable('chain_cursor').set(moved).where('chain', '=', chain))
    const byOrganisation = Map.groupBy(matches, (match) => match.orgId)
    for (const orgId of [...byOrganisation.keys()].sort())
      await insertDeposits(tx, needs, orgId, known(byOrganisation.get(orgId), `the deposits of organisation ${orgId}`), block)
    await insertCharges(tx, network, block)
    await insertAllowanceSpends(tx, needs, network, block)
    await settlePending(tx, needs, chain, block)
    await insertUnverified(tx, needs, await matchUnverified(tx, network, block), block)
    if (block.oddLogs?.length) await tellOddLogs(tx, needs, network, block.height, block.oddLogs)
    return true
  })
}

/**
 * Deletes blocks that nothing needs any more: they lie far below what was posted, and hold nothing that waits to be posted. Blocks above are
 * kept however long that takes, since only deposits, payments and spends in a block of ours are credited, settled or posted.
 */
async function forgetBlocks(tx: SystemTx, chain: string): Promise<void> {
  await sql`
    delete from chain_block using chain_cursor
      where chain_block.chain = ${chain} and chain_cursor.chain = chain_block.chain and chain_block.height < chain_cursor.booked_height - ${BLOCKS_KEPT}::int8
      and not exists (select from deposit
        where deposit.chain = chain_block.chain and deposit.height = chain_block.height and deposit.state in ('unconfirmed', 'confirmed'))
      and not exists (select from chain_charge
        where chain_charge.chain = chain_block.chain and chain_charge.height = chain_block.height and chain_charge.booked_at is null)
      and not exists (select from token_pull
        where token_pull.chain = chain_block.chain and token_pull.height = chain_block.height
          and token_pull.booked_at is null and token_pull.reversed_at is null)
      and not exists (select from transfer_order
        where transfer_order.chain = chain_block.chain and transfer_order.block_height = chain_block.height and not transfer_order.is_final)`.execute(tx)
}

/** Records that everything up to a height is compared and posted. */
export async function noteBooked({ db }: Pick<ScanNeeds, 'db'>, chain: string, height: bigint): Promise<void> {
  await db.asSystem((tx) =>
    tx
      .updateTable('chain_cursor')
      .set({ booked_height: height })
      .where('chain', '=', chain)
      .where((row) => row.or([row('booked_height', 'is', null), row('booked_height', '<', height)]))
      .execute(),
  )
}

/** Tokens nobody here knows: kept apart from every balance, so that people see tokens sent to lure them. */
async function insertUnverified(tx: SystemTx, { ports }: ScanNeeds, matches: readonly Omit<Match, 'symbol'>[], block: Block): Promise<void> {
  const nowMs = ports.clock.nowMs()
  for (const part of inParts(matches))
    await tx
      .insertInto('unverified_arrival')
      .values(
        part.map(({ orgId, subWalletId, transfer }) => ({
          org_id: orgId,
          chain: transfer.asset.chain,
          txid: transfer.txid,
          tx_index: transfer.index,
          block_hash: block.hash,
          height: block.height,
          sub_wallet_id: subWalletId,
          contract: pinnedContract(known(transfer.asset.contract, `the contract of the token that ${transfer.txid} moved`)),
          from_address: transfer.from,
          arrived_at: nowMs,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

const MEMO_CHARACTERS_MAX = 1024

/** The payer's memo as it can be stored: a database takes no zero character, and nobody reads a longer one. */
export function memoOf({ memo = '' }: BlockTransfer): string | null {
  return [...memo.replaceAll('\0', '\ufffd')].slice(0, MEMO_CHARACTERS_MAX).join('') || null
}

function tooLarge({ address, transfer: { asset, amount, txid } }: Match): Alarm {
  const reason = `${amount} base units to ${address} in ${txid} are more than any book can hold; the token says what it likes, and nothing of it is credited`
  return { chain: asset.chain, contract: asset.contract ?? '', place: address, cause: 'uncredited', reason }
}

/**
 * One row for each transfer and block. A transfer that comes back in a block that was given up and returned takes its row up again; where its credit still
 * waits to be reversed, it stays credited.
 */
export async function insertDeposits(tx: SystemTx, { ports }: ScanNeeds, orgId: string, matches: readonly Match[], block: Block): Promise<void> {
  const nowMs = ports.clock.nowMs()
  await actForOrganisation(tx, orgId, async (own) => {
    const rows: { id: string; sub_wallet_id: string }[] = []
    for (const part of inParts(matches)) rows.push(...(await insertPart(own, ports, part, block, nowMs)))
    for (const match of matches) if (match.heldFor === AMOUNT_TOO_LARGE) await setAlarms(own, ports, ['uncredited'], [], [tooLarge(match)])
    await announceAll(
      own,
      ports,
      rows.map(({ id, sub_wallet_id }) => ({ topic: 'deposit.changed', ids: { deposit_id: id, sub_wallet_id } })),
    )
  })
}

/** Whether the row that is taken up again was never reversed. */
const IS_CREDITED = sql`deposit.state = 'credited'`

async function insertPart(own: OrganisationTx, { random }: Pick<ScanNeeds['ports'], 'random'>, part: readonly Match[], block: Block, nowMs: number) {
  return own
    .insertInto('deposit')
    .values(
      part.map((match) => ({
        ...arrivalOf(match, random, nowMs),
        block_hash: block.hash,
        height: block.height,
        memo: memoOf(match.transfer),
        found_in: match.transfer.inside ? ('inside' as const) : ('transaction' as const),
        state: 'unconfirmed' as const,
        sub_status: match.heldFor ?? null,
        confirmations: 0n,
        credited_at: null,
        reversed_at: null,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'chain', 'txid', 'tx_index', 'block_hash', 'untrue'])
        .doUpdateSet({
          state: sql`case when ${IS_CREDITED} then deposit.state else excluded.state end`,
          sub_status: sql`case when ${IS_CREDITED} then null else excluded.sub_status end`,
          confirmations: sql`case when ${IS_CREDITED} then deposit.confirmations else excluded.confirmations end`,
          reversed_at: null,
          updated_at: nowMs,
        })
        .where((row) =>
          row.or([row('deposit.state', '=', 'reversed'), row.and([row('deposit.state', '=', 'credited'), row('deposit.sub_status', '=', REVERSAL_DUE)])]),
        ),
    )
    .returning(['id', 'sub_wallet_id'])
    .execute()
}
