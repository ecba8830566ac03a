import { pinnedContract } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { type Act, eachAlone, type PaymentAct } from '@holdfast/intent'
import { type Given, holds, isNamed } from '../conditions/index.ts'
import { isAmong, peopleOnce } from '../people/is-among.ts'
import { asksUnsigned, machineOfParty } from '../people/machines.ts'
import { type Policy, rulesOf } from '../policy.ts'
import type { Limit } from '../rules/limits.ts'
import { readRule, type RuleFacts } from '../rules/read-rule.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { centsOf, countedName } from '../rules/valuation.ts'
import { eligibleIn, fillSteps, mayStopFor, type Step, stepsFor } from './steps.ts'

/**
 * Deny, or these steps of people. They never include whoever asks, unless the rule lets orders through by the signature of the person or machine that
 * asks: then that is a step. A co-signer stands in a step of its own. There is no outcome without somebody's key.
 */
export type Outcome = { kind: 'deny'; reason: DenyReason; rule: Rule | null } | Needs
/** `mayStop`: whoever counts by any rule that may decide, and whose no is enough. */
export type Needs = {
  kind: 'needs'
  rule: Rule
  steps: readonly Step[]
  mayStop: readonly Uint8Array[]
  limits: readonly Limit[]
  /** How long a signer waits once it has seen that every step is met. */
  delayMs: bigint
  expiresAfterMs: bigint
  /** The most that the fee of an order may reach on each network; null where the rule says nothing of fees. */
  fees: ReadonlyMap<string, bigint> | null
}

export type DenyReason =
  | 'asset-not-pinned'
  | 'no-rule'
  | 'conditions-not-met'
  | 'refused-by-rule'
  | 'rule-not-asked'
  | 'open-too-long'
  | 'open-too-short'
  | 'fee-too-high'
  | 'initiator-not-allowed'
  | 'machine-expired'
  | 'quorum-impossible'
  | 'unreadable-call'
  | 'contract-not-allowed'
  | 'function-not-allowed'
  | 'unknown-call-data'
  | 'rule-outdated'
  | 'hidden-function'
  | 'unlimited-allowance'
  | 'tokens-too-high'
  | 'value-too-high'
  | 'uncountable-call'
  | 'dead-destination'
  | 'own-contract'
  | 'stake-not-allowed'
  | 'receiver-not-allowed'
  | 'lock-too-long'
  | 'stake-too-high'
  | 'unreadable-trade'
  | 'trade-for-another'
  | 'pair-not-allowed'
  | 'given-too-high'
  | 'deadline-not-allowed'
  | 'worth-unknown'
  | 'slippage-too-high'

/**
 * For what an order is judged: to be signed `now`, or as it was judged `then`, when it was signed, by a rule of the first form, or before payments to dead
 * addresses were refused. What was signed then stays proven.
 */
export type Judged = 'now' | 'then'

/**
 * How an order is judged, by what whoever decides knows: without a clock (`atMs`) it is only looked at. `by` names the rule that is to decide, where the limits
 * of those before it are used up: whoever counts them says so, and signers count for themselves.
 */
export type Asking = Given & { judged?: Judged; by?: string | null }

/**
 * What every rule says that may decide, in the order in which they are asked: the first, and after a rule with limits that passes orders on, the next. Where
 * it is not known whether a condition holds, the rule may decide, and so may the one after it; for whoever decides, such a rule lets nothing through, and
 * refuses if it is one that refuses. Never empty. Where whoever asks knows of some rules that they do not hold, and leaves them out, `all` has them too.
 */
export function decide(policy: Policy, covering: readonly Rule[], act: Act, asking: Asking, all = () => covering): Outcome[] {
  const outcomes = mayDecide(policy, covering, act, asking)
  if (outcomes.length === 0) return [{ kind: 'deny', reason: 'conditions-not-met', rule: null }]
  let heard: readonly Uint8Array[] | undefined
  const whoMayStop = () => (heard ??= mayStopAny(policy, all(), act, asking, outcomes))
  // Whose no is enough takes as long to find as who decides, and only those ask who count words.
  const withStop = (outcome: Needs): Needs => ({
    ...outcome,
    get mayStop() {
      return whoMayStop()
    },
  })
  return outcomes.map((outcome) => (outcome.kind === 'needs' ? withStop(outcome) : outcome))
}

/** Whoever was told at any time, by whoever knows less, that their no is enough has it heard by whoever decides. */
function mayStopAny(policy: Policy, covering: readonly Rule[], act: Act, asking: Asking, outcomes: readonly Outcome[]): readonly Uint8Array[] {
  const { atMs, destination, screened, ...unknowing } = asking
  const isKnowing = atMs !== undefined || destination !== undefined || screened !== undefined
  const byAnybody = isKnowing ? [...outcomes, ...mayDecide(policy, covering, act, unknowing)] : outcomes
  return peopleOnce(byAnybody.flatMap((outcome) => (outcome.kind === 'needs' ? [...eligibleIn(outcome.steps), ...outcome.mayStop] : [])))
}

