import type { Act } from '@holdfast/intent'
import type { Given } from '../conditions/index.ts'
import type { Needs, Outcome } from '../evaluate/evaluate.ts'
import { capsOf, countedOf } from '../evaluate/counted.ts'
import { outcomesOfAct } from '../evaluate/evaluate-order.ts'
import type { Policy } from '../policy.ts'
import { centsOf, countedName } from '../rules/valuation.ts'
import { type Decision, decisionOf, isSameDecision } from './decision.ts'
import { evaluating, type Part, tellingApart } from './tell-apart.ts'

/** An order of the past: what it does, from where and to whom, when it was asked for and by whom. `isCounted`: limits count it. */
export type PastOrder = {
  id: string
  act: Act
  from: string
  paid: readonly { to: string; amount: bigint }[]
  atMs: number
  openMs: bigint
  isCounted: boolean
  destination?: Given['destination']
  /** What screeners said of it, as it was when they had; without it nothing is known. */
  screened?: Given['screened']
}

export type Replayed = { id: string; before: Decision; after: Decision; isChanged: boolean }

/**
 * What two policies do with orders of the past, which come in the order of time: each by itself, with its own count of what its rules let through, as if
 * people had approved whatever waits for them and was not turned down.
 */
export function replayOrders(before: Policy, after: Policy, orders: readonly PastOrder[]): Replayed[] {
  const partsOf = tellingApart([before, after])
  const [one, other] = [replaying(before), replaying(after)]
  return orders.map((order) => {
    const parts = partsOfOrder(order, partsOf)
    const [was, is] = [one(order, parts), other(order, parts)]
    return { id: order.id, before: was, after: is, isChanged: !isSameDecision(was, is) }
  })
}

/** What a policy does with orders of the past. */
export function replay(policy: Policy, orders: readonly PastOrder[]): Decision[] {
  const partsOf = tellingApart([policy])
  const decide = replaying(policy)
  return orders.map((order) => decide(order, partsOfOrder(order, partsOf)))
}

const givenOf = ({ atMs, destination, screened }: PastOrder): Given => ({ atMs, ...(destination && { destination }), ...(screened && { screened }) })

const partsOfOrder = (order: PastOrder, partsOf: ReturnType<typeof tellingApart>): Part[] =>
  order.act.as === 'payment' ? partsOf(order.act, givenOf(order)) : []

/** What a policy does with one order after the other. */
function replaying(policy: Policy): (order: PastOrder, parts: readonly Part[]) => Decision {
  const counts: Counts = new Map()
  const evaluate = evaluating(policy)
  return (order, parts) => {
    const { act } = order
    const outcomes = act.as === 'payment' ? evaluate(act, givenOf(order), parts) : outcomesOfAct(policy, act, givenOf(order))
    return decideByLimits(policy, order, outcomes, counts)
  }
}

/** The first rule whose limits have room decides, and where none has, the order is refused. A rule of the first forms passes nothing on. */
function decideByLimits(policy: Policy, order: PastOrder, outcomes: readonly Outcome[], counts: Counts): Decision {
  const { atMs, openMs, isCounted } = order
  let last: Decision = { kind: 'refused', reason: 'no-rule', rule: null }
  for (const outcome of outcomes) {
    const asked = openFor(outcome, openMs)
    last = decisionOf(asked)
    if (asked.kind === 'deny') continue
    const places = placesOf(policy, asked, order)
    if (places.every((place) => usedIn(counts, place, atMs) + place.adds <= place.most)) {
      if (isCounted) for (const place of places) note(counts, place, atMs)
      return last
    }
    last = { kind: 'refused', reason: 'limits-used-up', rule: asked.rule }
  }
  return last
}

function openFor(outcome: Outcome, openMs: bigint): Outcome {
  const isTooLong = outcome.kind === 'needs' && outcome.expiresAfterMs > 0n && openMs > outcome.expiresAfterMs
  return isTooLong ? { kind: 'deny', reason: 'open-too-long', rule: outcome.rule } : outcome
}

/** One thing that a limit counts of an order, by its name among all, what the order adds to it, and the most. */
type Place = { key: string; lengthMs: number; adds: bigint; most: bigint }

/** What the limits of a rule count of an order. */
function placesOf(policy: Policy, { rule, limits }: Needs, { act, from, paid, atMs }: PastOrder): Place[] {
  if (limits.length === 0) return []
  const counted = countedOf(policy, rule, act)
  const asset = countedName(counted.chain, counted.contract)
  const worth = (amount: bigint) => centsOf(policy, asset, amount, { atMs })
  return capsOf(limits, { ...counted, initiator: act.initiator, from, paid }, worth).map(({ limit, of, unit, adds, most }) => {
    const key = `${rule.id}|${limits.indexOf(limit)}|${of}|${unit === 'amount' ? asset : unit}`
    return { key, lengthMs: Number(limit.lengthMs), adds, most }
  })
}

/** What was let through of each thing that limits count, the oldest first; what is too old to count falls out at `start`. */
type Counts = Map<string, { spends: { atMs: number; amount: bigint }[]; start: number; sum: bigint }>

function usedIn(counts: Counts, { key, lengthMs }: Place, atMs: number): bigint {
  const count = counts.get(key)
  if (!count) return 0n
  for (let oldest = count.spends[count.start]; oldest && oldest.atMs <= atMs - lengthMs; oldest = count.spends[count.start]) {
    count.sum -= oldest.amount
    count.start++
  }
  return count.sum
}

function note(counts: Counts, { key, adds }: Place, atMs: number): void {
  const count = counts.get(key) ?? { spends: [], start: 0, sum: 0n }
  count.spends.push({ atMs, amount: adds })
  count.sum += adds
  counts.set(key, count)
}
