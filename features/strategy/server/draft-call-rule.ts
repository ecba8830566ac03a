import type { Networks } from '@holdfast/features/network/server'
import type { CallRule } from '@holdfast/policy'
import { AmountError, parseAmount, uuidToBytes } from '@holdfast/units'
import type { CallRuleDraft } from '../contract.ts'
import type { PolicyWords } from './policy-words.ts'

/** The rule for calls that a draft asks for, with every address in canonical form. `refuse` makes the error for a reason in words. */
export function callRuleOf(draft: CallRuleDraft, networks: Networks, words: PolicyWords, refuse: (reason: string) => Error): CallRule {
  const network = networks.find(draft.chain)
  const coin = network?.assets.find((each) => each.contract === null)
  if (!network || !coin) throw refuse(words.noNetwork(draft.chain))
  const addresses = (texts: readonly string[]) =>
    texts.map((text) => {
      const canonical = network.codec.canonicalAddress(text)
      if (canonical === undefined) throw refuse(words.noAddress(text))
      return canonical
    })
  const value = (text: string) => valueOf(text, coin.decimals, () => refuse(words.noAmount(text)))
  return {
    kind: 'call',
    id: draft.id,
    chain: draft.chain,
    payers: draft.payers.length === 0 ? null : addresses(draft.payers),
    contracts: addresses(draft.contracts),
    functions: draft.functions.length === 0 ? null : draft.functions,
    maxValue: value(draft.max_value),
    window: draft.window === null ? null : { lengthMs: BigInt(draft.window.hours) * 3_600_000n, maxAmount: value(draft.window.max_value) },
    unlimitedAllowances: draft.unlimited_allowances,
    unknownCallData: draft.unknown_call_data,
    initiators: draft.initiators.map(uuidToBytes),
    approvers: draft.approvers.map(uuidToBytes),
    threshold: BigInt(draft.threshold),
  }
}

function valueOf(text: string, decimals: number, refuse: () => Error): bigint {
  try {
    return parseAmount(text, decimals)
  } catch (cause) {
    if (cause instanceof AmountError) throw refuse()
    throw cause
  }
}
