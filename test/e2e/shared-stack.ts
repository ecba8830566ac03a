import { shareStack } from '../processes/testing/joined-stack.ts'
import type { TestStack } from '../processes/testing/start-test-stack.ts'

let stack: TestStack | undefined

/** Called by the test runner before the first file. */
export async function globalSetup(): Promise<void> {
  stack = await shareStack({ hasConsole: true })
}

/** Called by the test runner after the last file. */
export async function globalTeardown(): Promise<void> {
  await stack?.dispose()
}
