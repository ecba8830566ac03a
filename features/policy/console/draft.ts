import type { OutputOf } from '@holdfast/contract'
import type { getPolicy, PolicyDraft } from '../contract.ts'

export type PolicyView = OutputOf<typeof getPolicy>
export type DraftRule = PolicyDraft['rules'][number]
/** What a person can be under a rule, or for changes of the policy. */
export type Part = { rule: string; as: 'initiators' | 'approvers' } | { rule: null; as: 'approvers' }

/** The rules that a draft says everything of: those with names are changed among the strategies. */
export const plainRules = ({ rules }: PolicyView) => rules.filter((rule) => !rule.is_named)

/** A draft that changes nothing. */
export function draftOf(policy: PolicyView): PolicyDraft {
  const ids = (people: readonly { person_id: string }[]) => people.map((each) => each.person_id)
  return {
    base_version: policy.version,
    governance: { approvers: ids(policy.governance.approvers), threshold: policy.governance.threshold },
    rules: plainRules(policy).map((rule) => ({ id: rule.id, initiators: ids(rule.initiators), approvers: ids(rule.approvers), threshold: rule.threshold })),
    add_keys: [],
    drop_keys: [],
    add_pages: [],
    drop_pages: [],
    add_assets: [],
    add_call_rules: [],
    add_stake_rules: [],
    drop_rules: [],
  }
}

/** Whether a person has a part. */
export function hasPart(draft: PolicyDraft, part: Part, personId: string): boolean {
  return listOf(draft, part).includes(personId)
}

function listOf(draft: PolicyDraft, { rule, as }: Part): readonly string[] {
  if (rule === null) return draft.governance.approvers
  return draft.rules.find((each) => each.id === rule)?.[as] ?? []
}

/** The draft in which a person has a part, or no longer has it. Their new keys count from the moment they are to approve anything. */
export function setPart(draft: PolicyDraft, part: Part, personId: string, isOn: boolean, newKeys: readonly string[]): PolicyDraft {
  const change = (ids: readonly string[]) => (isOn ? [...new Set([...ids, personId])] : ids.filter((id) => id !== personId))
  const { rule, as } = part
  const next =
    rule === null
      ? { ...draft, governance: { ...draft.governance, approvers: change(draft.governance.approvers) } }
      : { ...draft, rules: draft.rules.map((each) => (each.id === rule ? { ...each, [as]: change(each[as]) } : each)) }
  const isNamed = [next.governance.approvers, ...next.rules.flatMap((each) => [each.approvers, each.initiators])].some((ids) => ids.includes(personId))
  const kept = next.add_keys.filter((key) => !newKeys.includes(key))
  const added = isNamed && isOn && as === 'approvers' ? newKeys : next.add_keys.filter((key) => newKeys.includes(key))
  return { ...next, add_keys: isNamed ? [...new Set([...kept, ...added])] : kept }
}

export function setThreshold(draft: PolicyDraft, rule: string | null, threshold: number): PolicyDraft {
  if (rule === null) return { ...draft, governance: { ...draft.governance, threshold } }
  return { ...draft, rules: draft.rules.map((each) => (each.id === rule ? { ...each, threshold } : each)) }
}

/** Takes a key in or out of one of the lists of keys. */
export function toggleKey(draft: PolicyDraft, list: 'add_keys' | 'drop_keys', key: string): PolicyDraft {
  const has = draft[list].includes(key)
  return { ...draft, [list]: has ? draft[list].filter((each) => each !== key) : [...draft[list], key] }
}

/** The draft in which approvals given at a page count, or no longer do. */
export function setPage(draft: PolicyDraft, policy: Pick<PolicyView, 'pages'>, page: string, counts: boolean): PolicyDraft {
  const change = (pages: readonly string[], isIn: boolean) => [...pages.filter((each) => each !== page), ...(isIn ? [page] : [])]
  const isKnown = policy.pages.includes(page)
  return { ...draft, add_pages: change(draft.add_pages, counts && !isKnown), drop_pages: change(draft.drop_pages, !counts && isKnown) }
}

/** What is missing or wrong of the machine that is to take a signer's place; undefined if nothing is. A key is told only once it was typed. */
export function newcomerFault({ replace_signer: newcomer }: PolicyDraft, policy: PolicyView): 'incomplete' | 'badKey' | 'knownKey' | undefined {
  if (!newcomer) return undefined
  const { name, operator, sign_key: key } = newcomer
  if (key !== '' && !/^[0-9a-f]{64}$/.test(key)) return 'badKey'
  if (policy.signers.some((each) => each.sign_key === key)) return 'knownKey'
  return [name.trim(), operator.trim(), key].includes('') ? 'incomplete' : undefined
}

/** Everybody who is named or could be, those in the policy first. */
export function peopleOf(policy: PolicyView): { person_id: string; name: string; role: string; newKeys: string[]; hasKey: boolean }[] {
  const known = policy.people.map((person) => {
    const candidate = policy.candidates.find((each) => each.person_id === person.person_id)
    return {
      person_id: person.person_id,
      name: person.name,
      role: candidate?.role ?? '',
      newKeys: candidate?.new_keys.map((key) => key.key_id) ?? [],
      hasKey: person.keys.length > 0,
    }
  })
  const others = policy.candidates
    .filter((each) => !policy.people.some((person) => person.person_id === each.person_id))
    .map((each) => ({ person_id: each.person_id, name: each.name, role: each.role, newKeys: each.new_keys.map((key) => key.key_id), hasKey: false }))
  return [...known, ...others]
}
