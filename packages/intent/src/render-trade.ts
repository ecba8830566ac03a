import type { Trade } from '@holdfast/chain-evm/codec'
import { formatAmount } from '@holdfast/units'
import { groupAddress } from './group-address.ts'
import { type Locale, type RenderContext, type RenderedRow, timeInWords } from './rendering.ts'

const en = {
  title: (given: string, got: string) => `Trade at most ${given} for at least ${got}`,
  gives: 'Gives, at most',
  gets: 'Gets, at least',
  to: 'What is got goes to',
  own: (address: string) => `the paying address itself, ${address}`,
  until: 'Not after',
  never: 'no deadline: whoever holds the signed bytes may wait with them',
  baseUnits: (amount: string, token: string) => `${amount} base units of the token ${token}`,
  coin: (amount: string) => `${amount} base units of the own coin`,
  otherRisk: (address: string) => `What is got goes to ${address}, which is not the address that pays.`,
  unreadable: 'This is a router for trades, and the call data is no trade that can be read: no signer signs it.',
}

const WORDS: Record<Locale, typeof en> = {
  'en-US': en,
  'zh-CN': {
    title: (given, got) => `以不超过 ${given} 换取不少于 ${got}`,
    gives: '最多付出',
    gets: '最少得到',
    to: '所得进入',
    own: (address) => `付款地址本身，${address}`,
    until: '截止时间',
    never: '未设截止时间：持有已签字节者可延后广播',
    baseUnits: (amount, token) => `代币 ${token} 的 ${amount} 个最小单位`,
    coin: (amount) => `主币 ${amount} 个最小单位`,
    otherRisk: (address) => `所得进入 ${address}，并非付款地址。`,
    unreadable: '该合约为兑换路由，而调用数据无法解读为兑换：签名方不会签署。',
  },
}

/** `warnings` are of a kind to be shown in red. */
type Told = { title: string | undefined; rows: RenderedRow[]; warnings: string[] }

/** A call of a venue in words: what it gives at most and gets at least, where that goes, and until when. `from` is the address that pays. */
export function describeTrade(
  trade: Trade | 'unreadable',
  { chain, from }: { chain: string; from: string | undefined },
  context: Pick<RenderContext, 'asset' | 'coin'>,
  locale: Locale,
): Told {
  const words = WORDS[locale]
  if (trade === 'unreadable') return { title: undefined, rows: [], warnings: [words.unreadable] }
  const { gives, atMost, gets, atLeast, to, deadlineS } = trade
  const amountText = (asset: string | null, amount: bigint) => {
    const pinned = asset === null ? context.coin?.(chain) : context.asset(chain, asset)
    if (pinned) return `${formatAmount(amount, Number(pinned.decimals))} ${pinned.symbol}`
    return asset === null ? words.coin(String(amount)) : words.baseUnits(String(amount), groupAddress(asset))
  }
  const [given, got] = [amountText(gives, atMost), amountText(gets, atLeast)]
  const isOther = from !== undefined && from !== to
  return {
    title: words.title(given, got),
    rows: [
      { label: words.gives, value: given },
      { label: words.gets, value: got },
      { label: words.to, value: from === to ? words.own(groupAddress(to)) : groupAddress(to) },
      { label: words.until, value: deadlineS === null ? words.never : timeInWords(deadlineS * 1000n) },
    ],
    warnings: isOther ? [words.otherRisk(groupAddress(to))] : [],
  }
}
