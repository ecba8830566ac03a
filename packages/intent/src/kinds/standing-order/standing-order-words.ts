import { toHex } from '@holdfast/encoding'
import { formatAmount } from '@holdfast/units'
import type { Asset } from '../../asset.ts'
import { groupAddress } from '../../group-address.ts'
import type { StoredLimit } from '../../limit.ts'
import { initiatorName, moneyText, ORDER_WORDS, validityRows } from '../../order-rows.ts'
import { type Locale, type RenderContext, type RenderedRow, type Rendering, timeInWords } from '../../rendering.ts'
import { dueMs } from './schedule.ts'
import type { Place, StandingOrderIntent } from './standing-order.ts'
import { writtenTarget } from './targets.ts'

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
    warnings: [...(writtenTarget(intent) ? [words.compare] : []), words.risk[intent.does.kind], ...(version > 1n ? [words.replaces] : [])],
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

/** What standing orders do about a contract of ours that collects: by allowances or by delegation, rights for it and calls of it. */
const OF_CONTRACTS = ['allow', 'collect', 'authorize', 'take'] as const
type OfContract = Extract<StandingOrderIntent['does'], { kind: (typeof OF_CONTRACTS)[number] }>

/** Whether it is calls of the contract that collects, or rights for it, that a standing order lets happen, and no transfers. */
export const callsCollector = (does: StandingOrderIntent['does']): does is OfContract => (OF_CONTRACTS as readonly string[]).includes(does.kind)

/** By what a place is known, whatever it is called. */
export const placeKey = ({ keyId, path }: Pick<Place, 'keyId' | 'path'>): string => `${toHex(keyId)}/${path.join('/')}`

const nameOfTerm = ({ plain, label }: Term): string => plain ?? label

/** What two versions are compared by, but for addresses that are never touched, of which there may be many, and the time. */
function termsOf(order: StandingOrderIntent, locale: Locale): Term[] {
  const words = WORDS[locale]
  const { does, sources, assets, fees, limits } = order
  const placed = (of: keyof Words['plain'], places: readonly Place[]): Term[] =>
    places.map((place, i) => ({ key: `${of} ${placeKey(place)}`, label: words[of](i + 1), plain: words.plain[of], value: placeText(place) }))
  return [
    { key: 'does', label: words.whatHappens, value: words.effect[does.kind] },
    ...placed(does.kind === 'delegate' ? 'lends' : 'pays', sources),
    ...targetTerms(does, placed, words),
    ...assets.map(({ asset, atLeast, atMost }) => ({
      key: `asset ${assetName(asset)}`,
      label: `${asset.symbol} (${asset.chain})`,
      value: words[AMOUNTS_IN[does.kind]](moneyText(atLeast, asset), moneyText(atMost, asset)),
    })),
    ...(does.kind === 'schedule' ? scheduleTerms(does, assets, words) : []),
    ...fees.map(({ asset, max, maxShare }) => ({
      key: `fee ${asset.chain}`,
      label: words.fee(asset.chain),
      value: movesCoins(does) ? words.fees(moneyText(max, asset), formatAmount(maxShare, 2)) : words.feeOnly(moneyText(max, asset)),
    })),
    ...limits.map((limit) => {
      const value = limitText(limit, order, locale)
      return { key: `limit ${value}`, label: words.limit, value }
    }),
  ]
}

const AMOUNTS_IN = {
  sweep: 'amounts',
  fuel: 'amounts',
  delegate: 'stakes',
  rent: 'amounts',
  allow: 'allowed',
  collect: 'taken',
  schedule: 'exactly',
  authorize: 'everything',
  take: 'taken',
} as const

const COUNTED_AS = {
  sweep: 'transfers',
  fuel: 'transfers',
  delegate: 'delegations',
  rent: 'transfers',
  allow: 'calls',
  collect: 'calls',
  schedule: 'transfers',
  authorize: 'authorizations',
  take: 'calls',
} as const

type Does = StandingOrderIntent['does']
type Schedule = Extract<Does, { kind: 'schedule' }>
type Target = Schedule['to']

