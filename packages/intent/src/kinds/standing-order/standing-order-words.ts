import { toHex } from '@holdfast/encoding'
import { formatAmount } from '@holdfast/units'
import type { Asset } from '../../asset.ts'
import { groupAddress } from '../../group-address.ts'
import type { StoredLimit } from '../../limit.ts'
import { initiatorName, moneyText, ORDER_WORDS, validityRows } from '../../order-rows.ts'
import { type Locale, type RenderContext, type RenderedRow, type Rendering, timeInWords } from '../../rendering.ts'
import type { Place, StandingOrderIntent } from './standing-order.ts'

/**
 * Something that a standing order lets happen, or bounds. Two versions say the same thing under the same `key`; where the label counts, `plain` is the label
 * that does not.
 */
type Term = RenderedRow & { key: string; plain?: string }

/** A standing order in words: everything that it lets happen. */
export function renderStandingOrder(intent: StandingOrderIntent, context: RenderContext, locale: Locale): Rendering {
  const words = WORDS[locale]
  const { id, version, remark } = intent
  return {
    locale,
    title: words.title[intent.does.kind](intent.name),
    rows: [
      ...standingOrderRows(intent, locale),
      { label: words.remark, value: remark === '' ? words.none : remark },
      { label: words.initiator, value: initiatorName(intent, context, locale) },
      { label: words.version, value: `${version} (${toHex(id)})`, isTechnical: true },
      ...validityRows(intent, locale),
    ],
    warnings: [words.risk, ...(version > 1n ? [words.replaces] : [])],
  }
}

/** Everything that a standing order lets happen, in words: what, from where, to where, how much, for which fees, within which limits and until when. */
export function standingOrderRows(order: StandingOrderIntent, locale: Locale): RenderedRow[] {
  const words = WORDS[locale]
  const { never, untilMs } = order
  return [
    ...termsOf(order, locale).map(({ label, value }) => ({ label, value })),
    ...(never.length === 0 ? [] : [{ label: words.never, value: never.map(groupAddress).join(words.comma) }]),
    { label: words.until, value: timeInWords(untilMs) },
  ]
}

/** What a newer version of a standing order lets happen otherwise than the one before it, a line for each difference. Empty if nothing. */
export function describeStandingChange(before: StandingOrderIntent, after: StandingOrderIntent, locale: Locale): string[] {
  const words = WORDS[locale]
  const { changes, comes, goes } = words
  const changed = (label: string, was: string, is: string) => (was === is ? [] : [changes(label, was, is)])
  const [were, are] = [termsOf(before, locale), termsOf(after, locale)].map((terms) => new Map(terms.map((term) => [term.key, term]))) as [Terms, Terms]
  const stays = [...are].flatMap(([key, term]) => {
    const was = were.get(key)
    return was ? changed(nameOfTerm(term), was.value, term.value) : [comes(nameOfTerm(term), term.value)]
  })
  const gone = [...were.values()].filter(({ key }) => !are.has(key)).map((term) => goes(nameOfTerm(term), term.value))
  const without = (some: readonly string[], others: readonly string[]) => some.filter((each) => !others.includes(each)).map(groupAddress)
  return [
    ...changed(words.name, before.name, after.name),
    ...stays,
    ...gone,
    ...without(after.never, before.never).map((address) => comes(words.never, address)),
    ...without(before.never, after.never).map((address) => goes(words.never, address)),
    ...changed(words.until, timeInWords(before.untilMs), timeInWords(after.untilMs)),
  ]
}

type Terms = Map<string, Term>

/** By what an asset is known, whatever it is called. */
export const assetName = ({ chain, contract }: Pick<Asset, 'chain' | 'contract'>): string => `${chain}|${contract ?? ''}`

/** By what a place is known, whatever it is called. */
export const placeKey = ({ keyId, path }: Pick<Place, 'keyId' | 'path'>): string => `${toHex(keyId)}/${path.join('/')}`

const nameOfTerm = ({ plain, label }: Term): string => plain ?? label

/** What two versions are compared by, but for addresses that are never touched, of which there may be many, and the time. */
function termsOf(order: StandingOrderIntent, locale: Locale): Term[] {
  const words = WORDS[locale]
  const { does, sources, assets, fees, limits } = order
  const placed = (of: 'pays' | 'getsCoins', places: readonly Place[]): Term[] =>
    places.map((place, i) => ({ key: `${of} ${placeKey(place)}`, label: words[of](i + 1), plain: words.plain[of], value: placeText(place) }))
  return [
    { key: 'does', label: words.whatHappens, value: words.effect[does.kind] },
    ...placed('pays', sources),
    ...(does.kind === 'fuel' ? placed('getsCoins', does.to) : does.to.map((target) => ({ key: `to ${target.chain}`, ...targetTerm(target, words) }))),
    ...assets.map(({ asset, atLeast, atMost }) => ({
      key: `asset ${assetName(asset)}`,
      label: `${asset.symbol} (${asset.chain})`,
      value: words.amounts(moneyText(atLeast, asset), moneyText(atMost, asset)),
    })),
    ...fees.map(({ asset, max, maxShare }) => ({
      key: `fee ${asset.chain}`,
      label: words.fee(asset.chain),
      value: words.fees(moneyText(max, asset), formatAmount(maxShare, 2)),
    })),
    ...limits.map((limit) => {
      const value = limitText(limit, order, locale)
      return { key: `limit ${value}`, label: words.limit, value }
    }),
  ]
}

