import { type Effects, readBrc20Asset } from '@holdfast/chain-core'
import type { Infer, StructShape } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import type { Asset } from '../../asset.ts'
import { moneyText } from '../../order-rows.ts'
import type { Locale, Rendering } from '../../rendering.ts'
import type { PaymentKind } from '../payment.ts'

// What the kinds of orders share that send tokens of BRC-20.

/** An inscription that an order sends: what it says, and what its coin holds, which goes along. */
export type Inscription = { inscription: string; amount: bigint; postage: bigint }

/** What a kind of order says of itself that sends tokens which are inscribed already. */
export type InscribedKind<S extends StructShape = StructShape> = PaymentKind<S> & {
  /** The inscriptions that an order sends, in the order of their coins. */
  inscriptions(intent: Infer<S>): Inscription[]
}

/** The coin that carries the inscription of an order, as `<txid>:<index>`. */
export const inscribedCoin = ({ inscription }: Pick<Inscription, 'inscription'>): string => `${inscription.slice(0, 64)}:0`

type Sending = { asset: Asset; feeAsset: Asset; to: string; amount: bigint; memo: string | null }

/** Why the parts of an order to send inscribed tokens do not fit together; undefined if they do. */
export function inscribedFault({ asset, amount, memo }: Sending, parts: readonly Inscription[]): string | undefined {
  if (readBrc20Asset(asset.contract) === undefined) return 'the order sends an inscription of another asset'
  for (const { inscription, postage } of parts) {
    if (!/^[0-9a-f]{64}i0$/.test(inscription)) return 'the order names no inscription that is the first of its transaction'
    const excess = postageFault(postage)
    if (excess) return excess
  }
  if (new Set(parts.map(({ inscription }) => inscription)).size !== parts.length) return 'the order names an inscription twice'
  if (parts.reduce((sum, part) => sum + part.amount, 0n) !== amount) return 'what the inscriptions say does not add up to the amount of the order'
  return memo === null ? undefined : 'an order to send a token carries no memo'
}

/** Inscriptions lie on coins of little worth; whoever approves a token must not send more along than that. */
const POSTAGE_MAX = 20_000n

/** Why an inscription must not lie on a coin of this worth; undefined if it may. */
export const postageFault = (postage: bigint): string | undefined =>
  postage > 0n && postage <= POSTAGE_MAX ? undefined : `the order sends ${postage} satoshi along with the token; ${POSTAGE_MAX} at most go with one`

/** Which inscriptions go, and what the coin under each holds, which goes along. */
export function inscriptionRows({ asset, feeAsset }: Sending, parts: readonly Inscription[], locale: Locale): Rendering['rows'] {
  const words = WORDS[locale]
  return parts.flatMap(({ inscription, amount, postage }, i) => [
    ...(parts.length > 1 ? [{ label: words.part(i + 1), value: moneyText(amount, asset) }] : []),
    { label: words.inscription, value: inscription },
    postageRow(postage, feeAsset, locale),
  ])
}

/** What the coin under an inscription holds. */
export const postageRow = (postage: bigint, coin: Asset, locale: Locale): Rendering['rows'][number] => ({
  label: WORDS[locale].postage,
  value: moneyText(postage, coin),
})

/** Where a transaction does not send these inscriptions, each with its coin, to whom the order names, and nothing else. */
export function otherInscriptions(intent: Sending, parts: readonly Inscription[], effects: Effects): string | undefined {
  const other = otherTokens(intent, parts, effects)
  if (other) return other
  const { inputs = [] } = effects
  const index = parts.findIndex((part, i) => inputs[i]?.outpoint !== inscribedCoin(part))
  return index === -1 ? undefined : `the transaction sends the inscription on ${inputs[index]?.outpoint}, the order ${inscribedCoin(at(parts, index))}`
}

/** Where what a transaction moves is not these amounts of the token, with these coins, to whom the order names. */
export function otherTokens(
  { to, asset }: Pick<Sending, 'to' | 'asset'>,
  parts: readonly Pick<Inscription, 'amount' | 'postage'>[],
  { transfers }: Effects,
): string | undefined {
  if (transfers.length !== 2 * parts.length)
    return `the transaction makes ${transfers.length} transfers where the order sends ${parts.length} tokens with their coins`
  const stray = transfers.find((each) => each.to !== to)
  if (stray) return `the transaction pays ${stray.to}, the order ${to}`
  for (const [i, part] of parts.entries()) {
    const [token, coin] = [at(transfers, i), at(transfers, parts.length + i)]
    if (token.asset.contract !== asset.contract) return 'the transaction moves another asset than the order'
    if (token.amount !== part.amount) return `an inscription transfers ${token.amount} base units, the order says ${part.amount}`
    if (coin.asset.contract !== null || coin.amount !== part.postage) return `the transaction sends ${coin.amount} base units along, the order ${part.postage}`
  }
  return undefined
}

const WORDS = {
  'en-US': { inscription: 'Inscription that is sent', part: (number: number) => `Part ${number} of the amount`, postage: 'Coin that goes along' },
  'zh-CN': { inscription: '转出的铭文', part: (number: number) => `金额的第 ${number} 部分`, postage: '随附金额' },
} as const
