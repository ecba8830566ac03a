import type { ChainCodec, Effects } from '@holdfast/chain-core'
import { digest } from '@holdfast/encoding'
import { type Act, paid, paying } from './kinds/act.ts'
import { type BatchIntent, judgedWhole } from './kinds/batch.ts'
import type { InscribedKind, Inscription } from './kinds/brc20/brc20.ts'
import {
  type InscribedIntent,
  type Intent,
  intentShape,
  type Kind,
  KINDS,
  type PaymentIntent,
  SIGNER_ORDERS,
  type SignerOrderIntent,
  type SpendingIntent,
} from './kinds/index.ts'
import type { Does, IntentKind } from './kinds/intent-kind.ts'
import type { OrderedPayment, PaymentKind } from './kinds/payment.ts'
import { type AboutKind, kindOfTransaction, TRANSACTIONS, type TransactionIntent } from './kinds/transactions.ts'

// What is to be known of an order, asked of its kind.

/** SHA-256 of the intent's canonical bytes: what approvals, registers and the log speak of. */
export function intentHash(intent: Intent): Uint8Array {
  return digest(intentShape, intent)
}

/** What the kind of an order says of it. */
export const kindOf = ({ kind }: { kind: Kind }): IntentKind => KINDS[kind]

/** Why the parts of an order do not fit together, or undefined if they do. */
export const faultOf = (intent: Intent): string | undefined => kindOf(intent).fault(intent)

/** Whether an order is one that a transaction of the chain carries out. */
export const isTransaction = (intent: Intent): intent is TransactionIntent => Object.hasOwn(TRANSACTIONS, intent.kind)

/** Whether an order is one that signers sign a transaction for. */
export const isSpending = (intent: Intent): intent is SpendingIntent => isTransaction(intent) || 'about' in KINDS[intent.kind]

/** Whether an order is one to the signers themselves. */
export const isSignerOrder = (intent: Intent): intent is SignerOrderIntent => Object.hasOwn(SIGNER_ORDERS, intent.kind)

/** Whether an order pays somebody, one or several. */
export const isPayment = (intent: Intent): intent is PaymentIntent => 'payments' in KINDS[intent.kind]

/** Whether an order sends tokens that are inscribed already. */
export const isInscribed = (intent: Intent): intent is InscribedIntent => 'inscriptions' in KINDS[intent.kind]

/** Everybody whom an order pays, in the order's own sequence, which is also that of the transaction. */
export function paymentsOf(intent: PaymentIntent): OrderedPayment[] {
  const kind: PaymentKind = KINDS[intent.kind]
  return kind.payments(intent)
}

/** The inscriptions that an order sends, in the order of their coins: what each says, and what its coin holds. */
export function inscriptionsOf(intent: InscribedIntent): Inscription[] {
  const kind: InscribedKind = KINDS[intent.kind]
  return kind.inscriptions(intent)
}

/** The order that a transaction carries out: itself, or the one it is about. Throws EncodingFault if it contains none of its own organisation. */
export function originalOf(intent: SpendingIntent): TransactionIntent {
  if (isTransaction(intent)) return intent
  const kind: AboutKind = KINDS[intent.kind]
  return kind.about(intent)
}

/** Why nothing takes the place of an order's transaction while that waits; undefined if something may. */
export const whyIrreplaceable = (intent: TransactionIntent): string | undefined => kindOfTransaction(intent).irreplaceable

/** Whether an order takes another one's place to do nothing, so that the other is never paid. */
export const isCancellation = (intent: SpendingIntent): boolean => intent.kind === 'replacement' && intent.action === 'cancel'

/** Everybody who asked: for the order, and for the one it is about. None of them approves it. */
export function askersOf(intent: Intent): Uint8Array[] {
  return isSpending(intent) && !isTransaction(intent) ? [intent.initiator, originalOf(intent).initiator] : [intent.initiator]
}

/** Whether an order is for money to leave: one that signers sign a transaction for, or a batch of such. */
export const movesMoney = (intent: Intent): intent is SpendingIntent | BatchIntent => intent.kind === 'batch' || isSpending(intent)

/** What the policy judges an order by: what is paid, and who asks now. */
export function judgedAs(intent: SpendingIntent | BatchIntent): TransactionIntent {
  if (intent.kind === 'batch') return judgedWhole(intent)
  return { ...originalOf(intent), initiator: intent.initiator }
}

/** What of an order that a transaction carries out the rules of a policy look at. */
export type Acting = { [K in TransactionIntent['kind']]: { kind: K } & Parameters<(typeof TRANSACTIONS)[K]['act']>[0] }[TransactionIntent['kind']]

/** What an order does, as the rules of a policy look at it. */
export const actOf = (intent: Acting): Act => kindOfTransaction(intent).act(intent)

/** What the bytes of an order do, as the rules look at it: where they are of another kind than the order, what they pay; undefined if they pay nothing. */
export function actDone(intent: TransactionIntent, effects: Effects): Act | undefined {
  return kindOfTransaction(intent).done(intent, effects) ?? paid(paying(intent, []), effects)
}

/** How many transfers or calls the bytes of an order make, and of how many assets. */
export const movesOf = (intent: TransactionIntent): { count: number; assets: number } => kindOfTransaction(intent).moves(intent)

/** Where what bytes do is not what is ordered and nothing else, in words; undefined if it is. */
export function differenceOf(intent: TransactionIntent, effects: Effects, codec: ChainCodec): string | undefined {
  const kind = kindOfTransaction(intent)
  const strays = DOES.filter((each) => !kind.does.includes(each)).map((each) => STRAY[each](effects))
  return strays.find((each) => each !== undefined) ?? kind.mismatch(intent, effects, codec)
}

/** What bytes do that are to do nothing of the kind, in words; undefined if they do not. */
const STRAY: Record<Does, (effects: Effects) => string | undefined> = {
  inscribes: ({ inscribes }) => (inscribes === undefined ? undefined : `the transaction makes the inscription ${inscribes}, and the order makes none`),
  authorizes: ({ authorizes }) => authorizes && 'the bytes are an authorization, which lets code run in the name of the account',
  stake: ({ stake }) => stake && `the transaction is to ${stake.action}, which is no transfer and no call`,
  call: ({ call }) => call && 'the transaction calls a contract, which is no transfer',
  transfers: ({ transfers }) => (transfers.length === 0 ? undefined : 'the transaction is a transfer, which has to be ordered as one'),
}
const DOES = Object.keys(STRAY) as Does[]
