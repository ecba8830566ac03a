import { array, malformed } from '@holdfast/chain-core'
import { fromHex } from '@holdfast/encoding'
import { addressText, ADDRESS_LENGTH, PREFIX } from '../codec/address.ts'

export { record } from '@holdfast/chain-core'

/** Parsers for what a node of this chain claims. Each takes the claim and its name, and throws ChainError if the shape is wrong. */

/**
 * What an answer says, with whole numbers above 2^53 as bigint: there is ten times as much TRX in sun, and a number of JavaScript would lose digits of it.
 * Throws SyntaxError if the text is no JSON.
 */
export function parseExactly(text: string): unknown {
  // To be told of each value takes ten times as long, and hardly any answer has such a number.
  return /[:[,]\s*-?\d{16}/.test(text) ? JSON.parse(text, exactly) : JSON.parse(text)
}

function exactly(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? ''
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
}

/** A whole number from zero up, as `parseExactly` reads it; what is zero, nodes leave out. */
export function count(claim: unknown, name: string): bigint {
  if (claim === undefined) return 0n
  if (typeof claim === 'bigint' && claim >= 0n) return claim
  if (typeof claim !== 'number' || !Number.isSafeInteger(claim) || claim < 0) throw malformed(name, claim)
  return BigInt(claim)
}

/** 32 bytes in hexadecimal: a block's or a transaction's id, a topic. */
export function hash(claim: unknown, name: string): string {
  if (typeof claim !== 'string' || !/^[0-9a-fA-F]{64}$/.test(claim)) throw malformed(name, claim)
  return claim.toLowerCase()
}

export function hexData(claim: unknown, name: string): Uint8Array {
  if (typeof claim !== 'string' || !/^(?:[0-9a-fA-F]{2})*$/.test(claim)) throw malformed(name, claim)
  return fromHex(claim.toLowerCase())
}

/** An address in text, which nodes give as 21 bytes in hexadecimal. */
export function address(claim: unknown, name: string): string {
  const bytes = hexData(claim, name)
  if (bytes.length !== ADDRESS_LENGTH || bytes[0] !== PREFIX) throw malformed(name, claim)
  return addressText(bytes)
}

/** An address as contracts know it: 20 bytes. */
export function contractAddress(claim: unknown, name: string): string {
  const bytes = hexData(claim, name)
  if (bytes.length !== ADDRESS_LENGTH - 1) throw malformed(name, claim)
  return addressText(Uint8Array.of(PREFIX, ...bytes))
}

/** A list; where it is empty, nodes leave it out. */
export function list(claim: unknown, name: string): unknown[] {
  return claim === undefined ? [] : array(claim, name)
}

/** Whether a node said `{}`, which is how it says that there is no such thing. */
export function isNothing(claim: unknown): boolean {
  return typeof claim === 'object' && claim !== null && !Array.isArray(claim) && Object.keys(claim).length === 0
}

/** How a transaction ended, in the words of the virtual machine; a native one that worked may say nothing. */
export function succeeded(claim: unknown): boolean {
  if (claim === undefined || claim === 'SUCCESS' || claim === 'DEFAULT') return true
  if (typeof claim !== 'string' || !/^[A-Z_]{1,40}$/.test(claim)) throw malformed('result of a transaction', claim)
  return false
}
