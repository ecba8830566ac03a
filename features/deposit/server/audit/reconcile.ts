import { type AccountControl, type AssetRef, ChainError, type ChainNode, readBrc20Asset, readNft } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import {
  acceptedSurplus,
  type Alarm,
  agreedAnswer,
  assetByContract,
  assetsOf,
  type FinalView,
  finalView,
  lowerAccepted,
  nameOfAsset,
  type Network,
  type NetworkAsset,
  setAlarms,
  unevenTokens,
} from '@holdfast/features/network/server'
import { brc20Holding, CALL_KINDS, orderKindsWhere } from '@holdfast/features/transfer/server'
import { forEachApart } from '@holdfast/jobs'
import { at, formatAmount } from '@holdfast/units'
import { sql } from 'kysely'
import { type Cursor, readCursor, type ScanNeeds } from '../reading/advance.ts'
import { creditByBalance, hasUnseenBlocks } from '../reading/find-by-balance.ts'
import { DEPOSIT_MAX } from '../holds/too-large.ts'
import { leastAmount } from '../reading/match-deposits.ts'

/** Dust is not credited, so an address may have this many times the least amount that is. */
const DUST_TIMES = 100n
/** A block that comes while the head is asked about makes the answer worthless. */
const TRIES = 3

const HOLDING_THEIR_AMOUNT = orderKindsWhere(({ holds }) => holds === 'amount and fee')

type Held = { orgId: string; subWalletId: string; address: string }
/** What the ledger expects an address to have on its chain at a height: between `low` and `high`, since payments on their way may be there or not. */
type Expected = { low: bigint; high: bigint }

/** So many addresses of a chain are compared in one round; where there are more, the next round goes on with those that follow, and then begins anew. */
const ROUND_ADDRESSES = 1_000
/** The last address of the round before, by database and chain. A server that starts begins anew. */
const lastCompared = new WeakMap<object, Map<string, Place>>()
type Place = { address: string; orgId: string }

/**
 * Compares what addresses have on a chain, at a height that is final, with what the ledger says they have. A difference raises an
 * alarm that people see; it changes nothing in the ledger. If sources do not answer or the ledger moves meanwhile, the address
 * is left out this time. A round takes `atOnce` addresses. Returns what is newly wrong, in words.
 */
export async function reconcileChain(needs: ScanNeeds, network: Network, isStopped: () => boolean = () => false, atOnce = ROUND_ADDRESSES): Promise<string[]> {
  const told: string[] = []
  const failed = await forEachApart(await holders(needs, network.chain, atOnce), async (held) => {
    if (!isStopped()) told.push(...(await reconcileHolder(needs, network, held)))
    if (!isStopped()) told.push(...(await checkControl(needs, network, held)))
  })
  for (const cause of failed) told.push(`an address on ${network.name} could not be compared: ${cause instanceof Error ? cause.message : String(cause)}`)
  return told
}

/**
 * The block at which ledger and chain are compared: the last final one; if nodes keep no past balances, the last one read, since
 * the ledger's expectation of it is known too. Undefined if the sources do not agree on it now.
 */
async function comparedAt(needs: ScanNeeds, network: Network): Promise<ComparedAt | undefined> {
  const cursor = await readCursor(needs, network.chain)
  if (!cursor) return undefined
  const height = cursor.height - (network.node.balancesOfHeadAlone ? 0n : BigInt(network.finalityBlocks))
  if (height < 0n) return undefined
  const read = await needs.db.asSystem((tx) =>
    tx.selectFrom('chain_block').select('hash').where('chain', '=', network.chain).where('height', '=', height).executeTakeFirst(),
  )
  const final = read && (await finalView(network, height, read.hash).catch(ignoreChainError))
  return final && { final, hash: read.hash, readAt: cursor }
}

type ComparedAt = { final: FinalView; hash: string; readAt: Cursor }

function dustOf({ contract, decimals }: NetworkAsset): bigint {
  return readNft(contract) ? 0n : leastAmount(decimals) * DUST_TIMES
}

/** The addresses of the next round on a chain. */
async function holders({ db }: Pick<ScanNeeds, 'db'>, chain: string, atOnce: number): Promise<Held[]> {
  const places = lastCompared.get(db) ?? new Map<string, Place>()
  lastCompared.set(db, places)
  const after = places.get(chain)
  const found = await db.asSystem((tx) =>
    tx
      .selectFrom('address')
      .select(['org_id as orgId', 'sub_wallet_id as subWalletId', 'address'])
      .where('chain', '=', chain)
      .$if(after !== undefined, (rows) => rows.where(sql<boolean>`(address, org_id) > (${after?.address}, ${after?.orgId}::uuid)`))
      .orderBy('address')
      .orderBy('org_id')
      .limit(atOnce)
      .execute(),
  )
  const end = found.at(-1)
  if (end && found.length === atOnce) places.set(chain, end)
  else places.delete(chain)
  // The round before ended with the very last one.
  return found.length === 0 && after !== undefined ? holders({ db }, chain, atOnce) : found
}

