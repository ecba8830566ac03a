import { alikeKeys, looksAlike } from '@holdfast/chain-core'
import type { Asset } from '../asset.ts'
import { groupAddress } from '../group-address.ts'
import { contractWords } from '../contract-words.ts'
import { type Asked, askedRows, feeRow, keyRow, type Keyed, moneyText, ORDER_WORDS } from '../order-rows.ts'
import type { Locale, RenderContext, Rendering } from '../rendering.ts'

type Line = { to: string; memo: string | null; amount: bigint }
type Batch = Asked & Keyed & { from: string; asset: Asset; lines: readonly Line[]; together: bigint; feeAsset: Asset; feeCap: bigint }

/** What to look at in a line beside another one: the first before it that pays the same address, and the first whose address looks like its own. */
export type Beside = { same: number | undefined; alike: number | undefined }

/** Which lines have something in common with one before them. */
export function besideLines(lines: readonly Pick<Line, 'to'>[]): Beside[] {
  const firstOf = new Map<string, number>()
  const byKey = new Map<string, number[]>()
  return lines.map(({ to }, i) => {
    const same = firstOf.get(to)
    if (same !== undefined) return { same, alike: undefined }
    firstOf.set(to, i)
    const keys = alikeKeys(to)
    const near = keys.flatMap((key) => byKey.get(key) ?? []).toSorted((a, b) => a - b)
    for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), i])
    return { same, alike: near.find((other) => looksAlike(to, lines[other]?.to ?? to)) }
  })
}

/** A batch in words: each of its lines, what it pays together, and what to look at. */
export function renderBatch(batch: Batch, context: RenderContext, locale: Locale): Rendering {
  const words = WORDS[locale]
  const { lines, asset, from, together, feeCap, feeAsset } = batch
  const beside = besideLines(lines)
  const total = moneyText(
    lines.reduce((sum, { amount }) => sum + amount, 0n),
    asset,
  )
  const transactions = Math.ceil(lines.length / Number(together))
  const through = together > 1n ? contractWords(asset, locale) : { rows: [], warnings: [] }
  const again = beside.filter(({ same }) => same !== undefined).length
  const alike = beside.filter((each) => each.alike !== undefined).length
  return {
    locale,
    title: words.pay(total, lines.length),
    rows: [
      { label: words.total, value: total },
      { label: words.lines, value: words.count(lines.length, new Set(lines.map(({ to }) => to)).size) },
      { label: words.from, value: groupAddress(from) },
      { label: words.network, value: asset.chain, isTechnical: true },
      { label: words.asset, value: asset.contract === null ? `${asset.symbol} (${words.ownCoin})` : asset.symbol },
      { label: words.contract, value: asset.contract === null ? words.none : groupAddress(asset.contract) },
      { label: words.transactions, value: words.each(transactions) },
      ...through.rows,
      feeRow(feeCap, feeAsset, locale),
      { label: words.fees, value: moneyText(feeCap * BigInt(transactions), feeAsset) },
      ...askedRows(batch, context, locale),
      keyRow(batch, locale),
      ...lines.map((line, i) => ({ label: words.line(i + 1), value: lineText(line, asset, beside[i], locale) })),
    ],
    warnings: [words.notInBook, ...through.warnings, ...(again > 0 ? [words.again(again)] : []), ...(alike > 0 ? [words.alike(alike)] : [])],
  }
}

function lineText({ to, memo, amount }: Line, asset: Asset, beside: Beside | undefined, locale: Locale): string {
  const words = WORDS[locale]
  const noted = memo === null ? [] : [words.memo(memo)]
  const same = beside?.same === undefined ? [] : [words.sameAs(beside.same + 1)]
  const alike = beside?.alike === undefined ? [] : [words.likeLine(beside.alike + 1)]
  return [`${moneyText(amount, asset)} → ${groupAddress(to)}`, ...noted, ...same, ...alike].join(' · ')
}

const WORDS = {
  'en-US': {
    ...ORDER_WORDS['en-US'],
    pay: (total: string, lines: number) => `Pay ${total} in a batch of ${lines} lines`,
    total: 'Total of all lines',
    lines: 'Lines',
    count: (lines: number, addresses: number) => `${lines} lines to ${addresses} addresses`,
    line: (number: number) => `Line ${number}`,
    memo: (memo: string) => `Memo ${JSON.stringify(memo)}`,
    sameAs: (number: number) => `same address as line ${number}`,
    likeLine: (number: number) => `LOOKS LIKE the address of line ${number}, and is another`,
    from: 'From',
    asset: 'Asset',
    ownCoin: 'own coin of the network',
    contract: 'Token contract',
    transactions: 'Paid by',
    each: (count: number) => `${count} transactions, each signed once`,
    fees: 'Fees of all, at most',
    notInBook: 'These destinations are not in a signed address book. Compare every line with a source you trust.',
    again: (count: number) =>
      count === 1 ? '1 line pays an address that a line before it pays already.' : `${count} lines pay an address that a line before them pays already.`,
    alike: (count: number) =>
      `${count === 1 ? '1 line pays' : `${count} lines pay`} an address that looks like that of another line. Somebody may have planted it.`,
  },
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    pay: (total: string, lines: number) => `批量付款 ${total}，共 ${lines} 行`,
    total: '全部行合计',
    lines: '行数',
    count: (lines: number, addresses: number) => `${lines} 行，${addresses} 个收款地址`,
    line: (number: number) => `第 ${number} 行`,
    memo: (memo: string) => `Memo/标签 ${JSON.stringify(memo)}`,
    sameAs: (number: number) => `与第 ${number} 行地址相同`,
    likeLine: (number: number) => `与第 ${number} 行地址相似，但并非同一地址`,
    from: '付款地址',
    asset: '资产',
    ownCoin: '网络主币',
    contract: '代币合约',
    transactions: '付款方式',
    each: (count: number) => `${count} 笔交易，每笔只签名一次`,
    fees: '全部手续费上限',
    notInBook: '这些收款地址不在已签名的地址簿中。请逐行与可信来源核对。',
    again: (count: number) => `有 ${count} 行的收款地址与前面某行相同。`,
    alike: (count: number) => `有 ${count} 行的收款地址与其他行相似，可能是他人伪造的地址。`,
  },
}
