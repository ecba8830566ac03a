import { concatBytes, fromHex } from '@holdfast/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { addressFromKey } from './address.ts'

/** What a wallet signs for a message of a person (TIP-191, `signMessageV2`): it can never be a transaction, whose digest is another hash. */
function personalDigest(message: string): Uint8Array {
  const text = new TextEncoder().encode(message)
  return keccak_256(concatBytes(new TextEncoder().encode(`\u0019TRON Signed Message:\n${text.length}`), text))
}

/** Whether the key of an address signed a message: 65 bytes in hexadecimal text. */
export function isSignedBy(address: string, message: string, signature: string): boolean {
  const digits = signature.trim().replace(/^0x/, '')
  if (!/^[0-9a-fA-F]{130}$/.test(digits)) return false
  const given = fromHex(digits.toLowerCase())
  const last = given[64] ?? 0
  const recovery = last >= 27 ? last - 27 : last
  if (recovery > 1) return false
  try {
    const key = secp256k1.Signature.fromBytes(given.slice(0, 64), 'compact').addRecoveryBit(recovery).recoverPublicKey(personalDigest(message))
    return addressFromKey(key.toBytes(true)) === address
  } catch {
    // Numbers that are no point of the curve are no signature of anybody.
    return false
  }
}
