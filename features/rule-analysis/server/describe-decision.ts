import type { Language } from '@holdfast/contract'
import { describeDenial } from '@holdfast/features/policy/server'
import { describeTrade } from '@holdfast/intent'
import { approvalContext, findSpeaker, type Policy, type Rule, ruleName } from '@holdfast/policy'
import type { Decision, Found } from '@holdfast/policy/analysis'
import { formatAmount } from '@holdfast/units'
import { analysisWords } from './analysis-words.ts'

const HOUR_MS = 3_600_000
const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

/** A rule by its name; one of the first forms has only its id. */
export const namedRule = (rule: Rule): { id: string; name: string } => ({ id: rule.id, name: ruleName(rule) })

/** Of a person or a machine: both ask and approve. */
export const nameOf = (policy: Policy, id: Uint8Array): string => findSpeaker(policy, id)?.name ?? '?'

/** What a policy does with an order, in words. */
export function describeDecision(decision: Decision, policy: Policy, language: Language) {
  const { kind: outcome, rule } = decision
  return { outcome, rule: rule && namedRule(rule), sentence: sentenceOf(decision, policy, language) }
}

function sentenceOf(decision: Decision, policy: Policy, language: Language): string {
  const words = analysisWords[language]
  if (decision.kind === 'passes') return words.passes
  if (decision.kind === 'refused') return decision.reason === 'limits-used-up' ? words.usedUp : describeDenial(decision.reason, language)
  const names = (ids: readonly Uint8Array[]) => ids.map((id) => nameOf(policy, id)).join(words.comma)
  const steps = decision.steps.map(({ need, eligible }) => words.step(need, names(eligible))).join(words.next)
  return decision.delayMs === 0n ? words.waits(steps) : words.delayed(steps, String(Number(decision.delayMs) / HOUR_MS))
}

/** One order that was found, in a few words. */
export function describeWitness({ act, trade }: Found['witness'], policy: Policy, language: Language): string {
  const words = analysisWords[language]
  const asker = nameOf(policy, act.initiator)
  if (trade) return words.order(describeTrade(trade, { chain: act.chain, from: trade.to }, approvalContext(policy), LOCALE[language]).title ?? '', asker)
  if (act.as === 'call') return words.order(words.called(act.signature, act.contract), asker)
  if (act.as === 'stake') return words.order(words.staked(act.action, String(act.amount)), asker)
  return words.order(amountText(act, policy), asker)
}

function amountText({ chain, contract, amount }: { chain: string; contract: string | null; amount: bigint }, { assets }: Policy): string {
  const pinned = assets.find((asset) => asset.chain === chain && (asset.contract ?? '') === (contract ?? '').split('/')[0])
  return pinned ? `${formatAmount(amount, Number(pinned.decimals))} ${pinned.symbol}` : String(amount)
}
