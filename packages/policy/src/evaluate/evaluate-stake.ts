import type { StakeAct } from '@holdfast/intent'
import { type Policy, rulesOf } from '../policy.ts'
import { type StakeBounds, stakeBoundsOf, stakesAsked } from '../rules/stake-bounds.ts'
import { type Asking, decide, type DenyReason, isPinned, type Outcome } from './evaluate.ts'

/**
 * What the rules that cover an order about stake say of it: see `decide`. Where none does, the order is denied, and the reason is what the rules that came
 * nearest do not let through.
 */
export function decideStake(policy: Policy, act: StakeAct, asking: Asking): Outcome[] {
  if (!isPinned(policy, { chain: act.chain, contract: null })) return [{ kind: 'deny', reason: 'asset-not-pinned', rule: null }]
  const { from, receiver } = act
  const steps: [DenyReason, (rule: StakeBounds) => boolean][] = [
    ['stake-not-allowed', (rule) => rule.chain === act.chain && rule.actions.includes(act.action) && (rule.payers?.includes(from) ?? true)],
    ['receiver-not-allowed', (rule) => receiver === null || (rule.receivers?.includes(receiver) ?? true)],
    ['lock-too-long', (rule) => act.lockBlocks <= rule.maxLockBlocks],
    ['stake-too-high', (rule) => act.amount <= rule.maxAmount],
  ]
  let rules = rulesOf(policy).flatMap((rule) => {
    // What was signed when the bounds of rules that refuse still counted stays proven.
    const bounds = asking.judged === 'then' ? stakeBoundsOf(rule) : stakesAsked(rule)
    return bounds ? [{ rule, bounds }] : []
  })
  for (const [reason, isCovered] of steps) {
    rules = rules.filter(({ bounds }) => isCovered(bounds))
    if (rules.length === 0) return [{ kind: 'deny', reason, rule: null }]
  }
  return decide(
    policy,
    rules.map(({ rule }) => rule),
    act,
    asking,
  )
}
