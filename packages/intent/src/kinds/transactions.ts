import { type Infer, type StructShape, union } from '@holdfast/encoding'
import { authorization } from './standing-order/authorization.ts'
import { brc20Batch } from './brc20/brc20-batch.ts'
import { brc20Inscribe } from './brc20/brc20-inscribe.ts'
import { brc20Transfer } from './brc20/brc20-transfer.ts'
import { contractCall } from './contract-call.ts'
import { depositChild } from './deposit-child.ts'
import type { IntentKind, TransactionKind } from './intent-kind.ts'
import { notedPayout } from './noted-payout.ts'
import { payout } from './payout.ts'
import { shapesOf } from './shapes-of.ts'
import { stake } from './stake.ts'
import { transfer } from './transfer.ts'

/** The kinds of orders that a transaction of the chain carries out. A new one is a line here. */
export const TRANSACTIONS = {
  transfer,
  payout,
  notedPayout,
  brc20Transfer,
  brc20Batch,
  brc20Inscribe,
  contractCall,
  stake,
  depositChild,
  authorization,
} satisfies Record<string, TransactionKind>

export const transactionShape = union(shapesOf(TRANSACTIONS))

/** An order that a transaction of the chain carries out. */
export type TransactionIntent = Infer<typeof transactionShape>

/** What the kind of such an order says of it. */
export const kindOfTransaction = ({ kind }: Pick<TransactionIntent, 'kind'>): TransactionKind => TRANSACTIONS[kind]

/** What a kind of order says of itself that is about another order, whose transaction it lets signers sign anew. */
export type AboutKind<S extends StructShape = StructShape> = IntentKind<S> & {
  /** The order it is about. Throws EncodingFault if it contains none of its own organisation. */
  about(intent: Infer<S>): TransactionIntent
}