async function reconcileHolder(needs: ScanNeeds, network: Network, held: Held): Promise<string[]> {
  const looked: { chain: string; contract: string; place: string }[] = []
  const found: Alarm[] = []
  const place = held.address
  const tokens = await needs.db.asOrganisation(held.orgId, (tx) => tokensOf(tx, network, held.address))
  const isUneven = await needs.db.asOrganisation(held.orgId, (tx) => unevenTokens(tx, network.chain))
  for (const asset of [...assetsOf(network, held.orgId), ...tokens]) {
    // What such a token reports is no measure: an alarm about it would never end.
    if (isUneven(held.orgId, network.chain, asset.contract ?? '')) {
      looked.push({ chain: network.chain, contract: asset.contract ?? '', place })
      continue
    }
    const compared = await compareAsset(needs, network, held, asset)
    if (!compared) continue
    const { contract, actual, expected, at } = compared
    looked.push({ chain: network.chain, contract, place })
    const show = (amount: bigint) => `${formatAmount(amount, asset.decimals)} ${nameOfAsset(asset)}`
    const words = (booked: bigint) => `at height ${at.final.height} the chain has ${show(actual)}, the books ${show(booked)}`
    if (actual < expected.low) found.push({ chain: network.chain, contract, place, cause: 'missing', reason: words(expected.low) })
    const excess = actual - expected.high
    const accepted = await needs.db.asOrganisation(held.orgId, (tx) => acceptedSurplus(tx, { chain: network.chain, contract, place }))
    if (accepted > 0n)
      await needs.db.asOrganisation(held.orgId, (tx) => lowerAccepted(tx, { chain: network.chain, contract, place }, excess > 0n ? excess : 0n))
    if (excess <= accepted + dustOf(asset)) continue
    if (contract === '' && (await hasUnseenBlocks(needs, network.chain))) {
      const coin = { ...held, amount: excess, at: { height: at.final.height, hash: at.hash } }
      await creditByBalance(needs, network, coin, at.readAt)
    } else found.push({ chain: network.chain, contract, place, cause: 'surplus', reason: words(expected.high), excess })
  }
  const raised = await needs.db.asOrganisation(held.orgId, (tx) => setAlarms(tx, needs.ports, ['missing', 'surplus'], looked, found))
  return raised.map(({ place, cause, reason }) => `${cause} at ${place} of organisation ${held.orgId}: ${reason}`)
}

/** Whether an address of ours is still signed for by its own key alone. Unknown if the sources do not tell. */
async function checkControl(needs: ScanNeeds, network: Network, { orgId, address }: Held): Promise<string[]> {
  const control = await network.node.control?.(address).catch(ignoreChainError)
  if (!control) return []
  const place = { chain: network.chain, contract: '', place: address }
  const found: Alarm[] = control.isOwn ? [] : [{ ...place, cause: 'control', reason: controlText(control) }]
  const raised = await needs.db.asOrganisation(orgId, (tx) => setAlarms(tx, needs.ports, ['control'], [place], found))
  return raised.map((each) => `control of ${each.place} of organisation ${orgId}: ${each.reason}`)
}

function controlText({ permissions }: AccountControl): string {
  return permissions.map(({ name, threshold, keys }) => `${name}: ${threshold} of ${keys.map((key) => `${key.address} (${key.weight})`).join(', ')}`).join('; ')
}

type Compared = { contract: string; actual: bigint; expected: Expected; at: ComparedAt }

/** What chain and ledger say of an asset of an address at one block. Undefined if nothing can be said now, even after a second try. */
async function compareAsset(needs: ScanNeeds, network: Network, held: Held, asset: NetworkAsset): Promise<Compared | undefined> {
  const contract = asset.contract ?? ''
  for (let tries = 0; tries < TRIES; tries++) {
    const at = await comparedAt(needs, network)
    if (!at) continue
    const { final } = at
    const expect = () => needs.db.asOrganisation(held.orgId, (tx) => expectedOf(tx, network.chain, contract, held.address, final.height))
    const before = await expect()
    const actual = await balanceOf(needs, final, held.address, { chain: network.chain, contract: asset.contract }).catch(ignoreChainError)
    const after = await expect()
    if (actual !== undefined && before.low === after.low && before.high === after.high) return { contract, actual, expected: before, at }
  }
  return undefined
}

