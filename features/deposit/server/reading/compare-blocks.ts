import { type Block, ChainError, type ChainNode, readBrc20Asset } from '@holdfast/chain-core'
import { actForOrganisation, type SystemTx } from '@holdfast/db'
import { type FinalView, type Network, setAlarms, SourcesDisagreeError, SourcesSilentError } from '@holdfast/features/network/server'
import { at } from '@holdfast/units'
import { insertDeposits, memoOf, noteBooked, type ScanNeeds } from './advance.ts'
import { insertCharges, ownCharges } from './charges.ts'
import { endAllUntrue, wordsOfPayment } from '../crediting/end-untrue.ts'
import { hashAt } from './final-now.ts'
import { type Match, matchDeposits } from './match-deposits.ts'
import { insertAllowanceSpends, ownAllowanceSpends } from './allowance-spends.ts'

/*
 * Blocks are read from one source. Before anything of them is posted, another source says what they brought to addresses of ours and took from them, so that
 * the first one can neither add a payment nor leave one out, even if it did so once and tells the truth from then on.
 */

/** Blocks asked for at a time, and compared in one round. */
const SIDE_BY_SIDE = 8
const BLOCKS_AT_ONCE = 400n

/**
 * Compares what was written of final blocks with what another source has, up to the height it answers with; missing payments are written, and false
 * ones end, each with an alarm. Throws SourcesDisagreeError if the sources do not agree on a block, and SourcesSilentError if no second one shows a
 * block.
 */
export async function compareBlocks(needs: ScanNeeds, network: Network, final: FinalView): Promise<bigint> {
  if (final.sources.length < 2) return final.height
  const from = await comparedTo(needs, network.chain)
  const to = from + BLOCKS_AT_ONCE < final.height ? from + BLOCKS_AT_ONCE : final.height
  const others = final.sources.filter((each) => each !== network.node)
  for (let height = from + 1n; height <= to; height += BigInt(SIDE_BY_SIDE)) {
    const heights = Array.from({ length: SIDE_BY_SIDE }, (_, i) => height + BigInt(i)).filter((each) => each <= to)
    const blocks = await Promise.all(heights.map((each) => firstShown(network, others, each)))
    for (const block of blocks) await compareBlock(needs, network, final, block)
    await noteBooked(needs, network.chain, height - 1n)
  }
  return to
}

/** The height below which nothing is compared any more. If it was never noted, the oldest block that is kept is the first. */
async function comparedTo({ db }: Pick<ScanNeeds, 'db'>, chain: string): Promise<bigint> {
  return db.asSystem(async (tx) => {
    const cursor = await tx.selectFrom('chain_cursor').select('booked_height').where('chain', '=', chain).executeTakeFirst()
    if (typeof cursor?.booked_height === 'bigint') return cursor.booked_height
    const oldest = await tx.selectFrom('chain_block').select('height').where('chain', '=', chain).orderBy('height').limit(1).executeTakeFirstOrThrow()
    return oldest.height
  })
}

async function firstShown({ name }: Network, sources: readonly ChainNode[], height: bigint): Promise<Block> {
  let cause: unknown
  for (const source of sources) {
    try {
      const block = await source.readBlock(height)
      if (block) return block
    } catch (failure) {
      if (!(failure instanceof ChainError)) throw failure
      cause = failure
    }
  }
  const why = cause instanceof Error ? `: ${cause.message}` : ''
  throw new SourcesSilentError(`${name}: no second source shows block ${height}${why}`, { cause })
}

/** What a block did to addresses of ours, each thing under a name that says all of it. */
type Own = { deposits: Map<string, Match>; spends: Set<string>; charges: Set<string> }

async function compareBlock(needs: ScanNeeds, network: Network, final: FinalView, block: Block): Promise<void> {
  const { db } = needs
  const hash = await hashAt(needs, network.chain, block.height)
  if (hash === undefined) return
  if (block.hash !== hash)
    throw new SourcesDisagreeError(`${network.name}: at height ${block.height} another source has block ${block.hash}, and the block read is ${hash}`)
  const [told, written] = await db.asSystem(async (tx) => [await ownOf(tx, network, block), await writtenOf(tx, network.chain, block)] as const)
  if (isSame(told, written)) return
  const truth = await agreedBlock(needs, network, final, block)
  await db.asSystem((tx) => amend(tx, needs, network, truth))
}

/**
 * The block as all sources that answer have it, as far as it is about addresses of ours.
 */