type Target = Extract<StandingOrderIntent['does'], { kind: 'sweep' }>['to'][number]

function targetTerm(target: Target, words: Words): RenderedRow {
  const label = words.movesTo(target.chain)
  if (target.kind === 'own') return { label, value: words.own(placeText(target)) }
  const memo = target.memo === null ? '' : ` (${words.memo}: ${target.memo})`
  return { label, value: words.listed(`${groupAddress(target.address)}${memo}`) }
}

const placeText = ({ name, keyId, path }: Place): string => `“${name}” (${toHex(keyId)}${path.map((step) => `/${step}`).join('')})`

function limitText({ each, lengthMs, amounts, maxCount }: StoredLimit, { assets }: StandingOrderIntent, locale: Locale): string {
  const words = WORDS[locale]
  const named = amounts.map(({ chain, asset, max }) => {
    const found = assets.find((each) => assetName(each.asset) === `${chain}|${asset}`)
    return found ? moneyText(max, found.asset) : `${max} of ${asset}`
  })
  const what = [...named, ...(maxCount === null ? [] : [words.transfers(String(maxCount))])].join(words.comma)
  return words.atMost(what, String(Number(lengthMs) / 3_600_000), words.each[each as keyof Words['each']])
}

const en = {
  ...ORDER_WORDS['en-US'],
  comma: ', ',
  name: 'Name',
  whatHappens: 'What happens',
  title: {
    sweep: (name: string) => `Standing order “${name}”: collect without asking`,
    fuel: (name: string) => `Standing order “${name}”: send coins for fees without asking`,
  },
  effect: {
    sweep: 'Signers move what arrives at the addresses below to one address on each network, without asking anybody again.',
    fuel: 'Signers send coins for fees from and to the addresses below, without asking anybody again.',
  },
  pays: (number: number) => `Pays, no. ${number}`,
  getsCoins: (number: number) => `Gets coins, no. ${number}`,
  plain: { pays: 'Pays', getsCoins: 'Gets coins' },
  movesTo: (chain: string) => `Moves to, on ${chain}`,
  own: (place: string) => `own address ${place}`,
  listed: (address: string) => `address on the whitelist: ${address}`,
  memo: 'memo or tag',
  amounts: (least: string, most: string) => `from ${least} to ${most} in one transfer`,
  fee: (chain: string) => `Fee on ${chain}`,
  fees: (most: string, share: string) => `at most ${most} for a transaction, and at most ${share} % of the amount if that is in the same coin`,
  limit: 'Limit',
  atMost: (what: string, hours: string, each: string) => `at most ${what} in ${hours} hours${each}`,
  transfers: (count: string) => `${count} transfers`,
  each: { rule: '', destination: ' to each address', source: ' from each address' },
  never: 'Never from or to',
  until: 'In force until, at the latest',
  version: 'Version (id of the standing order)',
  risk: 'Nobody is asked again for any of these transfers. One person who approves or governs can stop the standing order at any time; only an approval like this one starts it again.',
  replaces: 'This version takes the place of every version before it.',
  changes: (label: string, was: string, is: string) => `${label}: ${is}. Before: ${was}.`,
  comes: (label: string, value: string) => `From now on: ${label}: ${value}.`,
  goes: (label: string, value: string) => `No longer: ${label}: ${value}.`,
}

type Words = typeof en

const WORDS: Record<Locale, Words> = {
  'en-US': en,
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    comma: '、',
    name: '名称',
    whatHappens: '操作内容',
    title: { sweep: (name) => `长期授权“${name}”：自动归集，不再逐笔审批`, fuel: (name) => `长期授权“${name}”：自动补充手续费，不再逐笔审批` },
    effect: {
      sweep: '签名方将下列地址收到的资产归集至各网络的一个指定地址，不再征求任何人审批。',
      fuel: '签名方在下列地址之间补充手续费所需的主币，不再征求任何人审批。',
    },
    pays: (number) => `付款钱包 ${number}`,
    getsCoins: (number) => `补充主币的钱包 ${number}`,
    plain: { pays: '付款钱包', getsCoins: '补充主币的钱包' },
    movesTo: (chain) => `${chain} 上的归集地址`,
    own: (place) => `自有地址 ${place}`,
    listed: (address) => `白名单地址：${address}`,
    memo: 'Memo/标签',
    amounts: (least, most) => `单笔 ${least} 至 ${most}`,
    fee: (chain) => `${chain} 手续费`,
    fees: (most, share) => `单笔交易不超过 ${most}；转出币种与手续费币种相同时，不超过金额的 ${share}%`,
    limit: '限额',
    atMost: (what, hours, each) => `${each}${hours} 小时内累计不超过 ${what}`,
    transfers: (count) => `${count} 笔`,
    each: { rule: '', destination: '每个收款地址', source: '每个付款地址' },
    never: '禁止转入转出的地址',
    until: '最迟有效期至',
    version: '版本（长期授权编号）',
    risk: '上述转账均不再逐笔审批。任何一位审批人或治理人可随时停止该长期授权；停止后须再次通过同样的审批方可恢复。',
    replaces: '本版本将取代此前的所有版本。',
    changes: (label, was, is) => `${label}改为：${is}。此前为：${was}。`,
    comes: (label, value) => `新增${label}：${value}。`,
    goes: (label, value) => `取消${label}：${value}。`,
  },
}
