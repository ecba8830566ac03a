import { shareStack } from './testing/joined-stack.ts'
import type { TestStack } from './testing/start-test-stack.ts'

/** The tests that ask much from one browser are no subject of the limits on it. */
export const PLAIN_STACK = { ratePerSession: 100_000, hasSecond: true }
let stack: TestStack | undefined

/** Called by the test runner before the first file. */
export async function globalSetup(): Promise<void> {
  stack = await shareStack(PLAIN_STACK)
}

/** Called by the test runner after the last file. */
export async function globalTeardown(): Promise<void> {
  await stack?.dispose()
}
