import { bytes, equalBytes, type Infer, list, optional, struct, text, toHex, uint, union } from '@holdfast/encoding'
import { formatAmount } from '@holdfast/units'
import { type Asset, assetShape } from '../asset.ts'
import { groupAddress } from '../group-address.ts'
import { limitShape, type StoredLimit } from '../limit.ts'
import { initiatorName, moneyText, ORDER_WORDS, validityRows } from '../order-rows.ts'
import { type Locale, type RenderContext, type RenderedRow, type Rendering, timeInWords } from '../rendering.ts'
import type { IntentKind } from './intent-kind.ts'
import { identityFields, statedFields } from './order-fields.ts'

/** The longest that a standing order is in force without being approved again. */
export const STANDING_DAYS_MAX = 366

/** Addresses of a key of the organisation whose paths begin so; `name` is what people called them when they approved the order. */
const placeShape = struct('holdfast/standing-order/place/v1', { name: text(64), keyId: bytes(32), path: list(uint(31), 8) })

/** What is moved of one asset: not less in one transfer than `atLeast`, and not more than `atMost`, both in base units. */
const assetMovedShape = struct('holdfast/standing-order/asset/v1', { asset: assetShape, atLeast: uint(256), atMost: uint(256) })

/**
 * What one transaction may cost on a network, in base units of its own coin. Where that coin is what is moved, also at most so many hundredths of a percent of
 * the amount.
 */
const feeShape = struct('holdfast/standing-order/fee/v1', { asset: assetShape, max: uint(256), maxShare: uint(16) })

/** The one place on a network that a sweep moves to: the organisation's own address at a path, which signers derive, or an address that is on the whitelist. */
const targetShape = union({
  own: struct('holdfast/standing-order/own-target/v1', { chain: text(64), name: text(64), keyId: bytes(32), path: list(uint(31), 8) }),
  listed: struct('holdfast/standing-order/listed-target/v1', { chain: text(64), address: text(128), memo: optional(text(256)) }),
})

/** What a standing order lets happen without anybody: amounts of many addresses go to one, or coins for fees go to own addresses. */
const doesShape = union({
  sweep: struct('holdfast/standing-order/sweep/v1', { to: list(targetShape, 64) }),
  fuel: struct('holdfast/standing-order/fuel/v1', { to: list(placeShape, 64) }),
})

/**
 * An order that people approve once, and under which the signers then sign transfers without them: from these addresses (`sources`), of these assets, to where
 * `does` says, for fees that reach no higher, within limits that signers count by themselves, until a time. Addresses in `never` neither pay nor are paid.
 * `id` is the same for every version of one standing order; a version takes the place of all before it.
 */
const standingOrderIntentShape = struct('holdfast/intent/standing-order/v1', {
  ...identityFields,
  id: bytes(16),
  version: uint(53),
  name: text(200),
  does: doesShape,
  sources: list(placeShape, 64),
  never: list(text(128), 1024),
  assets: list(assetMovedShape, 64),
  fees: list(feeShape, 64),
  limits: list(limitShape, 8),
  untilMs: uint(53),
  ...statedFields,
})

export type StandingOrderIntent = { kind: 'standingOrder' } & Infer<typeof standingOrderIntentShape>
type StandingOrder = Omit<StandingOrderIntent, 'kind'>
type Place = Infer<typeof placeShape>

const areDistinct = (texts: readonly string[]): boolean => new Set(texts).size === texts.length
const nameOf = ({ chain, contract }: Pick<Asset, 'chain' | 'contract'>): string => `${chain}|${contract ?? ''}`
const placeKey = ({ keyId, path }: Pick<Place, 'keyId' | 'path'>): string => `${toHex(keyId)}/${path.join('/')}`

