import { concatBytes, equalBytes, toHex } from '@holdfast/encoding'
import { ed25519 as realEd25519 } from '@noble/curves/ed25519.js'
import { p256 as realP256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'

export * from '@noble/curves/ed25519.js'
export * from '@noble/curves/nist.js'

/*
 * Stands in for signatures where tens of thousands of walks sign and check millions: as long as a signature, made of the public key and the message, and
 * taken for
 * these alone. Anybody could make one, which the server of a walk does not: it hands on what it was given. Keys are real ones.
 */

const publicKeys = new Map<string, Uint8Array>()

function publicKeyOf(secretKey: Uint8Array, make: (secretKey: Uint8Array) => Uint8Array): Uint8Array {
  const name = `${make.name} ${toHex(secretKey)}`
  const made = publicKeys.get(name) ?? make(secretKey)
  publicKeys.set(name, made)
  return made
}

function sealOf(publicKey: Uint8Array, message: Uint8Array): Uint8Array {
  const half = sha256(concatBytes(publicKey, message))
  return concatBytes(half, half)
}

const ed25519Key = (secretKey: Uint8Array) => publicKeyOf(secretKey, realEd25519.getPublicKey)
const p256Key = (secretKey: Uint8Array) => publicKeyOf(secretKey, realP256.getPublicKey)

export const ed25519 = {
  ...realEd25519,
  getPublicKey: ed25519Key,
  sign: (message: Uint8Array, secretKey: Uint8Array) => sealOf(ed25519Key(secretKey), message),
}
export const p256 = {
  ...realP256,
  sign: (message: Uint8Array, secretKey: Uint8Array) => sealOf(p256Key(secretKey), message),
}
export const signEd25519 = ed25519.sign
export const verifyEd25519 = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => equalBytes(signature, sealOf(publicKey, message))
export const verifyP256 = verifyEd25519
