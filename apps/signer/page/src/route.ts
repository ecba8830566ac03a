import { at } from '@holdfast/units'

/** Whom somebody is to name, as hex, and the first and the last day, as a calendar writes them. */
export type Prefilled = { delegate: string; first: string; last: string }

/** What the address asks for. The fragment never reaches a server. */
export type Route =
  | { name: 'home' }
  | { name: 'setup'; token: string }
  | { name: 'key'; token: string }
  | { name: 'order'; hash: string }
  | { name: 'review'; hashes: string[] }
  | { name: 'stop'; genesis: string }
  | { name: 'standing'; genesis: string }
  | { name: 'delegation'; genesis: string; prefilled: Prefilled | null }
  | { name: 'bad' }

/** So many orders are gone through at once; who has more begins again. */
const REVIEW_MAX = 50

/** Reads the part of the address from the `#` on. */
export function parseRoute(fragment: string): Route {
  if (fragment === '' || fragment === '#' || fragment === '#/') return { name: 'home' }
  const setup = /^#\/setup\/([A-Za-z0-9_-]{1,256})\/?$/.exec(fragment)
  if (setup) return { name: 'setup', token: at(setup, 1) }
  const key = /^#\/key\/([0-9a-f]{64})\/?$/.exec(fragment)
  if (key) return { name: 'key', token: at(key, 1) }
  const order = /^#\/order\/([0-9a-f]{64})\/?$/i.exec(fragment)
  if (order) return { name: 'order', hash: at(order, 1).toLowerCase() }
  const stop = /^#\/(stop|standing)\/([0-9a-f]{64})\/?$/i.exec(fragment)
  if (stop) return { name: at(stop, 1).toLowerCase() === 'stop' ? 'stop' : 'standing', genesis: at(stop, 2).toLowerCase() }
  const delegation = /^#\/delegation\/([0-9a-f]{64})(?:\/([0-9a-f]{32})\/(\d{4}-\d{2}-\d{2})\/(\d{4}-\d{2}-\d{2}))?\/?$/i.exec(fragment)
  if (delegation) {
    const [, genesis = '', delegate, first, last] = delegation
    const prefilled = delegate === undefined || first === undefined || last === undefined ? null : { delegate: delegate.toLowerCase(), first, last }
    return { name: 'delegation', genesis: genesis.toLowerCase(), prefilled }
  }
  const review = /^#\/review\/([0-9a-f]{64}(?:,[0-9a-f]{64})*)\/?$/i.exec(fragment)
  const hashes = [...new Set(review?.[1]?.toLowerCase().split(','))]
  if (hashes.length > 0 && hashes.length <= REVIEW_MAX) return { name: 'review', hashes }
  return { name: 'bad' }
}