/** Why a standing order makes no sense in itself; undefined if it does. */
export function standingOrderFault(order: StandingOrder): string | undefined {
  const { version, name, sources, assets, fees, never, untilMs, notBeforeMs, expiresAtMs } = order
  if (version < 1n) return 'a standing order begins with version 1'
  if (name.trim() === '') return 'the standing order has no name'
  if (sources.length === 0 || !areDistinct(sources.map(placeKey))) return 'the standing order names no wallet that pays, or one twice'
  if (assets.length === 0 || !areDistinct(assets.map(({ asset }) => nameOf(asset)))) return 'the standing order names no asset, or one twice'
  if (assets.some(({ atLeast, atMost }) => atMost === 0n || atLeast > atMost)) return 'the standing order lets no amount of an asset be moved'
  if (fees.some(({ asset, max, maxShare }) => asset.contract !== null || max === 0n || maxShare === 0n || maxShare > 10_000n))
    return 'the standing order bounds a fee by nothing, or in something else than a coin'
  if (!areDistinct(fees.map(({ asset }) => asset.chain))) return 'the standing order bounds the fees of a network twice'
  if (assets.some(({ asset }) => !fees.some((fee) => fee.asset.chain === asset.chain))) return 'the standing order does not bound the fees of a network'
  if (!areDistinct(never) || never.includes('')) return 'the standing order excludes no address, or one twice'
  const fault = faultOfLimits(order) ?? faultOfDoes(order)
  if (fault !== undefined) return fault
  if (untilMs <= notBeforeMs || untilMs > notBeforeMs + BigInt(STANDING_DAYS_MAX * 86_400_000))
    return `a standing order is in force for ${STANDING_DAYS_MAX} days at most, and for some time`
  return expiresAtMs <= notBeforeMs ? 'the order is open at no time at which it may be followed' : undefined
}

/** Fees are spent with every transfer, also with those that whoever runs the server asks for without need: so how many there are is always bounded. */
function faultOfLimits({ limits, assets }: StandingOrder): string | undefined {
  if (!limits.some(({ each, maxCount }) => each === 'rule' && maxCount !== null))
    return 'the standing order does not bound how many transfers it makes in a time'
  for (const { each, lengthMs, amounts, maxTokens, maxCount, maxCents } of limits) {
    if (!['rule', 'destination', 'source'].includes(each)) return `the standing order has a limit for each ${each}`
    if (lengthMs === 0n) return 'the standing order has a limit over no time'
    if (maxTokens !== null || maxCents !== null) return 'the standing order has a limit that counts something else than transfers and their amounts'
    if (amounts.length === 0 && maxCount === null) return 'the standing order has a limit that limits nothing'
    const names = amounts.map(({ chain, asset }) => `${chain}|${asset}`)
    if (!areDistinct(names)) return 'a limit of the standing order names an asset twice'
    const isWhole = amounts.length === 0 || (names.length === assets.length && assets.every(({ asset }) => names.includes(nameOf(asset))))
    if (!isWhole) return 'a limit of the standing order names other assets than those that are moved'
  }
  return undefined
}

function faultOfDoes({ does, assets, sources }: StandingOrder): string | undefined {
  const chains = [...new Set(assets.map(({ asset }) => asset.chain))]
  switch (does.kind) {
    case 'sweep': {
      if (does.to.length !== chains.length || !chains.every((chain) => does.to.some((target) => target.chain === chain)))
        return 'the standing order does not name one address to move to on each network'
      const isEmpty = does.to.some((target) => (target.kind === 'listed' ? target.address === '' || target.memo === '' : target.path.length === 0))
      return isEmpty ? 'the standing order moves to an address that it does not name' : undefined
    }
    case 'fuel':
      if (assets.some(({ asset }) => asset.contract !== null)) return "fees are paid in a network's own coin, and the standing order sends something else"
      if (does.to.length === 0 || !areDistinct(does.to.map(placeKey))) return 'the standing order names no wallet that gets coins, or one twice'
      return sources.some((source) => does.to.some((to) => equalBytes(source.keyId, to.keyId) && overlap(source.path, to.path)))
        ? 'the standing order sends coins to the addresses that they come from'
        : undefined
  }
}

