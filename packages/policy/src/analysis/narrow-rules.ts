import { toHex } from '@holdfast/encoding'
import type { PaymentAct } from '@holdfast/intent'
import { type Condition, type Given, holds } from '../conditions/index.ts'
import { coversPayment, paymentRules } from '../evaluate/evaluate.ts'
import type { Policy } from '../policy.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { conditionsIn } from './payment-dimensions.ts'

/**
 * Finds for each of very many payments the rules that may decide on it, in the order in which rules are asked. What is left out does not cover the payment, or
 * has a condition that is known not to hold for it; what is left has to be evaluated all the same. Payments to which a kind of condition gives one name are
 * alike to every condition of that kind in the policy, so that each rule is asked once for each name. Times are left to the evaluation: hardly two payments
 * share one.
 */
export function narrowing(policy: Policy): (act: PaymentAct, given: Given) => readonly Rule[] {
  const rules = paymentRules(policy)
  const looks = [lookAtAsset(rules), lookAtAsker, lookAtSource(rules), lookAtMemo, lookAtDestinations(rules)].map((look) => remembering(policy, rules, look))
  return (act, given) => {
    const [fewest = new Set(rules), ...others] = looks.flatMap((find) => find(act, given)).toSorted((a, b) => a.size - b.size)
    return [...fewest].filter((rule) => others.every((among) => among.has(rule)))
  }
}

/** What a kind of condition looks at in a payment: its parts, each of which has to pass by itself, by name. */
type Look = { kind: Condition['kind']; partsOf(act: PaymentAct, given: Given): { name: string; part: PaymentAct }[] }

/** The rules that each part of a payment may pass, found once for each name of one. */
function remembering(policy: Policy, rules: readonly Rule[], { kind, partsOf }: Look) {
  const found = new Map<string, ReadonlySet<Rule>>()
  return (act: PaymentAct, given: Given) =>
    partsOf(act, given).map(({ name, part }) => {
      const among = found.get(name) ?? new Set(rules.filter((rule) => mayPass(rule, kind, part, given, policy)))
      found.set(name, among)
      return among
    })
}

function mayPass(rule: Rule, kind: Condition['kind'], act: PaymentAct, given: Given, policy: Policy): boolean {
  if (rule.kind !== 'named') return kind !== 'assets' || coversPayment(rule, act)
  return rule.conditions.every((each) => each.kind !== kind || holds(each, act, given, policy) !== false)
}

/** The asset, and how many of the amounts that rules set as borders the payment is above. */
function lookAtAsset(rules: readonly Rule[]): Look {
  const named = conditionsIn(rules, 'assets').flatMap(({ assets }) => assets.flatMap(({ above, atMost }) => [above, atMost]))
  const largest = rules.flatMap((rule) => (rule.kind === 'transfer' ? [rule.maxAmount] : []))
  const borders = [...new Set([...named, ...largest])].filter((border) => border !== null).toSorted((a, b) => (a < b ? -1 : 1))
  return { kind: 'assets', partsOf: (act) => [{ name: JSON.stringify([act.chain, act.contract, countBelow(borders, act.amount)]), part: act }] }
}

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

const lookAtAsker: Look = { kind: 'askers', partsOf: (act) => [{ name: toHex(act.initiator), part: act }] }

/** The paying address, as far down its path as any rule names one. */
function lookAtSource(rules: readonly Rule[]): Look {
  const longest = Math.max(0, ...conditionsIn(rules, 'sources').flatMap(({ wallets }) => wallets.map(({ path }) => path.length)))
  const nameOf = ({ source }: PaymentAct) => (source === null ? '' : [toHex(source.keyId), ...source.path.slice(0, longest)].join('/'))
  return { kind: 'sources', partsOf: (act) => [{ name: nameOf(act), part: act }] }
}

const lookAtMemo: Look = { kind: 'memo', partsOf: (act) => [{ name: act.memo === null || act.memo === '' ? 'none' : 'one', part: act }] }

/** Each recipient: what is known of the address, and which it is, if any rule names it. */
function lookAtDestinations(rules: readonly Rule[]): Look {
  const placeOf = (chain: string, address: string, memo: string | null) => JSON.stringify([chain, address, memo ?? ''])
  const addresses = conditionsIn(rules, 'destinations').flatMap((each) => each.addresses)
  const named = new Set(addresses.map(({ chain, address, memo }) => placeOf(chain, address, memo)))
  const partsOf: Look['partsOf'] = (act, { destination }) =>
    act.recipients.map((address) => {
      const { chain, memo } = act
      const { isOwn, isListed, lists = [], isPaidBefore } = destination?.({ chain, address, memo }) ?? {}
      const place = placeOf(chain, address, memo)
      return { name: JSON.stringify([isOwn, isListed, isPaidBefore, named.has(place) ? place : '', ...lists]), part: { ...act, recipients: [address] } }
    })
  return { kind: 'destinations', partsOf }
}
