import { describeStandingChange, type Locale, type Rendering } from '@holdfast/intent'
import { describeChange, signersOf } from '@holdfast/policy'
import { DEMO_LABEL } from '../found.ts'
import { refusalIn } from '../page-error.ts'
import type { Order } from '../read/read-order.ts'
import type { Closes } from '../read/signer-api.ts'
import type { Words } from '../words/en-us.ts'
import { element, row, withKeys } from './element.ts'
import type { Folds } from './folds.ts'
import { quorumSection } from './quorum-section.ts'

/** Whether anybody may approve with a key of a demo, where one browser holds those of several people. */
export function hasDemoKeys({ policy }: Order): boolean {
  return policy.people.some(({ credentials }) => credentials.some(({ label }) => label.startsWith(DEMO_LABEL)))
}

/** Who has to approve, and where each of them stands. */
export function approvalsSection(order: Order, words: Words, locale: Locale): HTMLElement {
  return element(
    'section',
    { id: 'part-approvals', 'aria-labelledby': 'approvals' },
    element('h2', { id: 'approvals' }, words.order.approvals),
    ...order.quorums.map((quorum) => quorumSection(order, quorum, words, locale)),
    ...order.ignored.map((reason) => element('p', { class: 'notice warn' }, words.order.ignored(refusalIn(words, reason) ?? ''))),
    element('p', { class: 'dim' }, words.order.state(words.order.states[order.state] ?? order.state)),
  )
}

/** Every row that is signed: what people read, and folded what they compare. */
export function detailsSection(order: Order, { rows }: Rendering, folds: Folds, words: Words): HTMLElement {
  const listOf = (some: Rendering['rows']) => element('dl', { class: 'rows' }, ...some.flatMap(({ label, value }) => row(label, value)))
  return element(
    'section',
    { id: 'part-details', 'aria-labelledby': 'whole' },
    element('h2', { id: 'whole' }, words.order.whole),
    listOf(rows.filter(({ isTechnical }) => !isTechnical)),
    order.coin !== null && element('p', { class: 'fact' }, ...withKeys(words.order.coin(order.coin))),
    folds.fold(
      'technical',
      words.order.technical,
      false,
      element('p', { class: 'dim' }, words.order.technicalWhy),
      listOf(rows.filter(({ isTechnical }) => isTechnical)),
    ),
  )
}

/**
 * What a new version of the policy or of a standing order changes, computed here from both versions: a line for each difference. Null of an order that has no
 * version before it.
 */
export function changesSection(order: Order, words: Words, locale: Locale): HTMLElement | null {
  const lines = changesOf(order, words, locale)
  if (lines === null) return null
  const shown = lines.length > 0 ? lines : [words.order.changesNothing]
  return element(
    'section',
    { id: 'part-changes', 'aria-labelledby': 'changes' },
    element('h2', { id: 'changes' }, words.order.changes),
    element('ul', { class: 'lines' }, ...shown.map((line) => element('li', {}, ...withKeys(line)))),
  )
}

function changesOf({ intent, genesis, policy, next, replaces }: Order, words: Words, locale: Locale): string[] | null {
  if (next) return describeChange(policy, next, locale, signersOf(genesis, policy))
  if (intent.kind !== 'standingOrder') return null
  if (replaces) return describeStandingChange(replaces.order, intent, locale)
  return intent.version > 1n ? [words.standing.noEarlier] : null
}

/** The orders that a change of the policy closes, as far as the server says so: no part of what is signed. */
export function closesSection({ count, named }: Closes, words: Words, locale: Locale): HTMLElement {
  const more = count - named[locale].length
  return element(
    'section',
    { id: 'part-closes', 'aria-labelledby': 'closes' },
    element('h2', { id: 'closes' }, words.order.closes(count)),
    element('p', { class: 'notice warn' }, words.order.closesNote),
    element(
      'ul',
      { class: 'lines' },
      ...named[locale].map((each) => element('li', {}, each)),
      ...(more > 0 ? [element('li', {}, words.order.closesMore(more))] : []),
    ),
  )
}
