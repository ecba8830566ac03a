import { CALL_DATA_MAX_BYTES } from '@holdfast/chain-core'
import { SIGNATURE_MAX } from '@holdfast/chain-evm/codec'
import { bytes, decode, digest, EncodingError, type Infer, list, optional, struct, text, uint, union } from '@holdfast/encoding'
import { type AbsenceIntent, absenceIntentShape, type LiftFreezeIntent, liftFreezeIntentShape } from './signer-orders.ts'

/**
 * An asset as the policy pins it. `contract` is absent for the chain's own coin, and names a token of a collection by `nftAsset`: then the policy pins the
 * collection.
 */
export const assetShape = struct('holdfast/asset/v1', {
  chain: text(64),
  contract: optional(text(128)),
  symbol: text(32),
  decimals: uint(8),
})

/**
 * An order to pay. Immutable from the moment it is made: approvals bind its hash, signers compare every field
 * with the bytes they sign. Addresses are the chain's canonical text, amounts base units, times milliseconds.
 */
export const transferIntentShape = struct('holdfast/intent/transfer/v1', {
  genesis: bytes(32),
  orderId: bytes(16),
  keyId: bytes(32),
  path: list(uint(31), 8),
  from: text(128),
  to: text(128),
  memo: optional(text(256)),
  asset: assetShape,
  amount: uint(256),
  feeAsset: assetShape,
  feeCap: uint(256),
  slotRule: text(32),
  notBeforeMs: uint(),
  expiresAtMs: uint(),
  policyVersion: uint(),
  policyHash: bytes(32),
  initiator: bytes(16),
  screening: optional(bytes(32)),
  remark: text(800),
  nonce: bytes(32),
})

/** More recipients of one transaction nobody reads through before they approve it. */
export const PAYOUT_OUTPUTS_MAX = 100

/**
 * An order to pay several recipients in one transaction. `to` is the first of `outputs` and `amount` what all of them get (`payoutFault`); the fee cap is for
 * the whole.
 */
export const payoutIntentShape = struct('holdfast/intent/payout/v1', {
  ...transferIntentShape.fields,
  outputs: list(struct('holdfast/intent/payout-output/v1', { to: text(128), amount: uint(256) }), PAYOUT_OUTPUTS_MAX),
})

/**
 * An order to send a BRC-20 transfer that is inscribed: `asset` is the token and `amount` what the inscription says, `inscription` its id. `postage` is what
 * the coin that carries it holds, in the network's own coin, and goes along (`brc20Fault`).
 */
export const brc20TransferIntentShape = struct('holdfast/intent/brc20-transfer/v1', {
  ...transferIntentShape.fields,
  inscription: text(80),
  postage: uint(64),
})

/** More inscriptions of one transaction nobody reads through before they approve it. */
export const INSCRIPTIONS_MAX = 16

/**
 * The same for several inscriptions of one token to one recipient, in one transaction: `amount` is what all of them say together, and each goes with its own coin.
 */
export const brc20BatchIntentShape = struct('holdfast/intent/brc20-batch/v1', {
  ...transferIntentShape.fields,
  inscriptions: list(struct('holdfast/intent/brc20-batch-part/v1', { inscription: text(80), amount: uint(256), postage: uint(64) }), INSCRIPTIONS_MAX),
})

/**
 * An order to send an amount of a BRC-20 token that no inscription transfers yet: the transfer is inscribed on the paying address first and sent in the same
 * breath, by transactions that are signed together. `postage` is what the coin holds that goes along (`brc20InscribeFault`).
 */
export const brc20InscribeIntentShape = struct('holdfast/intent/brc20-inscribe/v1', { ...transferIntentShape.fields, postage: uint(64) })

/** What orders that pay nobody by themselves begin with: where they are, and what they move. The order of fields is that of their bytes. */
const movedFields = {
  genesis: bytes(32),
  orderId: bytes(16),
  keyId: bytes(32),
  path: list(uint(31), 8),
  from: text(128),
  to: text(128),
  asset: assetShape,
  amount: uint(256),
}

/** And what they end with: the fee, and who asks, when and under which policy. */
const askedFields = {
  feeAsset: assetShape,
  feeCap: uint(256),
  slotRule: text(32),
  notBeforeMs: uint(),
  expiresAtMs: uint(),
  policyVersion: uint(),
  policyHash: bytes(32),
  initiator: bytes(16),
  remark: text(800),
  nonce: bytes(32),
}

/**
 * An order to call a contract. `to` is the contract, `amount` what is sent along of `asset`, the chain's own coin; `signature` is the function that `data` is
 * claimed to be a call of, such as `approve(address,uint256)`, absent where nobody knows. Whoever reads it decodes `data` by it, and believes nothing else.
 */
