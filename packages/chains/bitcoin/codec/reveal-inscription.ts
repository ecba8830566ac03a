import { type ChainId, ChainError } from '@holdfast/chain-core'
import { schnorr } from '@noble/curves/secp256k1.js'
import { requireScript } from './address.ts'
import { type InscriptionCommit, leafHash } from './inscription.ts'
import { networkOf } from './networks.ts'
import { SEQUENCE } from './psbt.ts'
import { taprootHash } from './sighash.ts'
import { dustLimit, feeFor } from './size.ts'
import { serializeTransaction, type Transaction, txidOf } from './transaction.ts'

export type RevealOrder = {
  chain: ChainId
  commit: InscriptionCommit
  /** The coin that pays the commitment. */
  coin: { txid: string; index: number; amount: bigint }
  /** Who gets the inscribed coin; for a BRC-20 transfer inscription the one whose balance it is. */
  to: string
}

export type Reveal = {
  txid: string
  /** What the leaf's key signs (BIP340). */
  digest: Uint8Array
  fee: bigint
  size: bigint
  /** The bytes that nodes take. Throws ChainError if the signature is not one of the leaf's key. */
  finish(signature: Uint8Array): Uint8Array
}

const SIGNATURE_LENGTH = 64
const KEY_AT = 1

/** The amount that the commitment has to hold, so that the reveal pays the rate and leaves `postage` with the inscription. */
export function commitAmount(order: Omit<RevealOrder, 'coin'>, satPerKvb: bigint, postage: bigint): bigint {
  const least = dustLimit(requireScript(networkOf(order.chain), order.to))
  if (postage < least) throw new ChainError(`${postage} satoshi with an inscription are dust; nodes relay ${least} or more`)
  const { size } = write({ ...order, coin: { txid: '00'.repeat(32), index: 0, amount: postage } }, postage)
  return postage + feeFor(size, satPerKvb)
}

/** The transaction that spends a commitment by its leaf and so shows the inscription, on the first satoshi of its one output of `postage`. */
export function revealInscription(order: RevealOrder, postage: bigint): Reveal {
  const fee = order.coin.amount - postage
  if (fee <= 0n) throw new ChainError('the commitment does not hold what the inscription and the fee take')
  const { transaction, size, raw } = write(order, postage)
  const { commit, coin } = order
  const digest = taprootHash(transaction, [{ ...coin, script: commit.script }], 0, leafHash(commit.leaf))
  const finish = (signature: Uint8Array) => {
    const key = commit.leaf.slice(KEY_AT, KEY_AT + 32)
    if (signature.length !== SIGNATURE_LENGTH || !schnorr.verify(signature, digest, key))
      throw new ChainError("the signature is not one of the inscription's key")
    return raw(signature)
  }
  return { txid: txidOf(transaction), digest, fee, size, finish }
}

function write({ chain, commit, coin, to }: RevealOrder, postage: bigint) {
  const transaction: Transaction = {
    version: 2,
    inputs: [{ txid: coin.txid, index: coin.index, script: new Uint8Array(), sequence: SEQUENCE }],
    outputs: [{ amount: postage, script: requireScript(networkOf(chain), to) }],
    lockTime: 0,
  }
  const raw = (signature: Uint8Array) => serializeTransaction(transaction, [[signature, commit.leaf, commit.controlBlock]])
  const weight = serializeTransaction(transaction).length * 3 + raw(new Uint8Array(SIGNATURE_LENGTH)).length
  return { transaction, raw, size: BigInt(Math.ceil(weight / 4)) }
}
