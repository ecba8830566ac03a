import { bool, type Infer, list, optional, struct, text } from '@holdfast/encoding'
import { toWhom } from '@holdfast/intent'
import type { ConditionKind, DestinationFacts, Holds, PaidTo } from './condition-kind.ts'

/**
 * Where a payment may go: to the organisation's own addresses, to those on the whitelist (`listed`) or on one of its lists, to those it has paid before, and to
 * those that the rule itself names, with their memo or without any;
 * `name` is what people called them when they signed it.
 */
const shape = struct('holdfast/condition/destinations/v1', {
  own: bool(),
  listed: bool(),
  lists: list(text(64), 16),
  paidBefore: bool(),
  addresses: list(struct('holdfast/condition/destination/v1', { name: text(64), chain: text(64), address: text(128), memo: optional(text(128)) }), 256),
})

type Destinations = Infer<typeof shape>

const UNKNOWN: DestinationFacts = { isOwn: undefined, isListed: undefined, lists: [], isPaidBefore: undefined }

/** Whether an address is among those of a condition: it is by any one word of it, and it is not only where all of them are known not to fit. */
function isAmong({ own, listed, lists, paidBefore, addresses }: Destinations, to: PaidTo, { isOwn, isListed, ...facts }: DestinationFacts): Holds {
  const onList = isListed === true ? facts.lists.some((each) => lists.includes(each)) : isListed
  const fits: Holds[] = [
    addresses.some(({ chain, address, memo }) => chain === to.chain && address === to.address && (memo ?? '') === (to.memo ?? '')),
    ...(own ? [isOwn] : []),
    ...(listed ? [isListed] : []),
    ...(lists.length > 0 ? [onList] : []),
    ...(paidBefore ? [facts.isPaidBefore] : []),
  ]
  return fits.includes(true) || (fits.includes(undefined) ? undefined : false)
}

const WORDS = {
  'en-US': {
    or: ' or ',
    own: 'own addresses',
    listed: 'addresses on the whitelist',
    list: (name: string) => `addresses on the list “${name}”`,
    paidBefore: 'addresses that were paid before',
    memo: (memo: string) => `, with the memo “${memo}”`,
    to: (places: string) => `to ${places}`,
  },
  'zh-CN': {
    or: '或',
    own: '自有地址',
    listed: '白名单地址',
    list: (name: string) => `名单“${name}”中的地址`,
    paidBefore: '曾付款的地址',
    memo: (memo: string) => `，备注标签“${memo}”`,
    to: (places: string) => `付至${places}`,
  },
}

/** Whom a payment goes to: each recipient of it has to be among these. */
export const destinations = {
  shape,
  suits: ['payment'],
  fault: ({ own, listed, lists, paidBefore, addresses }) => {
    if (!own && !listed && !paidBefore && lists.length === 0 && addresses.length === 0) return 'is for no destination'
    if (new Set(lists).size !== lists.length) return 'names a list twice'
    const places = addresses.map(({ chain, address, memo }) => `${chain}|${address}|${memo ?? ''}`)
    return new Set(places).size === places.length ? undefined : 'names a destination twice'
  },
  holds: (condition, act, { destination }) => {
    if (act.as !== 'payment') return false
    if (act.recipients.length === 0) return undefined
    const held = toWhom(act).map((paid) => {
      const to = { chain: act.chain, ...paid }
      return isAmong(condition, to, destination?.(to) ?? UNKNOWN)
    })
    return held.includes(false) ? false : held.includes(undefined) ? undefined : true
  },
  words: ({ own, listed, lists, paidBefore, addresses }, _, locale) => {
    const words = WORDS[locale]
    const places = [
      ...(own ? [words.own] : []),
      ...(listed ? [words.listed] : []),
      ...lists.map(words.list),
      ...(paidBefore ? [words.paidBefore] : []),
      ...addresses.map(({ name, chain, address, memo }) => `“${name}” (${address}, ${chain}${memo === null ? '' : words.memo(memo)})`),
    ]
    return words.to(places.join(words.or))
  },
} satisfies ConditionKind<typeof shape>
