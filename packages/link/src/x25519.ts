import { createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto'
import { concatBytes, fromHex } from '@holdfast/encoding'

const KEY_BYTES = 32
/** What stands before a secret key in PKCS #8, and before a public one in its SubjectPublicKeyInfo (RFC 8410, sections 7 and 4). */
const PKCS8 = fromHex('302e020100300506032b656e04220420')
const SPKI = fromHex('302a300506032b656e032100')

/** The public key of X25519 (RFC 7748) that belongs to a secret one: 32 bytes each. */
export function agreementKeyOf(secretKey: Uint8Array): Uint8Array {
  const exported = createPublicKey(secretKeyFrom(secretKey)).export({ format: 'der', type: 'spki' })
  return new Uint8Array(exported.subarray(SPKI.length))
}

/** The secret that two keys share. Throws for a public key of small order, which would make it zero (RFC 7748, section 6.1), and for keys of another length. */
export function agreeOn(secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  if (publicKey.length !== KEY_BYTES) throw new RangeError('a public key of X25519 has 32 bytes')
  const peer = createPublicKey({ key: Buffer.from(concatBytes(SPKI, publicKey)), format: 'der', type: 'spki' })
  return new Uint8Array(diffieHellman({ privateKey: secretKeyFrom(secretKey), publicKey: peer }))
}

function secretKeyFrom(secretKey: Uint8Array) {
  if (secretKey.length !== KEY_BYTES) throw new RangeError('a secret key of X25519 has 32 bytes')
  const key = Buffer.from(concatBytes(PKCS8, secretKey))
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  } finally {
    key.fill(0)
  }
}
