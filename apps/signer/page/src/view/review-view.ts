import type { Locale } from '@holdfast/intent'
import { known } from '@holdfast/units'
import type { App, View } from '../app.ts'
import { element, withKeys } from './element.ts'
import { OrderPage, type OrderSummary } from './order-view.ts'
import { totalsOf } from '../read/review-totals.ts'
import type { Words } from '../words/en-us.ts'

/** Several orders to go through, one after another. Each is read, shown and signed by itself: nothing here signs more than one. */
export function reviewView(app: App, hashes: readonly string[]): View {
  return new ReviewPage(app, hashes)
}

class ReviewPage implements View {
  readonly #app: App
  readonly #hashes: readonly string[]
  /** Those that have been read so far, in the order of the link. */
  readonly #pages: OrderPage[] = []
  /** The order that is shown, counted from 0; null for the list of all. */
  #at: number | null = null
  #stopped = false

  constructor(app: App, hashes: readonly string[]) {
    this.#app = app
    this.#hashes = hashes
    void this.#readAll()
  }

  stop(): void {
    this.#stopped = true
    for (const page of this.#pages) page.stop()
  }

  async #readAll(): Promise<void> {
    for (const hash of this.#hashes) {
      if (this.#stopped) return
      const page = new OrderPage(this.#app, hash)
      this.#pages.push(page)
      await page.read
    }
  }

  #go(at: number | null): void {
    this.#at = at
    if (at !== null) this.#page(at).show()
    this.#app.redraw()
    this.#app.reveal(at === null ? 'title' : 'review')
  }

  draw(words: Words, locale: Locale): Node[] {
    const at = this.#at
    if (at === null) return this.#list(words, locale)
    return [this.#walk(at, words), ...this.#page(at).draw(words, locale, this.#onward(at, words))]
  }

  #page(at: number): OrderPage {
    return known(this.#pages[at], `order ${at + 1} of the review`)
  }

  #walk(at: number, { review }: Words): Node {
    return element(
      'nav',
      { id: 'review', tabindex: '-1', class: 'review', 'aria-label': review.walk },
      element('p', { class: 'count' }, element('strong', {}, review.position(String(at + 1), String(this.#hashes.length)))),
      element(
        'div',
        { class: 'actions' },
        element('button', { type: 'button', id: 'previous', disabled: at === 0, onclick: () => this.#go(at - 1) }, review.previous),
        element('button', { type: 'button', id: 'next', disabled: at + 1 >= this.#pages.length, onclick: () => this.#go(at + 1) }, review.next),
        element('button', { type: 'button', id: 'all', class: 'plain', onclick: () => this.#go(null) }, review.all),
      ),
    )
  }

  /** The way on stands below the decision too, where the person is when it is made. */
  #onward(at: number, { review }: Words): Node {
    const isLast = at + 1 >= this.#pages.length
    const onclick = () => this.#go(isLast ? null : at + 1)
    return element('button', { type: 'button', id: 'onward', onclick }, isLast ? review.all : review.next)
  }

  #list(words: Words, locale: Locale): Node[] {
    const { review } = words
    const summaries = this.#pages.map((page) => page.summary(words, locale))
    const unread = this.#hashes.length - summaries.length
    const open = summaries.flatMap(({ intent, outcome }) => (intent && outcome === 'open' ? [intent] : []))
    const totals = totalsOf(open)
    return [
      element('h1', { tabindex: '-1', id: 'title' }, review.title(String(this.#hashes.length))),
      element('p', { class: 'lead' }, review.each),
      element('ol', { class: 'review-list' }, ...summaries.map((summary, at) => this.#entry(summary, at, words))),
      unread > 0 && element('p', { class: 'dim' }, words.loading),
      element('p', { id: 'sum', role: 'status' }, sumWords(summaries, words)),
      totals.length > 0 && element('p', { class: 'dim' }, ...withKeys(review.together(totals.join(words.comma)))),
      element(
        'div',
        { class: 'actions' },
        element('button', { type: 'button', id: 'begin', class: 'primary', onclick: () => this.#go(firstOpen(summaries)) }, review.begin),
      ),
    ].filter((node) => node !== false)
  }

  #entry({ title, standing, outcome }: OrderSummary, at: number, { review }: Words): Node {
    return element(
      'li',
      { class: outcome },
      element('p', { class: 'name' }, ...withKeys(title)),
      element('p', { class: 'dim' }, standing),
      element(
        'button',
        { type: 'button', id: `entry-${at}`, class: 'plain', 'aria-label': `${review.read} ${at + 1}`, onclick: () => this.#go(at) },
        review.read,
      ),
    )
  }
}

function firstOpen(summaries: readonly OrderSummary[]): number {
  return Math.max(
    0,
    summaries.findIndex(({ outcome }) => outcome === 'open'),
  )
}

function sumWords(summaries: readonly OrderSummary[], { review }: Words): string {
  const count = (outcome: OrderSummary['outcome']) => String(summaries.filter((each) => each.outcome === outcome).length)
  return review.sum({ open: count('open'), approved: count('approve'), rejected: count('reject'), closed: count('closed') })
}
