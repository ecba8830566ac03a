import { type Child, element } from './element.ts'

/** Parts of a page that people open and close, and that stay as they were left however often the page is drawn again. */
export class Folds {
  readonly #open = new Map<string, boolean>()

  fold(id: string, summary: string, isOpenAtFirst: boolean, ...children: Child[]): HTMLElement {
    const part = element('details', { id, open: this.#open.get(id) ?? isOpenAtFirst }, element('summary', { id: `${id}-summary` }, summary), ...children)
    part.addEventListener('toggle', () => this.#open.set(id, part.open))
    return part
  }
}