export const contractCallIntentShape = struct('holdfast/intent/contract-call/v1', {
  ...movedFields,
  data: bytes(undefined, CALL_DATA_MAX_BYTES),
  signature: optional(text(SIGNATURE_MAX)),
  ...askedFields,
})

/**
 * An order about the stake of an account (TRON's staking 2.0). `amount` is coin staked, of `asset`, the chain's own; `to` is the account whose resource it is about,
 * `from` itself but for delegations. What belongs to which action, `stakeFault` says.
 */
export const stakeIntentShape = struct('holdfast/intent/tron-resource/v1', {
  ...movedFields,
  action: text(16),
  resource: optional(text(16)),
  lockBlocks: uint(),
  ...askedFields,
})

/**
 * An order to lift a deposit that waits for a block by a child that spends it (CPFP). `deposit` is its coin, as `<txid>:<index>`, and `amount` what that holds, of
 * the chain's own coin. All of it comes back to the paying address, which is also `to`, less the fee (`depositChildFault`); no other coin is spent.
 */
export const depositChildIntentShape = struct('holdfast/intent/deposit-child/v1', { ...movedFields, deposit: text(80), ...askedFields })

/** An order to replace the policy by its next version; it contains that version whole. */
export const policyChangeIntentShape = struct('holdfast/intent/policy-change/v1', {
  genesis: bytes(32),
  orderId: bytes(16),
  newPolicy: bytes(undefined, 1 << 20),
  notBeforeMs: uint(),
  expiresAtMs: uint(),
  policyVersion: uint(),
  policyHash: bytes(32),
  initiator: bytes(16),
  nonce: bytes(32),
})

/** What can be done with the shares of a key. Its public key, and with it every address, stays. */
export const KEY_ACTIONS = ['refresh', 'repair'] as const
export type KeyAction = (typeof KEY_ACTIONS)[number]

/**
 * An order to give a key new shares. `refresh`: all three signers deal. `repair`: two `dealers` give the third, which has lost its share and
 * all it remembered, a new one and take its new beginning for good. `wallet` is the server's name for what the key is of.
 */
export const keyChangeIntentShape = struct('holdfast/intent/key-change/v1', {
  genesis: bytes(32),
  orderId: bytes(16),
  action: text(16),
  keyId: bytes(32),
  wallet: text(400),
  fromEpoch: uint(),
  toEpoch: uint(),
  dealers: list(uint(8), 3),
  notBeforeMs: uint(),
  expiresAtMs: uint(),
  policyVersion: uint(),
  policyHash: bytes(32),
  initiator: bytes(16),
  nonce: bytes(32),
})

/** What can be done with a key whose shares stay as they are. */
export const KEY_ORDER_ACTIONS = ['export', 'retire'] as const

/**
 * An order about a key that changes no share. `export`: each signer seals its share to the `recipients` named for it, beside those of the policy. `retire`: the
 * signers sign nothing with the key any more. No signer follows it before `usableFromMs`: until then anybody who governs can still say no.
 */
const keyOrderIntentShape = struct('holdfast/intent/key-order/v1', {
  genesis: bytes(32),
  orderId: bytes(16),
  action: text(16),
  keyId: bytes(32),
  wallet: text(400),
  epoch: uint(),
  recipients: list(struct('holdfast/intent/key-order-recipients/v1', { party: uint(8), recipients: list(text(4096), 4) }), 3),
  remark: text(800),
  notBeforeMs: uint(),
  usableFromMs: uint(),
  expiresAtMs: uint(),
  policyVersion: uint(),
  policyHash: bytes(32),
  initiator: bytes(16),
  nonce: bytes(32),
})

/** What can be done with a payment that waits: allow a higher fee, or put something in its slot that pays nobody. */
export const REPLACEMENT_ACTIONS = ['speed-up', 'cancel'] as const

/**
 * An order about a payment that is on its way: `original` is the canonical bytes of the order to pay, whole, and `slot` its place on the chain, which every
 * transaction of it takes. `speed-up`: the same payment with a fee up to `feeCap`. `cancel`: bytes that give everything back to the paying address.
 */
const replacementIntentShape = struct('holdfast/intent/replacement/v1', {
  genesis: bytes(32),
  orderId: bytes(16),
  action: text(16),
  original: bytes(undefined, 1 << 16),
  slot: uint(256),
  feeCap: uint(256),
  remark: text(800),
  notBeforeMs: uint(),
  expiresAtMs: uint(),
  policyVersion: uint(),
  policyHash: bytes(32),
  initiator: bytes(16),
  nonce: bytes(32),
})

