import type { OutputOf } from '@holdfast/contract'
import type { People } from '@holdfast/features/strategy/console'
import { DELAY_HOURS_MAX, type listWorkspace, type WorkspaceDraft } from '../contract.ts'

export type Workspace = OutputOf<typeof listWorkspace>
export type Part = Workspace['parts'][number]

/** Parts about which people decide orders to the signers, which are carried out as soon as they are approved; of all others, changes of the policy. */
export const ORDER_PARTS: ReadonlySet<Part['key']> = new Set(['addressBook', 'keys'])

/** Parts under which nothing is done yet. */
export const IDLE_PARTS: ReadonlySet<Part['key']> = new Set(['screening', 'coldAddresses'])

/** The draft that changes nothing. A policy without a wait is given the shortest with its first change. */
export const presentDraft = ({ base_version, delay_h: hours, parts }: Workspace): WorkspaceDraft => ({
  base_version,
  delay_h: Math.min(Math.max(Math.round(hours), 1), DELAY_HOURS_MAX),
  parts: parts.filter((each) => each.is_own).map(({ key, need, who }) => ({ key, need, who })),
})

/** The draft with other approvers of a part; without any it goes back to those who govern. */
export const withPart = (draft: WorkspaceDraft, key: Part['key'], own: Pick<WorkspaceDraft['parts'][number], 'need' | 'who'> | undefined): WorkspaceDraft => ({
  ...draft,
  parts: [...draft.parts.filter((each) => each.key !== key), ...(own ? [{ key, ...own }] : [])],
})

/** Whom a part can name. */
export const peopleOf = ({ people, groups }: Workspace): People => ({
  groups,
  known: { people: people.map(({ person_id: id, name, has_key }) => ({ id, name, has_key })) },
})

/** What is wrong with approvers of a part, by the key of its words; undefined if nothing is. Who proposes a change never counts, which the server looks at. */
export function faultOfOwn(
  { need, who }: Pick<WorkspaceDraft['parts'][number], 'need' | 'who'>,
  { groups }: Workspace,
): 'nobody' | 'none' | 'many' | undefined {
  const meant = new Set(who.flatMap(({ kind, id }) => (kind === 'person' ? [id] : (groups.find((each) => each.id === id)?.members ?? []))))
  if (meant.size === 0) return 'nobody'
  if (need < 1) return 'none'
  return need > meant.size ? 'many' : undefined
}
