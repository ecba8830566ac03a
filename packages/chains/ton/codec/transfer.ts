import { type AssetRef, ChainError, type Effects, type Transfer } from '@holdfast/chain-core'
import { bytes, decode, encode, EncodingFault, equalBytes, type Infer, optional, type Shape, struct, text } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { type Address, addressText, requireAddress, sameAddress } from './address.ts'
import { parseBoc, serializeBoc } from './boc.ts'
import type { Cell } from './cell.ts'
import { type JettonWalletForm, jettonTransferBody, jettonWalletAddress, jettonWalletFormShape, pinnedForm, readJettonTransfer } from './jetton.ts'
import type { Network } from './network.ts'
import { memoOf, type Order, orderCell, type OrderedMessage, paymentBody, readOrder } from './order.ts'
import { walletAddress, walletIdOf } from './wallet.ts'

/**
 * The unsigned bytes: the order that is signed, the key whose wallet it is for, which the order does not say, and for a jetton what its
 * wallets follow from. The addresses computed from key and form must be those in the order; whether the form is that of the jetton, the policy says.
 */
export const unsignedShape = struct('holdfast/ton-unsigned/v1', {
  publicKey: bytes(32),
  order: bytes(undefined, 32_768),
  jetton: optional(struct('holdfast/ton-jetton/v1', { master: text(48), wallets: jettonWalletFormShape })),
})
/** The signed form. What is broadcast follows from it: `broadcastMessage`. */
const signedShape = struct('holdfast/ton-signed/v1', { unsigned: bytes(undefined, 40_960), signature: bytes(64) })

/**
 * What the wallet itself may be charged for an order at most, in nanotons: for taking it in and carrying it out, for sending one message, for
 * years of storage, and for being made. A node that expects more refuses to prepare: the bound that people approve would not hold.
 */
export const WALLET_FEE_MAX = 50_000_000n
/** What each further message of an order may cost the wallet at most: for being carried out and sent. */
export const MESSAGE_FEE_MAX = 2_000_000n
/** What its comment may add to that: the longest that is ordered adds about nine tenths of it. */
const COMMENT_FEE_MAX = 1_000_000n
const SECONDS_MS = 1_000n

export type Payment = { to: string; amount: bigint; memo?: string }

export type TransferDraft = {
  publicKey: Uint8Array
  to: string
  asset: AssetRef
  amount: bigint
  memo?: string
  /** Where one order pays several: all of them in their sequence, `to` the first and `amount` their sum; each may have a memo of its own. */
  payments?: readonly Payment[]
  seqno: bigint
  /** Seconds since 1970. */
  validUntil: bigint
  /** For a jetton: from what its wallets' addresses follow, and the coin that goes along with each payment for their work. */
  jetton?: { wallets: JettonWalletForm; attached: bigint }
}

/** The unsigned bytes of a transfer of coin or of a jetton, to one or to several. Throws ChainError for what `decode` would refuse. */
export function buildTransfer(draft: TransferDraft, network: Network): Uint8Array {
  const { publicKey, to, asset, amount, memo, seqno, validUntil, jetton } = draft
  const { payments = [{ to, amount, ...(memo === undefined ? {} : { memo }) }] } = draft
  if ((asset.contract === null) !== (jetton === undefined))
    throw new ChainError("a jetton's transfer needs what its wallets follow from, and coin needs nothing")
  if (payments[0]?.to !== to || payments.reduce((sum, each) => sum + each.amount, 0n) !== amount)
    throw new ChainError('the payments of the order are not what it pays')
  const messages = payments.map((each) => messageOf(each, draft, network))
  const unsigned = encode(unsignedShape, {
    publicKey,
    order: serializeBoc(orderCell({ walletId: walletIdOf(network), validUntil, seqno, messages })),
    jetton: asset.contract !== null && jetton ? { master: asset.contract, wallets: jetton.wallets } : null,
  })
  parseTransfer(unsigned, network)
  return unsigned
}

/** The message by which one is paid: coin goes to them, of a jetton the payer's own jetton wallet is told to pay. */
function messageOf(
  { to, amount, memo }: Payment,
  { publicKey, asset, seqno, jetton }: Pick<TransferDraft, 'publicKey' | 'asset' | 'seqno' | 'jetton'>,
  network: Network,
): OrderedMessage {
  const recipient = requireAddress(to, network.isTest)
  if (asset.contract === null || !jetton) return { to: recipient, amount, bounce: false, body: paymentBody(memo) }
  const own = walletAddress(publicKey, network)
  const master = requireAddress(asset.contract, network.isTest)
  const body = jettonTransferBody({ queryId: seqno, amount, to: recipient, response: own, ...(memo === undefined ? {} : { memo }) })
  return { to: jettonWalletAddress(jetton.wallets, master, own), amount: jetton.attached, bounce: true, body }
}

export type ParsedTransfer = { publicKey: Uint8Array; cell: Cell; order: Order; effects: Effects }

