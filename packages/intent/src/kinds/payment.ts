import { type ChainCodec, type Effects, readNft } from '@holdfast/chain-core'
import { type Infer, type StructShape, toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import type { Asset } from '../asset.ts'
import { groupAddress } from '../group-address.ts'
import { type Asked, askedRows, feeRow, keyRow, type Keyed, moneyText, ORDER_WORDS } from '../order-rows.ts'
import { type Locale, type RenderContext, type Rendering, wordsFor } from '../rendering.ts'
import { type Ordered, paid, paying } from './act.ts'
import type { TransactionKind } from './intent-kind.ts'

// What the kinds of orders share that pay somebody.

/** One recipient of an order, in base units of the order's asset. */
export type OrderedPayment = { to: string; amount: bigint; memo: string | null }

/** What a kind of order says of itself that pays somebody, one or several. */
export type PaymentKind<S extends StructShape = StructShape> = TransactionKind<S> & {
  /** Everybody whom an order pays, in the order's own sequence, which is also that of the transaction. */
  payments(intent: Infer<S>): OrderedPayment[]
}

/** What a kind of order says of itself that pays one: whom, and what rules look at. */
export const payingOne = {
  act: (intent: Ordered) => paying(intent, [intent.to]),
  done: (intent: Ordered, effects: Effects) => paid(paying(intent, [intent.to]), effects),
  payments: ({ to, amount, memo }: OrderedPayment): OrderedPayment[] => [{ to, amount, memo }],
}

type Paid = Asked &
  Keyed & {
    from: string
    to: string
    memo: string | null
    asset: Asset
    amount: bigint
    feeAsset: Asset
    feeCap: bigint
    screening: Uint8Array | null
  }

type Row = Rendering['rows'][number]

/** What the words of a payment say beside what those of every payment do: whom it pays, where it pays several, and what more it is and warns of. */
type Beside = { several?: readonly OrderedPayment[]; rows?: readonly Row[]; warnings?: readonly string[] }

/** An order to pay, in words. */
export function renderPayment(intent: Paid, context: RenderContext, locale: Locale, { several, rows = [], warnings = [] }: Beside = {}): Rendering {
  const words = wordsFor(WORDS, { last: LAST, former: FORMER }, locale, context)
  const { asset, from, to } = intent
  const nft = readNft(asset.contract)
  const recipients = several?.map((each, i) => ({ label: words.recipient(i + 1), value: recipientText(each, asset, words.noted) }))
  const amount = nft ? `${intent.amount} × ${asset.symbol} #${nft.tokenId}` : moneyText(intent.amount, asset)
  return {
    locale,
    title: (nft ? words.give : words.pay)(amount, several ? words.several(several.length) : groupAddress(to)),
    rows: [
      { label: words.amount, value: amount },
      ...(recipients ?? [{ label: words.to, value: groupAddress(to) }]),
      { label: words.from, value: groupAddress(from) },
      ...(several?.some(({ memo }) => memo !== null) ? [] : [{ label: words.memo, value: intent.memo ?? words.none }]),
      { label: words.network, value: asset.chain, isTechnical: true },
      ...assetRows(asset, words),
      ...rows,
      feeRow(intent.feeCap, intent.feeAsset, locale),
      ...askedRows(intent, context, locale),
      { label: words.screening, value: intent.screening === null ? words.none : toHex(intent.screening), isTechnical: true },
      keyRow(intent, locale),
    ],
    warnings: [words.compare, ...(to === from ? [words.toSelf] : []), ...warnings],
  }
}

function recipientText({ to, amount, memo }: OrderedPayment, asset: Asset, noted: (memo: string) => string): string {
  return [`${moneyText(amount, asset)} → ${groupAddress(to)}`, ...(memo === null ? [] : [noted(memo)])].join(' · ')
}

function assetRows({ contract, symbol }: Asset, words: (typeof WORDS)[Locale]): Row[] {
  const nft = readNft(contract)
  if (!nft) {
    return [
      { label: words.asset, value: contract === null ? `${symbol} (${words.ownCoin})` : symbol },
      { label: words.contract, value: contract === null ? words.none : groupAddress(contract) },
    ]
  }
  const kind = nft.standard === 'erc721' ? `ERC-721, ${words.oneOfAKind}` : `ERC-1155, ${words.countedByPiece}`
  return [
    { label: words.asset, value: `${symbol} (${kind})` },
    { label: words.tokenId, value: String(nft.tokenId) },
    { label: words.contract, value: groupAddress(nft.collection) },
  ]
}

/** Where the payments of a transaction are not these, one by one and in the same sequence. */
export function otherPayments(
  payments: readonly OrderedPayment[],
  asset: Pick<Asset, 'contract'>,
  { transfers }: Effects,
  codec: ChainCodec,
): string | undefined {
  if (transfers.length !== payments.length) return `the transaction makes ${transfers.length} transfers where the order has ${payments.length}`
  for (const [i, { to, amount, memo }] of payments.entries()) {
    const transfer = at(transfers, i)
    if (codec.canonicalAddress(to) !== to) return 'the destination is not in canonical form'
    if (transfer.to !== to) return `the transaction pays ${transfer.to}, the order ${to}`
    if (transfer.asset.contract !== asset.contract) return 'the transaction moves another asset than the order'
    if (transfer.amount !== amount) return `the transaction pays ${transfer.amount} base units, the order ${amount}`
    if ((transfer.memo ?? null) !== memo) return 'the transaction carries another memo than the order'
  }
  return undefined
}

const WORDS = {
  'en-US': {
    ...ORDER_WORDS['en-US'],
    pay: (amount: string, to: string) => `Pay ${amount} to ${to}`,
    give: (pieces: string, to: string) => `Send ${pieces} to ${to}`,
    several: (count: number) => `${count} recipients`,
    recipient: (number: number) => `Recipient ${number}`,
    tokenId: 'Token id',
    oneOfAKind: 'one of a kind',
    countedByPiece: 'counted by the piece',
    amount: 'Amount',
    to: 'To',
    from: 'From',
    memo: 'Memo',
    noted: (memo: string) => `Memo ${JSON.stringify(memo)}`,
    asset: 'Asset',
    ownCoin: 'own coin of the network',
    contract: 'Token contract',
    screening: 'Screening attestation',
    compare: 'Compare every character of the destination with a source you trust.',
    toSelf: 'The destination is the paying address itself.',
  },
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    pay: (amount: string, to: string) => `付款 ${amount} 至 ${to}`,
    give: (pieces: string, to: string) => `转出 ${pieces} 至 ${to}`,
    several: (count: number) => `${count} 个收款地址`,
    recipient: (number: number) => `收款方 ${number}`,
    tokenId: '代币编号',
    oneOfAKind: '独一无二',
    countedByPiece: '按件计数',
    amount: '金额',
    to: '收款地址',
    from: '付款地址',
    memo: 'Memo/标签',
    noted: (memo: string) => `Memo/标签 ${JSON.stringify(memo)}`,
    asset: '资产',
    ownCoin: '网络主币',
    contract: '代币合约',
    screening: '筛查证明',
    compare: '请将收款地址与可信来源逐字核对。',
    toSelf: '收款地址就是付款地址本身。',
  },
}

/** What was put better since, lately and before that; an approval over these words counts too. A signer says by itself what its whitelist has. */
const LAST = {
  'en-US': { compare: 'This destination is not in a signed address book. Compare every character with a source you trust.' },
  'zh-CN': { compare: '该收款地址不在已签名的地址簿中。请与可信来源逐字核对。' },
}
const FORMER = { 'zh-CN': { memo: '备注标签' } }
