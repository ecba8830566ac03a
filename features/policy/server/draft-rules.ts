import type { Networks } from '@holdfast/features/network/server'
import type { CallRule, StakeRule } from '@holdfast/policy'
import { AmountTextFault, parseAmount, uuidToBytes } from '@holdfast/units'
import type { CallRuleDraft, StakeRuleDraft } from '../contract.ts'
import type { PolicyWords } from './policy-words.ts'

/** What a draft of a rule is read with. `refuse` makes the error for a reason in words. */
type Around = { networks: Networks; words: PolicyWords; refuse(reason: string): Error }

/** The rule for calls that a draft asks for, with every address in canonical form. */
export function callRuleOf(draft: CallRuleDraft, around: Around): CallRule {
  const { addresses, amount } = placeOf(draft.chain, around)
  return {
    kind: 'boundedCall',
    id: draft.id,
    chain: draft.chain,
    payers: draft.payers.length === 0 ? null : addresses(draft.payers),
    contracts: addresses(draft.contracts),
    functions: draft.functions,
    maxValue: amount(draft.max_value),
    maxTokens: BigInt(draft.max_tokens),
    window: draft.window && {
      lengthMs: BigInt(draft.window.hours) * 3_600_000n,
      maxAmount: amount(draft.window.max_value),
      maxTokens: BigInt(draft.window.max_tokens),
    },
    unlimitedAllowances: draft.unlimited_allowances,
    unknownCallData: draft.unknown_call_data,
    ...peopleOf(draft),
  }
}

/** The rule for stake that a draft asks for, with every address in canonical form. */
export function stakeRuleOf(draft: StakeRuleDraft, around: Around): StakeRule {
  const { addresses, amount } = placeOf(draft.chain, around)
  return {
    kind: 'stake',
    id: draft.id,
    chain: draft.chain,
    payers: draft.payers.length === 0 ? null : addresses(draft.payers),
    actions: draft.actions,
    receivers: draft.receivers.length === 0 ? null : addresses(draft.receivers),
    maxAmount: amount(draft.max_amount),
    maxLockBlocks: BigInt(draft.max_lock_blocks),
    window: null,
    ...peopleOf(draft),
  }
}

function peopleOf({ initiators, approvers, threshold }: Pick<CallRuleDraft, 'initiators' | 'approvers' | 'threshold'>) {
  return { initiators: initiators.map(uuidToBytes), approvers: approvers.map(uuidToBytes), threshold: BigInt(threshold) }
}

/** How addresses and amounts of a network's own coin are read. */
function placeOf(chain: string, { networks, words, refuse }: Around) {
  const network = networks.find(chain)
  const coin = network?.assets.find((each) => each.contract === null)
  if (!network || !coin) throw refuse(words.noNetwork(chain))
  return {
    addresses: (texts: readonly string[]) =>
      texts.map((text) => {
        const canonical = network.codec.canonicalAddress(text)
        if (canonical === undefined) throw refuse(words.noAddress(text))
        return canonical
      }),
    amount: (text: string): bigint => {
      try {
        return parseAmount(text, coin.decimals)
      } catch (cause) {
        if (cause instanceof AmountTextFault) throw refuse(words.noAmount(text))
        throw cause
      }
    },
  }
}