/** Parses unsigned bytes whole. Throws ChainError for anything but the one form of a transfer on this network. */
export function parseTransfer(unsigned: Uint8Array, network: Network): ParsedTransfer {
  const { publicKey, order: boc, jetton } = decoded(unsignedShape, unsigned)
  const cell = parseBoc(boc)
  if (!equalBytes(serializeBoc(cell), boc)) throw new ChainError('the order is not written in its one canonical form')
  const order = readOrder(cell)
  if (order.walletId !== walletIdOf(network)) throw new ChainError(`the order is for wallets of another network than ${network.chain}`)
  if (order.seqno === 0xffff_ffffn || order.validUntil === 0xffff_ffffn) throw new ChainError('the order is for a wallet at its end')
  const own = walletAddress(publicKey, network)
  const moves = jetton ? jettonMoves(order, own, jetton, network) : coinMoves(order, network)
  const effects: Effects = {
    chain: network.chain,
    from: addressText(own, network.isTest),
    ...moves,
    slot: order.seqno,
    validUntilMs: order.validUntil * SECONDS_MS,
  }
  return { publicKey, cell, order, effects }
}

type Moves = Pick<Effects, 'transfers' | 'feeMax' | 'feeParameters' | 'tokenWallets'>

/** The most that the wallet is charged for an order of these payments. */
export const walletFeeMax = (payments: readonly { to: string; memo?: string | undefined }[]): bigint =>
  payments.slice(1).reduce((sum, { memo }) => sum + MESSAGE_FEE_MAX + (memo === undefined ? 0n : COMMENT_FEE_MAX), WALLET_FEE_MAX)

function coinMoves({ messages }: Order, { chain, isTest }: Network): Moves {
  const transfers = messages.map(({ to, amount, bounce, body }): Transfer => {
    if (bounce) throw new ChainError('the payment would come back from an account that refuses it; payments of coin never do')
    if (amount === 0n) throw new ChainError('the transaction moves nothing: the amount is zero')
    const memo = memoOf(body)
    return { asset: { chain, contract: null }, to: addressText(to, isTest), amount, ...(memo === undefined ? {} : { memo }) }
  })
  return { transfers: eachOnce(transfers), feeMax: walletFeeMax(transfers) }
}

type Jetton = NonNullable<Infer<typeof unsignedShape>['jetton']>

function jettonMoves(order: Order, own: Address, { master: text, wallets }: Jetton, { chain, isTest }: Network): Moves {
  const master = requireAddress(text, isTest)
  const contract = addressText(master, isTest)
  if (contract !== text) throw new ChainError('the jetton is not named by its canonical address')
  const ownWallet = jettonWalletAddress(wallets, master, own)
  const attached = at(order.messages, 0).amount
  const transfers = order.messages.map((message): Transfer => {
    if (!sameAddress(message.to, ownWallet)) throw new ChainError("the order goes to another contract than the payer's jetton wallet")
    if (message.amount !== attached) throw new ChainError('not the same coin goes along with each of the jetton transfers')
    return { asset: { chain, contract }, ...jettonPayment(message, order.seqno, own, isTest) }
  })
  const feeMax = walletFeeMax(transfers) + attached * BigInt(transfers.length)
  return { transfers: eachOnce(transfers), tokenWallets: pinnedForm(contract, wallets), feeMax, feeParameters: { attached } }
}

function jettonPayment({ bounce, body }: OrderedMessage, seqno: bigint, own: Address, isTest: boolean): Payment {
  if (!bounce) throw new ChainError('the order would leave its coin with a jetton wallet that refuses it')
  const { queryId, amount, to, response, memo } = readJettonTransfer(body)
  if (amount === 0n) throw new ChainError('the transaction moves nothing: the amount of the jetton transfer is zero')
  if (queryId !== seqno) throw new ChainError('the jetton transfer has another number than the order')
  if (!sameAddress(response, own)) throw new ChainError('what is left of the coin would go to somebody else than the payer')
  const parts = { queryId, amount, to, response, ...(memo === undefined ? {} : { memo }) }
  if (!equalBytes(jettonTransferBody(parts).hash, body.hash)) throw new ChainError('the jetton transfer is not written in its one canonical form')
  return { to: addressText(to, isTest), amount, ...(memo === undefined ? {} : { memo }) }
}

/** Nobody is paid twice by one order, so that on the chain no payment can be taken for another. Throws ChainError. */
function eachOnce(transfers: Transfer[]): Transfer[] {
  if (new Set(transfers.map(({ to }) => to)).size < transfers.length) throw new ChainError('the transaction pays a recipient twice')
  return transfers
}

export function joinSigned(unsigned: Uint8Array, signature: Uint8Array): Uint8Array {
  return encode(signedShape, { unsigned, signature })
}

export function splitSigned(raw: Uint8Array): { unsigned: Uint8Array; signature: Uint8Array } {
  return decoded(signedShape, raw)
}

function decoded<S extends Shape>(shape: S, bytesGiven: Uint8Array): Infer<S> {
  try {
    return decode(shape as never, bytesGiven) as Infer<S>
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new ChainError(`the transaction cannot be read: ${cause.message}`, { cause })
    throw cause
  }
}
