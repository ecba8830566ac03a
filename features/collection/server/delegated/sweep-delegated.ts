import { type Chosen, feeWithin, readHoldings } from '@holdfast/features/standing-order/server'
import { openAuthorization, type SignedCarried } from '@holdfast/features/transfer/server'
import type { SubWalletId } from '@holdfast/units'
import { feeOf, LIFE_MS, type Looked, type Looking, open, type Outcome, outcomeOf, saysOf, take, type Wanted } from '../calls.ts'
import type { Taken } from '../choose.ts'
import { chooseEnding, chooseSwept, type Delegating } from './choose-delegated.ts'
import { type Known, readDelegated } from './read-delegated.ts'

/** So many addresses sign in one look, and so many accounts are in one call, with what they signed (EIP-7825); the next look goes on. */
const AUTHORIZED_AT_ONCE = 50
const BATCH_MAX = 100

type Held = { wanted: Wanted; holdings: readonly { address: string; subWalletId: string; available: bigint }[] }

/**
 * Has addresses authorize the sweeper, takes what they have in transactions that carry what they signed, and ends it where that is asked for: authorizations
 * are signed first, each once, and the same bytes are carried until a block has them.
 */
export async function sweepDelegated(looking: Looking, wanted: readonly Wanted[]): Promise<Looked> {
  const { needs, orgId, config, network, allow } = looking
  const { chain, target_address: target } = config
  const held = await needs.db.asOrganisation(orgId, async (tx) => {
    const all: Held[] = []
    for (const each of wanted) {
      const of = { chain, contract: each.token.contract, standingOrderId: config.allow_order_id ?? config.id }
      const holdings = allow ? await readHoldings(tx, { ...of, places: allow.intent.sources }) : []
      all.push({ wanted: each, holdings: holdings.filter(({ address }) => address !== target) })
    }
    return all
  })
  const places = held.flatMap(({ wanted: { token, left }, holdings }) =>
    left === undefined
      ? holdings.filter(({ available }) => available >= token.threshold).map((each): [string, string] => [each.address, each.subWalletId])
      : [],
  )
  const known = new Map((await readDelegated(needs, orgId, { config, network }, new Map(places))).map((each) => [each.address, each]))
  const wanting = new Map<string, Delegating>()
  const left: { contract: string; chosen: Chosen }[] = []
  let opened = 0
  for (const { wanted: each, holdings } of held) {
    const taken = await takeOf(looking, each, holdings, known)
    // What is on its way is carried by no other call.
    for (const { address } of taken.carried) {
      const before = known.get(address)
      if (before) known.set(address, { ...before, authorized: { ends: false, isReady: false }, signed: undefined })
    }
    for (const signing of taken.wanting) wanting.set(signing.address, signing)
    opened += taken.opened
    left.push(...taken.left.map((chosen) => ({ contract: each.token.contract, chosen })))
  }
  const isRevoking = config.is_paused && config.is_revoking
  const { ends, alone } = chooseEnding({ contract: config.contract_address, isRevoking, left: left.map(({ chosen }) => chosen) }, [...known.values()])
  const begun = await authorizeEach(looking, [...wanting.values()], config.contract_address)
  const ended = await authorizeEach(looking, ends, null)
  const carried = await carryAlone(
    looking,
    alone.flatMap(({ signed }) => signed ?? []),
  )
  // Of an address that could not sign, the reason for that is the one that people can do something about.
  const unsigned = new Map(begun.left.map(({ holding, reason }) => [holding.address, reason]))
  const collect = left.map(({ contract, chosen }) => {
    const each = saysOf(chain, contract)(chosen)
    return each.reason === 'not_authorized' ? { ...each, reason: unsigned.get(each.address) ?? each.reason } : each
  })
  const said = { collect, allow: ended.left.map(saysOf(chain, '')) }
  return { opened: opened + begun.opened + ended.opened + carried, said }
}

type Took = { opened: number; left: Chosen[]; carried: readonly SignedCarried[]; wanting: readonly Delegating[] }

/** Takes a token of the addresses that delegate, or that signed that they do. */
async function takeOf(looking: Looking, { token, asset, left }: Wanted, holdings: Held['holdings'], known: ReadonlyMap<string, Known>): Promise<Took> {
  const terms = { threshold: token.threshold, most: token.most, left, batchMax: BATCH_MAX, contract: looking.config.contract_address }
  const delegating = holdings.map((each): Delegating => {
    const of = known.get(each.address)
    return { ...each, delegate: of?.delegate, authorized: of?.authorized }
  })
  const choose = (without: ReadonlySet<string>) =>
    chooseSwept(
      terms,
      delegating.filter(({ address }) => !without.has(address)),
    )
  const carriedWith = (taken: readonly Taken[]) => taken.flatMap(({ address }) => known.get(address)?.signed ?? [])
  return { ...(await take(looking, { token, asset, choose, carriedWith })), wanting: choose(new Set()).wanting }
}

/** Has addresses sign whose code runs in their name, the contract's or nobody's. Nothing of it counts before a transaction carries it. */
async function authorizeEach(
  looking: Looking,
  wanting: readonly { address: string; subWalletId: string }[],
  delegate: string | null,
): Promise<{ opened: number; left: Chosen[] }> {
  const { needs, orgId, config, network, coin, allow } = looking
  const left: Chosen[] = []
  let opened = 0
  if (!allow) return { opened, left }
  for (const { address, subWalletId } of wanting.slice(0, AUTHORIZED_AT_ONCE)) {
    const under = { standing: allow.intent, subWalletId: subWalletId as SubWalletId, network, from: address, lifeMs: LIFE_MS }
    const asked = { ...under, target: config.target_address, delegate, coin }
    const outcome = await outcomeOf(needs.db.asOrganisation(orgId, (tx) => openAuthorization(tx, needs, asked)))
    if ('order' in outcome) opened++
    else {
      left.push({ holding: { address, subWalletId, available: 0n, coins: 0n, isBusy: false }, reason: outcome.reason })
      if (outcome.reason === 'limit_used') break
    }
  }
  return { opened, left }
}

/** Carries authorizations with which nothing is taken. Answers how many orders it opened. */
async function carryAlone(looking: Looking, signed: readonly SignedCarried[]): Promise<number> {
  let opened = 0
  for (let from = 0; from < signed.length; from += BATCH_MAX) {
    const outcome = await carry(looking, signed.slice(from, from + BATCH_MAX))
    if (outcome === undefined || 'reason' in outcome) break
    opened++
  }
  return opened
}

/** Opens a call of the contract that does nothing but carry; undefined while nobody says what it costs, or it costs too much. */
async function carry(looking: Looking, carried: readonly SignedCarried[]): Promise<Outcome | undefined> {
  const { config, payer: from, collect } = looking
  const call = { from, contract: config.contract_address, data: new Uint8Array(0) }
  const fee = await feeOf(looking, { ...call, carried })
  const feeCap = fee && feeWithin(fee)
  if (feeCap === undefined) return undefined
  const subWalletId = config.payer_sub_wallet_id as SubWalletId
  return open(looking, { ...call, standing: collect.intent, subWalletId, signature: null, feeCap, parts: [], carried })
}
