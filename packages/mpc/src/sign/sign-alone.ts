import { bytes, encode, struct } from '@holdfast/encoding'
import { verifyEd25519 } from '@holdfast/encoding/ed25519'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { ed25519Group } from '../group/group-ed25519.ts'
import { bytesToInteger, reduce } from '../group/group.ts'
import { MESSAGE_BYTES_MAX } from './frost-sign.ts'
import { SCALAR_BYTES } from '../round/parameters.ts'
import { FROST_ED25519, FROST_TAPROOT, schemeOf } from '../key/scheme.ts'

/** A signature of 64 bytes (r and s, or R and s). `recovery` tells which key made an ECDSA signature; it is 0 for the other kinds. */
type LoneSignature = { signature: Uint8Array; recovery: number }

/** G times the secret of a key of `protocol`, as the key's public data has it. Throws RangeError for a secret outside 1..q-1. */
export function publicKeyOf(protocol: string, secret: bigint): Uint8Array {
  const { group } = schemeOf(protocol)
  checkSecret(secret, group.order)
  return group.multiplyBase(secret)
}

/**
 * The public key under which signatures by a secret are verified, as `derivePublicKey` gives it for a child: of taproot the x coordinate alone. Errors
 * as `publicKeyOf`.
 */
export function verifyingKeyOf(protocol: string, secret: bigint): Uint8Array {
  const publicKey = publicKeyOf(protocol, secret)
  return protocol === FROST_TAPROOT ? publicKey.slice(1) : publicKey
}

/**
 * Signs with a whole secret, which exists only where a recovery kit was rebuilt: of ECDSA the 32-byte digest, otherwise the message itself. All nonces
 * follow from secret and message (RFC 6979; BIP340 with auxiliary zeros; HMAC-SHA512 for ed25519), so the same words have one signature. Throws RangeError
 * for a secret outside 1..q-1 and for a digest of another length.
 */
export function signAlone(protocol: string, secret: bigint, message: Uint8Array): LoneSignature {
  const { group } = schemeOf(protocol)
  checkSecret(secret, group.order)
  if (protocol === FROST_ED25519) return { signature: signEd25519(secret, message), recovery: 0 }
  const key = group.scalarBytes(secret)
  try {
    if (protocol === FROST_TAPROOT) return { signature: schnorr.sign(message, key, new Uint8Array(SCALAR_BYTES)), recovery: 0 }
    if (message.length !== 32) throw new RangeError('ECDSA signs a digest of 32 bytes')
    const made = secp256k1.sign(message, key, { prehash: false, format: 'recovered' })
    return { signature: made.slice(1), recovery: made[0]! }
  } finally {
    key.fill(0)
  }
}

function checkSecret(secret: bigint, order: bigint): void {
  if (secret <= 0n || secret >= order) throw new RangeError('the secret is zero or not below the group order')
}

export const nonceShape = struct('holdfast/mpc/ed25519-alone-nonce/v1', { message: bytes(undefined, MESSAGE_BYTES_MAX) })

/** RFC 8032 section 5.1.6 with a secret that is a scalar and has no seed: the nonce is keyed by the scalar in place of the seed's second half. */
function signEd25519(secret: bigint, message: Uint8Array): Uint8Array {
  const { order } = ed25519Group
  const key = ed25519Group.scalarBytes(secret)
  const little = (digest: Uint8Array) => reduce(bytesToInteger(Uint8Array.from(digest).reverse()), order)
  const nonce = little(hmac(sha512, key, encode(nonceShape, { message })))
  key.fill(0)
  const commitment = ed25519Group.multiplyBase(nonce)
  const challenge = little(sha512(Uint8Array.of(...commitment, ...ed25519Group.multiplyBase(secret), ...message)))
  const signature = new Uint8Array(64)
  signature.set(commitment)
  signature.set(ed25519Group.scalarBytes(reduce(nonce + challenge * secret, order)), 32)
  if (!verifyEd25519(signature, message, ed25519Group.multiplyBase(secret))) throw new Error('the signature just made does not verify')
  return signature
}
