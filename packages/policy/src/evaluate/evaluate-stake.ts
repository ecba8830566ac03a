import type { StakeAct } from '@holdfast/intent'
import { at } from '@holdfast/units'
import { askedBy, type DenyReason, isPinned, type Outcome, stakeRules } from './evaluate.ts'
import type { Policy, StakeRule } from '../policy.ts'

/**
 * The first rule that covers the order decides; where none does, the order is denied, and the reason is what the rules that came
 * nearest do not let through.
 */
export function evaluateStake(policy: Policy, order: StakeAct): Outcome<StakeRule> {
  if (!isPinned(policy, { chain: order.chain, contract: null })) return { kind: 'deny', reason: 'asset-not-pinned', rule: null }
  const { from, receiver } = order
  const steps: [DenyReason, (rule: StakeRule) => boolean][] = [
    ['stake-not-allowed', (rule) => rule.chain === order.chain && rule.actions.includes(order.action) && (rule.payers?.includes(from) ?? true)],
    ['receiver-not-allowed', (rule) => receiver === null || (rule.receivers?.includes(receiver) ?? true)],
    ['lock-too-long', (rule) => order.lockBlocks <= rule.maxLockBlocks],
    ['stake-too-high', (rule) => order.amount <= rule.maxAmount],
  ]
  let rules = stakeRules(policy)
  for (const [reason, isCovered] of steps) {
    rules = rules.filter(isCovered)
    if (rules.length === 0) return { kind: 'deny', reason, rule: null }
  }
  return askedBy(at(rules, 0), order.initiator)
}
