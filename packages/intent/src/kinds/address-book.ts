import { alikeKeys, looksAlike } from '@holdfast/chain-core'
import { bytes, type Infer, list, optional, struct, text, toHex, uint, union } from '@holdfast/encoding'
import { groupAddress } from '../group-address.ts'
import { initiatorName, ORDER_WORDS, validityRows } from '../order-rows.ts'
import type { Locale, RenderContext, RenderedRow, Rendering } from '../rendering.ts'
import type { IntentKind } from './intent-kind.ts'
import { identityFields, statedFields } from './order-fields.ts'

/** More changes at once nobody reads through before they approve them. */
export const BOOK_CHANGES_MAX = 1000
/** An order of more bytes does not fit into the log and the calls that carry it. */
export const BOOK_ORDER_BYTES_MAX = 1 << 19

const place = { id: bytes(16), address: text(128), name: text(200) }

/**
 * A change of the whitelist. An address is never edited: it is taken off, and another entry is put on. What is taken off is named whole, so that those who
 * approve read what it was; signers compare it with their own list.
 */
const bookChangeShape = union({
  add: struct('holdfast/intent/address-book/add/v1', { ...place, chains: list(text(64), 16), memo: optional(text(800)), lists: list(text(160), 8) }),
  remove: struct('holdfast/intent/address-book/remove/v1', place),
})

/**
 * An order that changes the whitelist of the organisation's address book. `version` is that of the list before it plus one, and `previous` the hash of the order
 * that made it (zeros for the first): so each signer follows all of them, in one sequence.
 */
const addressBookIntentShape = struct('holdfast/intent/address-book/v1', {
  ...identityFields,
  version: uint(),
  previous: bytes(32),
  changes: list(bookChangeShape, BOOK_CHANGES_MAX),
  ...statedFields,
})

export type AddressBookIntent = { kind: 'addressBook' } & Infer<typeof addressBookIntentShape>
export type BookChange = Infer<typeof bookChangeShape>
export type BookEntry = Omit<Extract<BookChange, { kind: 'add' }>, 'kind'>

type AddressBook = Omit<AddressBookIntent, 'kind'>

/** Where payments to an entry go, one text for each of its networks: two entries never share one. */
export const placesOf = ({ chains, address, memo }: Pick<BookEntry, 'chains' | 'address' | 'memo'>): string[] =>
  chains.map((chain) => JSON.stringify([chain, address, memo]))

const areDistinct = (texts: readonly string[]): boolean => new Set(texts).size === texts.length

/** Why an order that changes the whitelist makes no sense in itself; undefined if it does. */
export function addressBookFault({ version, previous, changes, notBeforeMs, expiresAtMs }: AddressBook): string | undefined {
  if (changes.length === 0) return 'the order changes no entry'
  if (version < 1n) return 'the whitelist begins with version 1'
  if ((version === 1n) !== previous.every((byte) => byte === 0)) return 'the first version of the whitelist follows no other, and every later one does'
  if (!areDistinct(changes.map(({ id }) => toHex(id)))) return 'the order names an entry twice'
  const added = changes.filter((change) => change.kind === 'add')
  if (changes.some(({ name, address }) => name.trim() === '' || address.trim() === '')) return 'the order names an entry without a name or an address'
  if (added.some(({ chains, lists }) => chains.length === 0 || !areDistinct(chains) || !areDistinct(lists) || [...chains, ...lists].includes('')))
    return 'the order adds an entry without a network, or names a network or a list twice'
  if (added.some(({ memo }) => memo === '')) return 'the order adds an entry with an empty memo'
  if (!areDistinct(added.flatMap(placesOf))) return 'the order adds an address twice'
  return expiresAtMs <= notBeforeMs ? 'the order is open at no time at which it may be followed' : undefined
}

