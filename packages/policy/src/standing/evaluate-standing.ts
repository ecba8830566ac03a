import type { Action } from '@holdfast/chain-core'
import { equalBytes, toHex } from '@holdfast/encoding'
import {
  dayPaid,
  dueMs,
  isCancellation,
  isDelegation,
  isTransaction,
  lastMs,
  originalOf,
  type SpendingIntent,
  type StakeIntent,
  type StandingOrderIntent,
  type TransferIntent,
} from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'
import { type DestinationFacts, isNamed } from '../conditions/index.ts'
import { beginsWith } from '../conditions/sources.ts'
import type { Needs } from '../evaluate/evaluate.ts'
import { lossOf } from '../evaluate/evaluate-order.ts'
import { readLimit } from '../rules/limits.ts'
import { faultOfCollectorCall } from './evaluate-collector.ts'
import { faultOfAuthorization, faultOfTake } from './evaluate-sweeper.ts'

/** Where an address of the organisation is: its key, and the path below it. */
export type OwnPlace = { keyId: Uint8Array; path: readonly bigint[] }

/** What whoever decides knows of the address that is paid. `ownPlaceOf` derives addresses itself; undefined where it does not know the place. */
export type StandingFacts = {
  /** The place that was shown to lead to the paid address; undefined if nobody showed one. */
  paidPlace: OwnPlace | undefined
  /** The address at a place, as whoever decides derives it; undefined if it holds no such key. */
  addressAt(place: OwnPlace): string | undefined
  /** What the whitelist says of the paid address; undefined where nobody knows. */
  listing: Pick<DestinationFacts, 'isListed'> | undefined
  /** What accounts the bytes let code run in the name of, or end that for, besides what is ordered. */
  carried: readonly Carried[]
}

/** An authorization that a transaction carries: of which account, for which contract, empty where it ends. `isOwn`: somebody showed that the account is one of the organisation. */
export type Carried = { authority: string; delegate: string; isOwn: boolean }

/** The authorizations among what bytes do besides what is ordered. */
export const carriedIn = (actions: readonly Action[], isOwn: (address: string) => boolean): Carried[] =>
  actions.flatMap(({ kind, facts: { authority, delegate } }) =>
    kind === 'delegation' ? [{ authority: String(authority), delegate: String(delegate), isOwn: isOwn(String(authority)) }] : [],
  )

/** Who asks for what a standing order covers: the standing order itself, and nobody of the organisation. */
export const askedByStanding = (intent: SpendingIntent, { id }: Pick<StandingOrderIntent, 'id'>): boolean =>
  equalBytes(intent.initiator, id) && (isTransaction(intent) || equalBytes(originalOf(intent).initiator, id))

type Timed = { notBeforeMs: bigint }

/**
 * The name under which signers count what a standing order lets through. All its versions have one, so that no new version begins the count anew. Of scheduled
 * payments each date has its own, and is paid once, whatever time of that day a version says.
 */
export const standingRuleId = ({ id, does }: Pick<StandingOrderIntent, 'id' | 'does'>, transfer: Timed): string =>
  `standing/${toHex(id)}${does.kind === 'schedule' ? `/${dayPaid(transfer)}` : ''}`

const DAY_MS = 86_400_000n

/**
 * One payment for a date. Nobody signs it before that day begins, so that the count of all signers need not go back further; a day more is for their clocks.
 */
const onceFor = (lateDays: bigint): StandingOrderIntent['limits'] => [
  { each: 'rule', lengthMs: (lateDays + 2n) * DAY_MS, amounts: [], maxTokens: null, maxCount: 1n, maxCents: null },
]

/** What a standing order asks for of a transfer, or of what raises the fee of one: nobody, within its limits. */
export function needsOfStanding(order: StandingOrderIntent, intent: SpendingIntent): Needs {
  const id = standingRuleId(order, originalOf(intent))
  const limits = order.does.kind === 'schedule' ? onceFor(order.does.lateDays) : order.limits
  const action = { kind: 'approve' as const, steps: [], mayStop: [], delayMs: 0n, expiresAfterMs: 0n }
  const covers = { kind: 'payments' as const }
  return {
    kind: 'needs',
    rule: { kind: 'named', id, name: order.name.slice(0, 64), level: 'higher', covers, conditions: [], limits, action },
    steps: [],
    mayStop: [],
    limits: limits.map(readLimit),
    delayMs: 0n,
    expiresAfterMs: 0n,
    fees: null,
  }
}

