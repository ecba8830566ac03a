import { element } from './element.ts'

/** A line of a list of people: the name, what is remarked beside it, and where the person stands. */
export function personRow(name: string, standing: string, options: { remark?: string | false; class?: string } = {}): Node {
  const remark = options.remark ? element('span', { class: 'dim' }, ` · ${options.remark}`) : null
  return element('li', { class: options.class ?? '' }, element('span', { class: 'name' }, name, remark), element('span', { class: 'standing' }, standing))
}
