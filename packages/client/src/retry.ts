import { CallError } from '@holdfast/contract'

const MAX_RETRIES = 3
const LONGEST_DELAY_MS = 30_000

/** How long to wait before retry number `attempt` (from 0): min(1000 * 2^n, 30000) ms. */
export function retryDelayMs(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, LONGEST_DELAY_MS)
}

/**
 * Whether a query that failed is asked again: up to 3 times. An answered refusal is an answer and does not change by asking
 * again, unless the server itself failed or was too busy.
 */
export function shouldRetry(failureCount: number, error: unknown): boolean {
  if (failureCount >= MAX_RETRIES) return false
  return !(error instanceof CallError) || error.httpStatus >= 500 || error.httpStatus === 429
}
