import { readFileSync } from 'node:fs'
import { startTestStack, type TestStack } from './start-test-stack.ts'

const VARIABLE = 'HOLDFAST_SHARED_STACK'

export type JoinedStack = Pick<TestStack, 'settings' | 'log' | 'dispose'>

/** The tests that ask much from one browser are no subject of the limits on it. */
export const PLAIN_STACK = { ratePerSession: 100_000, hasSecond: true }

/** Starts one running product for all files of a test run; each file founds organisations of its own in it. Answers what ends it. */
export async function shareStack(options: Parameters<typeof startTestStack>[0]): Promise<() => Promise<void>> {
  const stack = await startTestStack(options)
  process.env[VARIABLE] = JSON.stringify(stack.settings)
  return async () => {
    delete process.env[VARIABLE]
    await stack.dispose()
  }
}

/** The product that runs for all, or one of its own where a file is run by itself. Whoever joins stops no process of it. */
export async function joinStack(options: Parameters<typeof startTestStack>[0]): Promise<JoinedStack> {
  const shared = process.env[VARIABLE]
  if (!shared) return startTestStack(options)
  const settings = JSON.parse(shared) as TestStack['settings']
  return { settings, log: (name) => readFileSync(`${settings.folder}/logs/${name}.log`, 'utf8'), dispose: async () => undefined }
}
