import { toHex } from '@holdfast/encoding'
import type { Act } from '@holdfast/intent'
import type { Given } from '../conditions/index.ts'
import type { Needs, Outcome } from '../evaluate/evaluate.ts'
import { tokensOfCall } from '../evaluate/evaluate-call.ts'
import { outcomesOfAct } from '../evaluate/evaluate-order.ts'
import type { Policy } from '../policy.ts'
import type { Limit } from '../rules/limits.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { centsOf, countedName } from '../rules/valuation.ts'
import { type Decision, decisionOf, isSameDecision } from './decision.ts'

/** An order of the past: what it does, from where and to whom, when it was asked for and by whom. `isCounted`: a signature could come of it, so that limits count it. */
export type PastOrder = {
  id: string
  act: Act
  from: string
  paid: readonly { to: string; amount: bigint }[]
  atMs: number
  openMs: bigint
  isCounted: boolean
  destination?: Given['destination']
}

export type Replayed = { id: string; before: Decision; after: Decision; isChanged: boolean }

/**
 * What two policies do with orders of the past, which come in the order of time: each by itself, with its own count of what its rules let through, as if
 * people had approved whatever waits for them and was not turned down.
 */
export function replayOrders(before: Policy, after: Policy, orders: readonly PastOrder[]): Replayed[] {
  const [one, other] = [replay(before, orders), replay(after, orders)]
  return orders.map(({ id }, i) => {
    const [was, is] = [one[i], other[i]] as [Decision, Decision]
    return { id, before: was, after: is, isChanged: !isSameDecision(was, is) }
  })
}

/** What a policy does with orders of the past. */
export function replay(policy: Policy, orders: readonly PastOrder[]): Decision[] {
  const counts: Counts = new Map()
  return orders.map((order) => decideByLimits(policy, order, counts))
}

/** The first rule whose limits have room decides, and where none has, the order is refused. A rule of the first forms passes nothing on. */
function decideByLimits(policy: Policy, order: PastOrder, counts: Counts): Decision {
  const { act, atMs, openMs, destination, isCounted } = order
  const outcomes = outcomesOfAct(policy, act, { atMs, ...(destination && { destination }) })
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

/** One thing that a limit counts of an order, what the order adds to it, and the most. */
type Place = { key: string; lengthMs: number; adds: bigint; most: bigint }

/** What the limits of a rule count of an order: as signers do (`capsOf`). */
function placesOf(policy: Policy, { rule, limits }: Needs, order: PastOrder): Place[] {
  if (limits.length === 0) return []
  const { chain, contract, amount, isOfTokens } = countedOf(policy, rule, order.act)
  return limits.flatMap((limit, i) => {
    const lengthMs = Number(limit.lengthMs)
    const most = limit.maxOf({ chain, contract, isOfTokens })
    return countedFor(limit, order, amount).flatMap(({ of, adds }): Place[] => [
      ...(most === null ? [] : [{ key: `${rule.id}|${i}|${of}|${countedName(chain, contract)}`, lengthMs, adds, most }]),
      ...(limit.maxCents === null
        ? []
        : [
            {
              key: `${rule.id}|${i}|${of}|usd`,
              lengthMs,
              adds: centsOf(policy, countedName(chain, contract), adds, { atMs: order.atMs }),
              most: limit.maxCents,
            },
          ]),
      ...(limit.maxCount === null ? [] : [{ key: `${rule.id}|${i}|${of}`, lengthMs, adds: 1n, most: limit.maxCount }]),
    ])
  })
}

/** What limits count of an order: its asset; of a call that moves tokens or lets others take them, those, under the contract that is called. */
function countedOf(policy: Policy, rule: Rule, act: Act): { chain: string; contract: string | null; amount: bigint; isOfTokens: boolean } {
  if (act.as !== 'call') return { chain: act.chain, contract: act.as === 'payment' ? act.contract : null, amount: act.amount, isOfTokens: false }
  const tokens = tokensOfCall(policy, rule, act)
  return { chain: act.chain, contract: tokens > 0n ? act.contract : null, amount: tokens > 0n ? tokens : act.value, isOfTokens: tokens > 0n }
}

/** For whom a limit counts an order, and how much of it. */
function countedFor({ each }: Limit, { act, from, paid }: PastOrder, amount: bigint): { of: string; adds: bigint }[] {
  switch (each) {
    case 'rule':
      return [{ of: '', adds: amount }]
    case 'asker':
      return [{ of: toHex(act.initiator), adds: amount }]
    case 'source':
      return [{ of: from, adds: amount }]
    case 'destination':
      return paid.map((one) => ({ of: one.to, adds: one.amount }))
  }
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
