import { at } from '@holdfast/units'

/** What of Bitcoin Core's rules and defaults this network keeps. Amounts in satoshi, rates in satoshi per 1,000 vbytes. */

/** Signet stands in for another chain, to be told from regtest by its first block. */
export type BitcoinNetwork = 'regtest' | 'signet'

export const COINBASE_MATURITY = 100
export const SUBSIDY_HALVING_BLOCKS = 150
export const RELAY_SAT_PER_KVB = 1000n
export const INCREMENTAL_SAT_PER_KVB = 1000n
export const REPLACED_MAX = 100
export const WEIGHT_MAX = 400_000
/** Weight of transactions in one block; a little is left for the first one. */
export const BLOCK_WEIGHT_MAX = 3_990_000

export type Refusal = { code: number; reason: string; details?: string }

/** -26 is what Core answers for a transaction that its rules refuse. */
export function refusal(reason: string, code = -26, details?: string): Refusal {
  return { code, reason, details }
}

export function isMature({ height, isCoinbase }: { height: number; isCoinbase: boolean }, at: number): boolean {
  return !isCoinbase || at - height >= COINBASE_MATURITY
}

/** policy.cpp, GetDustThreshold. */
export function dustLimit(script: Uint8Array): bigint {
  const isWitness =
    script.length >= 4 && script.length <= 42 && (script[0] === 0 || (at(script, 0) >= 0x51 && at(script, 0) <= 0x60)) && script[1] === script.length - 2
  return script[0] === 0x6a ? 0n : BigInt((8 + 1 + script.length + (isWitness ? 67 : 148)) * 3)
}
