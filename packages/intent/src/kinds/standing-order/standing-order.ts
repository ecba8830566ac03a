import { RESOURCES } from '@holdfast/chain-core'
import { bytes, equalBytes, type Infer, list, optional, struct, text, uint, union } from '@holdfast/encoding'
import { assetShape } from '../../asset.ts'
import { limitShape } from '../../limit.ts'
import type { IntentKind } from '../intent-kind.ts'
import { identityFields, statedFields } from '../order-fields.ts'
import { SCHEDULE_DATES_MAX, scheduleFault } from './schedule.ts'
import { assetName, callsCollector, placeKey, renderStandingOrder } from './standing-order-words.ts'

/** The longest that a standing order is in force without being approved again. */
export const STANDING_DAYS_MAX = 366

/** An authorization has no bound but its contract, so an order for some says so: of the network's own coin, and of every token, all there ever is. */
export const EVERYTHING = (1n << 256n) - 1n

/** Addresses of a key of the organisation whose paths begin so; `name` is what people called them when they approved the order. */
const placeShape = struct('holdfast/standing-order/place/v1', { name: text(64), keyId: bytes(32), path: list(uint(31), 8) })

/** What is moved of one asset: not less in one transfer than `atLeast`, and not more than `atMost`, both in base units. */
const assetMovedShape = struct('holdfast/standing-order/asset/v1', { asset: assetShape, atLeast: uint(256), atMost: uint(256) })

/**
 * What one transaction may cost on a network, in base units of its own coin. Where that coin is what is moved, also at most so many hundredths of a percent of
 * the amount.
 */
const feeShape = struct('holdfast/standing-order/fee/v1', { asset: assetShape, max: uint(256), maxShare: uint(16) })

const ownTargetShape = struct('holdfast/standing-order/own-target/v1', { chain: text(64), name: text(64), keyId: bytes(32), path: list(uint(31), 8) })

const listedTargetShape = struct('holdfast/standing-order/listed-target/v1', { chain: text(64), address: text(128), memo: optional(text(256)) })

/** The one place on a network that a sweep moves to: the organisation's own address at a path, which signers derive, or an address that is on the whitelist. */
const targetShape = union({ own: ownTargetShape, listed: listedTargetShape })

/** Whom a schedule pays: a place as a sweep moves to, or an address that people read and approve in the standing order itself. */
const payeeShape = union({
  own: ownTargetShape,
  listed: listedTargetShape,
  written: struct('holdfast/standing-order/written-target/v1', { chain: text(64), address: text(128), memo: optional(text(256)) }),
})

/**
 * Payments on dates: the amount of the one asset goes from the one source to one address, once for each day, from a minute of that day on and so many days late
 * at most. Days count from 1 January 1970, all of UTC.
 */
const scheduleShape = struct('holdfast/standing-order/schedule/v1', {
  to: payeeShape,
  days: list(uint(20), SCHEDULE_DATES_MAX),
  minute: uint(16),
  lateDays: uint(8),
})

/** Who lets energy for coin: the one address on the whitelist that is paid on a network, without a memo. */
const providerShape = struct('holdfast/standing-order/provider/v1', { chain: text(64), address: text(128) })

/**
 * What a standing order lets happen without anybody: amounts of many addresses go to one, coins for fees go to own addresses, resources of stake are
 * delegated to own addresses and taken back, somebody is paid who rents energy out, or tokens of many addresses are collected by a contract of ours, the
 * collector, whose code has one fixed target, an own address, so that signers compute where it stands. `allow`: addresses let that contract take up to an
 * amount of a token, or take it back. `collect`: the sources deploy it, and call it to take tokens to its target. `schedule`: one address pays another on dates.
 * `authorize`: addresses let the sweeper, which has one fixed target as the collector does, run in their name by EIP-7702, or end that. `take`: the sources deploy
 * the sweeper and call it to take tokens to its target, and their transactions carry authorizations of own addresses.
 */
const doesShape = union({
  sweep: struct('holdfast/standing-order/sweep/v1', { to: list(targetShape, 64) }),
  fuel: struct('holdfast/standing-order/fuel/v1', { to: list(placeShape, 64) }),
  delegate: struct('holdfast/standing-order/delegate/v1', { to: list(placeShape, 64), resources: list(text(16), 4) }),
  rent: struct('holdfast/standing-order/rent/v1', { to: list(providerShape, 64) }),
  allow: struct('holdfast/standing-order/allow/v1', { to: list(ownTargetShape, 64) }),
  collect: struct('holdfast/standing-order/collect/v1', { to: list(ownTargetShape, 64) }),
  schedule: scheduleShape,
  authorize: struct('holdfast/standing-order/authorize/v1', { to: list(ownTargetShape, 64) }),
  take: struct('holdfast/standing-order/take/v1', { to: list(ownTargetShape, 64) }),
})

