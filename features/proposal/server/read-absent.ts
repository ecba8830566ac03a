import type { OrganisationTx } from '@holdfast/db'
import { eligibleIn, fillSteps, machineOfParty } from '@holdfast/policy'
import { bytesToUuid } from '@holdfast/units'
import type { TodoItem, TodoKind } from '../contract.ts'
import { type DecidesFor, delegatesFor } from './delegated.ts'
import { byApproval, type Proposals, type Viewer } from './proposal-kind.ts'
import type { Quorum } from './quorum.ts'

/** What is said of an item, and whether anybody who is there can be reminded of it. */
type Away = { said: NonNullable<TodoItem['absent']>; isReachable: boolean }
type Steps = Pick<Quorum, 'directory' | 'steps'>
/** Somebody by id, and from when on they are there again. */
type Back = { id: string; untilMs: number }
type Asked = { id: string; kind: TodoKind }
type Named = {
  subject_id: string
  person_id: string
  spoken_at: bigint | null
  initiator: string | null
  name: string
  state: string
  for_person: string | null | undefined
}

/**
 * Who of those that items still need is away, by item, and whether the others can complete it. Whoever reads the list is there, whatever they said, and so is
 * whoever lets somebody who is there decide in their place. An item that needs nobody who is away, or waits for nobody by name, is not among them.
 */
export async function readAbsent({ tx, personId, nowMs }: Viewer, proposals: Proposals, asked: readonly Asked[]): Promise<ReadonlyMap<string, Away>> {
  const absent = new Map(await proposals.absentNow(tx, nowMs))
  absent.delete(personId)
  if (absent.size === 0 || asked.length === 0) return new Map()
  const [policy, deciding] = await Promise.all([proposals.policyInForce(tx), proposals.decidingNow(tx, nowMs)])
  const present = deciding.filter(({ delegateId }) => !absent.has(delegateId))
  const named = Map.groupBy(await readNamed(tx, asked), ({ subject_id: id }) => id)
  const told = async ({ id, kind }: Asked): Promise<[string, Away][]> => {
    const people = named.get(id) ?? []
    const filled = new Set(people.flatMap((each) => (each.spoken_at === null ? [] : [each.for_person ?? each.person_id])))
    const isAway = (personId: string) => absent.has(personId) && !isDecidedFor({ kind, people }, personId, present)
    const missing = people.filter((each) => each.spoken_at === null && !filled.has(each.person_id) && isAway(each.person_id))
    if (missing.length === 0) return []
    const by = byApproval(proposals, kind)
    const subject = await by.read(tx, id, false)
    if (!subject) return []
    // What was asked for under another version ends by itself.
    const quorums = subject.intent.policyVersion === policy.version ? by.quorums(subject, policy) : []
    const away = missing.flatMap(({ person_id, name }) => {
      const given = absent.get(person_id)
      return given && isNeeded(quorums, filled, person_id) ? [{ id: person_id, name, ...given }] : []
    })
    if (away.length === 0) return []
    const there = people.filter((each) => each.spoken_at === null && each.state === 'active' && !isAway(each.person_id)).map((each) => each.person_id)
    const met = metFrom(quorums, new Set([...filled, ...there]), away)
    const from = met !== null && met > 0 && met <= Number(subject.row.expires_at) ? met : null
    const said = { people: away.map(({ name, untilMs, ask }) => ({ name, until: untilMs, ask })), suffices: met === 0, from }
    return [[id, { said, isReachable: there.some((each) => each !== personId) }]]
  }
  return new Map((await Promise.all(asked.map(told))).flat())
}

/** Whether somebody can decide in a person's place: one whose own word an item waits for, too, gives that one. */
function isDecidedFor({ kind, people }: { kind: string; people: readonly Named[] }, personId: string, deciding: readonly DecidesFor[]): boolean {
  const spoken = people.flatMap((each) => (each.spoken_at === null ? [] : [each.person_id]))
  const delegates = delegatesFor({ kind, initiator: people[0]?.initiator ?? null, waiting: [personId], spoken }, deciding)
  return delegates.some((id) => people.every((each) => each.person_id !== id))
}

/**
 * From when on every step can be filled, as people come back to those who are there: 0 where those suffice; null where all together do not. A machine is taken
 * to run.
 */
export function metFrom(quorums: readonly Steps[], there: ReadonlySet<string>, back: readonly Back[]): number | null {
  const moments = [0, ...new Set(back.map(({ untilMs }) => untilMs))].toSorted((a, b) => a - b)
  const present = (atMs: number) => new Set([...there, ...back.filter(({ untilMs }) => untilMs <= atMs).map(({ id }) => id)])
  return moments.find((atMs) => quorums.every((quorum) => missingIn(quorum, present(atMs)) === 0)) ?? null
}

/** Whether somebody's approval still brings an item further. */
const isNeeded = (quorums: readonly Steps[], spoken: ReadonlySet<string>, id: string): boolean =>
  quorums.some((quorum) => missingIn(quorum, new Set([...spoken, id])) < missingIn(quorum, spoken))

function missingIn({ directory, steps }: Steps, people: ReadonlySet<string>): number {
  const acts = (id: Uint8Array) => people.has(bytesToUuid(id)) || machineOfParty(directory, id) !== undefined
  return fillSteps(steps, eligibleIn(steps).filter(acts)).missing
}

/** Everybody whom open items that are decided by approvals name, those who have spoken too, and for whom if not for themselves, by name. */
function readNamed(tx: OrganisationTx, asked: readonly Asked[]): Promise<Named[]> {
  const ids = asked.map(({ id }) => id)
  return tx
    .selectFrom('proposal_person as w')
    .innerJoin('proposal as p', (join) => join.onRef('p.org_id', '=', 'w.org_id').onRef('p.subject_id', '=', 'w.subject_id'))
    .leftJoin('approval as a', (join) =>
      join.onRef('a.org_id', '=', 'w.org_id').onRef('a.intent_hash', '=', 'p.intent_hash').onRef('a.person_id', '=', 'w.person_id'),
    )
    .innerJoin('person as m', (join) => join.onRef('m.org_id', '=', 'w.org_id').onRef('m.id', '=', 'w.person_id'))
    .select(['w.subject_id', 'w.person_id', 'w.spoken_at', 'p.initiator', 'm.name', 'm.state', 'a.for_person'])
    .where('w.org_id', '=', tx.orgId)
    .where('w.subject_id', 'in', ids)
    .where('p.is_open', '=', true)
    .where('p.intent_hash', 'is not', null)
    .orderBy('m.name')
    .execute()
}
