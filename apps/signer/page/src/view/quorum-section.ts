import { equalBytes } from '@holdfast/encoding'
import { element } from './element.ts'
import { initiatorOf } from '../read/list-approvers.ts'
import { personRow } from './person-row.ts'
import type { Order, Quorum } from '../read/read-order.ts'
import type { Words } from '../words/en-us.ts'

export type Standing = 'approved' | 'rejected' | 'may' | 'noLonger' | 'initiator' | 'not-eligible'

/** How many have approved of how many, and where each person stands. */
export function quorumSection(order: Order, quorum: Quorum, words: Words): Node {
  const { tally, threshold } = quorum
  const initiator = initiatorOf(order)
  const people = [
    ...quorum.eligible.map((person) => ({ person, standing: standingOf(quorum, person.id) })),
    ...(initiator && quorum.name === 'order' ? [{ person: initiator, standing: 'initiator' as const }] : []),
  ]
  const outcome = tally.rejectedBy.length > 0 ? words.order.rejected : tally.missing > 0 ? words.order.missing(String(tally.missing)) : words.order.complete
  const count = words.order.count(String(tally.approvedBy.length), String(threshold))
  const rows = people.map(({ person, standing }) => personRow(person.name, standingWord(standing, words), { class: CLASS[standing] }))
  return element(
    'div',
    { class: 'quorum' },
    quorum.name === 'newGovernors' && element('h3', {}, words.order.newGovernors),
    element('p', { class: 'count' }, element('strong', {}, count), element('span', { class: 'dim' }, outcome)),
    element('ul', { class: 'people' }, ...rows),
  )
}

const CLASS: Record<Standing, string> = { approved: 'yes', rejected: 'no', may: '', noLonger: '', initiator: '', 'not-eligible': '' }

function standingOf({ tally }: Quorum, id: Uint8Array): Standing {
  // A rejection weighs more than an approval of the same person.
  if (tally.rejectedBy.some((person) => equalBytes(person.id, id))) return 'rejected'
  return tally.approvedBy.some((person) => equalBytes(person.id, id)) ? 'approved' : tally.met || tally.rejectedBy.length > 0 ? 'noLonger' : 'may'
}

export function standingWord(standing: Standing, words: Words): string {
  return standing === 'not-eligible' ? words.order.notEligible : words.order[standing]
}
