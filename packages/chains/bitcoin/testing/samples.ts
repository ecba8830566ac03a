import type { Signature } from '@holdfast/chain-core'
import { fromHex } from '@holdfast/encoding'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bitcoinChain, bitcoinCodec, draftTransfer, finishDraft, networkOf, previousNeeded, requireScript, type SpentCoin } from '../codec/index.ts'
import { serializeTransaction, txidOf } from '../codec/transaction.ts'

/** What the tests of the codec and of the node share: keys nobody uses, coins that never were, and orders that build every template. */
export const chain = bitcoinChain('regtest')
export const network = networkOf(chain)
export const codec = bitcoinCodec({ chain })
export const secretKey = fromHex('59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b786900')
export const publicKey = secp256k1.getPublicKey(secretKey, true)
export const taprootKey = schnorr.getPublicKey(secretKey)
export const from = codec.addressFromKey(publicKey)
export const taprootFrom = codec.addressFromKey(taprootKey)
export const recipient = codec.addressFromKey(schnorr.getPublicKey(sha256(Uint8Array.of(1))))
export const second = codec.addressFromKey(secp256k1.getPublicKey(sha256(Uint8Array.of(2)), true))
export const third = codec.addressFromKey(secp256k1.getPublicKey(sha256(Uint8Array.of(3)), true))

export function sign(digest: Uint8Array): Signature {
  const bytes = secp256k1.sign(digest, secretKey, { prehash: false, format: 'recovered' })
  return { recovery: bytes[0]!, r: bytes.slice(1, 33), s: bytes.slice(33, 65) }
}

export function signTaproot(digest: Uint8Array): Signature {
  const bytes = schnorr.sign(digest, secretKey)
  return { recovery: 0, r: bytes.slice(0, 32), s: bytes.slice(32, 64) }
}

/** A coin of an address, with the transaction that made it: the only output of one without inputs that mean anything. */
export function coinOf(address: string, amount: bigint, seed = 0): { coin: SpentCoin; made: Uint8Array } {
  const script = requireScript(network, address)
  const input = { txid: '11'.repeat(32), index: seed, script: new Uint8Array(), sequence: 0xffff_ffff }
  const transaction = { version: 2, inputs: [input], outputs: [{ amount, script }], lockTime: 0 }
  return { coin: { txid: txidOf(transaction), index: 0, amount, script }, made: serializeTransaction(transaction) }
}

export type Made = ReturnType<typeof coinOf>
export function previousOf(made: readonly Made[]): Map<string, Uint8Array> {
  return new Map(made.map(({ coin, made: bytes }) => [coin.txid, bytes]))
}

export function build(order: Omit<Parameters<typeof draftTransfer>[0], 'chain' | 'coins' | 'feeCap'> & { made: readonly Made[] }): Uint8Array {
  const draft = draftTransfer({ chain, feeCap: 10n ** 12n, ...order, coins: order.made.map(({ coin }) => coin) })
  const previous = previousOf(order.made)
  return finishDraft(draft, new Map(previousNeeded(draft).map((txid) => [txid, previous.get(txid)!])))
}

export const oneCoin = [coinOf(from, 5_000_000n)]
export const twoCoins = [coinOf(from, 60_000n, 1), coinOf(from, 50_000n, 2)]
export const taprootCoins = [coinOf(taprootFrom, 60_000n, 1), coinOf(taprootFrom, 50_000n, 2)]
export const changePath = [0, 7]

export const oneUnsigned = build({ from, payments: [{ to: recipient, amount: 1_234_567n }], made: oneCoin, satPerKvb: 7_500n })
export const twoUnsigned = build({
  from,
  payments: [{ to: third, amount: 90_000n }],
  made: twoCoins,
  satPerKvb: 2_000n,
  change: { address: second, path: changePath },
})
export const taprootUnsigned = build({
  from: taprootFrom,
  payments: [
    { to: third, amount: 70_000n },
    { to: second, amount: 20_000n },
  ],
  made: taprootCoins,
  satPerKvb: 2_000n,
})
