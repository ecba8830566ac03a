import type { OrganisationTx } from '@holdfast/db'
import { changeOf, currentPolicy, type PolicyChange, type PolicyInForce } from '@holdfast/features/policy/server'
import { hasThirdForm, type NamedRule, type Policy, rulesOf } from '@holdfast/policy'
import { isSameRule } from '@holdfast/policy/drafting'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'
import { draftOfGroup, draftOfRule, isDrawn } from '@holdfast/features/rule-draft/server'
import { namedRulesOf } from '@holdfast/features/rule-draft/server'

const HITS_MS = 30 * 24 * 3_600_000

/** How often a rule decided in the last thirty days, and when it last did. */
export type Use = { hits_30d: number; last_hit: number | null }
const UNUSED: Use = { hits_30d: 0, last_hit: null }

/** How often each rule decided orders. What is asked about an order counts with that order. */
export async function readUse(tx: OrganisationTx, nowMs: number): Promise<(ruleId: string) => Use> {
  const rows = await tx
    .selectFrom('transfer_order')
    .select(({ fn, eb }) => [
      'rule_id',
      fn.max('created_at').as('last'),
      fn
        .sum<string>(
          eb
            .case()
            .when('created_at', '>=', BigInt(nowMs - HITS_MS))
            .then(1)
            .else(0)
            .end(),
        )
        .as('hits'),
    ])
    .where('org_id', '=', tx.orgId)
    .where('rule_id', 'is not', null)
    .where('replaces', 'is', null)
    .groupBy('rule_id')
    .execute()
  const uses = new Map(rows.map(({ rule_id, last, hits }) => [rule_id, { hits_30d: Number(hits), last_hit: Number(last) }]))
  return (ruleId) => uses.get(ruleId) ?? UNUSED
}

/** The change of the policy that waits, if one does. */
export async function readOpenChange(tx: OrganisationTx): Promise<PolicyChange | undefined> {
  const row = await tx.selectFrom('policy_change').selectAll().where('org_id', '=', tx.orgId).where('is_final', '=', false).executeTakeFirst()
  return row && changeOf(row)
}

/** The rules of a policy as a draft on top of it: proposed like this, it changes nothing. */
export function presentDraft(policy: Policy): RulesDraft {
  return {
    base_version: Number(policy.version),
    groups: hasThirdForm(policy) ? policy.groups.map(draftOfGroup) : [],
    rules: rulesOf(policy).map((rule) => (isDrawn(rule) ? { kind: 'named' as const, ...draftOfRule(rule, policy) } : { kind: 'kept' as const, id: rule.id })),
    add_keys: [],
  }
}

export type RuleStanding = {
  rule: NamedRule
  /** The policy whose words it is told in: the one it stands in. */
  policy: Policy
  priority: number | null
  status: 'none' | 'create' | 'update' | 'delete'
}

/** The rules with names, in their order, with what the open change would do with each; at the end those that it adds. */
export function standingOf(policy: Policy, next: Policy | undefined): RuleStanding[] {
  const [now, then] = [namedRulesOf(policy), next ? namedRulesOf(next) : undefined]
  const places = new Map<string, number>()
  for (const level of ['higher', 'basic']) for (const [i, rule] of now.filter((each) => each.level === level).entries()) places.set(rule.id, i + 1)
  const present = now.map((rule): RuleStanding => {
    const after = then?.find(({ id }) => id === rule.id)
    const status = !then ? 'none' : !after ? 'delete' : isSameRule(rule, after) ? 'none' : 'update'
    return { rule, policy, priority: places.get(rule.id) ?? null, status }
  })
  if (!next || !then) return present
  const added = then.filter(({ id }) => !now.some((each) => each.id === id))
  return [...present, ...added.map((rule) => ({ rule, policy: next, priority: null, status: 'create' as const }))]
}

export type StrategyState = { inForce: PolicyInForce; open: PolicyChange | undefined; use: Awaited<ReturnType<typeof readUse>> }

/** What the lists of rules are made from. */
export async function readState(tx: OrganisationTx, nowMs: number): Promise<StrategyState> {
  return { inForce: await currentPolicy(tx), open: await readOpenChange(tx), use: await readUse(tx, nowMs) }
}
