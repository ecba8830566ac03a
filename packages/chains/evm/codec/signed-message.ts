import { concatBytes, fromHex } from '@holdfast/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { addressFromKey } from './address.ts'

/** What a wallet signs for a message of a person (EIP-191, `personal_sign`): it can never be a transaction. */
function personalDigest(message: string): Uint8Array {
  const text = new TextEncoder().encode(message)
  return keccak_256(concatBytes(new TextEncoder().encode(`\u0019Ethereum Signed Message:\n${text.length}`), text))
}

/** The address whose key signed a message, from the 65 bytes that wallets give as hexadecimal text; undefined if they are no signature. */
export function messageSigner(message: string, signature: string): string | undefined {
  const digits = signature.trim().replace(/^0x/, '')
  if (!/^[0-9a-fA-F]{130}$/.test(digits)) return undefined
  const given = fromHex(digits.toLowerCase())
  const last = given[64] ?? 0
  const recovery = last >= 27 ? last - 27 : last
  if (recovery > 1) return undefined
  try {
    const key = secp256k1.Signature.fromBytes(given.slice(0, 64), 'compact').addRecoveryBit(recovery).recoverPublicKey(personalDigest(message))
    return addressFromKey(key.toBytes(true))
  } catch {
    // Numbers that are no point of the curve are no signature of anybody.
    return undefined
  }
}
