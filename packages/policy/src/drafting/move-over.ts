import { toHex } from '@holdfast/encoding'
import type { Condition } from '../conditions/index.ts'
import type { Group } from '../people/groups.ts'
import { WHO_MAX, type Who } from '../people/who.ts'
import { type Policy, PolicyRefused, rulesOf, type ThirdForm } from '../policy.ts'
import { checkRule } from '../rules/check-rule.ts'
import type { BoundedCallRule, FirstRule, NamedRule, Rule, StakeRule, TransferRule } from '../rules/rule-shapes.ts'
import { inThirdForm } from '../third-form.ts'

/** Why a rule stays as it is: what it says cannot be said with a name so that every order is decided alike. `why` is what the policy has against it otherwise. */
export type KeptRule = {
  id: string
  reason: 'window' | 'windowOfAny' | 'amountOfAny' | 'assetAnywhere' | 'askers' | 'payers' | 'outdated' | 'cannot'
  why: string
}

type Kept = Pick<KeptRule, 'reason'>
type Said = Pick<NamedRule, 'covers' | 'conditions' | 'limits'>

const NAME_MAX = 30

/**
 * The same policy in its third form, in which each rule of the first forms has a name that can be said so exactly: every order that pays something is decided
 * alike, and asks the same people. The others stay as they are, with the reason.
 */
export function moveOver(policy: Policy): { policy: ThirdForm; kept: KeptRule[] } {
  const groups: Group[] = [...inThirdForm(policy).groups]
  const kept: KeptRule[] = []
  const all = rulesOf(policy)
  const rules = all.map((rule, i): Rule => {
    if (rule.kind === 'named') return rule
    const said = translate(rule, policy, all.slice(i + 1))
    const keep = (reason: KeptRule['reason'], why = '') => {
      kept.push({ id: rule.id, reason, why })
      return rule
    }
    if ('reason' in said) return keep(said.reason)
    const added: Group[] = []
    const askers: Condition = { kind: 'askers', who: whoOf(rule.initiators, `${rule.id}:askers`, added) }
    const steps = [{ need: rule.threshold, who: whoOf(rule.approvers, `${rule.id}:approvers`, added) }]
    const name = nameOf(rule.id, all)
    const action = { kind: 'approve' as const, steps, mayStop: [], delayMs: 0n, expiresAfterMs: 0n }
    const named: NamedRule = { kind: 'named', id: rule.id, name, level: 'higher', ...said, conditions: [askers, ...said.conditions], action }
    const fault = faultOf({ ...inThirdForm(policy), groups: [...groups, ...added], rules: [named] }, named)
    if (fault !== undefined) return keep('cannot', fault)
    groups.push(...added)
    return named
  })
  return { policy: { ...inThirdForm(policy), groups, rules }, kept }
}

function faultOf(policy: ThirdForm, rule: NamedRule): string | undefined {
  try {
    checkRule(policy, rule)
    return undefined
  } catch (cause) {
    if (cause instanceof PolicyRefused) return cause.message
    throw cause
  }
}

/** A rule names so many at most; more of them are a group. */
function whoOf(ids: readonly Uint8Array[], group: string, groups: Group[]): Who[] {
  if (ids.length <= WHO_MAX) return ids.map((id) => ({ kind: 'person', id }))
  groups.push({ id: group, name: group, members: [...ids] })
  return [{ kind: 'group', id: group }]
}

/** Its id, and more of it only where another begins alike. */
function nameOf(id: string, all: readonly Rule[]): string {
  const short = [...id].slice(0, NAME_MAX).join('')
  const isTaken = all.some((each) => each.id !== id && (each.kind === 'named' ? each.name : [...each.id].slice(0, NAME_MAX).join('')) === short)
  return isTaken ? id : short
}

/** What a rule is about. `later` are the rules that would be asked after it. */
function translate(rule: FirstRule, policy: Policy, later: readonly Rule[]): Said | Kept {
  if (rule.kind === 'call') return { reason: 'outdated' }
  if (rule.kind !== 'transfer' && rule.payers !== null) return { reason: 'payers' }
  // What one rule of the first forms covers, no other decides. A named one whose askers are others, or whose limits are used up, passes it on.
  const isLast = !later.some((each) => aboutOf(each) === aboutOf(rule))
  const isForAll = policy.people.every(({ id }) => rule.initiators.some((each) => toHex(each) === toHex(id)))
  if (!isLast && !isForAll) return { reason: 'askers' }
  if (!isLast && rule.window !== null) return { reason: 'window' }
  if (rule.kind === 'transfer') return saidOfTransfer(rule)
  return rule.kind === 'boundedCall' ? saidOfCall(rule) : saidOfStake(rule)
}

function aboutOf(rule: Rule): NamedRule['covers']['kind'] {
  if (rule.kind === 'named') return rule.covers.kind
  if (rule.kind === 'transfer') return 'payments'
  return rule.kind === 'stake' ? 'stake' : 'calls'
}

const WHOLE_RULE = { each: 'rule', maxTokens: null, maxCount: null, maxCents: null }

function saidOfTransfer({ chain, asset, maxAmount, window }: TransferRule): Said | Kept {
  const covers = { kind: 'payments' as const }
  if (chain === null && asset !== null) return { reason: 'assetAnywhere' }
  if (asset === null && maxAmount !== null) return { reason: 'amountOfAny' }
  if (asset === null && window !== null) return { reason: 'windowOfAny' }
  if (chain === null) return { covers, conditions: [], limits: [] }
  // A window counts each token of a collection by itself, and a limit counts all of them together.
  if (asset !== null && window !== null && asset.includes(':')) return { reason: 'windowOfAny' }
  const conditions: Condition[] = [{ kind: 'assets', assets: [{ chain, asset, above: 0n, atMost: maxAmount }] }]
  const amounts = asset === null || window === null ? [] : [{ chain, asset, max: window.maxAmount }]
  return { covers, conditions, limits: window === null ? [] : [{ ...WHOLE_RULE, lengthMs: window.lengthMs, amounts }] }
}

function saidOfCall({ chain, contracts, functions, maxValue, maxTokens, unlimitedAllowances, unknownCallData, window }: BoundedCallRule): Said {
  const limits =
    window === null ? [] : [{ ...WHOLE_RULE, lengthMs: window.lengthMs, amounts: [{ chain, asset: '', max: window.maxAmount }], maxTokens: window.maxTokens }]
  return { covers: { kind: 'calls', chain, contracts, functions, maxValue, maxTokens, unlimitedAllowances, unknownCallData }, conditions: [], limits }
}

function saidOfStake({ chain, actions, receivers, maxAmount, maxLockBlocks, window }: StakeRule): Said {
  const limits = window === null ? [] : [{ ...WHOLE_RULE, lengthMs: window.lengthMs, amounts: [{ chain, asset: '', max: window.maxAmount }] }]
  return { covers: { kind: 'stake', chain, actions, receivers, maxAmount, maxLockBlocks }, conditions: [], limits }
}
