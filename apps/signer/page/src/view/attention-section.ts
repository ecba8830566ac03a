import {
  groupAddress,
  type Intent,
  isCancellation,
  isPayment,
  judgedAs,
  listedTargets,
  movesMoney,
  paymentsOf,
  type Rendering,
  timeInWords,
} from '@holdfast/intent'
import { findPerson, lossOf, namesContract } from '@holdfast/policy'
import { element, withKeys } from './element.ts'
import type { Order } from '../read/read-order.ts'
import type { Words } from '../words/en-us.ts'

/** What to read before anything is decided: the warnings that are signed, and what the server knows of the destination. */
export function attentionSection(order: Order, rendering: Rendering, words: Words): HTMLElement {
  const facts = isPayment(order.intent) && paymentsOf(order.intent).length === 1 ? factSentences(order, words) : []
  const alarms = [...alarmSentences(order, words), ...alikeSentences(order, words), ...standingSentences(order, words)]
  return element(
    'section',
    { id: 'part-attention', class: rendering.isGrave || alarms.length > 0 ? 'notice bad' : 'notice warn', 'aria-labelledby': 'attention' },
    element('h2', { id: 'attention' }, words.order.attention),
    ...alarms.map((alarm) => element('p', {}, element('strong', {}, ...withKeys(alarm)))),
    ...rendering.warnings.map((warning) => element('p', {}, warning)),
    ...waitSentences(order, words).map((sentence) => element('p', {}, sentence)),
    ...(paysOnly(order.intent) ? [element('p', {}, words.order.paysOnly)] : []),
    ...(facts.length > 0 ? [element('p', { class: 'dim' }, words.order.serverSays)] : []),
    ...facts.map((fact) => element('p', { class: 'fact' }, ...withKeys(fact))),
  )
}

/**
 * What this page itself knows against the recipients of a payment. They are no part of the words that are signed: those of orders made before stay as they
 * were, and where a payment would be lost no signer signs it.
 */
export function alarmSentences({ intent, policy }: Pick<Order, 'intent' | 'policy'>, { order }: Words): string[] {
  if (!movesMoney(intent) || (intent.kind !== 'batch' && isCancellation(intent))) return []
  const payment = judgedAs(intent)
  if (!isPayment(payment)) return []
  const { chain } = payment.asset
  const isNamed = paymentsOf(payment).some(({ to }) => namesContract(policy, chain, to))
  const loss = lossOf(payment)
  return [...(loss ? [order.lost[loss]] : []), ...(isNamed ? [order.policyContract] : [])]
}

/** That signers wait before they follow a change, and until when the one that serves this page does: until then it can be stopped here. */
function waitSentences({ wait }: Pick<Order, 'wait'>, { order }: Words): string[] {
  if (wait === null) return []
  return [order.waits(String(Number(wait.ms) / 3_600_000)), ...(wait.untilMs === null ? [] : [order.waitsUntil(timeInWords(BigInt(wait.untilMs)))])]
}

/** What would be put on the whitelist and is taken for an entry that the signer of this page has on it. */
function alikeSentences({ book }: Pick<Order, 'book'>, { order }: Words): string[] {
  return (book?.alike ?? []).map(({ address, name, other }) => order.alikeListed(groupAddress(address), name, groupAddress(other)))
}

/** That a standing order starts again what somebody stopped, and where it moves to addresses that the signer of this page does not have on its whitelist. */
function standingSentences({ intent, replaces, policy, book }: Order, { standing }: Words): string[] {
  if (intent.kind !== 'standingOrder') return []
  const stoppedBy = replaces?.stoppedBy
  const again = stoppedBy ? [standing.startsAgain(findPerson(policy, stoppedBy)?.name ?? standing.stranger, String(replaces.order.version))] : []
  const unlisted = listedTargets(intent).filter((_, at) => book?.payments[at]?.state === 'none')
  return [...again, ...unlisted.map(({ address }) => standing.notListed(groupAddress(address)))]
}

/** Whether an order pays and can do nothing else. A call of a contract may give any right. */
export function paysOnly({ kind }: Pick<Intent, 'kind'>): boolean {
  return kind === 'transfer' || kind === 'payout' || kind === 'notedPayout'
}

function factSentences({ facts }: Order, words: Words): string[] {
  const { order } = words
  if (facts === null) return [order.factsUnknown]
  return [
    ...(facts.firstTime && !facts.own ? [order.firstTime] : []),
    ...(facts.own ? [order.own] : []),
    ...(facts.contract === true ? [order.contract] : []),
    ...(facts.contract === null ? [order.contractUnknown] : []),
    ...facts.similar.map(({ address, kind }) => (kind === 'own' ? order.similarOwn(address) : order.similarPaid(address))),
  ]
}