/**
 * An order that people approve once, and under which the signers then sign transfers without them: from these addresses (`sources`), of these assets, to where
 * `does` says, for fees that reach no higher, within limits that signers count by themselves, until a time. Addresses in `never` neither pay nor are paid.
 * `id` is the same for every version of one standing order; a version takes the place of all before it.
 */
const standingOrderIntentShape = struct('holdfast/intent/standing-order/v1', {
  ...identityFields,
  id: bytes(16),
  version: uint(53),
  name: text(200),
  does: doesShape,
  sources: list(placeShape, 64),
  never: list(text(128), 1024),
  assets: list(assetMovedShape, 64),
  fees: list(feeShape, 64),
  limits: list(limitShape, 8),
  untilMs: uint(53),
  ...statedFields,
})

export type StandingOrderIntent = { kind: 'standingOrder' } & Infer<typeof standingOrderIntentShape>
type StandingOrder = Omit<StandingOrderIntent, 'kind'>
export type Place = Infer<typeof placeShape>

const areDistinct = (texts: readonly string[]): boolean => new Set(texts).size === texts.length

/** Why a standing order makes no sense in itself; undefined if it does. */
export function standingOrderFault(order: StandingOrder): string | undefined {
  const { version, name, does, sources, assets, fees, never, untilMs, notBeforeMs, expiresAtMs } = order
  if (version < 1n) return 'a standing order begins with version 1'
  if (name.trim() === '') return 'the standing order has no name'
  if (sources.length === 0 || !areDistinct(sources.map(placeKey))) return 'the standing order names no wallet that pays, or one twice'
  if (assets.length === 0 || !areDistinct(assets.map(({ asset }) => assetName(asset)))) return 'the standing order names no asset, or one twice'
  if (assets.some(({ atLeast, atMost }) => atMost === 0n || atLeast > atMost)) return 'the standing order lets no amount of an asset be moved'
  if (fees.some(({ asset, max, maxShare }) => asset.contract !== null || max === 0n || maxShare === 0n || maxShare > 10_000n))
    return 'the standing order bounds a fee by nothing, or in something else than a coin'
  if (!areDistinct(fees.map(({ asset }) => asset.chain))) return 'the standing order bounds the fees of a network twice'
  // Whoever carries an authorization pays for it, under another standing order.
  if (does.kind === 'authorize' ? fees.length > 0 : assets.some(({ asset }) => !fees.some((fee) => fee.asset.chain === asset.chain)))
    return does.kind === 'authorize'
      ? 'an authorization pays no fee, and the standing order bounds one'
      : 'the standing order does not bound the fees of a network'
  if (!areDistinct(never) || never.includes('')) return 'the standing order excludes no address, or one twice'
  const fault = scheduleFault(order) ?? faultOfLimits(order) ?? faultOfDoes(order)
  if (fault !== undefined) return fault
  if (untilMs <= notBeforeMs || untilMs > notBeforeMs + BigInt(STANDING_DAYS_MAX * 86_400_000))
    return `a standing order is in force for ${STANDING_DAYS_MAX} days at most, and for some time`
  return expiresAtMs <= notBeforeMs ? 'the order is open at no time at which it may be followed' : undefined
}

/** Fees are spent with every transfer, also with those that whoever runs the server asks for without need: so how many there are is always bounded. */
function faultOfLimits({ does, limits, assets }: StandingOrder): string | undefined {
  // Each date is paid once.
  if (does.kind === 'schedule') return undefined
  if (!limits.some(({ each, maxCount }) => each === 'rule' && maxCount !== null))
    return 'the standing order does not bound how many transfers it makes in a time'
  const isOfCalls = callsCollector(does)
  for (const { each, lengthMs, amounts, maxTokens, maxCount, maxCents } of limits) {
    if (isOfCalls && (each === 'destination' || amounts.length > 0)) return 'a limit of calls counts something else than how many calls there are'
    // A delegation pays nobody, so a limit for each address that is paid would count nothing of it.
    if (!(does.kind === 'delegate' ? ['rule', 'source'] : ['rule', 'destination', 'source']).includes(each))
      return `the standing order has a limit for each ${each}`
    if (lengthMs === 0n) return 'the standing order has a limit over no time'
    if (maxTokens !== null || maxCents !== null) return 'the standing order has a limit that counts something else than transfers and their amounts'
    if (amounts.length === 0 && maxCount === null) return 'the standing order has a limit that limits nothing'
    const names = amounts.map(({ chain, asset }) => `${chain}|${asset}`)
    if (!areDistinct(names)) return 'a limit of the standing order names an asset twice'
    const isWhole = amounts.length === 0 || (names.length === assets.length && assets.every(({ asset }) => names.includes(assetName(asset))))
    if (!isWhole) return 'a limit of the standing order names other assets than those that are moved'
  }
  return undefined
}

