import { base58Of, bytesOfBase58, ChainError } from '@holdfast/chain-core'
import { concatBytes, equalBytes } from '@holdfast/encoding'
import { known } from '@holdfast/units'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** Bytes of an address: the prefix and the 20 bytes that contracts know it by. */
export const ADDRESS_LENGTH = 21
/** The first byte of every address, on the main network and on today's test networks alike. */
export const PREFIX = 0x41

const CHECKSUM_LENGTH = 4
// 25 bytes that begin with 0x41 have 34 characters, of which the first is always T.
const TEXT = /^T[1-9A-HJ-NP-Za-km-z]{33}$/

/** The base58check text of the 21 bytes of an address: version and hash, then the first 4 bytes of their double SHA-256. */
export function addressText(address: Uint8Array): string {
  if (address.length !== ADDRESS_LENGTH || address[0] !== PREFIX) throw new ChainError(`an address has ${ADDRESS_LENGTH} bytes and begins with 41`)
  return base58Of(concatBytes(address, checksum(address)))
}

/** The text of an address, or undefined if it is none. There is one text for each address; the hexadecimal form is not taken. */
export function canonicalAddress(text: string): string | undefined {
  return parse(text) === undefined ? undefined : text
}

/** The 21 bytes of an address in its text. Throws ChainError if it is none. */
export function addressBytes(text: string): Uint8Array {
  const address = parse(text)
  if (address === undefined) throw new ChainError(`not an address of this chain: ${JSON.stringify(text.slice(0, 60))}; check every character`)
  return address
}

/** The address of a 33-byte compressed secp256k1 public key: 41 and the last 20 bytes of Keccak-256 over x and y. */
export function addressFromKey(publicKey: Uint8Array): string {
  if (publicKey.length !== 33) throw new ChainError(`a compressed public key has 33 bytes, not ${publicKey.length}`)
  let uncompressed: Uint8Array
  try {
    uncompressed = secp256k1.Point.fromBytes(publicKey).toBytes(false)
  } catch {
    throw new ChainError('the public key is no point of secp256k1')
  }
  return addressText(concatBytes(Uint8Array.of(PREFIX), keccak_256(uncompressed.subarray(1)).subarray(-20)))
}

function parse(text: string): Uint8Array | undefined {
  if (!TEXT.test(text)) return undefined
  const bytes = known(bytesOfBase58(text), 'an address in base58')
  const address = bytes.subarray(0, ADDRESS_LENGTH)
  const isWhole = bytes.length === ADDRESS_LENGTH + CHECKSUM_LENGTH && address[0] === PREFIX
  return isWhole && equalBytes(checksum(address), bytes.subarray(ADDRESS_LENGTH)) ? address.slice() : undefined
}

function checksum(address: Uint8Array): Uint8Array {
  return sha256(sha256(address)).subarray(0, CHECKSUM_LENGTH)
}
