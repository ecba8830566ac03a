import { equalBytes } from '@holdfast/encoding'
import { findSpeaker, neededIn, type Person, readRule, type Rule, type Step } from '@holdfast/policy'
import type { Locale, ScreeningLevel } from '@holdfast/intent'
import { at } from '@holdfast/units'
import { element } from './element.ts'
import { localTime } from '../format-time.ts'
import { askedOf } from '../read/asked-of.ts'
import { initiatorOf } from '../read/list-approvers.ts'
import { personRow } from './person-row.ts'
import type { Order, Quorum, Screened } from '../read/read-order.ts'
import type { Words } from '../words/en-us.ts'

export type Standing = 'approved' | 'rejected' | 'may' | 'noLonger' | 'initiator' | 'not-eligible'

/** How many have approved of how many, step by step, and where each person stands. */
export function quorumSection(order: Order, quorum: Quorum, words: Words, locale: Locale): Node {
  const { tally, steps } = quorum
  const nameOf = (rule: Rule) => readRule(rule, quorum.directory).name
  const initiator = initiatorOf(order)
  const isCounted = initiator && steps.some(({ eligible }) => eligible.some((id) => equalBytes(id, initiator.id)))
  const asker = initiator && !isCounted && quorum.name === 'order' ? [personRow(initiator.name, standingWord('initiator', words), { class: '' })] : []
  const outcome = tally.rejectedBy.length > 0 ? words.order.rejected : tally.missing > 0 ? words.order.missing(String(tally.missing)) : words.order.complete
  const needed = neededIn(steps)
  const count = words.order.count(String(needed - tally.missing), String(needed))
  // The server asks step by step; signers need all of them, in whatever order.
  const current = tally.rejectedBy.length > 0 ? -1 : steps.findIndex(({ need }, i) => at(tally.filled, i).length < need)
  return element(
    'div',
    { class: 'quorum' },
    quorum.name !== 'order' &&
      element('h3', {}, quorum.name === 'newGovernors' ? words.order.newGovernors : words.order.ofPart(words.order.parts[quorum.name])),
    quorum.rule && element('p', { class: 'dim' }, words.order.rule(nameOf(quorum.rule))),
    steps.some(({ isAskers }) => isAskers) && element('p', {}, words.order.passes),
    quorum.delayMs > 0n && element('p', {}, delayWords(order, quorum, words, locale)),
    ...quorum.screenings.map((each) => screeningRow(each, words, locale)),
    ...quorum.others.map(({ rule, needed }) => element('p', {}, words.order.otherRule(nameOf(rule), String(needed)))),
    element('p', { class: 'count' }, element('strong', {}, count), element('span', { class: 'dim' }, outcome)),
    ...steps.flatMap((step, i) => [
      steps.length > 1 && element('h3', {}, stepWords(i, { have: at(tally.filled, i).length, need: step.need, isNow: i === current }, words)),
      element('ul', { class: 'people' }, ...rowsOf(quorum, step, i, words), ...(i === steps.length - 1 ? asker : [])),
    ]),
  )
}

/** How long the order waits after its last approval; or when that ends, once the signer that serves the page has seen every approval. */
function delayWords({ quorumSeenMs }: Order, { delayMs }: Quorum, { order }: Words, locale: Locale): string {
  if (quorumSeenMs === null) return order.delay(String(Number(delayMs) / 3_600_000))
  return order.delayEnds(localTime(BigInt(quorumSeenMs) + delayMs, locale))
}

/** What a screener said of the order and when, or that signing waits for it; and what the rule demands. */
function screeningRow({ screener, levels, withinMs, said }: Screened, { order }: Words, locale: Locale): Node {
  const named = levels.map((level) => order.levels[level as ScreeningLevel]).join(order.levelOr)
  const fits = said !== null && levels.includes(said.level)
  const found = said === null ? order.screeningAwaited(screener) : order.screened(screener, order.levels[said.level], localTime(BigInt(said.atMs), locale))
  return element(
    'p',
    { class: said !== null && !fits ? 'notice warn' : 'fact' },
    found,
    ' ',
    element('span', { class: 'dim' }, order.screeningDemand(named, String(withinMs / 60_000n))),
  )
}

function stepWords(i: number, { have, need, isNow }: { have: number; need: number; isNow: boolean }, { order }: Words): string {
  const step = order.step(String(i + 1), String(have), String(need))
  return isNow ? order.stepNow(step) : step
}

/** What is asked of a person who may approve: which step their yes would fill, in each quorum where it would count. */
export function askedWords(order: Order, person: Person, { order: words }: Words): string {
  const asked = askedOf(order, person).map(({ step, of, have, need }) =>
    of > 1 ? words.askedStep(String(step), String(of), String(have), String(need)) : words.asked(String(have), String(need)),
  )
  return asked.length === 0 ? words.askedNothing : asked.join(' ')
}

function rowsOf(quorum: Quorum, step: Step, at: number, words: Words): Node[] {
  const people = quorum.eligible.filter((person) => step.eligible.some((id) => equalBytes(id, person.id)))
  const machines = step.eligible.flatMap((id) => {
    const found = findSpeaker(quorum.directory, id)
    return found?.isMachine ? [found] : []
  })
  return [...people, ...machines].map((person) => {
    const standing = standingOf(quorum, person.id)
    const other = quorum.tally.filled.findIndex((filled, i) => i !== at && filled.some((id) => equalBytes(id, person.id)))
    const word = standing === 'approved' && other >= 0 ? words.order.countsIn(String(other + 1)) : standingWord(standing, words)
    const by = [...quorum.tally.approvedBy, ...quorum.tally.rejectedBy].find(({ id }) => equalBytes(id, person.id))?.by
    return personRow(person.name, word, { class: CLASS[standing], remark: by !== undefined && words.delegation.by(by.name) })
  })
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
