import { QueryClient } from '@tanstack/react-query'
import { retryDelayMs, shouldRetry } from './retry.ts'

const FRESH_FOR_MS = 5_000

/**
 * The cache of everything the server answered. Queries retry as the specification says, and wait for a network; what changes something never retries by itself,
 * and never waits: a payment that is sent once a network comes back is one that nobody presses a button for.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: shouldRetry, retryDelay: retryDelayMs, staleTime: FRESH_FOR_MS, refetchOnWindowFocus: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