export const intentShape = union({
  transfer: transferIntentShape,
  payout: payoutIntentShape,
  brc20Transfer: brc20TransferIntentShape,
  brc20Batch: brc20BatchIntentShape,
  brc20Inscribe: brc20InscribeIntentShape,
  contractCall: contractCallIntentShape,
  stake: stakeIntentShape,
  depositChild: depositChildIntentShape,
  replacement: replacementIntentShape,
  policyChange: policyChangeIntentShape,
  keyChange: keyChangeIntentShape,
  keyOrder: keyOrderIntentShape,
  absence: absenceIntentShape,
  liftFreeze: liftFreezeIntentShape,
})

/** The initiator of an order that nobody asked for: a server proposed it on its schedule. Approvals count for it as for any other. */
export const BY_SCHEDULE = new Uint8Array(16)

export type Asset = Infer<typeof assetShape>
export type TransferIntent = { kind: 'transfer' } & Infer<typeof transferIntentShape>
export type PayoutIntent = { kind: 'payout' } & Infer<typeof payoutIntentShape>
export type Brc20TransferIntent = { kind: 'brc20Transfer' } & Infer<typeof brc20TransferIntentShape>
export type Brc20BatchIntent = { kind: 'brc20Batch' } & Infer<typeof brc20BatchIntentShape>
/** An order that sends inscribed tokens, by one inscription or several. */
export type InscribedIntent = Brc20TransferIntent | Brc20BatchIntent
export type Brc20InscribeIntent = { kind: 'brc20Inscribe' } & Infer<typeof brc20InscribeIntentShape>
/** An order that pays somebody, one or several. */
export type PaymentIntent = TransferIntent | PayoutIntent | InscribedIntent | Brc20InscribeIntent
export type ContractCallIntent = { kind: 'contractCall' } & Infer<typeof contractCallIntentShape>
export type StakeIntent = { kind: 'stake' } & Infer<typeof stakeIntentShape>
export type DepositChildIntent = { kind: 'depositChild' } & Infer<typeof depositChildIntentShape>
/** An order that a transaction of the chain carries out. */
export type TransactionIntent = PaymentIntent | ContractCallIntent | StakeIntent | DepositChildIntent
export type ReplacementIntent = { kind: 'replacement' } & Infer<typeof replacementIntentShape>
/** What signers sign transactions for. */
export type SpendingIntent = TransactionIntent | ReplacementIntent
export type PolicyChangeIntent = { kind: 'policyChange' } & Infer<typeof policyChangeIntentShape>
export type KeyChangeIntent = { kind: 'keyChange' } & Infer<typeof keyChangeIntentShape>
export type KeyOrderIntent = { kind: 'keyOrder' } & Infer<typeof keyOrderIntentShape>
/** An order to the signers themselves, that moves no money and changes no key. */
export type SignerOrderIntent = AbsenceIntent | LiftFreezeIntent
export type Intent = SpendingIntent | PolicyChangeIntent | KeyChangeIntent | KeyOrderIntent | SignerOrderIntent

/** SHA-256 of the intent's canonical bytes: what approvals, registers and the log speak of. */
export function intentHash(intent: Intent): Uint8Array {
  return digest(intentShape, intent)
}

/** Whether an order is one that a transaction of the chain carries out. */
export function isTransaction(intent: Intent): intent is TransactionIntent {
  return TRANSACTIONS.some((kind) => kind === intent.kind)
}

const TRANSACTIONS: readonly TransactionIntent['kind'][] = [
  'transfer',
  'payout',
  'brc20Transfer',
  'brc20Batch',
  'brc20Inscribe',
  'contractCall',
  'stake',
  'depositChild',
]

/** Whether an order is one that signers sign a transaction for. */
export const isSpending = (intent: Intent): intent is SpendingIntent => isTransaction(intent) || intent.kind === 'replacement'

/** The order that a transaction carries out: itself, or the one it is about. Throws EncodingError where it contains none of its own organisation. */
export function originalOf(intent: SpendingIntent): TransactionIntent {
  if (isTransaction(intent)) return intent
  const original = decode(intentShape, intent.original)
  if (!isTransaction(original) || !original.genesis.every((byte, i) => byte === intent.genesis[i]))
    throw new EncodingError('what is to be replaced is no order to pay of this organisation')
  return original
}

/** Everybody who asked: for the order, and for the one it is about. None of them approves it. */
export function askersOf(intent: Intent): Uint8Array[] {
  return intent.kind === 'replacement' ? [intent.initiator, originalOf(intent).initiator] : [intent.initiator]
}

/** What the policy judges an order by: what is paid, and who asks now. */
export function judgedAs(intent: SpendingIntent): TransactionIntent {
  return { ...originalOf(intent), initiator: intent.initiator }
}
