import {
  groupAddress,
  type Intent,
  isCancellation,
  isPayment,
  isSpending,
  isTransaction,
  type Locale,
  moneyText,
  originalOf,
  paymentsOf,
} from '@holdfast/intent'
import { readNft } from '@holdfast/chain-core'
import { localTime } from '../format-time.ts'
import type { Order } from '../read/read-order.ts'
import type { Around, Book, Standing } from '../read/signer-api.ts'
import { networkName } from '../words/network-names.ts'
import type { Words } from '../words/en-us.ts'
import { type Child, element, withKeys } from './element.ts'

/** What somebody who decides has to know first. `isServersWord`: nobody signs it, and this page cannot check it. `note` is what the signer adds. */
export type Fact = { label: string; value: string; isServersWord?: true; note?: string }

/** The facts of an order that moves something: what, to whom, from which wallet, on which network, worth what, until when. None of other orders. */
export function factsOf({ intent, around, book }: Pick<Order, 'intent' | 'around' | 'book'>, words: Words, locale: Locale): Fact[] {
  const { facts } = words
  const open: Fact = { label: facts.until, value: localTime(intent.expiresAtMs, locale) }
  if (!isSpending(intent)) return [open]
  const { asset, from } = originalOf(intent)
  return [
    ...whatAndToWhom(intent, around, words).map((fact, i) => (i === 1 && book ? { ...fact, ...onWhitelist(book, words, locale) } : fact)),
    around?.wallet ? { label: facts.from, value: around.wallet, isServersWord: true } : { label: facts.from, value: from },
    network(asset.chain, around, words, locale),
    ...worth(intent, around, words, locale),
    open,
  ]
}

function whatAndToWhom(intent: Intent, around: Around | null, { facts }: Words): Fact[] {
  if (!isPayment(intent)) return []
  const payments = paymentsOf(intent)
  const { asset, amount } = intent
  const nft = readNft(asset.contract)
  const what: Fact = { label: facts.what, value: nft ? `${amount} × ${asset.symbol} #${nft.tokenId}` : moneyText(amount, asset) }
  if (payments.length > 1) return [what, { label: facts.to, value: facts.recipients(String(payments.length)) }]
  if (!around?.to) return [what, { label: facts.to, value: facts.noName }]
  const { name, by } = around.to
  const say = { own: facts.ownName, book: facts.bookName, requester: facts.requesterName }[by]
  return [what, { label: facts.to, value: say(name), isServersWord: true }]
}

/** Of an order that pays several, each of them with where they are with the whitelist of the signer that serves the page; null of any other. */
export function recipientsSection({ intent, book }: Pick<Order, 'intent' | 'book'>, words: Words, locale: Locale): HTMLElement | null {
  if (!isPayment(intent) || !book || book.payments.length < 2) return null
  const { asset } = intent
  const rows = paymentsOf(intent).map(({ to, amount, memo }, i) => {
    const standing = book.payments[i]
    const said = standing === undefined ? words.facts.listUnknown : standingWords(standing, words.facts, locale)
    return element(
      'li',
      { class: standing?.state === 'listed' ? 'yes' : '' },
      ...withKeys(groupAddress(to)),
      element('span', { class: 'beneath' }, [moneyText(amount, asset), ...(memo === null ? [] : [words.facts.memo(memo)]), said].join(' · ')),
    )
  })
  return element(
    'section',
    { id: 'part-recipients', 'aria-labelledby': 'recipients' },
    element('h2', { id: 'recipients' }, words.facts.recipientsListed),
    element('ol', { class: 'lines' }, ...rows),
  )
}

/** Where the order pays, by the whitelist of the signer that serves the page. */
function onWhitelist({ payments }: Book, { facts }: Words, locale: Locale): { note?: string } {
  const [only, ...others] = payments
  if (!only) return {}
  if (others.length === 0) return { note: standingWords(only, facts, locale) }
  return { note: facts.listedOf(String(payments.filter(({ state }) => state === 'listed').length), String(payments.length)) }
}

function standingWords({ state, since, usableAt, lists }: Standing, facts: Words['facts'], locale: Locale): string {
  if (state === 'unknown') return facts.listUnknown
  if (state === 'none') return facts.notListed
  const time = localTime(BigInt((state === 'listed' ? since : usableAt) ?? 0), locale)
  return `${state === 'listed' ? facts.listed(time) : facts.cooling(time)}${lists.length > 0 ? facts.lists(lists.join(facts.comma)) : ''}`
}

function network(chain: string, around: Around | null, { facts }: Words, locale: Locale): Fact {
  const known = networkName(chain, locale)
  if (known !== undefined) return { label: facts.network, value: known }
  if (!around?.network) return { label: facts.network, value: chain }
  return { label: facts.network, value: around.network, isServersWord: true }
}

function worth(intent: Intent, around: Around | null, { facts }: Words, locale: Locale): Fact[] {
  if (!isTransaction(intent) || !isPayment(intent) || (isSpending(intent) && isCancellation(intent))) return []
  if (!around?.worth) return [{ label: facts.worth, value: facts.noPrice }]
  return [{ label: facts.worth, value: formatWorth(around.worth, locale), isServersWord: true }]
}

function formatWorth({ amount, currency }: NonNullable<Around['worth']>, locale: Locale): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(amount))
}

/** The facts as a list, each word of the server's marked as such. */
export function factsSection(facts: readonly Fact[], words: Words): Node {
  const label = facts.some(({ isServersWord }) => isServersWord) && element('p', { class: 'dim' }, words.facts.serversWord)
  const rows = facts.map((fact) => element('div', { class: 'pair' }, element('dt', {}, fact.label), element('dd', {}, ...valueOf(fact, words))))
  return element('section', { class: 'facts', 'aria-label': words.facts.name }, element('dl', {}, ...rows), label)
}

function valueOf({ value, isServersWord, note }: Fact, words: Words): Child[] {
  const beneath = note !== undefined && element('span', { class: 'beneath' }, note)
  if (!isServersWord) return [...withKeys(value), beneath]
  return [value, ' ', element('span', { class: 'tag' }, words.facts.tag), beneath]
}
