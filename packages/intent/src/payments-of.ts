import { readBrc20Asset } from '@holdfast/chain-core'
import { stakeFault } from './stake-order.ts'
import type { Brc20InscribeIntent, Brc20TransferIntent, DepositChildIntent, InscribedIntent, Intent, PaymentIntent, PayoutIntent } from './intent.ts'

/** One recipient of an order, in base units of the order's asset. */
export type OrderedPayment = { to: string; amount: bigint; memo: string | null }

/** Whether an order pays somebody, one or several. */
export function isPayment(intent: Intent): intent is PaymentIntent {
  return intent.kind === 'transfer' || intent.kind === 'payout' || intent.kind === 'brc20Inscribe' || isInscribed(intent)
}

/** Whether an order sends tokens that are inscribed already. */
export function isInscribed(intent: Intent): intent is InscribedIntent {
  return intent.kind === 'brc20Transfer' || intent.kind === 'brc20Batch'
}

/** The inscriptions that an order sends, in the order of their coins: what each says, and what its coin holds. */
export function inscriptionsOf(intent: InscribedIntent): { inscription: string; amount: bigint; postage: bigint }[] {
  if (intent.kind === 'brc20Batch') return [...intent.inscriptions]
  const { inscription, amount, postage } = intent
  return [{ inscription, amount, postage }]
}

/** Everybody whom an order pays, in the order's own sequence, which is also that of the transaction. */
export function paymentsOf(intent: PaymentIntent): OrderedPayment[] {
  if (intent.kind !== 'payout') return [{ to: intent.to, amount: intent.amount, memo: intent.memo }]
  return intent.outputs.map(({ to, amount }) => ({ to, amount, memo: null }))
}

/**
 * Why the parts of an order to pay several do not fit together, or undefined where they do: `amount`, which rules and limits look at, is what all of them
 * get, and nobody stands there twice, so that no line can be taken for another.
 */
export function payoutFault({ to, amount, memo, outputs, from }: PayoutIntent): string | undefined {
  if (outputs.length < 2) return 'the order names fewer than two recipients'
  if (new Set(outputs.map((each) => each.to)).size !== outputs.length) return 'the order names a recipient twice'
  if (outputs.some((each) => each.to === from)) return 'the order names the paying address among its recipients'
  if (outputs[0]!.to !== to) return 'the order begins with another recipient than it names'
  if (outputs.some((each) => each.amount <= 0n)) return 'the order pays a recipient nothing'
  if (outputs.reduce((sum, each) => sum + each.amount, 0n) !== amount) return 'the amounts of the recipients do not add up to that of the order'
  return memo === null ? undefined : 'an order to pay several carries no memo'
}

/** Inscriptions lie on coins of little worth; whoever approves a token must not send more along than that. */
const POSTAGE_MAX = 20_000n

/** Why the parts of an order to send inscribed tokens do not fit together, or undefined where they do. */
export function brc20Fault(intent: InscribedIntent): string | undefined {
  if (readBrc20Asset(intent.asset.contract) === undefined) return 'the order sends an inscription of another asset'
  const parts = inscriptionsOf(intent)
  if (intent.kind === 'brc20Batch' && parts.length < 2) return 'the order names fewer than two inscriptions'
  for (const { inscription, postage } of parts) {
    if (!/^[0-9a-f]{64}i0$/.test(inscription)) return 'the order names no inscription that is the first of its transaction'
    const excess = postageFault(postage)
    if (excess) return excess
  }
  if (new Set(parts.map(({ inscription }) => inscription)).size !== parts.length) return 'the order names an inscription twice'
  if (parts.reduce((sum, { amount }) => sum + amount, 0n) !== intent.amount) return 'what the inscriptions say does not add up to the amount of the order'
  return intent.memo === null ? undefined : 'an order to send a token carries no memo'
}

const postageFault = (postage: bigint): string | undefined =>
  postage > 0n && postage <= POSTAGE_MAX ? undefined : `the order sends ${postage} satoshi along with the token; ${POSTAGE_MAX} at most go with one`

/** Why the parts of an order to inscribe a token and send it do not fit together, or undefined where they do. */
export function brc20InscribeFault({ asset, from, to, amount, postage, memo }: Brc20InscribeIntent): string | undefined {
  if (readBrc20Asset(asset.contract) === undefined) return 'the order has another asset inscribed than a token of BRC-20'
  if (amount <= 0n) return 'the order has nothing inscribed'
  if (to === from) return 'the order sends the token to the paying address itself'
  return postageFault(postage) ?? (memo === null ? undefined : 'an order to send a token carries no memo')
}

/** Why the parts of an order to lift a deposit do not fit together, or undefined where they do. */
export function depositChildFault({ asset, from, to, deposit, amount, feeCap }: DepositChildIntent): string | undefined {
  if (asset.contract !== null) return "only a deposit of the chain's own coin is lifted"
  if (to !== from) return 'what lifts a deposit comes back to the paying address, and the order names another'
  if (!/^[0-9a-f]{64}:\d{1,10}$/.test(deposit)) return 'the order names no coin of a deposit'
  return feeCap < amount ? undefined : 'the fee may be all that the deposit holds'
}

/** Why the parts of an order do not fit together, or undefined where they do. */
export function faultOf(intent: Intent): string | undefined {
  if (intent.kind === 'payout') return payoutFault(intent)
  if (intent.kind === 'stake') return stakeFault(intent)
  if (intent.kind === 'depositChild') return depositChildFault(intent)
  if (intent.kind === 'brc20Inscribe') return brc20InscribeFault(intent)
  return isInscribed(intent) ? brc20Fault(intent) : undefined
}

/** The coin that carries the inscription of an order, as `<txid>:<index>`. */
export const inscribedCoin = ({ inscription }: Pick<Brc20TransferIntent, 'inscription'>): string => `${inscription.slice(0, 64)}:0`
