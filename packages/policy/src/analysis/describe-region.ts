import { valueText } from '@holdfast/chain-evm/codec'
import { toHex } from '@holdfast/encoding'
import type { Locale } from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'
import { amountOf, pinnedBy, placeAt } from '../conditions/index.ts'
import { findMachine } from '../people/machines.ts'
import type { Policy } from '../policy.ts'
import type { Found } from './analyse-policy.ts'
import { type Band, type Dimension, piecesIn, type Told, type ToldParameter, type ToldValue } from './dimension.ts'
import { nameIn } from './who-is-missed.ts'

type Of<K extends Told['kind']> = Extract<Told, { kind: K }>

const en = {
  comma: ', ',
  or: ' or ',
  part: '; ',
  about: {
    payment: (chain: string) => `payments on ${chain}`,
    call: (chain: string) => `calls on ${chain}`,
    stake: (chain: string) => `stake on ${chain}`,
    trade: (chain: string) => `trades on ${chain}`,
  },
  above: (amount: string) => ` above ${amount}`,
  upTo: (amount: string) => ` up to ${amount}`,
  asset: (name: string, bands: string) => `${name}${bands}`,
  askers: (names: string) => `asked for by ${names}`,
  otherThan: (names: string) => `asked for by anybody but ${names}`,
  sources: (names: string) => `from ${names}`,
  otherWallet: 'any other wallet',
  to: (places: string) => `to ${places}`,
  own: ['addresses that are not ours', 'own addresses'],
  listed: ['addresses that are not on the whitelist', 'addresses on the whitelist'],
  onLists: (lists: string) => `on the list ${lists}`,
  onNoList: 'on no list',
  paidBefore: ['never paid before', 'paid before'],
  otherAddress: 'any other address',
  anyAddress: 'any address',
  memo: ['without a memo', 'with a memo'] as [string, string],
  thisMemo: (memo: string) => `with the memo “${memo}”`,
  place: (place: string, memo: string) => `${place} ${memo}`.trim(),
  times: (times: string) => `signed ${times} (UTC)`,
  days: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  span: (from: string, until: string) => `${from} to ${until}`,
  contracts: (contracts: string) => `of ${contracts}`,
  payers: (addresses: string) => `from ${addresses}`,
  otherPayer: 'any other address of ours',
  unreadable: 'call data that nobody can read',
  value: (band: string) => ` with coin${band}`,
  noValue: ' without coin',
  parameter: (place: string, what: string) => `, parameter ${place}${what}`,
  otherAddressArgument: 'any other address',
  otherArgument: 'anything else',
  argument: (value: string) => ` ${value}`,
  emptyList: ' an empty list',
  list: (length: string, elements: string) => ` a list${length === '' ? '' : ` (elements${length})`}${elements === '' ? '' : ` with ${elements}`}`,
  inElements: (place: string, what: string) => `${what} in part ${place}`,
  tokens: (band: string) => `, tokens${band}`,
  endless: ', an unlimited allowance',
  base: (amount: bigint) => `${amount} base units`,
  locks: (band: string) => `, locked for blocks${band}`,
  pair: (given: string, got: string) => `${given} for ${got}`,
  giving: (pairs: string) => `giving ${pairs}`,
  share: (bands: string) => `with what is got at least worth${bands} of what is given`,
  percent: (amount: string) => `${amount}%`,
  deadline: (bands: string) => `with a deadline${bands}`,
  minutes: (amount: string) => `${amount} minutes away`,
  anyDeadline: ' however far away',
  noDeadline: 'without a deadline',
  said: { low: 'low', medium: 'medium', high: 'high', severe: 'severe', unknown: 'unknown', nothing: 'nothing yet' },
  says: (machine: string, what: string) => `“${machine}” said ${what}`,
  screened: (said: string) => `of which ${said}`,
  both: ' and ',
  more: (count: number) => ` and ${count} more`,
}

