import { pinnedContract } from '@holdfast/chain-core'
import { type Act, isCancellation } from '@holdfast/intent'
import { countedOf, type Policy, type Rule } from '@holdfast/policy'
import { AmountTextFault, formatAmount, parseAmount } from '@holdfast/units'
import type { Decidable } from '../checks/verify-order.ts'
import type { Counted } from '../state/journal-events.ts'
import { type Register, WINDOW_MS } from '../state/register.ts'
import { DAYS, type Limits } from './read-limits.ts'

/** What an order does, as the limits look at it. */
export type Measured = { hash: string; intent: Decidable; act: Act; rule: Rule }

/** Within the limits, with what counts; refused by them; or not now. */
export type Verdict = { kind: 'within'; counted: Counted[] } | { kind: 'refused'; reason: string } | { kind: 'later'; reason: string; afterMs: number }

const refused = (reason: string): Verdict => ({ kind: 'refused', reason })
const LATER_MS = 60_000

/**
 * Whether an order is within the limits of this co-signer. Hours make it wait; whatever else is not let through is refused, and so is an asset that the file
 * does not name. A cancellation pays nobody and only its fee counts, so it is let through wherever its network is.
 */
export function checkLimits(limits: Limits, order: Measured, policy: Policy, { register, nowMs }: { register: Register; nowMs: number }): Verdict {
  const { act, intent } = order
  if (!limits.networks.includes(act.chain)) return refused(`the limits do not name the network ${act.chain}`)
  if (intent.kind !== 'batch' && isCancellation(intent)) return isOpenAt(limits, nowMs) ?? { kind: 'within', counted: [] }
  const stray = strayIn(limits, order)
  if (stray !== undefined) return refused(stray)
  const counted = countedBy(order, policy)
  for (const each of counted) {
    const fault = faultOfAmount(limits, each, order, policy, { register, nowMs })
    if (fault) return fault
  }
  return isOpenAt(limits, nowMs) ?? { kind: 'within', counted }
}

/**
 * What counts of an order: what it pays or stakes, or what a call moves, of tokens or of the coin of its network. What it pays the organisation itself does
 * not.
 */
function countedBy({ act, rule }: Measured, policy: Policy): Counted[] {
  const isOwn = act.as === 'payment' && act.recipients.length === 0
  const { chain, contract, amount } = countedOf(policy, rule, act)
  const value = act.as === 'call' && contract !== null && act.value > 0n ? [{ chain, contract: null, amount: act.value }] : []
  return isOwn ? [] : [...(amount > 0n || act.as !== 'call' ? [{ chain, contract: contract && pinnedContract(contract), amount }] : []), ...value]
}

/** Where an order goes that the limits do not let it go. */
function strayIn(limits: Limits, { act }: Measured): string | undefined {
  const isNamed = (places: readonly { network: string; address: string }[], address: string) =>
    places.some((each) => each.network === act.chain && each.address === address)
  if (act.as === 'stake') return limits.stake.includes(act.chain) ? undefined : `the limits let nothing be staked on ${act.chain}`
  const reached = act.as === 'call' ? [act.contract] : act.recipients
  const denied = reached.find((address) => isNamed(limits.destinations.deny, address))
  if (denied !== undefined) return `the limits deny ${denied}`
  if (act.as === 'call') return isNamed(limits.contracts, act.contract) ? undefined : `the limits do not name the contract ${act.contract}`
  const { allow } = limits.destinations
  const unknown = allow === 'any' ? undefined : reached.find((address) => !isNamed(allow, address))
  return unknown === undefined ? undefined : `the limits do not name the destination ${unknown}`
}

type Now = { register: Register; nowMs: number }

function faultOfAmount(
  limits: Limits,
  { chain, contract, amount }: Counted,
  { hash }: Measured,
  policy: Policy,
  { register, nowMs }: Now,
): Verdict | undefined {
  const limit = limits.assets.find((each) => each.network === chain && each.contract === contract)
  const pinned = policy.assets.find((each) => each.chain === chain && each.contract === contract)
  const name = `${contract ?? 'the own coin'} of ${chain}`
  if (!limit || !pinned) return refused(`the limits do not name ${name}`)
  const decimals = Number(pinned.decimals)
  const most = { order: baseUnits(limit.perOrder, decimals), day: baseUnits(limit.perDay, decimals) }
  if (most.order === undefined || most.day === undefined) return refused(`the limits give ${name} more decimals than the ${decimals} that it has`)
  const text = (units: bigint) => `${formatAmount(units, decimals)} ${pinned.symbol}`
  if (amount > most.order) return refused(`${text(amount)} is more than the ${text(most.order)} of one order`)
  // What was let through before the folder was put back is not known: until it counts no more, nothing is let through by day.
  if (register.resumedAtMs > nowMs - WINDOW_MS)
    return { kind: 'later', reason: 'the folder was put back within a day, so what counts is not known', afterMs: LATER_MS }
  const used = register.usedSince(nowMs - WINDOW_MS, nowMs, { chain, contract }, hash)
  if (used + amount > most.day) return refused(`${text(amount)} with ${text(used)} of the last 24 hours is more than the ${text(most.day)} of a day`)
  return undefined
}

function baseUnits(amount: string, decimals: number): bigint | undefined {
  try {
    return parseAmount(amount, decimals)
  } catch (cause) {
    if (cause instanceof AmountTextFault) return undefined
    throw cause
  }
}

/** Undefined where the hours are open; else to wait. */
function isOpenAt({ hours }: Limits, nowMs: number): Verdict | undefined {
  if (!hours) return undefined
  const format = new Intl.DateTimeFormat('en-US', { timeZone: hours.zone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const parts = Object.fromEntries(format.formatToParts(nowMs).map(({ type, value }) => [type, value]))
  const day = DAYS.find((each) => each === parts['weekday']?.toLowerCase())
  const time = `${parts['hour']}:${parts['minute']}`
  const isOpen = hours.windows.some(({ days, from, until }) => day !== undefined && days.includes(day) && time >= from && time < until)
  return isOpen ? undefined : { kind: 'later', reason: `outside of the hours of this co-signer (${time}, ${hours.zone})`, afterMs: LATER_MS }
}
