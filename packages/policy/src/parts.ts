import { equalBytes, list, struct, text, uint } from '@holdfast/encoding'
import { type Intent, writtenTarget } from '@holdfast/intent'
import type { Group } from './people/groups.ts'
import { PARTS, type PartName } from './change/part-names.ts'
import { peopleOnce } from './people/is-among.ts'
import { faultOfWho, peopleMeant, type Who, WHO_MAX, whoShape } from './people/who.ts'

/**
 * Who approves changes of one part of the workspace, in place of those who govern. What no part claims, those who govern decide, and what binds them they
 * always do.
 */
export const partShape = struct('holdfast/part/v1', { part: text(32), need: uint(8), who: list(whoShape, WHO_MAX) })

/** A policy as far as its parts go. Its forms before the third have none. */
type Parted = {
  people: readonly { id: Uint8Array; name: string; credentials: readonly unknown[] }[]
  groups?: readonly Group[]
  parts?: readonly { part: string; need: bigint; who: readonly Who[] }[]
}

/** People of whom so many must approve. */
export type PartQuorum = { approvers: readonly Uint8Array[]; threshold: bigint }

/** Who approves changes of a part by a policy; undefined where it names nobody for it, and those who govern do. */
export function quorumOfPart(policy: Parted, name: PartName): PartQuorum | undefined {
  const found = (policy.parts ?? []).find(({ part }) => part === name)
  return found && { approvers: peopleMeant(policy, found.who), threshold: found.need }
}

/** The part that an order belongs to which no rule decides. */
const PART_OF_ORDER: Partial<Record<Intent['kind'], PartName>> = {
  addressBook: 'addressBook',
  standingOrder: 'standingOrders',
  keyOrder: 'keys',
  keyChange: 'keys',
}

type Undecided = Intent | { kind: Exclude<Intent['kind'], 'standingOrder'> }

/**
 * Who approves an order that no rule decides, and how many of them: those of its part where the policy names any, and otherwise those who govern. Payments to
 * an address that is written in a standing order leave the organisation on nobody's word but theirs, so those who govern decide it, whoever has the part.
 */
export const decidersOf = (policy: Parted & { governance: PartQuorum }, order: Undecided): PartQuorum => {
  const part = PART_OF_ORDER[order.kind]
  if (order.kind === 'standingOrder' && writtenTarget(order)) return policy.governance
  return (part && quorumOfPart(policy, part)) ?? policy.governance
}

/** Whose no stops such an order: that of those who decide it, and of those who govern. */
export const stoppersOf = (policy: Parted & { governance: PartQuorum }, intent: Undecided): Uint8Array[] =>
  peopleOnce([...decidersOf(policy, intent).approvers, ...policy.governance.approvers])

/** Everybody who approves changes of any part. */
export const peopleOfParts = (policy: Pick<Parted, 'people' | 'groups' | 'parts'>): Uint8Array[] =>
  (policy.parts ?? []).flatMap(({ who }) => peopleMeant(policy, who))

/** Why the parts of a policy cannot stand; undefined if they can. */
export function faultOfParts(policy: Parted): string | undefined {
  const { parts = [], people } = policy
  const unknown = parts.find(({ part }) => !PARTS.some((name) => name === part))
  if (unknown) return `has the part ${unknown.part}, which is none`
  if (new Set(parts.map(({ part }) => part)).size !== parts.length) return 'has two parts of one name'
  for (const { part, need, who } of parts) {
    const fault = faultOfWho(policy, who)
    if (fault) return `part ${part} ${fault}`
    if (need < 1n) return `part ${part} asks for no approval: set at least 1`
    const meant = peopleMeant(policy, who)
    // Who proposes a change never counts.
    if (need > BigInt(meant.length)) return `part ${part} asks for ${need} of ${meant.length} approvers, which nobody can meet`
    const hasKey = (id: Uint8Array) => people.some((person) => equalBytes(person.id, id) && person.credentials.length > 0)
    if (!meant.every(hasKey)) return `part ${part} names an approver without an approval key`
  }
  return undefined
}