const WORDS: Record<Locale, typeof en> = {
  'en-US': en,
  'zh-CN': {
    comma: '、',
    or: '或',
    part: '；',
    about: {
      payment: (chain) => `${chain} 上的付款`,
      call: (chain) => `${chain} 上的合约调用`,
      stake: (chain) => `${chain} 上的质押操作`,
      trade: (chain) => `${chain} 上的兑换`,
    },
    above: (amount) => `高于 ${amount}`,
    upTo: (amount) => `不超过 ${amount}`,
    asset: (name, bands) => `${name} ${bands}`.trim(),
    askers: (names) => `由${names}发起`,
    otherThan: (names) => `由 ${names} 以外的人员发起`,
    sources: (names) => `由 ${names} 付款`,
    otherWallet: '其他钱包',
    to: (places) => `付至${places}`,
    own: ['非自有地址', '自有地址'],
    listed: ['非白名单地址', '白名单地址'],
    onLists: (lists) => `在名单 ${lists} 中`,
    onNoList: '不在任何名单中',
    paidBefore: ['从未付款', '曾付款'],
    otherAddress: '其他地址',
    anyAddress: '任意地址',
    memo: ['不附备注标签', '附有备注标签'],
    thisMemo: (memo) => `备注标签“${memo}”`,
    place: (place, memo) => (memo === '' ? place : `${place}（${memo}）`),
    times: (times) => `签署时间为 ${times}（UTC）`,
    days: ['周日', '周一', '周二', '周三', '周四', '周五', '周六'],
    span: (from, until) => `${from} 至 ${until}`,
    contracts: (contracts) => `合约 ${contracts}`,
    payers: (addresses) => `由 ${addresses} 发起`,
    otherPayer: '其他自有地址',
    unreadable: '无法解读的调用数据',
    value: (band) => ` 附带主币${band}`,
    noValue: ' 不附带主币',
    parameter: (place, what) => `，第 ${place} 个参数${what}`,
    otherAddressArgument: '其他地址',
    otherArgument: '其他值',
    argument: (value) => (/^\w/.test(value) ? `为 ${value}` : `为${value}`),
    emptyList: '为空列表',
    list: (length, elements) => `为列表${length === '' ? '' : `（元素个数${length}）`}${elements === '' ? '' : `，含 ${elements}`}`,
    inElements: (place, what) => `第 ${place} 项的 ${what}`,
    tokens: (band) => `，代币${band}`,
    endless: '，无限授权',
    base: (amount) => `${amount} 个最小单位`,
    locks: (band) => `，锁定区块数${band}`,
    pair: (given, got) => `${given} 换 ${got}`,
    giving: (pairs) => `以 ${pairs}`,
    share: (bands) => `最少所得与付出的价值之比${bands}`,
    percent: (amount) => `${amount}%`,
    deadline: (bands) => `截止时间距签署${bands}`,
    minutes: (amount) => `${amount} 分钟`,
    anyDeadline: '任意时长',
    noDeadline: '不设截止时间',
    said: { low: '低', medium: '中', high: '高', severe: '严重', unknown: '未知', nothing: '尚无结果' },
    says: (machine, what) => `“${machine}”为${what}`,
    screened: (said) => `筛查结果：${said}`,
    both: '且',
    more: (count) => `等另外 ${count} 项`,
  },
}

type Words = typeof en
/** How many things are named one by one. */
const NAMED_MAX = 6

/** Orders of a region in words: what they are about, and what of them is not any. `chain` is how the network is called. */
export function describeRegion({ subject, region }: Found, policy: Policy, locale: Locale, chain = subject.chain): string {
  const words = WORDS[locale]
  const parts = subject.dimensions.flatMap((dimension, i) => {
    const side = region[i] ?? 0n
    if (side === dimension.all) return []
    const told = piecesIn(dimension, side).map((piece) => piece.told)
    return told[0] ? [describeSide(told, told[0].kind, { dimension, policy, words })] : []
  })
  return [words.about[subject.as](chain), ...parts].join(words.part)
}

type Around = { dimension: Dimension; policy: Policy; words: Words }

const listed = (names: readonly string[], words: Words, between = words.comma): string => {
  const once = [...new Set(names)]
  return once.slice(0, NAMED_MAX).join(between) + (once.length > NAMED_MAX ? words.more(once.length - NAMED_MAX) : '')
}

