import { ChainError, deadAddress } from '@holdfast/chain-core'
import { ANY_SUPPLY, type CallReading, type Find, type Grant, isUnlimited, readCall, UNLIMITED_FROM } from '@holdfast/chain-evm/codec'
import type { CallAct } from '@holdfast/intent'
import { at } from '@holdfast/units'
import { askedBy, callRules, type DenyReason, isPinned, type Outcome } from './evaluate.ts'
import type { BoundedCallRule, CallRule, Policy } from '../policy.ts'

/** A call as the rules look at it: who calls, what is called, what goes along, and what the call data says. */
export type CallOrder = { chain: string; from: string; contract: string; value: bigint; reading: CallReading; initiator: Uint8Array }

/**
 * For what an order is judged: to be signed `now`, or as it was judged `then`, when it was signed, by a rule of the first form, or before payments to dead
 * addresses were refused. What was signed then stays proven.
 */
export type Judged = 'now' | 'then'

type Step = [DenyReason, (rule: CallRule) => boolean]

/**
 * The first rule that covers the call decides; where none does, the call is denied, and the reason is what the rules that came nearest do not let through.
 * A rule covers a call in all of it: payer and contract, function, everything it moves and every right it gives, also inside of what it carries, and value.
 */
export function evaluateCall(policy: Policy, order: CallOrder, judged: Judged = 'now'): Outcome<CallRule> {
  if (!isPinned(policy, { chain: order.chain, contract: null })) return { kind: 'deny', reason: 'asset-not-pinned', rule: null }
  const { signature } = order.reading
  const finds = countedFinds(policy, order)
  const isBounded = (check: (rule: BoundedCallRule) => boolean) => (rule: CallRule) => rule.kind === 'call' || check(rule)
  const isNamed = (rule: BoundedCallRule, find: Find) => find.signature === signature || rule.functions.includes(find.signature)
  const steps: Step[] = [
    ['contract-not-allowed', (rule) => rule.chain === order.chain && rule.contracts.includes(order.contract) && (rule.payers?.includes(order.from) ?? true)],
    signature === null
      ? ['unknown-call-data', (rule) => rule.unknownCallData]
      : ['function-not-allowed', (rule) => rule.functions?.includes(signature) ?? true],
    ['rule-outdated', (rule) => rule.kind === 'boundedCall' || judged === 'then' || (rule.functions !== null && finds.every(isHarmless))],
    ['hidden-function', isBounded((rule) => finds.every((find) => isNamed(rule, find)))],
    ['dead-destination', isBounded(() => !finds.some(({ deed, to }) => deed === 'moves' && to !== null && deadAddress(order.chain, to) !== undefined))],
    ['unlimited-allowance', (rule) => rule.unlimitedAllowances || !isEndless(rule, policy, order, finds)],
    ['tokens-too-high', isBounded((rule) => tokensOf(rule, finds) <= rule.maxTokens)],
    ['value-too-high', (rule) => order.value <= rule.maxValue],
    ['uncountable-call', isBounded((rule) => rule.window === null || order.value === 0n || tokensOf(rule, finds) === 0n)],
  ]
  let rules = callRules(policy)
  for (const [reason, isCovered] of steps) {
    const nearest = rules[0]
    rules = rules.filter(isCovered)
    if (rules.length === 0) return { kind: 'deny', reason, rule: reason === 'rule-outdated' ? (nearest ?? null) : null }
  }
  return askedBy(at(rules, 0), order.initiator)
}

/** What a call only takes back does no harm, as far as it is what is called: inside of other calls nobody knows whose right it is about. */
const isHarmless = ({ carried, takesBack }: Find): boolean => takesBack && !carried

/** What is found in the call data; the number in an allowance of a collection of ERC-721 that the policy pins is a token's name, and counts as one token. */
function countedFinds(policy: Policy, { chain, contract, reading }: CallOrder): Find[] {
  const isCollection = isPinned(policy, { chain, contract: `erc721:${contract}` })
  return reading.finds.map((find) => {
    if (!isCollection || find.carried || find.signature !== 'approve(address,uint256)') return find
    const takesBack = find.to !== null && /^0x0{40}$/.test(find.to)
    return { ...find, amount: takesBack ? 0n : 1n, takesBack }
  })
}

/** A right that has no amount, one of more than any supply, and one that comes on top of what was where no window counts how often. */
function isEndless(rule: CallRule, policy: Policy, { chain, reading }: CallOrder, finds: readonly Find[]): boolean {
  if (rule.kind === 'call') return reading.grants.some((grant) => isUnlimitedGrant(policy, chain, grant))
  const grants = finds.filter(({ deed, takesBack }) => deed === 'grants' && !takesBack)
  return grants.some(({ amount, adds }) => amount === null || amount >= ANY_SUPPLY || (adds && rule.window === null))
}

/** What a call moves and lets others take, base units of whatever tokens; what may be without end is not counted. */
function tokensOf({ unlimitedAllowances }: BoundedCallRule, finds: readonly Find[]): bigint {
  const counted = finds.filter(({ deed }) => deed === 'moves' || (deed === 'grants' && !unlimitedAllowances))
  return counted.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
}

/** The tokens that a call under a rule moves and lets others take, in base units: what the window of the rule counts of them. */
export function tokensOfCall(policy: Policy, rule: BoundedCallRule, act: CallAct): bigint {
  const order = readCallAct(act)
  return order ? tokensOf(rule, countedFinds(policy, order)) : 0n
}

/** A call with what its call data says; undefined if it cannot be read by the function that it names. */
export function readCallAct({ chain, from, contract, value, data, signature, initiator }: CallAct): CallOrder | undefined {
  try {
    return { chain, from, contract, value, reading: readCall({ contract, data, signature }), initiator }
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

/**
 * Whether the policy has rules of the form that counts tokens: then words tell of everything that is found in a call, and say from a lower amount on that it
 * is without end.
 */
export const countsTokens = (policy: Policy): boolean => policy.rules.some((rule) => rule.kind === 'boundedCall')

/** Whether a right is without end. The number in an allowance of a collection of ERC-721 is a token's name, as far as the policy pins the collection. */
export function isUnlimitedGrant(policy: Policy, chain: string, grant: Grant): boolean {
  return isUnlimited(grant, isPinned(policy, { chain, contract: `erc721:${grant.token}` }), countsTokens(policy) ? ANY_SUPPLY : UNLIMITED_FROM)
}