/** The kind of order that each kind of standing order covers. */
const COVERED = {
  sweep: 'transfer',
  fuel: 'transfer',
  delegate: 'stake',
  rent: 'transfer',
  allow: 'contractCall',
  collect: 'contractCall',
  schedule: 'transfer',
  authorize: 'authorization',
  take: 'contractCall',
} as const

/**
 * Why a standing order does not cover a transfer, a delegation or a call at a time, in words; undefined if it does. `intent` is that, or raises its fee. Limits
 * are counted elsewhere, and that the bytes are the order and nothing more is compared elsewhere.
 */
export function faultUnderStanding(order: StandingOrderIntent, intent: SpendingIntent, facts: StandingFacts, nowMs: number | null): string | undefined {
  if (!askedByStanding(intent, order)) return 'the transfer was not asked for by this standing order'
  const transfer = originalOf(intent)
  const covered = COVERED[order.does.kind]
  if (transfer.kind !== covered) return `the standing order covers orders of the kind ${covered}, not ${transfer.kind}`
  if (isCancellation(intent)) return 'a standing order raises fees and cancels nothing'
  if (nowMs !== null && (BigInt(nowMs) < order.notBeforeMs || BigInt(nowMs) >= order.untilMs)) return 'the standing order is not in force at this time'
  if (transfer.expiresAtMs > order.untilMs || intent.expiresAtMs > order.untilMs) return 'the transfer could still be sent after the standing order has ended'
  if (!order.sources.some((place) => isBeneath(transfer, place))) return 'the paying address belongs to no wallet of the standing order'
  if (order.does.kind !== 'take' && facts.carried.length > 0) return 'the standing order carries no authorizations'
  if (transfer.kind === 'contractCall')
    return order.does.kind === 'take' ? faultOfTake(order, transfer, intent.feeCap, facts) : faultOfCollectorCall(order, transfer, intent.feeCap, facts)
  if (transfer.kind === 'authorization') return faultOfAuthorization(order, transfer, facts)
  if (transfer.from === transfer.to) return 'the transfer pays the address that it comes from'
  const loss = lossOf(transfer)
  if (loss) return `what the transfer pays would be lost for good: ${loss}`
  const barred = order.never.find((address) => address === transfer.from || address === transfer.to)
  if (barred !== undefined) return `the standing order never touches ${barred}`
  const fault = faultOfAmounts(order, transfer, intent.feeCap) ?? faultOfDate(order, transfer, intent, nowMs)
  if (fault !== undefined) return fault
  return transfer.kind === 'stake' ? faultOfDelegation(order, transfer, facts) : faultOfTarget(order, transfer, facts)
}

const isBeneath = ({ keyId, path }: OwnPlace, place: OwnPlace): boolean => equalBytes(keyId, place.keyId) && beginsWith(path, place.path)

function faultOfAmounts(
  { does, assets, fees }: StandingOrderIntent,
  { kind, asset, amount }: TransferIntent | StakeIntent,
  feeCap: bigint,
): string | undefined {
  const moved = assets.find((each) => each.asset.chain === asset.chain && isNamed(each.asset.contract ?? '', asset.contract))
  if (!moved) return 'the standing order does not move this asset'
  const { atLeast, atMost } = moved
  if (amount < atLeast || amount > atMost) return `the standing order moves ${atLeast} to ${atMost} base units in one transfer, not ${amount}`
  const fee = fees.find((each) => each.asset.chain === asset.chain)
  if (!fee || feeCap > fee.max) return `the fee can reach ${feeCap}, and the standing order allows ${fee?.max ?? 0n}`
  // Of a delegation nothing moves that its fee could be a part of, of a scheduled payment people read both amounts, and energy may cost less than the most that
  // paying for it may.
  const isShared = kind === 'transfer' && does.kind !== 'schedule' && does.kind !== 'rent'
  if (isShared && asset.contract === null && feeCap * 10_000n > amount * fee.maxShare)
    return `the fee can reach more than ${formatAmount(fee.maxShare, 2)} % of what is moved`
  return undefined
}