/** How often a schedule pays and how much in all, on which days of which months, at what time of them, and how late. */
function scheduleTerms(schedule: Schedule, assets: StandingOrderIntent['assets'], words: Words): Term[] {
  const { days, lateDays } = schedule
  const texts = days.map((day) => timeInWords(dueMs({ minute: 0n }, day)).slice(0, 10))
  const months = [...new Set(texts.map((text) => text.slice(0, 7)))]
  const sum = assets.map(({ asset, atMost }) => moneyText(atMost * BigInt(days.length), asset)).join(words.comma)
  return [
    { key: 'payments', label: words.payments, value: words.inAll(String(days.length), sum) },
    ...months.map((month) => {
      const inMonth = texts.filter((text) => text.startsWith(month)).map((text) => String(Number(text.slice(8))))
      return { key: `month ${month}`, label: words.due(month), value: inMonth.join(words.comma) }
    }),
    { key: 'time', label: words.time, value: timeInWords(dueMs(schedule, 0n)).slice(11) },
    { key: 'late', label: words.late, value: words.lateBy(String(lateDays)) },
  ]
}

/** Whether the fee is paid for an amount that moves, and can be a share of it. */
const movesCoins = ({ kind }: Does): boolean => kind === 'sweep' || kind === 'fuel'

/** Where it goes, or to whom: the one address on each network, wallets that get coins or resources, or the contract that takes to an address. */
function targetTerms(does: Does, placed: (of: 'getsCoins' | 'borrows', places: readonly Place[]) => Term[], words: Words): Term[] {
  switch (does.kind) {
    case 'sweep':
      return does.to.map((target) => ({ key: `to ${target.chain}`, ...targetTerm(target, words) }))
    case 'fuel':
      return placed('getsCoins', does.to)
    case 'delegate': {
      const named = does.resources.map((each) => (words.resources as Record<string, string>)[each] ?? each).toSorted()
      return [...placed('borrows', does.to), { key: 'resources', label: words.lent, value: named.join(words.comma) }]
    }
    case 'schedule': {
      const { value } = targetTerm(does.to, words)
      return [{ key: 'to', label: words.paysTo, value }]
    }
    case 'rent':
      return does.to.map(({ chain, address }) => ({ key: `to ${chain}`, label: words.provider(chain), value: words.listed(groupAddress(address)) }))
    case 'allow':
    case 'collect':
      return does.to.map((target) => ({ key: `to ${target.chain}`, label: words.collectorOn(target.chain), value: words.collectorOf(placeText(target)) }))
    case 'authorize':
    case 'take':
      return does.to.map((target) => ({ key: `to ${target.chain}`, label: words.sweeperOn(target.chain), value: words.collectorOf(placeText(target)) }))
  }
}

function targetTerm(target: Target, words: Words): RenderedRow {
  const label = words.movesTo(target.chain)
  if (target.kind === 'own') return { label, value: words.own(placeText(target)) }
  const memo = target.memo === null ? '' : ` (${words.memo}: ${target.memo})`
  return { label, value: words[target.kind](`${groupAddress(target.address)}${memo}`) }
}

const placeText = ({ name, keyId, path }: Place): string => `“${name}” (${toHex(keyId)}${path.map((step) => `/${step}`).join('')})`

function limitText({ each, lengthMs, amounts, maxCount }: StoredLimit, { does, assets }: StandingOrderIntent, locale: Locale): string {
  const words = WORDS[locale]
  const named = amounts.map(({ chain, asset, max }) => {
    const found = assets.find((each) => assetName(each.asset) === `${chain}|${asset}`)
    return found ? moneyText(max, found.asset) : `${max} of ${asset}`
  })
  const what = [...named, ...(maxCount === null ? [] : [words[COUNTED_AS[does.kind]](String(maxCount))])].join(words.comma)
  return words.atMost(what, String(Number(lengthMs) / 3_600_000), words.each[each as keyof Words['each']])
}