/** The tokens of collections that the ledger says an address has, and those with an open alarm. */
async function tokensOf(tx: OrganisationTx, network: Network, address: string): Promise<NetworkAsset[]> {
  if (!network.collections?.length) return []
  const { rows } = await sql<{ contract: string }>`
    select contract from address_balance
      where org_id = ${tx.orgId} and chain = ${network.chain} and address = ${address} and contract like 'erc%/%' and available + held > 0
    union select contract from asset_alarm
      where org_id = ${tx.orgId} and chain = ${network.chain} and contract like 'erc%/%' and over_at is null
        and place = ${address}`.execute(tx)
  return rows.flatMap(({ contract }) => assetByContract(network, contract) ?? [])
}

/** What an address has at the end of a block by the word of the sources; for a BRC-20 token by our own index, built from the sources' blocks. */
async function balanceOf({ db }: ScanNeeds, final: FinalView, address: string, asset: AssetRef): Promise<bigint> {
  const ticker = readBrc20Asset(asset.contract)
  if (ticker !== undefined) {
    const { available, transferable } = await db.asSystem((tx) => brc20Holding(tx, { chain: asset.chain, ticker, holder: address, upTo: final.height }))
    return available + transferable
  }
  // What the ledger says of an address includes its stake, so the chain's stake counts as well.
  return agreedAnswer(
    final,
    `what ${address} has`,
    async (source: ChainNode) =>
      (await source.balance(address, asset, final.height)) + (asset.contract === null ? ((await source.stake?.staked(address, final.height)) ?? 0n) : 0n),
  )
}

/**
 * The range the ledger allows. Charges and allowance spends that are not posted yet are gone from the chain.
 * Deposits that are final and not credited yet are on the chain and not in the ledger. Orders on their way
 * may have paid already, up to amount and fee cap. A deposit whose block is gone and that was spent is in the ledger alone.
 */
async function expectedOf(tx: OrganisationTx, chain: string, contract: string, address: string, height: bigint): Promise<Expected> {
  const { rows } = await sql<{ booked: bigint; arrived: bigint; leaving: bigint; undone: bigint; gone: bigint; called: boolean }>`
    select
      (select coalesce(sum(available + held), 0) from address_balance
        where org_id = ${tx.orgId} and chain = ${chain} and address = ${address} and contract = ${contract}) as booked,
      (select coalesce(sum(amount), 0) from deposit
        where org_id = ${tx.orgId} and address = ${address} and chain = ${chain} and contract = ${contract}
          and state in ('unconfirmed', 'confirmed') and amount <= ${DEPOSIT_MAX}::numeric and height <= ${height}::int8) as arrived,
      (select coalesce(sum(case when contract = ${contract} and replaces is null and kind = any(${HOLDING_THEIR_AMOUNT}::text[]) then amount else 0 end
          + case when ${contract} = '' then fee_cap + case when replaces is null then postage else 0 end else 0 end), 0)
        from transfer_order
        where org_id = ${tx.orgId} and address_from = ${address} and chain = ${chain} and not is_final and slot is not null) as leaving,
      (select coalesce(sum(amount), 0) from deposit
        where org_id = ${tx.orgId} and address = ${address} and chain = ${chain} and contract = ${contract}
          and state = 'credited' and sub_status = 'reversal_due') as undone,
      (select coalesce(sum(amount), 0) from chain_charge
        where org_id = ${tx.orgId} and address = ${address} and chain = ${chain} and ${contract} = ''
          and booked_at is null and height <= ${height}::int8) +
      (select coalesce(sum(amount), 0) from token_pull
        where org_id = ${tx.orgId} and address = ${address} and chain = ${chain} and contract = ${contract}
          and booked_at is null and reversed_at is null and height <= ${height}::int8) as gone,
      exists (select from transfer_order
        where org_id = ${tx.orgId} and address_from = ${address} and chain = ${chain} and kind = any(${CALL_KINDS}::text[]) and not is_final and slot is not null) as called`.execute(
    tx,
  )
  const { booked, arrived, leaving, undone, gone, called } = at(rows, 0)
  const high = booked + arrived - gone
  // What a call takes is known only when it is final.
  return { low: called ? 0n : high - leaving - undone, high }
}

function ignoreChainError(cause: unknown): undefined {
  if (!(cause instanceof ChainError)) throw cause
  return undefined
}
