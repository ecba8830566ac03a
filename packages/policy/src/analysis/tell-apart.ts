import { toHex } from '@holdfast/encoding'
import { eachAlone, type PaymentAct } from '@holdfast/intent'
import { type Condition, type Given, holds, localTimeOf } from '../conditions/index.ts'
import { coversPayment, type Outcome, paymentRules } from '../evaluate/evaluate.ts'
import { lossOfPayment, outcomesOfAct } from '../evaluate/evaluate-order.ts'
import type { Policy } from '../policy.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { conditionsIn } from './payment-dimensions.ts'

// Very many payments are evaluated by telling them apart only as far as rules do: of those that are alike to every rule, one is evaluated.

/** What conditions of a kind look at in a payment, by a name: where that is the same, they say the same. Each of several recipients is a part of its own. */
export type Part = { kind: Condition['kind']; name: string; act: PaymentAct }

type Look = (act: PaymentAct, given: Given) => Part[]

/** Names the parts of payments for the rules of these policies. */
export function tellingApart(policies: readonly Policy[]): Look {
  const rules = policies.flatMap(paymentRules)
  const looks = [lookAtAsset(rules), lookAtAsker, lookAtSource(rules), lookAtMemo, lookAtDestinations(rules), lookAtTimes(rules)]
  return (act, given) => looks.flatMap((look) => look(act, given))
}

const LOOKED_AT: readonly Condition['kind'][] = ['assets', 'askers', 'sources', 'memo', 'destinations', 'times']

/**
 * What a policy says of one payment after the other: see `outcomesOfAct`, which is asked once for all payments whose parts are the same. Even then only those
 * rules are asked that may decide: each rule was asked before once for each name whether it may pass.
 */
export function evaluating(policy: Policy): (act: PaymentAct, given: Given, parts: readonly Part[]) => Outcome[] {
  const passing = new Map<string, ReadonlySet<Rule>>()
  const known = new Map<string, Outcome[]>()
  const passingAt = (part: Part, given: Given) => {
    const name = `${part.kind}\n${part.name}`
    const rules = passing.get(name) ?? new Set(paymentRules(policy).filter((rule) => mayPass(rule, part, given, policy)))
    passing.set(name, rules)
    return rules
  }
  return (act, given, parts) => {
    const name = parts.map((part) => part.name).join('\n')
    const same = known.get(name)
    if (same) return same
    const [fewest = [], ...others] = parts.map((part) => passingAt(part, given)).toSorted((a, b) => a.size - b.size)
    const among = [...fewest].filter((rule) => others.every((rules) => rules.has(rule)))
    const outcomes = outcomesOfAct(policy, act, given, among)
    if (among.every(isLookedAt)) known.set(name, outcomes)
    return outcomes
  }
}

/** Whether nothing that a rule looks at goes without a name. */
const isLookedAt = (rule: Rule): boolean => rule.kind !== 'named' || rule.conditions.every(({ kind }) => LOOKED_AT.includes(kind))

/** What each recipient has of its own. */
const OF_RECIPIENTS: readonly Condition['kind'][] = ['memo', 'destinations']

/** Whether a rule may be for a payment, as far as one part of it says. */
function mayPass(rule: Rule, { kind, act }: Part, given: Given, policy: Policy): boolean {
  if (rule.kind !== 'named') return kind !== 'assets' || coversPayment(rule, act)
  // One that refuses does so by any of several recipients, whatever it says of the others.
  if (rule.action.kind === 'refuse' && OF_RECIPIENTS.includes(kind)) return true
  return rule.conditions.every((each) => each.kind !== kind || holds(each, act, given, policy) !== false)
}

/** The asset, and how many of the amounts that rules set as borders the payment is above. */
function lookAtAsset(rules: readonly Rule[]): Look {
  const named = conditionsIn(rules, 'assets').flatMap(({ assets }) => assets.flatMap(({ above, atMost }) => [above, atMost]))
  const largest = rules.flatMap((rule) => (rule.kind === 'transfer' ? [rule.maxAmount] : []))
  const borders = inOrder([...named, ...largest].filter((border) => border !== null))
  return (act) => [{ kind: 'assets', name: JSON.stringify([act.chain, act.contract, countBelow(borders, act.amount)]), act }]
}

const inOrder = (borders: readonly bigint[]): bigint[] => [...new Set(borders)].toSorted((a, b) => (a < b ? -1 : 1))

/** How many numbers of a sorted list are smaller than one. */
function countBelow(sorted: readonly bigint[], value: bigint): number {
  let [from, to] = [0, sorted.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((sorted[middle] ?? value) < value) from = middle + 1
    else to = middle
  }
  return from
}

const lookAtAsker: Look = (act) => [{ kind: 'askers', name: toHex(act.initiator), act }]

/** The paying address, as far down its path as any rule names one. */
function lookAtSource(rules: readonly Rule[]): Look {
  const longest = Math.max(0, ...conditionsIn(rules, 'sources').flatMap(({ wallets }) => wallets.map(({ path }) => path.length)))
  const nameOf = ({ source }: PaymentAct) => (source === null ? '' : `${toHex(source.keyId)}/${source.path.slice(0, longest).join('/')}`)
  return (act) => [{ kind: 'sources', name: nameOf(act), act }]
}

const isNoted = ({ memo }: PaymentAct): boolean => memo !== null && memo !== ''

const lookAtMemo: Look = (act) =>
  (act.memos ?? [act.memo]).map((memo) => {
    const { memos: _, ...payment } = act
    const one = { ...payment, memo }
    return { kind: 'memo', name: isNoted(one) ? 'one' : 'none', act: one }
  })

/** Each recipient: what is known of the address, which it is, if any rule names it, whether a memo goes along there, and whether the payment would be lost. */
function lookAtDestinations(rules: readonly Rule[]): Look {
  const placeOf = (chain: string, address: string, memo: string | null) => JSON.stringify([chain, address, memo ?? ''])
  const addresses = conditionsIn(rules, 'destinations').flatMap((each) => each.addresses)
  const named = new Set(addresses.map(({ chain, address, memo }) => placeOf(chain, address, memo)))
  return (act, { destination }) =>
    eachAlone(act).map((one) => {
      const { chain, memo, recipients } = one
      const [address = ''] = recipients
      const { isOwn, isListed, lists = [], isPaidBefore } = destination?.({ chain, address, memo }) ?? {}
      const place = placeOf(chain, address, memo)
      const name = JSON.stringify([named.has(place) ? place : '', isNoted(one), lossOfPayment(act, address), isOwn, isListed, isPaidBefore, lists])
      return { kind: 'destinations', name, act: one }
    })
}

/** The day, and how many of the times of the day that rules name have come, as clocks of each of their zones show it. */
function lookAtTimes(rules: readonly Rule[]): Look {
  const zones = [...Map.groupBy(conditionsIn(rules, 'times'), ({ zone }) => zone)].map(([zone, same]) => {
    return { zone, borders: inOrder(same.flatMap(({ fromMinute, untilMinute }) => [fromMinute, untilMinute])) }
  })
  const nameOf = (atMs: number | undefined) =>
    zones.map(({ zone, borders }) => {
      const local = atMs === undefined ? undefined : localTimeOf(zone, atMs)
      return local ? `${local.day} ${countBelow(borders, local.minute + 1n)}` : ''
    })
  return (act, { atMs }) => [{ kind: 'times', name: `${atMs === undefined}|${nameOf(atMs).join('|')}`, act }]
}