const RISK = (what: string) =>
  `Nobody is asked again for any of these ${what}. One person who approves or governs can stop the standing order at any time; only an approval like this one starts it again.`
const RISK_ZH = (what: string) => `上述${what}均不再逐笔审批。任何一位审批人或治理人可随时停止该长期授权；停止后须再次通过同样的审批方可恢复。`

const en = {
  ...ORDER_WORDS['en-US'],
  comma: ', ',
  name: 'Name',
  whatHappens: 'What happens',
  title: {
    sweep: (name: string) => `Standing order “${name}”: collect without asking`,
    fuel: (name: string) => `Standing order “${name}”: send coins for fees without asking`,
    delegate: (name: string) => `Standing order “${name}”: delegate resources to own addresses without asking`,
    rent: (name: string) => `Standing order “${name}”: pay for rented energy without asking`,
    allow: (name: string) => `Standing order “${name}”: let the collector contract take tokens without asking`,
    collect: (name: string) => `Standing order “${name}”: collect by contract without asking`,
    schedule: (name: string) => `Standing order “${name}”: pay on dates without asking`,
    authorize: (name: string) => `Standing order “${name}”: let the sweeper contract run in the name of addresses without asking`,
    take: (name: string) => `Standing order “${name}”: sweep by contract without asking`,
  },
  effect: {
    sweep: 'Signers move what arrives at the addresses below to one address on each network, without asking anybody again.',
    fuel: 'Signers send coins for fees from and to the addresses below, without asking anybody again.',
    delegate:
      'Signers delegate resources of what is staked at the lending addresses to the own addresses below, and take them back, without asking anybody again. No coin moves, and nothing is locked.',
    rent: 'Signers pay the one address below, which is on the whitelist, out of the wallets below, without asking anybody again. Whoever has that address is to delegate energy to own addresses for it. Nobody can make them: the limits below are what can be lost.',
    allow:
      'The addresses below let the collector contract of Holdfast take the tokens below, up to the amounts below, or take that right back. Signers check that it is this contract and no other.',
    collect:
      'The wallets below deploy the collector contract of Holdfast and call it. It takes tokens from addresses that let it, to the one address that is fixed in its code, and to no other.',
    schedule:
      'On each of the days below, signers pay exactly this amount from the one address below to the other, without asking anybody again. Each day is paid once.',
    authorize:
      'The addresses below let the sweeper contract of Holdfast run in their name (EIP-7702), or end that. It can do one thing: bring what an address holds to the one address that is fixed in its code. Anybody may call it for that, and pays the fee. Signers check that it is this contract and no other.',
    take: 'The wallets below deploy the sweeper contract of Holdfast and call it. It takes tokens from addresses in whose name it runs, to the one address that is fixed in its code, and to no other. Their transactions also carry what addresses sign to let it run, or to end that, and pay for it.',
  },
  pays: (number: number) => `Pays, no. ${number}`,
  getsCoins: (number: number) => `Gets coins, no. ${number}`,
  lends: (number: number) => `Lends resources, no. ${number}`,
  borrows: (number: number) => `Gets resources, no. ${number}`,
  plain: { pays: 'Pays', getsCoins: 'Gets coins', lends: 'Lends resources', borrows: 'Gets resources' },
  lent: 'Resources',
  resources: { bandwidth: 'bandwidth', energy: 'energy' },
  stakes: (least: string, most: string) => `the resource of ${least} to ${most} of stake at a time`,
  feeOnly: (most: string) => `at most ${most} for a transaction`,
  delegations: (count: string) => `${count} delegations, of which one that is taken back counts as two`,
  movesTo: (chain: string) => `Moves to, on ${chain}`,
  provider: (chain: string) => `Pays the provider of energy, on ${chain}`,
  own: (place: string) => `own address ${place}`,
  listed: (address: string) => `address on the whitelist: ${address}`,
  written: (address: string) => `address that this order names, whether or not it is on the whitelist: ${address}`,
  paysTo: 'Pays to',
  compare: 'Compare every character of the destination with a source you trust: it is paid each time without looking again.',
  exactly: (_least: string, most: string) => `exactly ${most} each time`,
  payments: 'Payments',
  inAll: (count: string, sum: string) => `${count}, ${sum} in all`,
  due: (month: string) => `Days in ${month}`,
  time: 'Time of those days',
  late: 'If it cannot be paid then',
  lateBy: (days: string) => `it is paid up to ${days} days later, and never after that`,
  memo: 'memo or tag',
  amounts: (least: string, most: string) => `from ${least} to ${most} in one transfer`,
  allowed: (_least: string, most: string) => `at most ${most} may be taken of an address until it is allowed again`,
  taken: (least: string, most: string) => `from ${least} to ${most} of an address in one call`,
  everything: () => 'everything that the addresses hold of it, and of every token, now and later',
  authorizations: (count: string) => `${count} authorizations`,
  sweeperOn: (chain: string) => `Sweeper contract on ${chain}`,
  collectorOn: (chain: string) => `Collector contract on ${chain}`,
  collectorOf: (place: string) => `the one that moves to own address ${place} and nowhere else`,
  fee: (chain: string) => `Fee on ${chain}`,
  fees: (most: string, share: string) => `at most ${most} for a transaction, and at most ${share} % of the amount if that is in the same coin`,
  limit: 'Limit',
  atMost: (what: string, hours: string, each: string) => `at most ${what} in ${hours} hours${each}`,
  transfers: (count: string) => `${count} transfers`,
  calls: (count: string) => `${count} transactions`,
  each: { rule: '', destination: ' to each address', source: ' from each address' },
  never: 'Never from or to',
  until: 'In force until, at the latest',
  version: 'Version (id of the standing order)',
  risk: {
    sweep: RISK('transfers'),
    fuel: RISK('transfers'),
    delegate: RISK('delegations'),
    rent: RISK('payments'),
    allow: RISK('calls'),
    collect: RISK('calls'),
    schedule: RISK('payments'),
    authorize: RISK('authorizations'),
    take: RISK('calls'),
  },
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
    title: {
      sweep: (name) => `长期授权“${name}”：自动归集，不再逐笔审批`,
      fuel: (name) => `长期授权“${name}”：自动补充手续费，不再逐笔审批`,
      delegate: (name) => `长期授权“${name}”：自动向自有地址代理资源，不再逐笔审批`,
      rent: (name) => `长期授权“${name}”：自动支付能量租金，不再逐笔审批`,
      allow: (name) => `长期授权“${name}”：自动授权归集合约划转代币，不再逐笔审批`,
      collect: (name) => `长期授权“${name}”：自动通过合约归集，不再逐笔审批`,
      schedule: (name) => `长期授权“${name}”：按日期自动付款，不再逐笔审批`,
      authorize: (name) => `长期授权“${name}”：自动允许归集代理合约以地址的名义运行，不再逐笔审批`,
      take: (name) => `长期授权“${name}”：自动通过代理合约归集，不再逐笔审批`,
    },
    effect: {
      sweep: '签名方将下列地址收到的资产归集至各网络的一个指定地址，不再征求任何人审批。',
      fuel: '签名方在下列地址之间补充手续费所需的主币，不再征求任何人审批。',
      delegate: '签名方将出借地址所质押主币的资源代理给下列自有地址，并予以收回，不再征求任何人审批。主币不转移，代理不锁定。',
      rent: '签名方从下列钱包向下列白名单地址付款以租用能量，不再征求任何人审批。收款方收款后应向自有地址代理能量，但无法强制其履行：下列限额即为最大可能损失。',
      allow: '下列地址授权 Holdfast 归集合约在下列额度内划转下列代币，或撤销该授权。签名方会核对被授权的正是该合约。',
      collect: '下列钱包部署并调用 Holdfast 归集合约。该合约只能从已授权的地址划转代币，且只能转入合约代码中固定的那一个地址。',
      schedule: '在下列每个日期，签名方从下列一个地址向另一地址支付固定金额，不再征求任何人审批。每个日期只付一次。',
      authorize:
        '下列地址允许 Holdfast 归集代理合约以其名义运行（EIP-7702），或终止该授权。该合约只能做一件事：将地址持有的资产转入合约代码中固定的那一个地址。任何人都可为此调用并支付手续费。签名方会核对被授权的正是该合约。',
      take: '下列钱包部署并调用 Holdfast 归集代理合约。该合约从已允许其运行的地址划转代币，且只能转入合约代码中固定的那一个地址。这些交易同时载入地址签署的授权或终止授权，并承担其费用。',
    },
    pays: (number) => `付款钱包 ${number}`,
    getsCoins: (number) => `补充主币的钱包 ${number}`,
    lends: (number) => `出借资源的钱包 ${number}`,
    borrows: (number) => `获得资源的钱包 ${number}`,
    plain: { pays: '付款钱包', getsCoins: '补充主币的钱包', lends: '出借资源的钱包', borrows: '获得资源的钱包' },
    lent: '资源',
    resources: { bandwidth: '带宽', energy: '能量' },
    stakes: (least, most) => `每次代理 ${least} 至 ${most} 质押的资源`,
    feeOnly: (most) => `单笔交易不超过 ${most}`,
    delegations: (count) => `${count} 次代理（代理后收回计为两次）`,
    movesTo: (chain) => `${chain} 上的归集地址`,
    provider: (chain) => `${chain} 上的能量提供方收款地址`,
    own: (place) => `自有地址 ${place}`,
    listed: (address) => `白名单地址：${address}`,
    written: (address) => `本授权写明的地址（不论是否在白名单中）：${address}`,
    paysTo: '收款地址',
    compare: '请将收款地址与可信来源逐字核对：此后每次付款均不再核对。',
    exactly: (_least, most) => `每次固定支付 ${most}`,
    payments: '付款次数',
    inAll: (count, sum) => `${count} 次，合计 ${sum}`,
    due: (month) => `${month} 的付款日`,
    time: '付款时间',
    late: '未能按时付款时',
    lateBy: (days) => `最迟延后 ${days} 天补付，逾期不再支付`,
    memo: 'Memo/标签',
    amounts: (least, most) => `单笔 ${least} 至 ${most}`,
    allowed: (_least, most) => `每次授权后，每个地址最多可被划转 ${most}`,
    taken: (least, most) => `每次调用从每个地址归集 ${least} 至 ${most}`,
    everything: () => '地址现在及以后持有的全部该主币，以及全部代币',
    authorizations: (count) => `${count} 份授权`,
    sweeperOn: (chain) => `${chain} 上的归集代理合约`,
    collectorOn: (chain) => `${chain} 上的归集合约`,
    collectorOf: (place) => `仅能转入自有地址 ${place} 的归集合约`,
    fee: (chain) => `${chain} 手续费`,
    fees: (most, share) => `单笔交易不超过 ${most}；转出币种与手续费币种相同时，不超过金额的 ${share}%`,
    limit: '限额',
    atMost: (what, hours, each) => `${each}${hours} 小时内累计不超过 ${what}`,
    transfers: (count) => `${count} 笔`,
    calls: (count) => `${count} 笔交易`,
    each: { rule: '', destination: '每个收款地址', source: '每个付款地址' },
    never: '禁止转入转出的地址',
    until: '最迟有效期至',
    version: '版本（长期授权编号）',
    risk: {
      sweep: RISK_ZH('转账'),
      fuel: RISK_ZH('转账'),
      delegate: RISK_ZH('代理'),
      rent: RISK_ZH('付款'),
      allow: RISK_ZH('调用'),
      collect: RISK_ZH('调用'),
      schedule: RISK_ZH('付款'),
      authorize: RISK_ZH('授权'),
      take: RISK_ZH('调用'),
    },
    replaces: '本版本将取代此前的所有版本。',
    changes: (label, was, is) => `${label}改为：${is}。此前为：${was}。`,
    comes: (label, value) => `新增${label}：${value}。`,
    goes: (label, value) => `取消${label}：${value}。`,
  },
}
