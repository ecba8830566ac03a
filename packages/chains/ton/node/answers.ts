import { malformed } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { parseBoc } from '../codec/boc.ts'
import type { Cell } from '../codec/cell.ts'

export { array, record } from '@holdfast/chain-core'

/** Parsers for what a node of this chain claims. Each takes the claim and its name, and throws ChainError if the shape is wrong. */

/** A whole number from zero up, as a number that JSON holds exactly or as text. */
export function count(claim: unknown, name: string): bigint {
  if (typeof claim === 'number' && Number.isSafeInteger(claim) && claim >= 0) return BigInt(claim)
  if (typeof claim === 'string' && /^\d{1,40}$/.test(claim)) return BigInt(claim)
  throw malformed(name, claim)
}

export function whole(claim: unknown, name: string): number {
  if (typeof claim !== 'number' || !Number.isSafeInteger(claim)) throw malformed(name, claim)
  return claim
}

/** 32 bytes in base64, given back in hexadecimal. */
export function hash(claim: unknown, name: string): string {
  if (typeof claim !== 'string' || !/^[A-Za-z0-9+/_-]{43}=$/.test(claim)) throw malformed(name, claim)
  return toHex(bytesOf(claim))
}

/** A cell as a bag of cells in base64. */
export function boc(claim: unknown, name: string): Cell {
  if (typeof claim !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(claim) || claim.length % 4 !== 0) throw malformed(name, claim)
  return parseBoc(bytesOf(claim))
}

/** A shard by the text of a signed 64-bit number. */
export function shardName(claim: unknown, name: string): string {
  if (typeof claim !== 'string' || !/^-?[1-9]\d{0,18}$/.test(claim)) throw malformed(name, claim)
  return claim
}

export function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

function bytesOf(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
  } catch {
    throw malformed('base64', text)
  }
}
