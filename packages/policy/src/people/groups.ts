import { bytes, equalBytes, type Infer, list, struct, text, toHex } from '@holdfast/encoding'
import type { Machine } from './machines.ts'

/** People by one name, for steps and conditions. Quorums count people all the same. */
export const groupShape = struct('holdfast/group/v1', { id: text(64), name: text(64), members: list(bytes(16), 256) })

export type Group = Infer<typeof groupShape>

/** Whom a policy knows. Its forms before the third have neither groups nor machines. */
export type Directory = { people: readonly { id: Uint8Array; name: string }[]; groups?: readonly Group[]; machines?: readonly Machine[] }

/** The groups of a policy: its forms before the third have none. */
export const groupsOf = ({ groups = [] }: Directory): readonly Group[] => groups

export const findGroup = (directory: Directory, id: string): Group | undefined => groupsOf(directory).find((each) => each.id === id)

/** Why the groups of a policy cannot stand; undefined if they can. */
export function faultOfGroups({ people, groups = [] }: Directory): string | undefined {
  if (new Set(groups.map(({ id }) => id)).size !== groups.length) return 'has two groups of one id'
  if (new Set(groups.map(({ name }) => name)).size !== groups.length) return 'has two groups of one name'
  for (const { name, members } of groups) {
    if (members.length === 0) return `has nobody in the group ${name}`
    if (new Set(members.map(toHex)).size !== members.length) return `names a person twice in the group ${name}`
    const stranger = members.find((id) => !people.some((person) => equalBytes(person.id, id)))
    if (stranger) return `names ${toHex(stranger)} in the group ${name}, who is not in the policy`
  }
  return undefined
}
