import { ChainError } from '@holdfast/chain-core'
import { concatBytes, toHex } from '@holdfast/encoding'
import { ADDRESS_LENGTH } from './address.ts'
import { uintToBytes } from './uint.ts'

/** Bytes of a word of the ABI. */
export const WORD = 32
export const SELECTOR_LENGTH = 4

/** Call data: a selector of eight hexadecimal digits, and a word for each argument, addresses as bytes. Source: the contract ABI specification. */
export function encodeCall(selector: string, args: readonly (bigint | Uint8Array)[]): Uint8Array {
  const words = args.map((arg) => {
    const digits = typeof arg === 'bigint' ? uintToBytes(arg) : arg
    return concatBytes(new Uint8Array(WORD - digits.length), digits)
  })
  return concatBytes(
    Uint8Array.from({ length: SELECTOR_LENGTH }, (_, i) => Number.parseInt(selector.slice(2 * i, 2 * i + 2), 16)),
    ...words,
  )
}

/** The eight hexadecimal digits that say which function is called. */
export function selectorOf(data: Uint8Array): string {
  return toHex(data.subarray(0, SELECTOR_LENGTH))
}

/** The words after the selector. Throws ChainError unless there are exactly `count`; `what` names the call. */
export function wordsOf(data: Uint8Array, count: number, what: string): Uint8Array[] {
  const length = SELECTOR_LENGTH + count * WORD
  if (data.length !== length) throw new ChainError(`${what} takes ${length} bytes of call data, not ${data.length}`)
  return Array.from({ length: count }, (_, i) => data.slice(SELECTOR_LENGTH + i * WORD, SELECTOR_LENGTH + (i + 1) * WORD))
}

/** The address that a word holds. Throws ChainError if there is anything before it; `role` names whose address it is. */
export function addressOfWord(word: Uint8Array, role: string): Uint8Array {
  if (word.subarray(0, WORD - ADDRESS_LENGTH).some((byte) => byte !== 0)) throw new ChainError(`${role} has bytes before the address`)
  return word.slice(WORD - ADDRESS_LENGTH)
}
