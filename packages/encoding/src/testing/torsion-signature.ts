import { ED25519_TORSION_SUBGROUP, ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, toHex } from '../index.ts'

const { Point } = ed25519
const { Fn } = Point
const integer = (encoded: Uint8Array) => BigInt(`0x${toHex(Uint8Array.from(encoded).reverse())}`)

/**
 * For tests: what the holder of a key can sign so that some verifiers take it and others do not: R, or the key it is shown under, has a part of small order
 * (1 to 7 eighths of the torsion subgroup; 0 for none).
 */
export function signWithTorsion(secretKey: Uint8Array, message: Uint8Array, { inR = 0, inKey = 0 }): { signature: Uint8Array; publicKey: Uint8Array } {
  const { scalar, point } = ed25519.utils.getExtendedPublicKey(secretKey)
  const torsion = (part: number) => Point.fromBytes(Uint8Array.from(Buffer.from(ED25519_TORSION_SUBGROUP[part]!, 'hex')), true)
  const publicKey = point.add(torsion(inKey)).toBytes()
  const nonce = Fn.create(integer(sha512(concatBytes(secretKey, message))))
  const r = Point.BASE.multiply(nonce).add(torsion(inR)).toBytes()
  const challenge = Fn.create(integer(sha512(concatBytes(r, publicKey, message))))
  return { signature: concatBytes(r, Fn.toBytes(Fn.create(nonce + challenge * Fn.create(scalar)))), publicKey }
}