/** A change of the whitelist, in words: every entry with its whole address. */
function render(intent: AddressBook, context: RenderContext, locale: Locale): Rendering {
  const words = WORDS[locale]
  const [added, removed] = [intent.changes.filter((change) => change.kind === 'add'), intent.changes.filter((change) => change.kind === 'remove')]
  const alike = alikeAmong(added.map(({ address }) => address))
  return {
    locale,
    title: words.change(added.length, removed.length),
    rows: [
      { label: words.whatHappens, value: words.effects(added.length, removed.length) },
      ...added.flatMap((change, i) => addedRows(change, i, words)),
      ...removed.flatMap(({ id, name, address }, i): RenderedRow[] => [
        { label: words.takenOff(i + 1), value: `${name}: ${groupAddress(address)}` },
        { label: words.entry, value: toHex(id), isTechnical: true },
      ]),
      { label: words.remark, value: intent.remark === '' ? words.none : intent.remark },
      { label: words.initiator, value: initiatorName(intent, context, locale) },
      { label: words.version, value: String(intent.version), isTechnical: true },
      { label: words.previous, value: toHex(intent.previous), isTechnical: true },
      ...validityRows(intent, locale),
    ],
    warnings: [...(added.length > 0 ? [words.compare] : []), ...alike.map(([one, other]) => words.alike(groupAddress(one), groupAddress(other)))],
    ...(alike.length > 0 ? { isGrave: true } : {}),
  }
}

function addedRows({ id, name, address, chains, memo, lists }: BookEntry, i: number, words: Words): RenderedRow[] {
  return [
    { label: words.added(i + 1), value: `${name}: ${groupAddress(address)}` },
    { label: words.network, value: chains.join(words.comma) },
    ...(memo === null ? [] : [{ label: words.memo, value: memo }]),
    ...(lists.length === 0 ? [] : [{ label: words.lists, value: lists.join(words.comma) }]),
    { label: words.entry, value: toHex(id), isTechnical: true as const },
  ]
}

/** Pairs of addresses of which one is taken for the other by its ends. */
function alikeAmong(addresses: readonly string[]): [string, string][] {
  const byKey = new Map<string, string[]>()
  const pairs = new Map<string, [string, string]>()
  for (const address of new Set(addresses)) {
    for (const key of alikeKeys(address)) {
      const before = byKey.get(key) ?? []
      const [other] = before.filter((each) => looksAlike(each, address))
      if (other !== undefined) pairs.set(`${other} ${address}`, [other, address])
      byKey.set(key, [...before, address])
    }
  }
  return [...pairs.values()]
}

const en = {
  ...ORDER_WORDS['en-US'],
  whatHappens: 'What happens',
  change: (added: number, removed: number) =>
    removed === 0
      ? `Put ${entries(added)} on the whitelist`
      : added === 0
        ? `Take ${entries(removed)} off the whitelist`
        : `Put ${entries(added)} on the whitelist and take ${entries(removed)} off`,
  effects: (added: number, removed: number) =>
    [
      ...(added > 0 ? ['What is put on counts as listed at each signer only after its waiting period.'] : []),
      ...(removed > 0 ? ['What is taken off counts as listed no more, at once.'] : []),
    ].join(' '),
  added: (number: number) => `Put on, no. ${number}`,
  takenOff: (number: number) => `Take off, no. ${number}`,
  memo: 'Memo or tag',
  lists: 'Lists',
  entry: 'Id of the entry',
  version: 'Version of the whitelist',
  previous: 'Fingerprint of the version before',
  comma: ', ',
  compare:
    'Compare each address, to the last character, with what its owner gave you by another channel. Rules may let payments to it through with fewer people.',
  alike: (one: string, other: string) => `Two of these addresses begin or end alike: ${one} and ${other}. Make sure that both are meant.`,
}

function entries(count: number): string {
  return count === 1 ? 'one address' : `${count} addresses`
}

type Words = typeof en

const WORDS: Record<Locale, Words> = {
  'en-US': en,
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    whatHappens: '操作内容',
    change: (added, removed) =>
      removed === 0
        ? `将 ${added} 个地址加入白名单`
        : added === 0
          ? `将 ${removed} 个地址移出白名单`
          : `将 ${added} 个地址加入白名单，并移出 ${removed} 个地址`,
    effects: (added, removed) =>
      [...(added > 0 ? ['新加入的地址须在各签名方冷却期结束后方可生效。'] : []), ...(removed > 0 ? ['移出的地址立即失效。'] : [])].join(''),
    added: (number) => `加入 ${number}`,
    takenOff: (number) => `移出 ${number}`,
    memo: 'Memo/标签',
    lists: '所属列表',
    entry: '条目编号',
    version: '白名单版本',
    previous: '上一版本指纹',
    comma: '、',
    compare: '请将每个地址与其所有人经其他渠道提供的地址逐字核对。规则可能允许以较少的审批人向白名单地址付款。',
    alike: (one, other) => `其中两个地址首尾相似：${one} 与 ${other}。请确认两者均无误。`,
  },
}

export const addressBook = { shape: addressBookIntentShape, fault: addressBookFault, render } satisfies IntentKind<typeof addressBookIntentShape>
