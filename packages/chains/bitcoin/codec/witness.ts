import { ChainError, type Signature } from '@holdfast/chain-core'
import { concatBytes, equalBytes } from '@holdfast/encoding'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { hash160, scriptParts } from './address.ts'

const SIGHASH_ALL = 1
const NO_SIGNATURE = 'the signature is not one of the paying address for this transaction'

/** The final witness of an input. Throws ChainError if the signature is not one of the script's key for the digest. */
export function finishInput(script: Uint8Array, digest: Uint8Array, { r, s, recovery }: Signature): Uint8Array[] {
  if (r.length !== 32 || s.length !== 32) throw new ChainError('r and s of a signature have 32 bytes each')
  const compact = concatBytes(r, s)
  const witness = scriptParts(script).kind === 'p2tr' ? [compact] : ecdsaWitness(compact, digest, recovery)
  verifyInput(script, digest, witness)
  return witness
}

function ecdsaWitness(compact: Uint8Array, digest: Uint8Array, recovery: number): Uint8Array[] {
  if (recovery !== 0 && recovery !== 1) throw new ChainError('the recovery of a signature is 0 or 1')
  try {
    const signature = secp256k1.Signature.fromBytes(compact, 'compact').addRecoveryBit(recovery)
    const key = signature.recoverPublicKey(digest).toBytes(true)
    return [concatBytes(signature.toBytes('der'), Uint8Array.of(SIGHASH_ALL)), key]
  } catch (cause) {
    throw new ChainError('the signature belongs to no key', { cause })
  }
}

/** Throws ChainError unless a witness is the one form of a valid signature: strict DER, the lower s, SIGHASH_ALL; or BIP340 with the default type. */
export function verifyInput(script: Uint8Array, digest: Uint8Array, witness: readonly Uint8Array[]): void {
  const { kind, payload } = scriptParts(script)
  if (kind === 'p2tr') {
    const [signature] = witness
    if (witness.length !== 1 || signature?.length !== 64) throw new ChainError('a taproot input is spent by one signature of 64 bytes')
    if (!isValid(() => schnorr.verify(signature, digest, payload))) throw new ChainError(NO_SIGNATURE)
    return
  }
  const [typed, key] = witness
  if (witness.length !== 2 || typed?.at(-1) !== SIGHASH_ALL || key?.length !== 33)
    throw new ChainError('a P2WPKH input is spent by one signature of all, and a key')
  if (!equalBytes(hash160(key), payload)) throw new ChainError(NO_SIGNATURE)
  const der = typed.slice(0, -1)
  const isCanonical = () => equalBytes(secp256k1.Signature.fromBytes(der, 'der').toBytes('der'), der)
  if (!isValid(isCanonical)) throw new ChainError('the signature is not in its one canonical form')
  if (!isValid(() => secp256k1.verify(der, digest, key, { prehash: false, lowS: true, format: 'der' }))) throw new ChainError(NO_SIGNATURE)
}

function isValid(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}
