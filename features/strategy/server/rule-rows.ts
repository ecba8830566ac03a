import type { Language } from '@holdfast/contract'
import { describeRule, findPerson, hasThirdForm, type NamedRule, type Policy, type Rule, type Who } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import { toHex } from '@holdfast/encoding'
import { coSignerOf, withoutCoSigner } from '@holdfast/features/rule-draft/server'
import type { SubWalletChoice } from './choices.ts'
import type { RuleStanding, StrategyState } from './rules-in-force.ts'

const LOCALE = { en_US: 'en-US', zh_CN: 'zh-CN' } as const
const HOUR_MS = 3_600_000n

/** What a rule is about, as other consoles name it. */
export function typeOf(rule: Rule): 'transfer' | 'web3' | 'stake' | 'trade' {
  const about = rule.kind === 'named' ? rule.covers.kind : rule.kind
  if (about === 'payments' || about === 'transfer') return 'transfer'
  if (about === 'trades') return 'trade'
  return about === 'stake' ? 'stake' : 'web3'
}

/** The steps of a rule. Every approval is a signature. */
export function nodesOf(rule: NamedRule, policy: Policy) {
  const { action } = withoutCoSigner(rule)
  if (action.kind !== 'approve') return []
  return action.steps.map(({ need, who }, i) => ({
    no: i + 1,
    type: 'audit_sign' as const,
    need: Number(need),
    approvers: who.flatMap((each) => (each.kind === 'machine' ? [] : [namedWho(each, policy)])),
    exclude_initiator: true as const,
  }))
}

function namedWho(each: Who, policy: Policy) {
  if (each.kind === 'person') return { kind: 'person' as const, id: bytesToUuid(each.id), name: findPerson(policy, each.id)?.name ?? '' }
  const groups = hasThirdForm(policy) ? policy.groups : []
  return { kind: 'group' as const, id: each.id, name: groups.find(({ id }) => id === each.id)?.name ?? each.id }
}

/** The sub-wallets that a rule is for; null for all. */
export function subWalletsOf(rule: NamedRule, wallets: readonly SubWalletChoice[]): string[] | null {
  const sources = rule.conditions.find((each) => each.kind === 'sources')
  if (!sources) return null
  const covers = (source: SubWalletChoice['sources'][number]) =>
    sources.wallets.some(({ keyId, path }) => toHex(keyId) === source.key_id && path.every((step, i) => Number(step) === source.path[i]))
  return wallets.filter((wallet) => wallet.sources.some(covers)).map((wallet) => wallet.sub_wallet_id)
}

export const expireHours = ({ action }: NamedRule): number | null =>
  action.kind === 'refuse' || action.expiresAfterMs === 0n ? null : Number(action.expiresAfterMs) / Number(HOUR_MS)

/** A rule as the lists show it. */
export function rowOf({ rule, policy, priority, status }: RuleStanding, { open, use }: StrategyState, wallets: readonly SubWalletChoice[], language: Language) {
  return {
    id: rule.id,
    name: rule.name,
    type: typeOf(rule),
    priority,
    sub_wallet_ids: subWalletsOf(rule, wallets) ?? [],
    sentence: describeRule(rule, policy, LOCALE[language]),
    action: rule.action.kind === 'checked' ? ('pass' as const) : rule.action.kind,
    nodes: nodesOf(rule, policy),
    co_signer: coSignerOf(rule) !== undefined,
    expire_h: expireHours(rule),
    delay_s: rule.action.kind === 'approve' ? Number(rule.action.delayMs / 1000n) : 0,
    enabled: status !== 'create',
    audit_status: status,
    change_id: status === 'none' ? null : (open?.row.id ?? null),
    version: Number(policy.version),
    ...use(rule.id),
  }
}
