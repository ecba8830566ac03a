import type { OrderId, OrganisationId, PersonId, RequesterId, SubWalletId, WalletId } from '@holdfast/units'
import type { ColumnType } from 'kysely'
import type { Json, Later, Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/transfer. */
  interface Schema {
    transfer_order: TransferOrder
    order_transaction: OrderTransaction
    order_coin: OrderCoin
    order_output: OrderOutput
    order_part: OrderPart
    order_carried: OrderCarried
    transfer_event: TransferEvent
    order_log_place: OrderLogPlace
    signing_attempt: SigningAttempt
    signing_start: SigningStart
    slot_lease: SlotLease
    evidence: Evidence
    replacement_evidence: ReplacementEvidence
  }
}

/** The kinds of orders, as rows name them. features/transfer says what each needs. */
export type OrderKindName =
  | 'withdraw'
  | 'consolidate'
  | 'collect'
  | 'fuel'
  | 'rent'
  | 'brc20'
  | 'web3'
  | 'authorize'
  | 'stake'
  | 'stake_change'
  | 'deposit_child'
  | 'speed_up'
  | 'cancel'

type TransferOrder = {
  org_id: Once<OrganisationId>
  id: Once<OrderId>
  kind: Once<OrderKindName>
  wallet_id: Once<WalletId>
  sub_wallet_id: Once<SubWalletId>
  chain: Once<string>
  contract: Once<string>
  symbol: Once<string>
  amount: Once<bigint>
  fee_cap: Once<bigint>
  /** The fee that it offers at first, within the cap: its place in FEE_TIERS. Without meaning for an order about a payment. */
  tier: ColumnType<number, number | undefined, never>
  /** What accompanies a BRC-20 token, in the network's own coin. */
  postage: ColumnType<bigint, bigint | undefined, never>
  address_from: Once<string>
  address_to: Once<string>
  /** What people compare. */
  address_to_end: Later<string>
  address_to_start: Later<string>
  memo: Once<string | null>
  remark: Once<string>
  intent: Once<Uint8Array>
  intent_hash: Once<Uint8Array>
  policy_version: Once<bigint>
  /** The rule of the policy that is to decide, also by what screeners say; null in the forms of a policy in which the first that covers an order does. */
  rule_id: string | null
  /** From when on two signers sign an order that waits after its last approval; null while they have not been told, and for one that does not wait. */
  signable_at: TimeOrNull
  /** The person or the machine that asked for it, or the standing order that did. */
  initiator: Once<RequesterId>
  /** The standing order that asked for it; null if a person or a machine did. */
  standing_order_id: ColumnType<string | null, string | null | undefined, never>
  /** The batch that people approved, of which it pays lines; null if they approved the order itself. */
  batch_id: ColumnType<string | null, string | null | undefined, never>
  state: string
  sub_status: string | null
  is_final: boolean
  slot: bigint | null
  /** The transaction that stands for the order: the one in a block, or the newest that was signed. */
  txid: string | null
  block_height: bigint | null
  block_hash: string | null
  fee_paid: bigint | null
  refusal: Json | null
  /** What stood in its way at its last step. */
  obstacle: Json | null
  /** The order whose transaction this one replaces. */
  replaces: Once<OrderId | null>
  expires_at: TimeOnce
  created_at: TimeOnce
  updated_at: Time
  version: number
}

type OrderTransaction = {
  org_id: Once<OrganisationId>
  order_id: Once<OrderId>
  number: Once<number>
  purpose: Once<'pay' | 'cancel'>
  allowed_by: Once<OrderId | null>
  asked_by: Once<RequesterId | null>
  tier: Once<number>
  fee_cap: Once<bigint>
  unsigned_tx: Uint8Array | null
  raw_tx: Uint8Array | null
  txid: string | null
  reason: string | null
  created_at: TimeOnce
  signed_at: TimeOrNull
  ended_at: TimeOrNull
}

type OrderCoin = { org_id: Once<string>; order_id: Once<string>; place: Once<number>; outpoint: Once<string> }

type OrderOutput = {
  org_id: Once<string>
  order_id: Once<string>
  place: Once<number>
  address: Once<string>
  /** What the chain carries along for this one; null if nothing. */
  memo: ColumnType<string | null, string | null | undefined, never>
  /** What people compare. */
  address_end: Later<string>
  address_start: Later<string>
  amount: Once<bigint>
  /** Of an order by which some were paid and others not: whether this one was; null of every other order. */
  arrived: ColumnType<boolean | null, undefined, boolean | null>
}

type OrderPart = {
  org_id: Once<string>
  order_id: Once<string>
  place: Once<number>
  sub_wallet_id: Once<string>
  chain: Once<string>
  contract: Once<string>
  address: Once<string>
  amount: Once<bigint>
  hold_id: Once<string>
  /** Since when it is not held any more; null while it is. */
  freed_at: TimeOrNull
}

/** A signed authorization (`carried_id`, an order of its own) that an order's transaction carries. */
type OrderCarried = { org_id: Once<string>; order_id: Once<OrderId>; place: Once<number>; carried_id: Once<OrderId> }

type TransferEvent = {
  org_id: Once<OrganisationId>
  order_id: Once<OrderId>
  seq: Once<number>
  state: Once<string>
  sub_status: Once<string | null>
  actor: Once<string>
  reason: Once<string | null>
  at: TimeOnce
}

type OrderLogPlace = { org_id: Once<OrganisationId>; order_id: Once<OrderId>; sequence: Once<bigint>; person_id: Once<PersonId | null> }

type SigningAttempt = {
  org_id: Once<OrganisationId>
  order_id: Once<OrderId>
  number: Once<number>
  transaction_number: Once<number>
  parties: Once<number[]>
  started_at: TimeOnce
  ended_at: TimeOrNull
  outcome: 'signed' | 'refused' | 'unclear' | 'cheat' | null
  party: number | null
  failed_check: string | null
  reason: string | null
}

type SigningStart = { org_id: Once<OrganisationId>; order_id: Once<OrderId>; number: Once<number>; handed_over_at: TimeOrNull }

type SlotLease = {
  org_id: Once<OrganisationId>
  chain: Once<string>
  address: Once<string>
  slot: Once<bigint>
  order_id: OrderId
  state: 'leased' | 'used' | 'released'
  created_at: TimeOnce
  updated_at: Time
}

type Evidence = { org_id: Once<OrganisationId>; order_id: Once<OrderId>; bundle: Once<Uint8Array>; created_at: TimeOnce }

type ReplacementEvidence = { org_id: Once<OrganisationId>; order_id: Once<OrderId>; number: Once<number>; bundle: Once<Uint8Array>; created_at: TimeOnce }
