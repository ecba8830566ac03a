import type { View } from '../app.ts'
import { element } from './element.ts'
import type { KeyRecord } from '../keys/key-store.ts'
import { personRow } from './person-row.ts'
import type { Words } from '../words/en-us.ts'

/** What this page is, and which keys this browser has. `keys` is null if the browser keeps none for us. */
export function homeView(keys: readonly KeyRecord[] | null): View {
  return {
    draw: (words) => [
      element('h1', { tabindex: '-1', id: 'title' }, words.home.title),
      element('p', { class: 'lead' }, words.home.what),
      element('p', {}, words.home.how),
      element('p', {}, words.home.keys),
      element('section', { class: 'panel', 'aria-labelledby': 'here' }, element('h2', { id: 'here' }, words.home.here), ...keyList(keys, words)),
      ...stopLinks(keys ?? [], words),
    ],
    stop: () => {},
  }
}

function keyList(keys: readonly KeyRecord[] | null, words: Words): Node[] {
  if (keys === null) return [element('p', {}, words.errors.noKeyStore)]
  if (keys.length === 0) return [element('p', { class: 'dim' }, words.home.none)]
  const rows = keys.map((key) => personRow(key.personName, words.method[key.kind === 'device' ? 'device' : 'passkey']))
  return [element('ul', { class: 'people' }, ...rows)]
}

/** For every organisation that keys of this browser have accepted, the way to stop its signing. */
function stopLinks(keys: readonly KeyRecord[], words: Words): Node[] {
  const known = [...new Set(keys.flatMap(({ acceptedGenesis }) => acceptedGenesis ?? []))]
  if (known.length === 0) return []
  return [
    element(
      'section',
      { class: 'stop', 'aria-label': words.stop.open },
      element('p', { class: 'dim' }, words.stop.where),
      ...known.map((each) => stopLink(each, words)),
    ),
  ]
}

/** The way to the page on which one person stops all signing of an organisation. */
export function stopLink(genesis: string, words: Words): Node {
  return element('p', {}, element('a', { class: 'stop-link', href: `#/stop/${genesis}` }, words.stop.open))
}

/** A sentence where a view cannot be shown. */
export function sentenceView(sentence: (words: Words) => string): View {
  return {
    draw: (words) => [element('h1', { tabindex: '-1', id: 'title' }, words.pageName), element('p', { class: 'notice bad', role: 'alert' }, sentence(words))],
    stop: () => {},
  }
}
