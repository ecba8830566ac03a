import { malformed } from '@holdfast/chain-core'
import { MONEY_MAX } from '../codec/transaction.ts'

export { array, record } from '@holdfast/chain-core'

/** Parsers for what a node of this chain claims. Each takes the claim and its name, and throws ChainError if the shape is wrong. */

export function text(claim: unknown, name: string): string {
  if (typeof claim !== 'string') throw malformed(name, claim)
  return claim
}

/** 32 bytes as lower-case hexadecimal: a block hash or a transaction id. */
export function id(claim: unknown, name: string): string {
  if (typeof claim !== 'string' || !/^[0-9a-f]{64}$/.test(claim)) throw malformed(name, claim)
  return claim
}

export function hexData(claim: unknown, name: string): string {
  if (typeof claim !== 'string' || !/^(?:[0-9a-f]{2})*$/.test(claim)) throw malformed(name, claim)
  return claim
}

export function count(claim: unknown, name: string): number {
  if (typeof claim !== 'number' || !Number.isSafeInteger(claim) || claim < 0) throw malformed(name, claim)
  return claim
}

const COIN = 100_000_000

/**
 * Satoshi from an amount that Core writes as a decimal number of coins. The nearest whole satoshi is the one that was written: up to all the coin there is,
 * a double errs by less than half of one. What is not the number of any whole satoshi is refused.
 */
export function amount(claim: unknown, name: string): bigint {
  if (typeof claim !== 'number' || !(claim >= 0)) throw malformed(name, claim)
  const satoshi = Math.round(claim * COIN)
  if (!Number.isSafeInteger(satoshi) || satoshi / COIN !== claim || BigInt(satoshi) > MONEY_MAX) throw malformed(name, claim)
  return BigInt(satoshi)
}

// A thousand times the highest rates that were ever paid: whoever says more is broken or hostile.
const RATE_MAX = 10

/** Satoshi per 1,000 vbytes, from coins; rounded up, since estimates need not be whole. */
export function rate(claim: unknown, name: string): bigint {
  if (typeof claim !== 'number' || !(claim >= 0) || claim > RATE_MAX) throw malformed(name, claim)
  return BigInt(Math.ceil(claim * COIN - 1e-6))
}