const overlap = (one: readonly bigint[], other: readonly bigint[]): boolean => {
  const shorter = Math.min(one.length, other.length)
  return one.slice(0, shorter).every((step, i) => step === other[i])
}

/** A standing order in words: everything that it lets happen. */
function render(intent: StandingOrder, context: RenderContext, locale: Locale): Rendering {
  const words = WORDS[locale]
  const { does, never } = intent
  const targets: RenderedRow[] =
    does.kind === 'fuel'
      ? does.to.map((place, i) => ({ label: words.getsCoins(i + 1), value: placeText(place) }))
      : does.to.map((target) => ({
          label: words.movesTo(target.chain),
          value:
            target.kind === 'own'
              ? words.own(placeText(target))
              : words.listed(`${groupAddress(target.address)}${target.memo === null ? '' : ` (${words.memo}: ${target.memo})`}`),
        }))
  return {
    locale,
    title: words.title[does.kind](intent.name),
    rows: [
      { label: words.whatHappens, value: words.effect[does.kind] },
      ...intent.sources.map((place, i) => ({ label: words.pays(i + 1), value: placeText(place) })),
      ...targets,
      ...intent.assets.map(({ asset, atLeast, atMost }) => ({
        label: `${asset.symbol} (${asset.chain})`,
        value: words.amounts(moneyText(atLeast, asset), moneyText(atMost, asset)),
      })),
      ...intent.fees.map(({ asset, max, maxShare }) => ({
        label: words.fee(asset.chain),
        value: words.fees(moneyText(max, asset), formatAmount(maxShare, 2)),
      })),
      ...intent.limits.map((limit) => ({ label: words.limit, value: limitText(limit, intent, locale) })),
      ...(never.length === 0 ? [] : [{ label: words.never, value: never.map(groupAddress).join(words.comma) }]),
      { label: words.until, value: timeInWords(intent.untilMs) },
      { label: words.remark, value: intent.remark === '' ? words.none : intent.remark },
      { label: words.initiator, value: initiatorName(intent, context, locale) },
      { label: words.version, value: `${intent.version} (${toHex(intent.id)})`, isTechnical: true },
      ...validityRows(intent, locale),
    ],
    warnings: [words.risk, ...(intent.version > 1n ? [words.replaces] : [])],
  }
}

const placeText = ({ name, keyId, path }: Place): string => `“${name}” (${toHex(keyId)}${path.map((step) => `/${step}`).join('')})`

function limitText({ each, lengthMs, amounts, maxCount }: StoredLimit, { assets }: StandingOrder, locale: Locale): string {
  const words = WORDS[locale]
  const named = amounts.map(({ chain, asset, max }) => {
    const found = assets.find((each) => nameOf(each.asset) === `${chain}|${asset}`)
    return found ? moneyText(max, found.asset) : `${max} of ${asset}`
  })
  const what = [...named, ...(maxCount === null ? [] : [words.transfers(String(maxCount))])].join(words.comma)
  return words.atMost(what, String(Number(lengthMs) / 3_600_000), words.each[each as keyof Words['each']])
}

const en = {
  ...ORDER_WORDS['en-US'],
  comma: ', ',
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
}

type Words = typeof en

const WORDS: Record<Locale, Words> = {
  'en-US': en,
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    comma: '、',
    whatHappens: '操作内容',
    title: { sweep: (name) => `长期授权“${name}”：自动归集，不再逐笔审批`, fuel: (name) => `长期授权“${name}”：自动补充手续费，不再逐笔审批` },
    effect: {
      sweep: '签名方将下列地址收到的资产归集至各网络的一个指定地址，不再征求任何人审批。',
      fuel: '签名方在下列地址之间补充手续费所需的主币，不再征求任何人审批。',
    },
    pays: (number) => `付款钱包 ${number}`,
    getsCoins: (number) => `补充主币的钱包 ${number}`,
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
  },
}

export const standingOrder = { shape: standingOrderIntentShape, fault: standingOrderFault, render } satisfies IntentKind<typeof standingOrderIntentShape>
