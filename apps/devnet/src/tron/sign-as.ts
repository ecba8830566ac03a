import { toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** The 21 bytes of the address of an uncompressed public key, in hexadecimal. */
export function addressFromPublicKey(uncompressed: Uint8Array): string {
  return `41${toHex(keccak_256(uncompressed.subarray(1))).slice(-40)}`
}

/** The key that holds the emulator's play money: known to everybody. */
export const FAUCET_KEY = sha256(new TextEncoder().encode('holdfast emulated tron faucet: play money only'))
/** The address of a key, in hexadecimal. */
export const addressOfKey = (key: Uint8Array): string => addressFromPublicKey(secp256k1.getPublicKey(key, false))
export const FAUCET_ADDRESS = addressOfKey(FAUCET_KEY)

/** The 65-byte signature of a key, as transactions carry it. */
export function signAs(key: Uint8Array, rawData: Uint8Array): Uint8Array {
  const bytes = secp256k1.sign(sha256(rawData), key, { prehash: false, format: 'recovered' })
  return Uint8Array.of(...bytes.subarray(1), at(bytes, 0) + 27)
}
