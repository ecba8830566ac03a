import { ChainError } from '@holdfast/chain-core'
import { fromHex, toHex } from '@holdfast/encoding'
import { at, RecentMap } from '@holdfast/units'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** Bytes of an address. */
export const ADDRESS_LENGTH = 20

/** The EIP-55 text of a 20-byte address: a hexadecimal digit is upper case where the hash of the text has a digit of 8 or more. */
export function checksumAddress(address: Uint8Array): string {
  if (address.length !== ADDRESS_LENGTH) throw new ChainError(`an address has ${ADDRESS_LENGTH} bytes, not ${address.length}`)
  const digits = toHex(address)
  const known = checksummed.get(digits)
  if (known !== undefined) return known
  const hash = toHex(keccak_256(new TextEncoder().encode(digits)))
  const text = `0x${[...digits].map((digit, i) => (at(hash, i) >= '8' ? digit.toUpperCase() : digit)).join('')}`
  checksummed.set(digits, text)
  return text
}

/** The texts of addresses by their digits: whoever pays looks at the same two again and again, and the hash takes longer than all else. */
const checksummed = new RecentMap<string, string>(1_000)

/**
 * The EIP-55 text of an address, or undefined if the text is none. Digits all lower or all upper case carry no
 * checksum and are taken; mixed ones must carry the right checksum, since a wrong one tells of a mistyped address.
 */
export function canonicalAddress(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined
  const digits = text.slice(2)
  const canonical = checksumAddress(fromHex(digits))
  const carriesChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return carriesChecksum && text !== canonical ? undefined : canonical
}

/** The 20 bytes of an address in any accepted text. Throws ChainError if it is none. */
export function addressBytes(text: string): Uint8Array {
  const canonical = canonicalAddress(text)
  if (canonical === undefined) throw new ChainError(`not an address of this chain: ${JSON.stringify(text.slice(0, 60))}; check every digit`)
  return fromHex(canonical)
}

/** The address of a 33-byte compressed secp256k1 public key: the last 20 bytes of Keccak-256 over x and y. */
export function addressFromKey(publicKey: Uint8Array): string {
  if (publicKey.length !== 33) throw new ChainError(`a compressed public key has 33 bytes, not ${publicKey.length}`)
  let uncompressed: Uint8Array
  try {
    uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  } catch {
    throw new ChainError('the public key is no point of secp256k1')
  }
  return checksumAddress(keccak_256(uncompressed.subarray(1)).subarray(-ADDRESS_LENGTH))
}
