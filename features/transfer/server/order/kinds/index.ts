import type { OrderKindName } from '@holdfast/db'
import type { TransactionIntent } from '@holdfast/intent'
import { known } from '@holdfast/units'
import { type Authorization, authorization, authorize } from './authorization.ts'
import { brc20, type Brc20Batch, brc20Batch, type Brc20Inscribe, brc20Inscribe, type Brc20Transfer, brc20Transfer } from './brc20.ts'
import { type ContractCall, contractCall, web3 } from './contract-call.ts'
import { child, type DepositChild, depositChild } from './deposit-child.ts'
import type { OrderKind, SubjectKind } from './order-kind.ts'
import { collect, consolidate, fuel, type NotedPayout, notedPayout, type Payout, payout, rent, type Transfer, transfer, withdraw } from './payment.ts'
import { cancel, speedUp } from './replacement.ts'
import { type Stake, stake, stakeChange, staking } from './stake.ts'

/** What an order does, by the kind of its intent. */
export type Subject = Transfer | Payout | NotedPayout | Brc20Transfer | Brc20Batch | Brc20Inscribe | ContractCall | Stake | DepositChild | Authorization
export type SubjectName = TransactionIntent['kind']

type SubjectOf<K extends SubjectName> = Extract<Subject, { kind: K }>
type IntentOf<K extends SubjectName> = Extract<TransactionIntent, { kind: K }>

const SUBJECTS = {
  transfer,
  payout,
  notedPayout,
  brc20Transfer,
  brc20Batch,
  brc20Inscribe,
  contractCall,
  stake: staking,
  depositChild: child,
  authorization,
} satisfies {
  [K in SubjectName]: SubjectKind<SubjectOf<K>, IntentOf<K>>
}

/** Every kind of order, under the name that its rows have. */
const ORDER_KINDS = {
  withdraw,
  consolidate,
  collect,
  fuel,
  rent,
  brc20,
  web3,
  authorize,
  stake,
  stake_change: stakeChange,
  deposit_child: depositChild,
  speed_up: speedUp,
  cancel,
} as const satisfies Record<OrderKindName, OrderKind>

/** The kinds of orders that are requested by what they do; orders about another order are not among them. */
type Opened = { [K in OrderKindName]: (typeof ORDER_KINDS)[K]['subjects'][number] extends never ? never : K }[OrderKindName]

/** The request of an order that pays: its kind, and what orders of this kind can be about. */
export type Ordered = { [K in Opened]: { kind: K; subject: SubjectOf<(typeof ORDER_KINDS)[K]['subjects'][number]> } }[Opened]

/** The properties of a kind of intent. */
export const subjectKind = <K extends SubjectName>({ kind }: { kind: K }): SubjectKind<SubjectOf<K>, IntentOf<K>> =>
  SUBJECTS[kind] as SubjectKind<SubjectOf<K>, IntentOf<K>>

/** The properties of an order by its row. Throws if its kind is unknown: nobody may guess what it is about. */
export const orderKind = ({ kind }: { kind: OrderKindName }): OrderKind =>
  known(Object.hasOwn(ORDER_KINDS, kind) ? ORDER_KINDS[kind] : undefined, `the kind of order ${kind}`)

/** The names of the kinds of orders with a property. */
export const orderKindsWhere = (isSo: (kind: OrderKind) => boolean): OrderKindName[] =>
  (Object.keys(ORDER_KINDS) as OrderKindName[]).filter((name) => isSo(ORDER_KINDS[name]))

/** The names of the kinds of orders that can be about something. */
export const orderKindsAbout = (subject: SubjectName): OrderKindName[] => orderKindsWhere(({ subjects }) => subjects.includes(subject))

/** The kinds of orders that are calls of contracts and nothing else: what else than the fee they take, only the chain says. */
export const CALL_KINDS: readonly OrderKindName[] = orderKindsWhere(({ subjects }) => subjects.length > 0 && subjects.every((each) => each === 'contractCall'))

/** The kinds of orders that speed a deposit up, whose fee the deposit pays. */
export const CPFP_KINDS: readonly OrderKindName[] = orderKindsAbout('depositChild')

/** What an order is for: to pay, or about another payment, to raise its fee or to cancel it. */
export const purposeOf = (order: { kind: OrderKindName }): 'pay' | 'speed_up' | 'cancel' => orderKind(order).about ?? 'pay'

export { inscribedTransfers } from './brc20.ts'
export { notedPayoutOf, payoutOf } from './payment.ts'
export type { Money, OrderFields, SentInscription } from './order-kind.ts'