export async function agreedBlock(needs: ScanNeeds, network: Network, { sources }: FinalView, { height, hash }: Block): Promise<Block> {
  const answers = await Promise.all(sources.map((each) => each.readBlock(height).catch(ignoreChainError)))
  const shown = answers.flatMap((each) => (each?.hash === hash ? [each] : []))
  if (shown.length < 2) throw new SourcesSilentError(`${network.name}: ${shown.length} of ${sources.length} sources show block ${height}, two are needed`)
  const blocks = await withComparableInside(needs, network, shown)
  const owns = await needs.db.asSystem((tx) => Promise.all(blocks.map((each) => ownOf(tx, network, each))))
  const first = at(owns, 0)
  if (owns.slice(1).some((each) => !isSame(first, each))) throw new SourcesDisagreeError(`${network.name}: sources differ in what block ${height} paid or took`)
  return at(blocks, 0)
}

/**
 * What contracts moved inside transactions is compared if all sources show it. If one shows none it is left to balances; since sources may or may not keep it
 * without saying so, what only some of them report counts as never reported, and balances tell people of it.
 */
async function withComparableInside({ db }: ScanNeeds, network: Network, shown: readonly Block[]): Promise<readonly Block[]> {
  const without = (internalTransfers: Block['internalTransfers']) =>
    shown.map((each) => ({ ...each, transfers: each.transfers.filter(({ inside }) => !inside), internalTransfers }))
  if (shown.some(({ internalTransfers }) => internalTransfers === 'unseen')) return without('unseen')
  if (shown.every(({ internalTransfers }) => internalTransfers !== 'partly')) return shown
  const inside = shown.map((each) => ({ ...each, transfers: each.transfers.filter((transfer) => transfer.inside) }))
  const owns = await db.asSystem((tx) => Promise.all(inside.map((each) => ownOf(tx, network, each))))
  const first = at(owns, 0)
  return owns.slice(1).every((each) => isSame({ ...first, charges: new Set() }, { ...each, charges: new Set() })) ? shown : without('partly')
}

async function ownOf(tx: SystemTx, network: Network, block: Block): Promise<Own> {
  const matches = await matchDeposits(tx, network, block)
  const spends = await ownAllowanceSpends(tx, network, block)
  const charges = await ownCharges(tx, network.chain, block)
  return {
    deposits: new Map(
      matches.map((match) => {
        const { orgId, transfer } = match
        const paid = { ...transfer, contract: transfer.asset.contract ?? '', memo: memoOf(transfer), found_in: transfer.inside ? 'inside' : 'transaction' }
        return [nameOf({ ...paid, org_id: orgId, tx_index: transfer.index, address: match.address }), match]
      }),
    ),
    spends: new Set(spends.map(nameOfAllowanceSpend)),
    charges: new Set(charges.map(nameOfCharge)),
  }
}

type Named = { org_id: string; txid: string; tx_index: number; address: string; contract: string; amount: bigint; memo: string | null; found_in: string }

const nameOf = ({ org_id, txid, tx_index, address, contract, amount, memo, found_in }: Named): string =>
  JSON.stringify([org_id, txid, tx_index, address, contract, String(amount), memo, found_in])
const nameOfAllowanceSpend = (each: { org_id: string; txid: string; tx_index: number; address: string; contract: string; amount: bigint }): string =>
  JSON.stringify([each.org_id, each.txid, each.tx_index, each.address, each.contract, String(each.amount)])
const nameOfCharge = (each: { org_id: string; address: string; amount: bigint }): string => JSON.stringify([each.org_id, each.address, String(each.amount)])

/** What was written of a block. Deposits found by balance are in no block, and effects of BRC-20 tokens follow from our own index of them. */
async function rowsOf(tx: SystemTx, chain: string, { height, hash }: Pick<Block, 'height' | 'hash'>) {
  const deposits = await tx
    .selectFrom('deposit')
    .selectAll()
    .where('chain', '=', chain)
    .where('height', '=', height)
    .where('block_hash', '=', hash)
    .where('state', '<>', 'reversed')
    .where('found_in', '<>', 'balance')
    .execute()
  const spends = await tx
    .selectFrom('token_pull')
    .selectAll()
    .where('chain', '=', chain)
    .where('height', '=', height)
    .where('block_hash', '=', hash)
    .where('reversed_at', 'is', null)
    .execute()
  const charges = await tx
    .selectFrom('chain_charge')
    .selectAll()
    .where('chain', '=', chain)
    .where('height', '=', height)
    .where('block_hash', '=', hash)
    .execute()
  return { deposits: deposits.filter(({ contract }) => readBrc20Asset(contract) === undefined), spends, charges }
}

