import { ChainError, deadAddress } from '@holdfast/chain-core'
import { ANY_SUPPLY, type CallReading, type Find, type Grant, isUnlimited, readCall, UNLIMITED_FROM } from '@holdfast/chain-evm/codec'
import type { CallAct } from '@holdfast/intent'
import { type Policy, rulesOf } from '../policy.ts'
import { type CallBounds, callBoundsOf } from '../rules/call-bounds.ts'
import { isRefusing, type Rule } from '../rules/rule-shapes.ts'
import { type Asking, decide, type DenyReason, isPinned, type Outcome } from './evaluate.ts'

/** A call as the rules look at it: who calls, what is called, what goes along, and what the call data says. */
export type CallOrder = { act: CallAct; reading: CallReading }

type Bounded = { rule: Rule; bounds: CallBounds }

/**
 * What the rules that cover a call say of it: see `decide`. Where none does, the call is denied, and the reason is what the rules that came nearest do not let
 * through. A rule covers a call in all of it: payer and contract, function, everything it moves and every right it gives, also inside of what it carries, and
 * value. One that refuses covers every call of its functions, or that carries one, whatever else it does.
 */
export function decideCall(policy: Policy, { act, reading }: CallOrder, asking: Asking): Outcome[] {
  if (!isPinned(policy, { chain: act.chain, contract: null })) return [{ kind: 'deny', reason: 'asset-not-pinned', rule: null }]
  const { signature } = reading
  const finds = countedFinds(policy, act, reading)
  // Rules of the first form count no tokens, and know nothing of what else a call carries.
  const isBounded = (check: (bounds: CallBounds) => boolean) => (bounds: CallBounds) => bounds.maxTokens === null || check(bounds)
  const isNamed = (bounds: CallBounds, find: Find) => find.signature === signature || (bounds.functions?.includes(find.signature) ?? false)
  const isOfContract = (each: CallBounds) => each.chain === act.chain && each.contracts.includes(act.contract) && (each.payers?.includes(act.from) ?? true)
  const isOfFunction = (each: CallBounds) => (signature === null ? each.unknownCallData : (each.functions?.includes(signature) ?? true))
  const steps: [DenyReason, (bounds: CallBounds) => boolean][] = [
    ['contract-not-allowed', isOfContract],
    [signature === null ? 'unknown-call-data' : 'function-not-allowed', isOfFunction],
    ['rule-outdated', (each) => each.maxTokens !== null || asking.judged === 'then' || (each.functions !== null && finds.every(isHarmless))],
    ['hidden-function', isBounded((each) => finds.every((find) => isNamed(each, find)))],
    ['dead-destination', isBounded(() => !finds.some(({ deed, to }) => deed === 'moves' && to !== null && deadAddress(act.chain, to) !== undefined))],
    ['unlimited-allowance', (each) => each.unlimitedAllowances || !isEndless(each, policy, act.chain, reading, finds)],
    ['tokens-too-high', isBounded((each) => tokensOf(each, finds) <= (each.maxTokens ?? 0n))],
    ['value-too-high', (each) => act.value <= each.maxValue],
    ['uncountable-call', isBounded((each) => !each.isCounted || act.value === 0n || tokensOf(each, finds) === 0n)],
  ]
  const all = boundedRules(policy)
  // What was signed when the bounds of rules that refuse still counted stays proven.
  const refusing = asking.judged === 'then' ? [] : all.filter(({ rule }) => isRefusing(rule))
  let rules = all.filter((each) => !refusing.includes(each))
  let denied: Outcome | undefined
  for (const [reason, isCovered] of steps) {
    const nearest = rules[0]
    rules = rules.filter(({ bounds }) => isCovered(bounds))
    if (rules.length === 0) denied ??= { kind: 'deny', reason, rule: reason === 'rule-outdated' ? (nearest?.rule ?? null) : null }
  }
  const isRefused = ({ bounds }: Bounded) => isOfContract(bounds) && (isOfFunction(bounds) || finds.some((find) => bounds.functions?.includes(find.signature)))
  const covering = all.filter((each) => rules.includes(each) || (refusing.includes(each) && isRefused(each))).map(({ rule }) => rule)
  const outcomes = decide(policy, covering, act, asking)
  return denied && outcomes.every(({ rule }) => rule === null) ? [denied] : outcomes
}

const boundedRules = (policy: Policy): Bounded[] =>
  rulesOf(policy).flatMap((rule) => {
    const bounds = callBoundsOf(rule)
    return bounds ? [{ rule, bounds }] : []
  })

/** What a call only takes back does no harm, as far as it is what is called: inside of other calls nobody knows whose right it is about. */
const isHarmless = ({ carried, takesBack }: Find): boolean => takesBack && !carried

/** What is found in the call data; the number in an allowance of a collection of ERC-721 that the policy pins is a token's name, and counts as one token. */
function countedFinds(policy: Policy, { chain, contract }: CallAct, reading: CallReading): Find[] {
  const isCollection = isPinned(policy, { chain, contract: `erc721:${contract}` })
  return reading.finds.map((find) => {
    if (!isCollection || find.carried || find.signature !== 'approve(address,uint256)') return find
    const takesBack = find.to !== null && /^0x0{40}$/.test(find.to)
    return { ...find, amount: takesBack ? 0n : 1n, takesBack }
  })
}

/** A right that has no amount, one of more than any supply, and one that comes on top of what was where no window counts how often. */
function isEndless(bounds: CallBounds, policy: Policy, chain: string, reading: CallReading, finds: readonly Find[]): boolean {
  if (bounds.maxTokens === null) return reading.grants.some((grant) => isUnlimitedGrant(policy, chain, grant))
  const grants = finds.filter(({ deed, takesBack }) => deed === 'grants' && !takesBack)
  return grants.some(({ amount, adds }) => amount === null || amount >= ANY_SUPPLY || (adds && !bounds.countsTokens))
}

/** What a call moves and lets others take, base units of whatever tokens; what may be without end is not counted. */
function tokensOf({ unlimitedAllowances }: CallBounds, finds: readonly Find[]): bigint {
  const counted = finds.filter(({ deed }) => deed === 'moves' || (deed === 'grants' && !unlimitedAllowances))
  return counted.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n)
}

/** The tokens that a call under a rule moves and lets others take, in base units: what the limits of the rule count of them. */
export function tokensOfCall(policy: Policy, rule: Rule, act: CallAct): bigint {
  const bounds = callBoundsOf(rule)
  const order = readCallAct(act)
  return order && bounds && bounds.maxTokens !== null ? tokensOf(bounds, countedFinds(policy, act, order.reading)) : 0n
}

/** What the call data of a call says; undefined if it cannot be read by the function that it names. */
export function readCallAct({ contract, data, signature }: CallAct): { reading: CallReading } | undefined {
  try {
    return { reading: readCall({ contract, data, signature }) }
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

/**
 * Whether the policy has rules of the form that counts tokens: then words tell of everything that is found in a call, and say from a lower amount on that it
 * is without end.
 */
export const countsTokens = (policy: Policy): boolean => boundedRules(policy).some(({ bounds }) => bounds.maxTokens !== null)

/** Whether a right is without end. The number in an allowance of a collection of ERC-721 is a token's name, as far as the policy pins the collection. */
export function isUnlimitedGrant(policy: Policy, chain: string, grant: Grant): boolean {
  return isUnlimited(grant, isPinned(policy, { chain, contract: `erc721:${grant.token}` }), countsTokens(policy) ? ANY_SUPPLY : UNLIMITED_FROM)
}
