import { SUCCESS_CODE } from '@holdfast/contract'
import type { LocalSettings } from '../../apps/launcher/src/local-settings.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'

/** What a call that reads answered. */
export type Recorded = { path: string; fields: Record<string, string>; data: unknown }
export type Question = Pick<Recorded, 'path' | 'fields'>

/** Where a console and a faucet are differs from start to start, and stands in links. */
const PLACES = [
  ['consoleOrigin', 'https://console'],
  ['faucetUrl', 'https://faucet'],
] as const

/** Asks as a member, with these texts in the fields of the call. Reads the answer as it came: no shape of today takes anything away. */
export async function askAs({ client }: Pick<TerminalMember, 'client'>, settings: LocalSettings, { path, fields }: Question): Promise<unknown> {
  const { init } = client.request('GET', path)
  const response = await fetch(`${settings.consoleOrigin}${path}?${new URLSearchParams(fields).toString()}`, { headers: init.headers })
  const text = PLACES.reduce((known, [place, name]) => known.replaceAll(settings[place], name), await response.text())
  const { code, data } = JSON.parse(text) as { code: string; data: unknown }
  return code === SUCCESS_CODE ? data : { refused: code }
}

/** Words for people may be written better in any release, what a role may do is no record, and a share rounds prices: it can be the same twice by chance. */
const NOT_KEPT = ['text', 'title', 'lines', 'description', 'sentence', 'scope', 'against', 'command', 'network', 'price_source', 'pms', 'permissions', 'pct']

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)

/** What two answers have in common, in the places where they have it; undefined for nothing. */
export function commonOf(one: unknown, two: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(two))
    return one.length === two.length ? one.map((each, i) => commonOf(each, two[i])).filter((each) => each !== undefined) : undefined
  if (isObject(one) && isObject(two)) {
    const names = Object.keys(one).filter((name) => Object.hasOwn(two, name) && !NOT_KEPT.includes(name))
    return Object.fromEntries(names.map((name) => [name, commonOf(one[name], two[name])]))
  }
  return one === two ? one : undefined
}

/**
 * What of an earlier answer is not in today's, by its place. Fields and entries may have been added; none may be missing or say something else, and entries
 * keep their order.
 */
export function missingOf(earlier: unknown, today: unknown, place = ''): string[] {
  if (earlier === undefined) return []
  if (Array.isArray(earlier)) {
    if (!Array.isArray(today)) return [`${place} is no list any more`]
    let from = 0
    return earlier.flatMap((each, i) => {
      const at = today.findIndex((other, j) => j >= from && missingOf(each, other).length === 0)
      if (at >= 0) from = at + 1
      return at >= 0 ? [] : missingOf(each, today[i], `${place}[${i}]`)
    })
  }
  if (isObject(earlier)) {
    if (!isObject(today)) return [`${place} is ${JSON.stringify(today)} and was an object`]
    return Object.entries(earlier).flatMap(([name, value]) => missingOf(value, today[name], `${place}.${name}`))
  }
  return earlier === today ? [] : [`${place} is ${JSON.stringify(today)} and was ${JSON.stringify(earlier)}`]
}

const TODO_LIST = '/api/mpc/user/action/items/list'
/** Kinds that are no payment: a release before 0.2 gave them the fields of one, empty. */
const NO_PAYMENT: readonly unknown[] = ['policy_change', 'key_change', 'signer_order']
const isEmpty = (value: unknown): boolean => value === '' || value === null || value === '0'

/** A sub-wallet, which a release before 0.2 called by its own name alone, and a wallet, which it called by its first name also where it had an alias. */
const OWN_NAMES = ['from_label', 'to_label']
/** Who approves policy changes stands among the rules of a person, where its name is the words of a release. */
const GOVERNANCE = 'governance'
const KEY_LISTS: readonly string[] = ['/api/mpc/key/list', '/api/mpc/key/share/list']

/**
 * An answer without what later releases say in another way on purpose: the order of what people decide, the fields of a payment where there is none, the
 * name of the wallet before that of a sub-wallet, and the words for who approves policy changes.
 */
export function asEveryReleaseSays(path: string, answered: unknown): unknown {
  const data = withOldNames(answered, KEY_LISTS.includes(path))
  if (path !== TODO_LIST || !isObject(data) || !Array.isArray(data['list'])) return data
  const items = data['list'].filter(isObject).map((item) => {
    const said = Object.entries(item).filter(([, value]) => !NO_PAYMENT.includes(item['kind']) || !isEmpty(value))
    return Object.fromEntries(said)
  })
  return { ...data, list: items.toSorted((a, b) => String(a['item_id']).localeCompare(String(b['item_id']))) }
}

function withOldNames(data: unknown, isOfKeys: boolean): unknown {
  if (Array.isArray(data)) return data.map((each) => withOldNames(each, isOfKeys))
  if (!isObject(data)) return data
  const left = [...(isOfKeys ? ['wallet_name'] : []), ...(data['id'] === GOVERNANCE ? ['name'] : [])]
  const said = Object.entries(data).filter(([name]) => !left.includes(name))
  return Object.fromEntries(
    said.map(([name, value]) => [name, OWN_NAMES.includes(name) && typeof value === 'string' ? value.replace(/^.* \/ /, '') : withOldNames(value, isOfKeys)]),
  )
}
