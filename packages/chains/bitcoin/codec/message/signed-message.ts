import { concatBytes, equalBytes } from '@holdfast/encoding'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { hash160, readAddress, scriptOf, scriptParts } from '../address.ts'
import { sized } from '../byte-reader.ts'
import type { Network } from '../networks.ts'
import type { SpentCoin } from '../psbt.ts'
import { SIGHASH_ALL, taprootHash, witnessV0Hash } from '../sighash.ts'
import { readWitness, sha256d, type Transaction, txidOf } from '../transaction.ts'
import { verifyInput } from '../witness.ts'

/*
 * Messages of a person. Two forms are in use: that of BIP322 (“simple”), the witness of a transaction that spends nothing which exists, for P2WPKH and P2TR;
 * and the older one of BIP137, a signature from which the key follows, for addresses that hash one key.
 */

const LEGACY_MAGIC = '\u0018Bitcoin Signed Message:\n'
const LEGACY_LENGTH = 65

type Signed = { address: string; message: string; signature: string }

/** Whether the key of an address signed a message. Scripts of several keys are not read. */
export function isSignedBy(network: Network, { address, message, signature }: Signed): boolean {
  const script = readAddress(network, address)
  const given = bytesOf(signature)
  if (!script || !given) return false
  const text = new TextEncoder().encode(message)
  try {
    return given.length === LEGACY_LENGTH ? isLegacy(script, text, given) : isSimple(script, text, given)
  } catch {
    // Bytes that are no witness, and numbers that are no point of the curve, are no signature of anybody.
    return false
  }
}

function bytesOf(signature: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(signature.trim()), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/**
 * BIP137: the first byte says which of the keys that could have made it did, and for what kind of address; wallets differ over the latter, so what counts is
 * whether the address is one of that key.
 */
function isLegacy(script: Uint8Array, message: Uint8Array, given: Uint8Array): boolean {
  const header = (given[0] ?? 0) - 27
  if (header < 0 || header > 15) return false
  const digest = sha256d(concatBytes(new TextEncoder().encode(LEGACY_MAGIC), sized(message)))
  const point = secp256k1.Signature.fromBytes(given.slice(1), 'compact')
    .addRecoveryBit(header & 3)
    .recoverPublicKey(digest)
  const hash = hash160(point.toBytes(true))
  const witness = scriptOf('p2wpkh', hash)
  const scripts = [witness, scriptOf('p2sh', hash160(witness)), scriptOf('p2pkh', hash), scriptOf('p2pkh', hash160(point.toBytes(false)))]
  return scripts.some((each) => equalBytes(each, script))
}

/** BIP322: the message is in the input of a transaction that pays the address nothing; what is signed spends that. */
function isSimple(script: Uint8Array, message: Uint8Array, given: Uint8Array): boolean {
  const { kind, payload } = scriptParts(script)
  if (kind !== 'p2wpkh' && kind !== 'p2tr') return false
  const { transaction, coin } = spendingNothing(script, message)
  const witness = readWitness(given)
  const [signature] = witness
  if (kind === 'p2tr' && witness.length === 1 && signature?.length === 65 && signature[64] === SIGHASH_ALL)
    return schnorr.verify(signature.slice(0, 64), taprootHash(transaction, [coin], 0, undefined, SIGHASH_ALL), payload)
  verifyInput(script, kind === 'p2tr' ? taprootHash(transaction, [coin], 0) : witnessV0Hash(transaction, [coin], 0), witness)
  return true
}

function spendingNothing(script: Uint8Array, message: Uint8Array): { transaction: Transaction; coin: SpentCoin } {
  const hash = schnorr.utils.taggedHash('BIP0322-signed-message', message)
  const paying: Transaction = {
    version: 0,
    inputs: [{ txid: '00'.repeat(32), index: 0xffff_ffff, script: concatBytes(Uint8Array.of(0), sized(hash)), sequence: 0 }],
    outputs: [{ amount: 0n, script }],
    lockTime: 0,
  }
  const txid = txidOf(paying)
  const OP_RETURN = Uint8Array.of(0x6a)
  return {
    transaction: { version: 0, inputs: [{ txid, index: 0, script: new Uint8Array(), sequence: 0 }], outputs: [{ amount: 0n, script: OP_RETURN }], lockTime: 0 },
    coin: { txid, index: 0, amount: 0n, script },
  }
}
