import { ChainError } from '@holdfast/chain-core'
import { concatBytes, equalBytes, fromHex } from '@holdfast/encoding'
import { ADDRESS_LENGTH, PREFIX } from './address.ts'

/** The first four bytes of Keccak-256 of `transfer(address,uint256)`. */
const SELECTOR = fromHex('a9059cbb')
const PADDING = new Uint8Array(12)
const CALL_LENGTH = 4 + 32 + 32

/** Call data of a TRC-20 `transfer`: contracts know an address by its 20 bytes without the prefix. */
export function encodeTransferCall(to: Uint8Array, amount: bigint): Uint8Array {
  if (to.length !== ADDRESS_LENGTH) throw new ChainError(`an address has ${ADDRESS_LENGTH} bytes`)
  if (amount < 0n || amount >= 1n << 256n) throw new ChainError(`the amount ${amount} does not fit into 256 bits`)
  return concatBytes(SELECTOR, PADDING, to.subarray(1), fromHex(amount.toString(16).padStart(64, '0')))
}

/** The recipient's 21 bytes and the amount of a TRC-20 `transfer`. Throws ChainError for every other call and for loose padding. */
export function decodeTransferCall(data: Uint8Array): { to: Uint8Array; amount: bigint } {
  if (!equalBytes(data.subarray(0, 4), SELECTOR)) throw new ChainError('the transaction calls something else than transfer(address,uint256)')
  if (data.length !== CALL_LENGTH) throw new ChainError(`the call of transfer has ${data.length} bytes where ${CALL_LENGTH} belong`)
  if (!equalBytes(data.subarray(4, 16), PADDING)) throw new ChainError('the recipient of the transfer has bytes before it')
  const amount = data.subarray(36).reduce((number, byte) => (number << 8n) | BigInt(byte), 0n)
  return { to: concatBytes(Uint8Array.of(PREFIX), data.subarray(16, 36)), amount }
}