/** People do not expire. */
const ENDLESS = 1n << 64n

function mayDecide(policy: Policy, covering: readonly Rule[], act: Act, asking: Asking): Outcome[] {
  const outcomes: Outcome[] = []
  const basic: [Rule, RuleFacts][] = []
  const isExpired = asking.atMs !== undefined && (machineOfParty(policy, act.initiator)?.expiresAtMs ?? ENDLESS) <= BigInt(asking.atMs)
  /** Whether the rule decides, and no other one after it. */
  const isEnd = (rule: Rule, facts: RuleFacts): boolean => {
    const held = conditionsHold(facts, act, asking, policy)
    if (held !== false) outcomes.push(isExpired ? { kind: 'deny', reason: 'machine-expired', rule } : outcomeOf(rule, act.initiator, facts, policy))
    return held === true && !facts.passesOn && !(facts.needsClock && asking.atMs === undefined)
  }
  for (const rule of covering) {
    const facts = readRule(rule, policy)
    if (facts.isBasic) basic.push([rule, facts])
    else if (isEnd(rule, facts)) return outcomes
  }
  for (const [rule, facts] of basic) if (isEnd(rule, facts)) break
  return outcomes
}

/** Whether the conditions of a rule hold. Those of one that refuses do if they do for any of several recipients: one more recipient is no way around it. */
function conditionsHold(facts: RuleFacts, act: Act, asking: Asking, policy: Policy): boolean | undefined {
  if (!facts.refuses || act.as !== 'payment' || act.recipients.length < 2) return allHold(facts, act, asking, policy)
  const held = eachAlone(act).map((one) => allHold(facts, one, asking, policy))
  return held.includes(true) ? true : held.includes(undefined) ? undefined : false
}

function allHold({ conditions, refuses }: RuleFacts, act: Act, asking: Asking, policy: Policy): boolean | undefined {
  const { atMs, screened } = asking
  let [isKnown, isScreened] = [true, true]
  for (const each of conditions) {
    const held = holds(each, act, asking, policy)
    if (held === false) return false
    if (held !== undefined) continue
    if (each.kind === 'screening') isScreened = false
    else isKnown = false
  }
  if (!isKnown && atMs !== undefined) return refuses
  // Whoever decides, or has all that screeners said, knows that there is nothing more; before they are asked, a rule may decide by what they will say.
  const mayStillBeScreened = screened?.isOpen ?? (screened === undefined && atMs === undefined)
  if (!isScreened && mayStillBeScreened) return undefined
  if (!isScreened && !refuses) return false
  return isKnown ? true : undefined
}

/** What a rule asks for where one of its people asks is found once for each of them: neither it nor the policy is ever changed. */
const asked = new WeakMap<RuleFacts, Map<string, Outcome>>()

/** The steps that a rule asks for, where it lets this person ask. */
function outcomeOf(rule: Rule, initiator: Uint8Array, facts: RuleFacts, policy: Policy): Outcome {
  if (facts.refuses) return { kind: 'deny', reason: 'refused-by-rule', rule }
  if (!isAmong(facts.askers, initiator)) return { kind: 'deny', reason: 'initiator-not-allowed', rule }
  const known = asked.get(facts) ?? new Map<string, Outcome>()
  asked.set(facts, known)
  const { limits, mayStop, delayMs, expiresAfterMs, fees } = facts
  // Where nobody can sign that they ask, the step of who asks is left to the others: where there are none, nobody decides.
  const steps = asksUnsigned(policy, initiator) ? facts.steps.filter(({ isAskers }) => !isAskers) : facts.steps
  const name = toHex(initiator)
  const outcome = known.get(name) ?? withoutAskers({ kind: 'needs', rule, steps, mayStop, limits, delayMs, expiresAfterMs, fees }, [initiator])
  known.set(name, outcome)
  return outcome
}

/** An outcome for an order that these people asked for; a denial where too few are left. */
export function withoutAskers(outcome: Outcome, askers: readonly Uint8Array[]): Outcome {
  if (outcome.kind === 'deny') return outcome
  const steps = stepsFor(outcome.steps, askers)
  const mayStop = mayStopFor(outcome.mayStop, steps, askers)
  const everybody = steps.flatMap(({ eligible }) => eligible)
  const isPossible = steps.length > 0 && steps.every(({ need }) => need >= 1) && fillSteps(steps, everybody).missing === 0
  return isPossible ? { ...outcome, steps, mayStop } : { kind: 'deny', reason: 'quorum-impossible', rule: outcome.rule }
}

