import { ChainError } from './chain-error.ts'

/** Parsers for what any node claims, whatever its chain. Each takes the claim and its name, and throws ChainError if the shape is wrong. */

/** What is wrong with a claim of no known shape. */
export function malformed(name: string, claim: unknown): ChainError {
  return new ChainError(`the node gave a malformed ${name}: ${claimText(claim).slice(0, 80)}`)
}

/** A claim as it came, for a message; cut it to the length wanted. */
export function claimText(claim: unknown): string {
  try {
    return claim === undefined ? 'nothing' : JSON.stringify(claim)
  } catch {
    // JSON is read however deep it is nested, and not written.
    return 'something nested too deep to show'
  }
}

export function record(claim: unknown, name: string): Record<string, unknown> {
  if (typeof claim !== 'object' || claim === null || Array.isArray(claim)) throw malformed(name, claim)
  return claim as Record<string, unknown>
}

export function array(claim: unknown, name: string): unknown[] {
  if (!Array.isArray(claim)) throw malformed(name, claim)
  return claim
}
