import { type AssetRef, ChainError, type Effects } from '@holdfast/chain-core'
import { bytes, decode, encode, EncodingFault, equalBytes, type Infer, optional, type Shape, struct, text } from '@holdfast/encoding'
import { addressText, requireAddress, sameAddress } from './address.ts'
import { parseBoc, serializeBoc } from './boc.ts'
import type { Cell } from './cell.ts'
import { type JettonWalletForm, jettonTransferBody, jettonWalletAddress, jettonWalletFormShape, pinnedForm, readJettonTransfer } from './jetton.ts'
import type { Network } from './network.ts'
import { memoOf, type Order, orderCell, paymentBody, readOrder } from './order.ts'
import { walletAddress, walletIdOf } from './wallet.ts'

/**
 * The unsigned bytes: the order that is signed, the key whose wallet it is for, which the order does not say, and for a jetton what its
 * wallets follow from. The addresses computed from key and form must be those in the order; whether the form is that of the jetton, the policy says.
 */
const unsignedShape = struct('holdfast/ton-unsigned/v1', {
  publicKey: bytes(32),
  order: bytes(undefined, 8_192),
  jetton: optional(struct('holdfast/ton-jetton/v1', { master: text(48), wallets: jettonWalletFormShape })),
})
/** The signed form. What is broadcast follows from it: `broadcastMessage`. */
const signedShape = struct('holdfast/ton-signed/v1', { unsigned: bytes(undefined, 16_384), signature: bytes(64) })

/**
 * What the wallet itself may be charged for an order at most, in nanotons: for taking it in and carrying it out, for sending one message, for
 * years of storage, and for being made. A node that expects more refuses to prepare: the bound that people approve would not hold.
 */
export const WALLET_FEE_MAX = 50_000_000n
const SECONDS_MS = 1_000n

export type TransferDraft = {
  publicKey: Uint8Array
  to: string
  asset: AssetRef
  amount: bigint
  memo?: string
  seqno: bigint
  /** Seconds since 1970. */
  validUntil: bigint
  /** For a jetton: from what its wallets' addresses follow, and the coin that goes along for their work. */
  jetton?: { wallets: JettonWalletForm; attached: bigint }
}

/** The unsigned bytes of a transfer of coin or of a jetton. Throws ChainError for what `decode` would refuse. */
export function buildTransfer(draft: TransferDraft, network: Network): Uint8Array {
  const { publicKey, to, asset, amount, memo, seqno, validUntil, jetton } = draft
  const { isTest } = network
  const head = { walletId: walletIdOf(network), validUntil, seqno }
  const recipient = requireAddress(to, isTest)
  if ((asset.contract === null) !== (jetton === undefined))
    throw new ChainError("a jetton's transfer needs what its wallets follow from, and coin needs nothing")
  let order: Order = { ...head, to: recipient, amount, bounce: false, body: paymentBody(memo) }
  if (asset.contract !== null && jetton) {
    const own = walletAddress(publicKey, network)
    const master = requireAddress(asset.contract, isTest)
    const body = jettonTransferBody({ queryId: seqno, amount, to: recipient, response: own, ...(memo === undefined ? {} : { memo }) })
    order = { ...head, to: jettonWalletAddress(jetton.wallets, master, own), amount: jetton.attached, bounce: true, body }
  }
  const unsigned = encode(unsignedShape, {
    publicKey,
    order: serializeBoc(orderCell(order)),
    jetton: asset.contract !== null && jetton ? { master: asset.contract, wallets: jetton.wallets } : null,
  })
  parseTransfer(unsigned, network)
  return unsigned
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

function coinMoves({ to, amount, bounce, body }: Order, { chain, isTest }: Network): Moves {
  if (bounce) throw new ChainError('the payment would come back from an account that refuses it; payments of coin never do')
  if (amount === 0n) throw new ChainError('the transaction moves nothing: the amount is zero')
  const memo = memoOf(body)
  const transfer = { asset: { chain, contract: null }, to: addressText(to, isTest), amount, ...(memo === undefined ? {} : { memo }) }
  return { transfers: [transfer], feeMax: WALLET_FEE_MAX }
}

type Jetton = NonNullable<Infer<typeof unsignedShape>['jetton']>

function jettonMoves(order: Order, own: ReturnType<typeof walletAddress>, { master: text, wallets }: Jetton, { chain, isTest }: Network): Moves {
  const master = requireAddress(text, isTest)
  const contract = addressText(master, isTest)
  if (contract !== text) throw new ChainError('the jetton is not named by its canonical address')
  if (!sameAddress(order.to, jettonWalletAddress(wallets, master, own)))
    throw new ChainError("the order goes to another contract than the payer's jetton wallet")
  if (!order.bounce) throw new ChainError('the order would leave its coin with a jetton wallet that refuses it')
  const { queryId, amount, to, response, memo } = readJettonTransfer(order.body)
  if (amount === 0n) throw new ChainError('the transaction moves nothing: the amount of the jetton transfer is zero')
  if (queryId !== order.seqno) throw new ChainError('the jetton transfer has another number than the order')
  if (!sameAddress(response, own)) throw new ChainError('what is left of the coin would go to somebody else than the payer')
  const parts = { queryId, amount, to, response, ...(memo === undefined ? {} : { memo }) }
  if (!equalBytes(jettonTransferBody(parts).hash, order.body.hash)) throw new ChainError('the jetton transfer is not written in its one canonical form')
  const transfer = { asset: { chain, contract }, to: addressText(to, isTest), amount, ...(memo === undefined ? {} : { memo }) }
  const feeMax = WALLET_FEE_MAX + order.amount
  return { transfers: [transfer], tokenWallets: pinnedForm(contract, wallets), feeMax, feeParameters: { attached: order.amount } }
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
