import { element } from './element.ts'
import { personRow } from './person-row.ts'
import { isConfirmed, type Witness } from '../read/read-witnesses.ts'
import type { Words } from '../words/en-us.ts'

/** What the other signers say of the order; null while they are being asked. */
export function witnessSection(witnesses: readonly Witness[] | null, words: Words, askAgain: () => void): HTMLElement {
  const title = element('h2', { id: 'witnesses' }, words.order.witnesses)
  const again = () => element('div', { class: 'actions' }, element('button', { type: 'button', id: 'ask-again', onclick: askAgain }, words.order.askAgain))
  const verdict = witnesses === null || isConfirmed(witnesses) ? [] : [element('p', { class: 'notice bad' }, verdictOn(witnesses, words)), again()]
  return element(
    'section',
    { id: 'part-witnesses', 'aria-labelledby': 'witnesses' },
    title,
    element('p', { class: 'dim' }, witnesses === null ? words.order.asking : words.order.witnessesWhy),
    ...(witnesses === null || witnesses.length === 0 ? [] : [element('ul', { class: 'people' }, ...witnesses.map((each) => witnessRow(each, words)))]),
    ...verdict,
  )
}

function verdictOn(witnesses: readonly Witness[], words: Words): string {
  return witnesses.some(({ opinion }) => typeof opinion === 'object') ? words.order.objected : words.order.unconfirmed
}

function witnessRow({ name, operator, opinion }: Witness, words: Words): Node {
  if (opinion === 'agrees') return personRow(name, words.order.agrees, { remark: operator, class: 'yes' })
  if (opinion === 'silent') return personRow(name, words.order.silent, { remark: operator })
  return personRow(name, words.order.objects(opinion.objection), { remark: operator, class: 'no' })
}
