import { AppError, type InputOf, type Language } from '@holdfast/contract'
import { networkErrors } from '@holdfast/features/network/errors'
import { amountOf } from '@holdfast/http'
import { pinnedBy, type Policy, rulesOf } from '@holdfast/policy'
import { type TieredAsset, tieredRules } from '@holdfast/policy/drafting'
import type { listTemplates } from '../contract.ts'
import { draftOfRule } from '@holdfast/features/rule-draft/server'
import { whoOf } from '@holdfast/features/rule-draft/server'
import { presentDraft } from './rules-in-force.ts'

const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const

const WORDS = {
  en_US: { name: 'Daily limit', text: 'Small payments need one approver within a daily limit, larger ones need two, and everything else is refused.' },
  zh_CN: { name: '每日限额', text: '小额付款在每日限额内由一人审批，大额付款由两人审批，其余一律拒绝。' },
} as const

/** Of larger payments so many people approve. */
const LARGE_NEED = 2n

type Form = NonNullable<InputOf<typeof listTemplates>['form']>

/** What rules to begin with there are; with a form, the draft by which they stand in place of the present rules for payments. */
export function templatesFor(policy: Policy, form: Form | undefined, language: Language) {
  return [{ id: 'tiers' as const, ...WORDS[language], draft: form ? tiersDraft(policy, form, language) : null }]
}

function tiersDraft(policy: Policy, form: Form, language: Language) {
  const assets = form.assets.map(({ chain, asset, each, day, large }): TieredAsset => {
    const pinned = pinnedBy(policy, { chain, asset })
    if (!pinned) throw new AppError(networkErrors.unsupported_coin)
    const amount = (text: string) => amountOf(text, { decimals: Number(pinned.decimals) })
    return { chain, asset, each: amount(each), day: amount(day), most: large === null ? null : amount(large) }
  })
  const people = { askers: whoOf(form.askers), approvers: whoOf(form.approvers), need: LARGE_NEED }
  const present = presentDraft(policy)
  const isForPayments = (id: string) =>
    rulesOf(policy).some((rule) => rule.id === id && (rule.kind === 'transfer' || (rule.kind === 'named' && rule.covers.kind === 'payments')))
  const others = present.rules.filter(({ id }) => !isForPayments(id))
  const made = tieredRules(assets, people, LOCALE[language]).map((rule) => ({ kind: 'named' as const, ...draftOfRule(rule, policy) }))
  return { ...present, rules: [...made, ...others] }
}