function faultOfDoes({ does, assets, fees, sources, limits }: StandingOrder): string | undefined {
  const chains = [...new Set(assets.map(({ asset }) => asset.chain))]
  switch (does.kind) {
    case 'sweep': {
      if (does.to.length !== chains.length || !chains.every((chain) => does.to.some((target) => target.chain === chain)))
        return 'the standing order does not name one address to move to on each network'
      const isEmpty = does.to.some((target) => (target.kind === 'listed' ? target.address === '' || target.memo === '' : target.path.length === 0))
      return isEmpty ? 'the standing order moves to an address that it does not name' : undefined
    }
    case 'fuel':
      if (assets.some(({ asset }) => asset.contract !== null)) return "fees are paid in a network's own coin, and the standing order sends something else"
      if (does.to.length === 0 || !areDistinct(does.to.map(placeKey))) return 'the standing order names no wallet that gets coins, or one twice'
      return sources.some((source) => does.to.some((to) => equalBytes(source.keyId, to.keyId) && overlap(source.path, to.path)))
        ? 'the standing order sends coins to the addresses that they come from'
        : undefined
    case 'delegate':
      if (assets.some(({ asset }) => asset.contract !== null)) return "only a network's own coin is staked, and the standing order delegates for something else"
      if (does.to.length === 0 || !areDistinct(does.to.map(placeKey))) return 'the standing order names no wallet that gets resources, or one twice'
      if (does.resources.length === 0 || !areDistinct(does.resources) || does.resources.some((each) => !RESOURCES.some((known) => known === each)))
        return 'the standing order names no resource, or one twice, or one that there is not'
      return fees.some(({ maxShare }) => maxShare !== 10_000n) ? 'the standing order moves nothing that its fee could be a part of' : undefined
    case 'rent': {
      if (assets.some(({ asset }) => asset.contract !== null || !asset.chain.startsWith('tron:')))
        return "energy is rented for TRON's own coin, and the standing order names something else"
      if (does.to.length !== chains.length || !chains.every((chain) => does.to.some((provider) => provider.chain === chain)))
        return 'the standing order does not name one address to move to on each network'
      if (does.to.some(({ address }) => address === '')) return 'the standing order moves to an address that it does not name'
      if (fees.some(({ maxShare }) => maxShare !== 10_000n)) return 'the fee of paying for rented energy is no share of its price'
      // Whoever rents energy out is nobody of the organisation, and may take the coin and deliver nothing.
      const isBounded = limits.some(({ each, amounts }) => each === 'rule' && amounts.length > 0)
      return isBounded ? undefined : 'the standing order does not bound how much it pays in a time'
    }
    case 'authorize':
      if (assets.some(({ asset, atLeast, atMost }) => asset.contract !== null || !asset.chain.startsWith('eip155:') || atLeast !== 0n || atMost !== EVERYTHING))
        return 'what runs in the name of an address reaches all that it holds, and the standing order names something else'
      return faultOfContractTargets(does.to, chains)
    case 'allow':
    case 'collect':
    case 'take':
      if (assets.some(({ asset }) => asset.contract === null || !asset.chain.startsWith('eip155:')))
        return 'a contract collects tokens of EVM networks, and the standing order names something else'
      return faultOfContractTargets(does.to, chains)
    case 'schedule':
      return undefined
  }
}

/** A contract moves to one own address on each network. */
function faultOfContractTargets(to: readonly { chain: string; path: readonly bigint[] }[], chains: readonly string[]): string | undefined {
  if (to.length !== chains.length || !chains.every((chain) => to.some((target) => target.chain === chain)))
    return 'the standing order does not name one address to move to on each network'
  return to.some(({ path }) => path.length === 0) ? 'the standing order moves to an address that it does not name' : undefined
}

const overlap = (one: readonly bigint[], other: readonly bigint[]): boolean => {
  const shorter = Math.min(one.length, other.length)
  return one.slice(0, shorter).every((step, i) => step === other[i])
}

export const standingOrder = { shape: standingOrderIntentShape, fault: standingOrderFault, render: renderStandingOrder } satisfies IntentKind<
  typeof standingOrderIntentShape
>