/** The outcome by the rule that is named, or else by the first that may decide and asks for people; the first denial, if none does. */
export function chosen(outcomes: readonly Outcome[], by: string | null = null): Outcome {
  const found = by === null ? (outcomes.find(({ kind }) => kind === 'needs') ?? outcomes[0]) : outcomes.find(({ rule }) => rule?.id === by)
  return found ?? { kind: 'deny', reason: 'rule-not-asked', rule: null }
}

type OfAsset = Pick<PaymentAct, 'chain' | 'contract'>

/** A payment as far as it is known before it is asked for. */
export type PaymentDraft = Pick<PaymentAct, 'chain' | 'contract' | 'amount' | 'initiator'> &
  Partial<Pick<PaymentAct, 'recipients' | 'memo' | 'memos' | 'source'>>

/** What the rules say of a payment before it is asked for, by the rule that is asked first. */
export const evaluatePayment = (policy: Policy, draft: PaymentDraft, asking: Asking = {}): Outcome =>
  chosen(decidePayment(policy, { as: 'payment', recipients: [], memo: null, source: null, ...draft }, asking), asking.by ?? null)

/**
 * What the rules for payments say of one: see `decide`. `among` are those of the rules covering it that may hold, where whoever asks has found them already
 * (`evaluating`).
 */
export function decidePayment(policy: Policy, act: PaymentAct, asking: Asking, among?: readonly Rule[]): Outcome[] {
  if (!isPinned(policy, act)) return [{ kind: 'deny', reason: 'asset-not-pinned', rule: null }]
  const covering = () => paymentRules(policy).filter((rule) => coversPayment(rule, act))
  const rules = among ?? covering()
  const isCovered = rules.length > 0 || (among !== undefined && covering().length > 0)
  return isCovered ? decide(policy, rules, act, asking, among && covering) : [{ kind: 'deny', reason: 'no-rule', rule: null }]
}

export function isPinned(policy: Policy, { chain, contract }: OfAsset): boolean {
  return policy.assets.some((asset) => asset.chain === chain && asset.contract === pinnedContract(contract))
}

/** Whether a rule for payments is for one, as far as it does not say so by conditions. */
export const coversPayment = (rule: Rule, act: PaymentAct): boolean =>
  rule.kind !== 'transfer' || (isForAsset(rule, act) && (rule.maxAmount === null || act.amount <= rule.maxAmount))

/** The rules that payments go by. */
export function paymentRules(policy: Policy): readonly Rule[] {
  const known = forPayments.get(policy)
  if (known) return known
  const rules = rulesOf(policy).filter((rule) => rule.kind === 'transfer' || (rule.kind === 'named' && rule.covers.kind === 'payments'))
  forPayments.set(policy, rules)
  return rules
}
const forPayments = new WeakMap<Policy, readonly Rule[]>()

/**
 * Whether an order is above the smallest limit that any rule for its asset sets: signers make such a signature with base OTs of its own (docs/protocol.md,
 * section 4). A policy that sets no limit for an asset has no large orders of it. Each signer decides this by its own copy of the policy.
 */
export function isAboveFirstTier(policy: Policy, order: OfAsset & { amount: bigint }): boolean {
  const rules = paymentRules(policy)
  if (rules.flatMap((rule) => maxAmountsOf(rule, order)).some((most) => order.amount > most)) return true
  const mostCents = rules.flatMap((rule) => (rule.kind === 'named' ? rule.conditions.map((each) => (each.kind === 'value' ? each.atMostCents : null)) : []))
  // Whatever the time: both signers of a pair have to find the same.
  const cents = centsOf(policy, countedName(order.chain, order.contract), order.amount)
  return mostCents.some((most) => most !== null && cents > most)
}

/** The amounts up to which a rule for payments lets an asset be paid, in base units. */
export function maxAmountsOf(rule: Rule, { chain, contract }: OfAsset): bigint[] {
  if (rule.kind === 'transfer') return isForAsset(rule, { chain, contract }) && rule.maxAmount !== null ? [rule.maxAmount] : []
  if (rule.kind !== 'named') return []
  const bounded = rule.conditions.flatMap((each) => (each.kind === 'assets' ? each.assets : []))
  const own = bounded.filter((each) => each.chain === chain && each.asset !== null && isNamed(each.asset, contract))
  return own.flatMap(({ atMost }) => (atMost === null ? [] : [atMost]))
}

/** A rule of the first form for a collection is one for each token of it; a rule may also name one token alone. */
function isForAsset(rule: { chain: string | null; asset: string | null }, { chain, contract }: OfAsset): boolean {
  return (rule.chain === null || rule.chain === chain) && (rule.asset === null || isNamed(rule.asset, contract))
}