function describeSide(told: readonly Told[], kind: Told['kind'], { dimension, policy, words }: Around): string {
  const of = <K extends Told['kind']>(name: K): Of<K>[] => told.filter((each): each is Of<K> => each.kind === name)
  switch (kind) {
    case 'asset':
      return describeAssets(of('asset'), policy, words)
    case 'asker':
      return describeAskers(of('asker'), { dimension, policy, words })
    case 'source':
      return words.sources(
        listed(
          of('source').map(({ wallet }) => (wallet ? `“${wallet.name}”` : words.otherWallet)),
          words,
        ),
      )
    case 'destination':
      return words.to(listed(placesOf(of('destination'), dimension, words), words, words.or))
    case 'time':
      return words.times(listed(spansOf(of('time'), words), words))
    case 'contract':
      return words.contracts(
        listed(
          of('contract').map(({ address }) => address),
          words,
        ),
      )
    case 'payer':
      return words.payers(
        listed(
          of('payer').map(({ address }) => address ?? words.otherPayer),
          words,
        ),
      )
    case 'call':
      return listed(
        of('call').map((each) => describeCall(each, words)),
        words,
      )
    case 'stake':
      return listed(
        of('stake').map(
          ({ action, receiver, lockBlocks }) =>
            `${action}${receiver === null ? '' : ` ${receiver}`}${lockBlocks ? words.locks(bandText(lockBlocks, words, String)) : ''}`,
        ),
        words,
      )
    case 'pair':
      return describePairs(of('pair'), policy, words)
    case 'share':
      return words.share(
        merged(of('share').map(({ share }) => share))
          .map((band) => bandText(band, words, (bps) => words.percent(formatAmount(bps, 2)), 0n))
          .join(words.or),
      )
    case 'deadline':
      return describeDeadlines(of('deadline'), words)
    case 'screening':
      return words.screened(listed(sayingsOf(of('screening'), policy, words), words, words.or))
    case 'amount':
      return merged(of('amount').map(({ amount }) => amount))
        .map((band) => bandText(band, words, words.base))
        .join(words.or)
        .trim()
  }
}

/** What screeners said, each thing that they said together by itself; where there is one of them, its levels in one. */
function sayingsOf(told: readonly Of<'screening'>[], policy: Policy, words: Words): string[] {
  const nameOf = (machine: string) => findMachine(policy, machine)?.name ?? machine
  const whatOf = (level: Of<'screening'>['says'][number]['level']) => words.said[level ?? 'nothing']
  const [first] = told
  const alone = first?.says.length === 1 ? first.says[0] : undefined
  if (alone) return [words.says(nameOf(alone.machine), told.flatMap(({ says }) => says.map(({ level }) => whatOf(level))).join(words.or))]
  return told.map(({ says }) => says.map(({ machine, level }) => words.says(nameOf(machine), whatOf(level))).join(words.both))
}

/** Bands that follow each other as one. */
function merged(bands: readonly Band[]): Band[] {
  const inOrder = bands.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  return inOrder.reduce<Band[]>((done, band) => {
    const before = done.at(-1)
    if (before?.to !== undefined && before.to !== null && before.to + 1n === band.from) return [...done.slice(0, -1), { from: before.from, to: band.to }]
    return [...done, band]
  }, [])
}

/** `first` is the least that there is: it needs no words. */
const bandText = ({ from, to }: Band, words: Words, amount: (value: bigint) => string, first = 1n): string =>
  `${from > first ? words.above(amount(from - 1n)) : ''}${to === null ? '' : words.upTo(amount(to))}`

/** A band of amounts of an asset in words; empty for any amount. */
export function describeBand(named: { chain: string; asset: string }, band: Band, policy: Policy, locale: Locale): string {
  return bandText(band, WORDS[locale], (value) => amountOf(policy, named, value)).trim()
}

