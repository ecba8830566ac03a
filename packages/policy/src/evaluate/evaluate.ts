import { pinnedContract } from '@holdfast/chain-core'
import { equalBytes } from '@holdfast/encoding'
import { type CallRule, isCallRule, type Policy, type Rule, type StakeRule, type TransferRule } from '../policy.ts'

/**
 * What the rules look at; `contract` is a coin's or one token's of a collection. Taken from decoded bytes by signers, from the form by the console, by the
 * same code.
 */
export type Order = { chain: string; contract: string | null; amount: bigint; initiator: Uint8Array }

/** Deny, or these people: `threshold` of `eligible`, who never include the initiator. There is no outcome without people. */
export type Outcome<R extends Rule = Rule> =
  | { kind: 'deny'; reason: DenyReason; rule: R | null }
  | { kind: 'needs'; rule: R; threshold: number; eligible: Uint8Array[] }

export type DenyReason =
  | 'asset-not-pinned'
  | 'no-rule'
  | 'initiator-not-allowed'
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

/** The first rule that covers the order decides; where no rule does, the order is denied. */
export function evaluate(policy: Policy, order: Order): Outcome<TransferRule> {
  if (!isPinned(policy, order)) return { kind: 'deny', reason: 'asset-not-pinned', rule: null }
  const rule = transferRules(policy).find((each) => covers(each, order))
  return rule ? askedBy(rule, order.initiator) : { kind: 'deny', reason: 'no-rule', rule: null }
}

/** The people a rule asks for, where it lets this one ask. */
export function askedBy<R extends Rule>(rule: R, initiator: Uint8Array): Outcome<R> {
  if (!rule.initiators.some((each) => equalBytes(each, initiator))) return { kind: 'deny', reason: 'initiator-not-allowed', rule }
  const eligible = rule.approvers.filter((id) => !equalBytes(id, initiator))
  const threshold = Number(rule.threshold)
  if (threshold < 1 || threshold > eligible.length) return { kind: 'deny', reason: 'quorum-impossible', rule }
  return { kind: 'needs', rule, threshold, eligible }
}

export function isPinned(policy: Policy, { chain, contract }: Pick<Order, 'chain' | 'contract'>): boolean {
  return policy.assets.some((asset) => asset.chain === chain && asset.contract === pinnedContract(contract))
}

export const transferRules = (policy: Policy): TransferRule[] => policy.rules.filter((rule) => rule.kind === 'transfer')
export const callRules = (policy: Policy): CallRule[] => policy.rules.filter(isCallRule)
export const stakeRules = (policy: Policy): StakeRule[] => policy.rules.filter((rule) => rule.kind === 'stake')

/**
 * Whether an order is above the smallest limit that any rule for its asset sets: signers make such a signature with base OTs of its own (docs/protocol.md,
 * section 4). A policy that sets no limit for an asset has no large orders of it. Each signer decides this by its own copy of the policy.
 */
export function isAboveFirstTier(policy: Policy, order: Pick<Order, 'chain' | 'contract' | 'amount'>): boolean {
  return transferRules(policy).some((rule) => isForAsset(rule, order) && rule.maxAmount !== null && order.amount > rule.maxAmount)
}

function covers(rule: TransferRule, order: Order): boolean {
  return isForAsset(rule, order) && (rule.maxAmount === null || order.amount <= rule.maxAmount)
}

/** A rule for a collection is one for each token of it; a rule may also name one token alone. */
function isForAsset(rule: TransferRule, { chain, contract }: Pick<Order, 'chain' | 'contract'>): boolean {
  const names = rule.asset === null || rule.asset === (contract ?? '') || rule.asset === pinnedContract(contract)
  return (rule.chain === null || rule.chain === chain) && names
}
