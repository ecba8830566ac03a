import type { Words } from '../words/en-us.ts'
import { element } from './element.ts'

/** A part of the page that ends somewhere, by the heading that names it. */
export type Part = { title: string; section: HTMLElement }

/** How far an order was read: whose end has once been on the screen, or above it, stays read however often the page is drawn again. */
export class Reading {
  readonly #read = new Set<string>()
  #observer: IntersectionObserver | undefined

  stop(): void {
    this.#observer?.disconnect()
  }

  /**
   * Follows the parts of a page as it was just drawn. The bar with the decision stands at their end, and stays in reach from the moment that the end was
   * seen; until then a line at the foot of the screen says what is still to be read, which is the answer.
   */
  follow(parts: readonly Part[], bar: HTMLElement, words: Words): Node {
    this.stop()
    const sentence = element('span', {})
    const onclick = () => parts.find(({ section }) => !this.#read.has(section.id))?.section.scrollIntoView()
    const hint = element('div', { class: 'hint' }, sentence, element('button', { type: 'button', id: 'read-on', class: 'plain', onclick }, words.order.readOn))
    const show = () => {
      const unread = parts.filter(({ section }) => !this.#read.has(section.id))
      sentence.replaceChildren(words.order.toRead(unread.map(({ title }) => title).join(words.comma)))
      hint.hidden = unread.length === 0
      bar.classList.toggle('pinned', unread.length === 0)
    }
    // Upwards there is no edge: whoever jumps to the end has what lies above behind them.
    this.#observer = new IntersectionObserver((entries) => this.#note(entries, show), { rootMargin: '100000px 0px 0px 0px' })
    for (const { section } of parts) {
      const end = element('span', { class: 'end' })
      end.dataset.of = section.id
      section.append(end)
      this.#observer.observe(end)
    }
    show()
    return hint
  }

  #note(entries: readonly IntersectionObserverEntry[], show: () => void): void {
    for (const { target, isIntersecting } of entries) if (isIntersecting) this.#read.add((target as HTMLElement).dataset.of ?? '')
    show()
  }
}
