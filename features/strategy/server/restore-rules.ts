import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { currentPolicy, policyOf } from '@holdfast/features/policy/server'
import { findPerson, peopleNamedIn, pinnedBy, type Policy, type Rule, rulesOf } from '@holdfast/policy'
import { isSameRule } from '@holdfast/policy/drafting'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'
import { presentDraft } from './rules-in-force.ts'
import type { StrategyWords } from '@holdfast/features/rule-draft/server'

/**
 * The rules and groups of an earlier version as a draft on top of the one in force. What the policy no longer knows is left out, with the reason: rules of the
 * first forms that have ended or changed, people who are gone, assets that are not pinned.
 */
export async function restoredDraft(
  tx: OrganisationTx,
  version: number,
  words: StrategyWords,
): Promise<{ draft: RulesDraft; left_out: { id: string; why: string }[] }> {
  const { policy } = await currentPolicy(tx)
  if (BigInt(version) > policy.version) throw new AppError('resource_not_found')
  return restored(await policyOf(tx, BigInt(version)), policy, words)
}

/** The same of a version that was read. */
export function restored(former: Policy, policy: Policy, words: StrategyWords): Awaited<ReturnType<typeof restoredDraft>> {
  const whys = rulesOf(former).map((rule) => ({ id: rule.id, why: whyNot(rule, former, policy, words) }))
  const isIn = (id: string) => whys.some((each) => each.id === id && each.why === undefined)
  const draft = presentDraft(former)
  return {
    draft: { ...draft, base_version: Number(policy.version), rules: draft.rules.filter(({ id }) => isIn(id)) },
    left_out: whys.flatMap(({ id, why }) => (why === undefined ? [] : [{ id, why }])),
  }
}

function whyNot(rule: Rule, former: Policy, policy: Policy, words: StrategyWords): string | undefined {
  if (rule.kind !== 'named') return rulesOf(policy).some((each) => isSameRule(each, rule)) ? undefined : words.noKept(rule.id)
  const isGone = peopleNamedIn([rule], former).some((id) => findPerson(policy, id) === undefined)
  if (isGone) return words.gonePerson
  const named = [
    ...rule.conditions.flatMap((each) => (each.kind === 'assets' ? each.assets.flatMap(({ chain, asset }) => (asset === null ? [] : [{ chain, asset }])) : [])),
    ...rule.limits.flatMap(({ amounts }) => amounts),
  ]
  return named.some((each) => !pinnedBy(policy, each)) ? words.goneAsset : undefined
}