function describeAssets(told: readonly Of<'asset'>[], policy: Policy, words: Words): string {
  const names = [...new Set(told.map(({ asset }) => asset))]
  const each = names.map((asset) => {
    const same = told.filter((one) => one.asset === asset)
    const named = { chain: same[0]?.chain ?? '', asset }
    const bands = merged(same).map((band) => bandText(band, words, (value) => amountOf(policy, named, value)))
    return words.asset(pinnedBy(policy, named)?.symbol ?? asset, bands.join(words.or))
  })
  return listed(each, words)
}

function describePairs(told: readonly Of<'pair'>[], policy: Policy, words: Words): string {
  const symbol = (chain: string, asset: string) => pinnedBy(policy, { chain, asset })?.symbol ?? asset
  const each = [...Map.groupBy(told, ({ gives, gets }) => `${gives}|${gets}`).values()].flatMap((same) => {
    const [first] = same
    if (!first) return []
    const { chain, gives, gets } = first
    const bands = merged(same.map(({ given }) => given)).map((band) => bandText(band, words, (value) => amountOf(policy, { chain, asset: gives }, value)))
    return [words.pair(words.asset(symbol(chain, gives), bands.join(words.or)), symbol(chain, gets))]
  })
  return words.giving(listed(each, words))
}

function describeDeadlines(told: readonly Of<'deadline'>[], words: Words): string {
  const bands = merged(told.flatMap(({ left }) => left ?? []))
  const minutes = (ms: bigint) => words.minutes(String(Number(ms) / 60_000))
  const near = bands.map((band) => bandText(band, words, minutes) || words.anyDeadline).join(words.or)
  return [...(bands.length > 0 ? [words.deadline(near)] : []), ...(told.some(({ left }) => left === null) ? [words.noDeadline] : [])].join(words.or)
}

/** Those who ask, or whoever does not, if they are fewer. */
function describeAskers(told: readonly Of<'asker'>[], { dimension, policy, words }: Around): string {
  const all = piecesIn(dimension, dimension.all).flatMap((piece) => (piece.told.kind === 'asker' ? [piece.told.person] : []))
  const names = (ids: readonly Uint8Array[]) =>
    listed(
      ids.map((id) => nameIn(policy, id)),
      words,
    )
  const others = all.filter((id) => !told.some(({ person }) => toHex(person) === toHex(id)))
  return others.length < told.length ? words.otherThan(names(others)) : words.askers(names(told.map(({ person }) => person)))
}

const FACTS = ['addresses', 'own', 'listed', 'lists', 'paidBefore', 'memo'] as const

/** Places in words, without what makes no difference among them. */
function placesOf(told: readonly Of<'destination'>[], dimension: Dimension, words: Words): string[] {
  const all = piecesIn(dimension, dimension.all).flatMap((piece) => (piece.told.kind === 'destination' ? [piece.told] : []))
  let kept: (typeof FACTS)[number][] = [...FACTS]
  for (const fact of FACTS) {
    const others = kept.filter((each) => each !== fact)
    const inside = new Set(told.map((each) => textOf(each, others)))
    // A fact makes no difference if everything that is alike in all the others is inside.
    if (all.every((each) => !inside.has(textOf(each, others)) || told.includes(each))) kept = others
  }
  const places = new Map(told.map((each) => [textOf(each, kept), describePlace(each, kept, words)]))
  return [...places.values()]
}

const textOf = (told: Of<'destination'>, facts: readonly (typeof FACTS)[number][]): string => JSON.stringify(facts.map((fact) => told[fact]))

function describePlace(told: Of<'destination'>, facts: readonly (typeof FACTS)[number][], words: Words): string {
  const says = (fact: (typeof FACTS)[number]) => facts.includes(fact)
  const addresses = told.addresses ?? []
  const parts = [
    ...(says('addresses') && told.addresses
      ? [
          addresses.length === 0
            ? words.otherAddress
            : listed(
                addresses.map(({ name, memo }) => words.place(`“${name}”`, memo === '' ? (told.memo === null ? '' : words.memo[0]) : words.thisMemo(memo))),
                words,
              ),
        ]
      : []),
    ...(says('own') && told.own !== null ? [words.own[Number(told.own)] ?? ''] : []),
    ...(says('listed') && told.listed !== null ? [words.listed[Number(told.listed === 'yes')] ?? ''] : []),
    ...(says('lists') && told.listed === 'yes'
      ? [told.lists.length === 0 ? words.onNoList : words.onLists(told.lists.map((each) => `“${each}”`).join(words.comma))]
      : []),
    ...(says('paidBefore') && told.paidBefore !== null ? [words.paidBefore[Number(told.paidBefore)] ?? ''] : []),
  ]
  const place = parts.length === 0 ? words.anyAddress : parts.join(words.comma)
  // The memo of a named address is said with its name.
  const isSaid = !says('memo') || told.memo === null || (says('addresses') && addresses.length > 0)
  return isSaid ? place : words.place(place, words.memo[Number(told.memo)] ?? '')
}

