import { type BuildObstacle, BuildError } from '@holdfast/chain-core'
import type { Language } from '@holdfast/contract'
import { troubleIn } from '@holdfast/features/network/server'
import { formatAmount } from '@holdfast/units'
import type { OrderRow } from './read-order.ts'

const REASON_MAX = 1000

type Kind = BuildObstacle['kind'] | 'other'
/** An obstacle to an order, as stored: amounts are base units of the network's own coin, in decimal digits. */
export type Obstacle = { kind: Kind; amounts: Readonly<Record<string, string>>; text: string }
/** The network's own coin. */
type Coin = { symbol: string; decimals: number }

type Words = (shown: (name: string) => string, text: string) => string

const WORDS: Record<Kind, Record<Language, Words>> = {
  dust: {
    en_US: (shown) => `${shown('amount')} is too little to send to this address: nodes pass on ${shown('least')} or more.`,
    zh_CN: (shown) => `${shown('amount')} 低于该地址可接收的最小金额：节点只转发不少于 ${shown('least')} 的付款。`,
  },
  fee_cap: {
    en_US: (shown) => `The fee can reach ${shown('needed')} now, above the cap of ${shown('cap')}.`,
    zh_CN: (shown) => `当前手续费最高可达 ${shown('needed')}，超过上限 ${shown('cap')}。`,
  },
  coins_missing: {
    en_US: (shown) => `The coins that may be spent are ${shown('missing')} short, with the fee.`,
    zh_CN: (shown) => `可花费的 UTXO（含手续费）还差 ${shown('missing')}。`,
  },
  coins_small: {
    en_US: () => 'It would take more small coins than signers sign for at once. Join some of them first.',
    zh_CN: () => '所需的小额 UTXO 过多，超出一次签名的上限，请先归集。',
  },
  proofs_large: {
    en_US: () => 'The transactions that made its coins are larger than signers read. Join other coins first, or send less.',
    zh_CN: () => '其 UTXO 的来源交易过大，超出签名方的读取上限。请先归集其他 UTXO，或减少金额。',
  },
  token_refuses: {
    en_US: () => 'The token refuses the transfer. Look whether the balance is there.',
    zh_CN: () => '代币合约拒绝该转账，请检查余额。',
  },
  other: { en_US: (_, text) => asSentence(text), zh_CN: (_, text) => `原因：${troubleIn('zh_CN', text)}` },
}

/** The obstacle that an error means for an order. */
export function obstacleOf(cause: unknown): Obstacle {
  const text = (cause instanceof Error ? cause.message : String(cause)).slice(0, REASON_MAX)
  if (!(cause instanceof BuildError)) return { kind: 'other', amounts: {}, text }
  const { kind, ...amounts } = cause.obstacle
  return { kind, amounts: Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, String(amount)])), text }
}

/** The obstacle an order has met, or null. */
export const keptObstacle = ({ obstacle }: Pick<OrderRow, 'obstacle'>): Obstacle | null => obstacle as Obstacle | null

/** An obstacle in a sentence. One of no kind is shown as it was found, in English. */
export function obstacleText({ kind, amounts, text }: Obstacle, coin: Coin, language: Language): string {
  const shown = (name: string) => `${formatAmount(BigInt(amounts[name] ?? 0), coin.decimals)} ${coin.symbol}`
  return WORDS[kind][language](shown, text)
}

const asSentence = (text: string): string => (text === '' ? '' : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`)
