import type { Signature } from '@holdfast/chain-core'
import { fromHex } from '@holdfast/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { buildTransfer, type TransferTransaction, tronCodec } from '../codec/index.ts'

/** What the tests of the codec and of the node share: a key nobody uses and orders of every kind. */
export const chain = 'tron:0x2b6653dc'
export const codec = tronCodec({ chain })
export const secretKey = fromHex('59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b786900')
export const publicKey = secp256k1.getPublicKey(secretKey, true)
export const payer = codec.addressFromKey(publicKey)
/** USDT of the main network. */
export const token = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
export const recipient = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'

export const frame = {
  refBlock: { bytes: fromHex('8f3a'), hash: fromHex('b2f1c0d94e5a6177') },
  timestampMs: 1_795_000_000_000n,
  expirationMs: 1_795_000_060_000n,
}
export const nativeOrder: TransferTransaction = { ...frame, from: payer, to: recipient, asset: { chain, contract: null }, amount: 1_234_567n, feeLimit: 0n }
export const tokenOrder: TransferTransaction = { ...nativeOrder, asset: { chain, contract: token }, amount: 250_000_000n, feeLimit: 3_500_000n }

export const nativeUnsigned = buildTransfer(nativeOrder)
export const tokenUnsigned = buildTransfer(tokenOrder)

export function sign(digest: Uint8Array): Signature {
  const bytes = secp256k1.sign(digest, secretKey, { prehash: false, format: 'recovered' })
  return { recovery: bytes[0]!, r: bytes.slice(1, 33), s: bytes.slice(33, 65) }
}