/** Stretches of time that follow each other as one. */
function spansOf(told: readonly Of<'time'>[], words: Words): string[] {
  const spans = told
    .toSorted((a, b) => a.fromMs - b.fromMs)
    .reduce<{ fromMs: number; untilMs: number }[]>((done, { fromMs, untilMs }) => {
      const before = done.at(-1)
      return before?.untilMs === fromMs ? [...done.slice(0, -1), { fromMs: before.fromMs, untilMs }] : [...done, { fromMs, untilMs }]
    }, [])
  // Hours that are the same on several days are said once.
  const byHours = Map.groupBy(spans, ({ fromMs, untilMs }) => `${dayOf(fromMs) === dayOf(untilMs - 1)} ${fromMs % DAY_MS} ${(untilMs - 1) % DAY_MS}`)
  return [...byHours.values()].flatMap((same) => {
    const [first] = same
    if (!first || dayOf(first.fromMs) !== dayOf(first.untilMs - 1))
      return same.map(({ fromMs, untilMs }) => words.span(timeText(fromMs, words), timeText(untilMs, words)))
    const days = same.map(({ fromMs }) => words.days[new Date(fromMs).getUTCDay()] ?? '').join(words.comma)
    return [`${days} ${words.span(hoursText(first.fromMs), first.untilMs % DAY_MS === 0 ? '24:00' : hoursText(first.untilMs))}`]
  })
}

const DAY_MS = 86_400_000
const dayOf = (ms: number): number => Math.floor(ms / DAY_MS)
const hoursText = (ms: number): string => new Date(ms).toISOString().slice(11, 16)

const timeText = (ms: number, words: Words): string => `${words.days[new Date(ms).getUTCDay()] ?? ''} ${hoursText(ms)}`

const placeText = (path: readonly bigint[]): string => path.map((each) => each + 1n).join('.')

function describeParameter(signature: string, { path, is }: ToldParameter, words: Words): string {
  const nameOf = (value: ToldValue, at: readonly bigint[]) => valueName(value, placeAt(signature, at)?.element.kind === 'address', words)
  const place = placeText(path)
  if (!('length' in is)) return words.parameter(place, 'value' in is ? words.argument(nameOf(is, path)) : bandText(is, words, String, is.least))
  if (is.length.to === 0n) return words.parameter(place, words.emptyList)
  const elements = is.elements.map(({ path: within, are }) => {
    const sorts = listed(
      are.map((each) => nameOf(each, [...path, ...within])),
      words,
    )
    return within.length === 0 ? sorts : words.inElements(placeText(within), sorts)
  })
  return words.parameter(place, words.list(bandText(is.length, words, String), elements.join(words.comma)))
}

function valueName(is: ToldValue, isAddress: boolean, words: Words): string {
  if (!('value' in is)) return bandText(is, words, String, is.least).trim()
  if (is.value === null) return isAddress ? words.otherAddressArgument : words.otherArgument
  return valueText(is.value)
}

function describeCall({ signature, value, tokens, parameters }: Of<'call'>, words: Words): string {
  const coin = value.to === 0n ? words.noValue : words.value(bandText(value, words, words.base))
  const moved = tokens === 'endless' ? words.endless : tokens.to === 0n ? '' : words.tokens(bandText(tokens, words, words.base))
  return `${signature ?? words.unreadable}${parameters.map((each) => describeParameter(signature ?? '', each, words)).join('')}${coin}${moved}`
}
