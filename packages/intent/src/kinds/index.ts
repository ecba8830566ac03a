import { type Infer, union } from '@holdfast/encoding'
import { absence } from './absence.ts'
import { addressBook } from './address-book.ts'
import { batch } from './batch.ts'
import type { IntentKind } from './intent-kind.ts'
import { keyChange } from './key-change.ts'
import { keyOrder } from './key-order.ts'
import { liftFreeze } from './lift-freeze.ts'
import { policyChange } from './policy-change.ts'
import { replacement } from './replacement.ts'
import { standingOrder } from './standing-order/standing-order.ts'
import { shapesOf } from './shapes-of.ts'
import { TRANSACTIONS } from './transactions.ts'

/** The kinds of orders to the signers themselves, that move no money and change no key. */
export const SIGNER_ORDERS = { absence, liftFreeze, addressBook, standingOrder } satisfies Record<string, IntentKind>

/** Every kind of order, under the name that its values carry. A new one is a file of its own, and a line here or among `TRANSACTIONS`. */
export const KINDS = {
  ...TRANSACTIONS,
  replacement,
  batch,
  policyChange,
  keyChange,
  keyOrder,
  ...SIGNER_ORDERS,
} satisfies Record<string, IntentKind>

export type Kind = keyof typeof KINDS

export const intentShape = union(shapesOf(KINDS))

/** An order of any kind. */
export type Intent = Infer<typeof intentShape>
type IntentOf<K extends Kind> = Extract<Intent, { kind: K }>

/** The orders of those kinds that say this of themselves. */
type Saying<Member extends string> = IntentOf<{ [K in Kind]: Member extends keyof (typeof KINDS)[K] ? K : never }[Kind]>

/** An order that pays somebody, one or several. */
export type PaymentIntent = Saying<'payments'>
/** An order that sends tokens which are inscribed already, by one inscription or several. */
export type InscribedIntent = Saying<'inscriptions'>
/** What signers sign transactions for: an order that one carries out, or one about such an order. */
export type SpendingIntent = Saying<'act' | 'about'>
/** An order to the signers themselves, that moves no money and changes no key. */
export type SignerOrderIntent = IntentOf<keyof typeof SIGNER_ORDERS>
