import { splitKeys } from '../keys/split-keys.ts'
import { visibleText } from '@holdfast/units'

export type Child = Node | string | null | false

type Attributes = {
  class?: string
  id?: string
  lang?: string
  href?: string
  role?: string
  type?: string
  tabindex?: string
  open?: boolean
  disabled?: boolean
  for?: string
  rows?: string
  maxlength?: string
  onclick?: () => void
  [aria: `aria-${string}`]: string
}

/** An element with text and elements in it. Text is only ever text: there is no way to give HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes, ...children: Child[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (name === 'onclick') made.addEventListener('click', value as () => void)
    else made.setAttribute(name, value === true ? '' : String(value))
  }
  made.append(...children.filter((child) => child !== null && child !== false).map((child) => (typeof child === 'string' ? visibleText(child) : child)))
  return made
}

/**
 * Text whose addresses, keys and hashes stand in groups of four that never break inside a group, and whose long amounts
 * stand in groups of three. The text stays what it is, to the character: the gaps are only drawn.
 */
export function withKeys(text: string): Child[] {
  return splitKeys(text).map((piece) => {
    if (piece.kind === 'words') return piece.text
    return piece.kind === 'key' ? grouped(piece.groups) : element('span', { class: 'digits' }, ...piece.groups.map((group) => element('span', {}, group)))
  })
}

function grouped(groups: readonly string[]): Node {
  const parts = groups.flatMap((group): Child[] => {
    const part = element('span', { class: 'group' }, group.trimStart())
    return group.startsWith(' ') ? [' ', part] : [part]
  })
  return element('span', { class: groups.some((group) => group.startsWith(' ')) ? 'mono spaced' : 'mono' }, ...parts)
}

/** A row of a list of terms: the label and what stands for it. */
export function row(label: string, value: string): Node[] {
  return [element('dt', {}, label), element('dd', {}, ...withKeys(value))]
}
