import { ChainError } from '@holdfast/chain-core'
import { fromHex, toHex } from '@holdfast/encoding'

/** The shortest big-endian bytes of a number from 0 up to 2^256-1; zero has none. */
export function uintToBytes(value: bigint): Uint8Array {
  if (value < 0n || value >> 256n !== 0n) throw new ChainError('a number of a transaction must lie between 0 and 2^256-1')
  if (value === 0n) return new Uint8Array()
  const digits = value.toString(16)
  return fromHex(digits.length % 2 === 0 ? digits : `0${digits}`)
}

/** The number that big-endian bytes of any length spell. */
export function bytesToUint(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${toHex(bytes)}`)
}