/**
 * A scheduled payment comes from the very address that people named, is for one of their dates, and cannot be made before it, or later than they said. `intent`
 * is the payment, or raises its fee.
 */
function faultOfDate({ does, sources }: StandingOrderIntent, transfer: TransferIntent | StakeIntent, intent: SpendingIntent, nowMs: number | null) {
  if (does.kind !== 'schedule') return undefined
  if (!sources.some(({ path }) => path.length === transfer.path.length)) return 'the paying address is not the one that the standing order names'
  const day = dayPaid(transfer)
  if (!does.days.includes(day) || transfer.notBeforeMs !== dueMs(does, day)) return 'the transfer is for no date of the standing order'
  if (nowMs !== null && BigInt(nowMs) < transfer.notBeforeMs) return 'the date for which the transfer is has not come'
  return [transfer, intent].some(({ expiresAtMs }) => expiresAtMs > lastMs(does, day))
    ? 'the transfer could still be sent later than the standing order pays late'
    : undefined
}

function faultOfTarget(
  { does }: StandingOrderIntent,
  { asset, to, memo }: TransferIntent,
  { paidPlace, addressAt, listing }: StandingFacts,
): string | undefined {
  switch (does.kind) {
    case 'sweep': {
      const target = does.to.find(({ chain }) => chain === asset.chain)
      if (!target) return 'the standing order moves nothing on this network'
      return faultOfPayee(target, { to, memo }, { addressAt, listing })
    }
    case 'rent': {
      const provider = does.to.find(({ chain }) => chain === asset.chain)
      if (!provider) return 'the transfer pays another address than the standing order names'
      return faultOfPayee({ kind: 'listed', ...provider, memo: null }, { to, memo }, { addressAt, listing })
    }
    case 'schedule':
      return faultOfPayee(does.to, { to, memo }, { addressAt, listing })
    case 'delegate':
      return 'the standing order moves nothing'
    case 'fuel':
      if (memo !== null || !paidPlace || addressAt(paidPlace) !== to) return 'nothing shows that the paid address is one of the organisation'
      return does.to.some((place) => isBeneath(paidPlace, place)) ? undefined : 'the paid address belongs to no wallet that the standing order sends coins to'
    case 'allow':
    case 'collect':
    case 'authorize':
    case 'take':
      return 'the standing order calls its contract and pays nobody'
  }
}

function faultOfPayee(
  target: Extract<StandingOrderIntent['does'], { kind: 'schedule' }>['to'],
  { to, memo }: Pick<TransferIntent, 'to' | 'memo'>,
  { addressAt, listing }: Pick<StandingFacts, 'addressAt' | 'listing'>,
): string | undefined {
  const isMeant = target.kind === 'own' ? memo === null && addressAt(target) === to : target.address === to && target.memo === memo
  if (!isMeant) return 'the transfer pays another address than the standing order names'
  if (target.kind !== 'listed' || listing?.isListed) return undefined
  return 'the address that the standing order names is not on the whitelist, or still in its waiting period'
}

/** A delegation, or one that is taken back, of a resource that people named, to an own address beneath a place that they named, and never locked. */
function faultOfDelegation(
  { does }: StandingOrderIntent,
  { action, resource, lockBlocks, to }: StakeIntent,
  { paidPlace, addressAt }: StandingFacts,
): string | undefined {
  if (does.kind !== 'delegate' || !isDelegation(action)) return `the standing order lets nobody ${action}`
  if (lockBlocks !== 0n) return 'the standing order locks no delegation'
  if (resource === null || !does.resources.includes(resource)) return `the standing order does not delegate ${resource}`
  if (!paidPlace || addressAt(paidPlace) !== to) return 'nothing shows that the address that gets resources is one of the organisation'
  return does.to.some((place) => isBeneath(paidPlace, place)) ? undefined : 'the address belongs to no wallet that the standing order delegates to'
}
