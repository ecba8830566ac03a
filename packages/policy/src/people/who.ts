import { bytes, equalBytes, type Infer, struct, text, toHex, union } from '@holdfast/encoding'
import type { Locale } from '@holdfast/intent'
import { type Directory, findGroup } from './groups.ts'
import { peopleOnce } from './is-among.ts'

/** A person, or everybody in a group. */
export const whoShape = union({
  person: struct('holdfast/who/person/v1', { id: bytes(16) }),
  group: struct('holdfast/who/group/v1', { id: text(64) }),
})

export type Who = Infer<typeof whoShape>

/** So many a rule names in one place; more of them are a group. */
export const WHO_MAX = 20

/** Whom people and groups mean is found once for each version of a policy, which is never changed. */
const found = new WeakMap<Directory, WeakMap<readonly Who[], Uint8Array[]>>()

/** Everybody meant, each once, in the order in which they are named. */
export function peopleMeant(directory: Directory, who: readonly Who[]): readonly Uint8Array[] {
  const known = found.get(directory) ?? new WeakMap<readonly Who[], Uint8Array[]>()
  found.set(directory, known)
  const people = known.get(who) ?? findMeant(directory, who)
  known.set(who, people)
  return people
}

function findMeant(directory: Directory, who: readonly Who[]): Uint8Array[] {
  const meant = who.flatMap((each) => (each.kind === 'person' ? [each.id] : (findGroup(directory, each.id)?.members ?? [])))
  return peopleOnce(meant)
}

/** Why people and groups cannot be named like this; undefined if they can. */
export function faultOfWho(directory: Directory, who: readonly Who[]): string | undefined {
  const names = who.map((each) => (each.kind === 'person' ? toHex(each.id) : `group ${each.id}`))
  if (who.length === 0) return 'names nobody'
  if (new Set(names).size !== names.length) return 'names a person or a group twice'
  for (const each of who) {
    if (each.kind === 'person' && !directory.people.some(({ id }) => equalBytes(id, each.id))) return `names ${toHex(each.id)}, who is not in the policy`
    if (each.kind === 'group' && !findGroup(directory, each.id)) return `names the group ${each.id}, which is not in the policy`
  }
  return undefined
}

const WORDS = {
  'en-US': { comma: ', ', group: (name: string) => `the group “${name}”` },
  'zh-CN': { comma: '、', group: (name: string) => `“${name}”组` },
}

/** People and groups by their names. */
export function nameWho(directory: Directory, who: readonly Who[], locale: Locale): string {
  const { comma, group } = WORDS[locale]
  const nameOf = (each: Who) =>
    each.kind === 'person'
      ? (directory.people.find(({ id }) => equalBytes(id, each.id))?.name ?? toHex(each.id))
      : group(findGroup(directory, each.id)?.name ?? each.id)
  return who.map(nameOf).join(comma)
}
