import { malformed } from '@holdfast/chain-core'
import { canonicalAddress } from '../codec/address.ts'

export { array, record } from '@holdfast/chain-core'

/** Parsers for what a node of this chain claims. Each takes the claim and its name, and throws ChainError if the shape is wrong. */

export function quantity(claim: unknown, name: string): bigint {
  if (typeof claim !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(claim)) throw malformed(name, claim)
  return BigInt(claim)
}

/** 32 bytes as lower-case hexadecimal with 0x: a block hash, a transaction id, a log topic. */
export function hash(claim: unknown, name: string): string {
  if (typeof claim !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(claim)) throw malformed(name, claim)
  return claim.toLowerCase()
}

export function hexData(claim: unknown, name: string): string {
  if (typeof claim !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(claim)) throw malformed(name, claim)
  return claim.toLowerCase()
}

/** An address in canonical text. Nodes send lower case or checksummed; a wrong checksum is a wrong address here too. */
export function address(claim: unknown, name: string): string {
  const canonical = typeof claim === 'string' ? canonicalAddress(claim) : undefined
  if (canonical === undefined) throw malformed(name, claim)
  return canonical
}

/** The status of a receipt: whether the transaction took effect. */
export function succeeded(claim: unknown): boolean {
  const status = quantity(claim, 'transaction status')
  if (status > 1n) throw malformed('transaction status', claim)
  return status === 1n
}
