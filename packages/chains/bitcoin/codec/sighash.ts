import { concatBytes } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { sha256 } from '@noble/hashes/sha2.js'
import { schnorr } from '@noble/curves/secp256k1.js'
import { scriptOf, scriptParts } from './address.ts'
import { sized, uintBytes } from './byte-reader.ts'
import type { SpentCoin } from './psbt.ts'
import { outpointBytes, outputBytes, sha256d, type Transaction } from './transaction.ts'

/** Commits to all inputs and outputs. */
export const SIGHASH_ALL = 1
/** BIP341: commits to all inputs and outputs as ALL does, and adds no byte to the signature. */
const SIGHASH_DEFAULT = 0

/** What a signature of a P2WPKH input signs: BIP143 with SIGHASH_ALL. */
export function witnessV0Hash(transaction: Transaction, coins: readonly SpentCoin[], index: number): Uint8Array {
  const { version, inputs, outputs, lockTime } = transaction
  const coin = at(coins, index)
  const preimage = concatBytes(
    uintBytes(version, 4),
    sha256d(concatBytes(...inputs.map(outpointBytes))),
    sha256d(concatBytes(...inputs.map(({ sequence }) => uintBytes(sequence, 4)))),
    outpointBytes(coin),
    sized(scriptOf('p2pkh', scriptParts(coin.script).payload)),
    uintBytes(coin.amount, 8),
    uintBytes(at(inputs, index).sequence, 4),
    sha256d(concatBytes(...outputs.map(outputBytes))),
    uintBytes(lockTime, 4),
    uintBytes(SIGHASH_ALL, 4),
  )
  return sha256d(preimage)
}

/** What a signature of a taproot input signs: BIP341, where nothing else is said with SIGHASH_DEFAULT, by the key, or by the leaf of that hash (BIP342). */
export function taprootHash(
  transaction: Transaction,
  coins: readonly SpentCoin[],
  index: number,
  leafHash?: Uint8Array,
  commitsTo: typeof SIGHASH_DEFAULT | typeof SIGHASH_ALL = SIGHASH_DEFAULT,
): Uint8Array {
  const { version, inputs, outputs, lockTime } = transaction
  const EPOCH = 0
  const message = concatBytes(
    Uint8Array.of(EPOCH, commitsTo),
    uintBytes(version, 4),
    uintBytes(lockTime, 4),
    sha256(concatBytes(...inputs.map(outpointBytes))),
    sha256(concatBytes(...coins.map(({ amount }) => uintBytes(amount, 8)))),
    sha256(concatBytes(...coins.map(({ script }) => sized(script)))),
    sha256(concatBytes(...inputs.map(({ sequence }) => uintBytes(sequence, 4)))),
    sha256(concatBytes(...outputs.map(outputBytes))),
    Uint8Array.of(leafHash ? 2 : 0),
    uintBytes(index, 4),
    leafHash ? concatBytes(leafHash, Uint8Array.of(0), uintBytes(0xffff_ffff, 4)) : new Uint8Array(),
  )
  return schnorr.utils.taggedHash('TapSighash', message)
}
