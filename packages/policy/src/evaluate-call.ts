import { ChainError } from '@holdfast/chain-core'
import { type CallReading, type Grant, isUnlimited, readCall } from '@holdfast/chain-evm/codec'
import { askedBy, callRules, type DenyReason, evaluate, isPinned, type Outcome } from './evaluate.ts'
import { isDelegation } from '@holdfast/intent'
import { evaluateStake } from './evaluate-stake.ts'
import type { CallRule, Policy } from './policy.ts'

/** A call as the rules look at it: who calls, what is called, what goes along, and what the call data says. */
export type CallOrder = { chain: string; from: string; contract: string; value: bigint; reading: CallReading; initiator: Uint8Array }

/**
 * The first rule that covers the call decides; where none does, the call is denied, and the reason is what the rules that came nearest do not let through.
 * A rule covers a call in all of it: payer and contract, function, every right it gives, value.
 */
export function evaluateCall(policy: Policy, order: CallOrder): Outcome<CallRule> {
  if (!isPinned(policy, { chain: order.chain, contract: null })) return { kind: 'deny', reason: 'asset-not-pinned', rule: null }
  const { signature, grants } = order.reading
  const isEndless = grants.some((grant) => isUnlimitedGrant(policy, order.chain, grant))
  const steps: [DenyReason, (rule: CallRule) => boolean][] = [
    ['contract-not-allowed', (rule) => rule.chain === order.chain && rule.contracts.includes(order.contract) && (rule.payers?.includes(order.from) ?? true)],
    signature === null
      ? ['unknown-call-data', (rule) => rule.unknownCallData]
      : ['function-not-allowed', (rule) => rule.functions?.includes(signature) ?? true],
    ['unlimited-allowance', (rule) => !isEndless || rule.unlimitedAllowances],
    ['value-too-high', (rule) => order.value <= rule.maxValue],
  ]
  let rules = callRules(policy)
  for (const [reason, isCovered] of steps) {
    rules = rules.filter(isCovered)
    if (rules.length === 0) return { kind: 'deny', reason, rule: null }
  }
  return askedBy(rules[0]!, order.initiator)
}

/** What of an order the policy looks at. */
export type Ordered = { asset: { chain: string; contract: string | null }; from: string; to: string; amount: bigint; initiator: Uint8Array } & (
  | { kind: 'transfer' | 'payout' | 'brc20Transfer' | 'brc20Batch' | 'brc20Inscribe' | 'depositChild' }
  | { kind: 'contractCall'; data: Uint8Array; signature: string | null }
  | { kind: 'stake'; action: string; lockBlocks: bigint }
)

/** What the policy says of an order that a transaction carries out. A call that cannot be read by the function it names is denied. */
export function evaluateIntent(policy: Policy, intent: Ordered): Outcome {
  const { asset, amount, initiator, from, to } = intent
  if (intent.kind === 'stake') {
    const { action, lockBlocks } = intent
    return evaluateStake(policy, { chain: asset.chain, from, action, amount, receiver: isDelegation(action) ? to : null, lockBlocks, initiator })
  }
  if (intent.kind !== 'contractCall') return evaluate(policy, { chain: asset.chain, contract: asset.contract, amount, initiator })
  let reading: CallReading
  try {
    reading = readCall({ contract: to, data: intent.data, signature: intent.signature })
  } catch (cause) {
    if (cause instanceof ChainError) return { kind: 'deny', reason: 'unreadable-call', rule: null }
    throw cause
  }
  return evaluateCall(policy, { chain: asset.chain, from, contract: to, value: amount, reading, initiator })
}

/** Whether a right is without end. The number in an allowance of a collection of ERC-721 is a token's name, as far as the policy pins the collection. */
export function isUnlimitedGrant(policy: Policy, chain: string, grant: Grant): boolean {
  return isUnlimited(grant, isPinned(policy, { chain, contract: `erc721:${grant.token}` }))
}