async function writtenOf(tx: SystemTx, chain: string, block: Block) {
  const { deposits, spends, charges } = await rowsOf(tx, chain, block)
  // If a source cannot show what moved inside, balances show that.
  const comparable = deposits.filter(({ found_in }) => found_in !== 'inside' || block.internalTransfers !== 'unseen')
  return {
    deposits: new Map(comparable.map((row) => [nameOf(row), row])),
    spends: new Set(spends.map(nameOfAllowanceSpend)),
    charges: new Set(charges.map(nameOfCharge)),
  }
}

type Names = { deposits: ReadonlyMap<string, unknown>; spends: ReadonlySet<string>; charges: ReadonlySet<string> }

function isSame(one: Names, other: Names): boolean {
  const alike = (a: Iterable<string>, b: Iterable<string>) => [...a].sort().join() === [...b].sort().join()
  return alike(one.deposits.keys(), other.deposits.keys()) && alike(one.spends, other.spends) && alike(one.charges, other.charges)
}

/** Makes what is written of a block equal to what the sources agree on. Returns the payments that had not been written. */
export async function amend(tx: SystemTx, needs: ScanNeeds, network: Network, block: Block): Promise<Match[]> {
  const { chain } = network
  const truth = await ownOf(tx, network, block)
  const written = await writtenOf(tx, chain, block)
  const rows = await rowsOf(tx, chain, block)
  await endAllUntrue(
    tx,
    needs,
    network,
    [...written.deposits].flatMap(([name, row]) => (truth.deposits.has(name) ? [] : [row])),
  )
  const untaken = rows.spends.filter((each) => each.booked_at === null && !truth.spends.has(nameOfAllowanceSpend(each)))
  for (const { org_id, id } of untaken) await tx.deleteFrom('token_pull').where('org_id', '=', org_id).where('id', '=', id).execute()
  const uncharged = rows.charges.filter((each) => each.booked_at === null && !truth.charges.has(nameOfCharge(each)))
  for (const { org_id, address, block_hash } of uncharged)
    await tx
      .deleteFrom('chain_charge')
      .where('org_id', '=', org_id)
      .where('chain', '=', chain)
      .where('address', '=', address)
      .where('block_hash', '=', block_hash)
      .execute()
  const unwritten = [...truth.deposits].flatMap(([name, match]) => (written.deposits.has(name) ? [] : [match]))
  const missing = await notFoundByBalance(tx, unwritten, block)
  for (const [orgId, own] of [...Map.groupBy(missing, (each) => each.orgId)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await insertDeposits(tx, needs, orgId, own, block)
    await tellLeftOut(tx, needs, network, orgId, own, block)
  }
  await insertAllowanceSpends(tx, needs, network, block)
  await insertCharges(tx, network, block)
  return missing
}

/** Coin that was left out of a block may have been found by balance since; then it is posted already. */
async function notFoundByBalance(tx: SystemTx, matches: readonly Match[], { height }: Block): Promise<Match[]> {
  const kept: Match[] = []
  for (const match of matches) {
    const { asset } = match.transfer
    const found = tx.selectFrom('deposit').select('id').where('org_id', '=', match.orgId).where('chain', '=', asset.chain).where('address', '=', match.address)
    const isBooked = asset.contract === null && (await found.where('found_in', '=', 'balance').where('height', '>=', height).limit(1).executeTakeFirst())
    if (!isBooked) kept.push(match)
  }
  return kept
}

/** Tells people what the source left out. It is no fault if the reader could not know of it then: a token or an address that is newer. */
async function tellLeftOut(tx: SystemTx, { ports }: ScanNeeds, network: Network, orgId: string, matches: readonly Match[], block: Block): Promise<void> {
  const listed = matches.filter(({ transfer }) => !network.added?.some(({ contract }) => contract === transfer.asset.contract))
  if (listed.length === 0) return
  await actForOrganisation(tx, orgId, async (own) => {
    const known = await own
      .selectFrom('address')
      .select('address')
      .where('org_id', '=', orgId)
      .where('chain', '=', network.chain)
      .where('address', 'in', [...new Set(listed.map(({ address }) => address))])
      .where('created_at', '<', BigInt(block.timestampMs))
      .execute()
    const told = listed.filter(({ address }) => known.some((each) => each.address === address))
    const alarms = told.map(({ address, transfer }) => {
      const contract = transfer.asset.contract ?? ''
      const words = wordsOfPayment(network, { ...transfer, contract, address, height: block.height })
      return {
        chain: network.chain,
        contract,
        place: address,
        cause: 'untold' as const,
        reason: `source 1 left out ${words}; other sources have it, and it is taken in`,
      }
    })
    for (const alarm of alarms) await setAlarms(own, ports, ['untold'], [], [alarm])
  })
}

function ignoreChainError(cause: unknown): undefined {
  if (!(cause instanceof ChainError)) throw cause
  return undefined
}
