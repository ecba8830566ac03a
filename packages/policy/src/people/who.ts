import { bytes, equalBytes, type Infer, struct, text, toHex, union } from '@holdfast/encoding'
import type { Locale } from '@holdfast/intent'
import { type Directory, findGroup } from './groups.ts'
import { peopleOnce } from './is-among.ts'
import { findMachine, type Machine, partyOfMachine } from './machines.ts'

const people = {
  person: struct('holdfast/who/person/v1', { id: bytes(16) }),
  group: struct('holdfast/who/group/v1', { id: text(64) }),
}

/** A person, or everybody in a group. */
export const whoShape = union(people)

/** Who may ask, or stand in a step of a rule: people, or a machine. Nowhere else can a machine be named. */
export const partyShape = union({ ...people, machine: struct('holdfast/who/machine/v1', { id: text(64) }) })

export type Who = Infer<typeof whoShape>
export type Party = Infer<typeof partyShape>

/** So many a rule names in one place; more of them are a group. */
export const WHO_MAX = 20

/** Whom people and groups mean is found once for each version of a policy, which is never changed. */
const found = new WeakMap<Directory, WeakMap<readonly Party[], Uint8Array[]>>()

/** Everybody meant, each once, in the order in which they are named; a machine by the id under which it stands (`partyOfMachine`). */
export function peopleMeant(directory: Directory, who: readonly Party[]): readonly Uint8Array[] {
  const known = found.get(directory) ?? new WeakMap<readonly Party[], Uint8Array[]>()
  found.set(directory, known)
  const people = known.get(who) ?? findMeant(directory, who)
  known.set(who, people)
  return people
}

function findMeant(directory: Directory, who: readonly Party[]): Uint8Array[] {
  const meant = (each: Party): readonly Uint8Array[] => {
    if (each.kind === 'person') return [each.id]
    return each.kind === 'group' ? (findGroup(directory, each.id)?.members ?? []) : [partyOfMachine(each)]
  }
  return peopleOnce(who.flatMap(meant))
}

/** Why people, groups and machines cannot be named like this; undefined if they can. `machines`: of which kinds machines are there, where they can be. */
export function faultOfWho(directory: Directory, who: readonly Party[], machines: readonly Machine['kind'][] = []): string | undefined {
  const names = who.map((each) => (each.kind === 'person' ? toHex(each.id) : `${each.kind} ${each.id}`))
  if (who.length === 0) return 'names nobody'
  if (new Set(names).size !== names.length) return 'names a person, a group or a machine twice'
  for (const each of who) {
    if (each.kind === 'person' && !directory.people.some(({ id }) => equalBytes(id, each.id))) return `names ${toHex(each.id)}, who is not in the policy`
    if (each.kind === 'group' && !findGroup(directory, each.id)) return `names the group ${each.id}, which is not in the policy`
    if (each.kind === 'machine' && !machines.some((kind) => findMachine(directory, each.id)?.kind === kind))
      return `names the machine ${each.id}, which is none that can do this`
  }
  return undefined
}

const WORDS = {
  'en-US': { comma: ', ', group: (name: string) => `the group “${name}”`, machine: (name: string) => `the machine “${name}”` },
  'zh-CN': { comma: '、', group: (name: string) => `“${name}”组`, machine: (name: string) => `机器“${name}”` },
}

/** People, groups and machines by their names. */
export function nameWho(directory: Directory, who: readonly Party[], locale: Locale): string {
  const { comma, group, machine } = WORDS[locale]
  const nameOf = (each: Party) => {
    if (each.kind === 'person') return directory.people.find(({ id }) => equalBytes(id, each.id))?.name ?? toHex(each.id)
    return each.kind === 'group' ? group(findGroup(directory, each.id)?.name ?? each.id) : machine(findMachine(directory, each.id)?.name ?? each.id)
  }
  return who.map(nameOf).join(comma)
}
