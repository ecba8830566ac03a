import { nodePorts } from '@holdfast/ports/node'
import type { Ports } from '@holdfast/ports'
import { run } from '../main.ts'

export type Ended = { code: number; out: string; err: string }

/** For tests: runs a command as a terminal would, with the real disk, and gathers what it prints. */
export const runCli = (...argv: string[]): Promise<Ended> => runCliIn({}, ...argv)

/** For tests: the same with an environment. */
export const runCliIn = (env: Record<string, string>, ...argv: string[]): Promise<Ended> => runCliTyping(undefined, env, argv)

/** For tests: the same, where somebody types an answer, given what was printed so far. */
export async function runCliTyping(type: ((printed: string) => string) | undefined, env: Record<string, string>, argv: string[]): Promise<Ended> {
  const out: string[] = []
  const err: string[] = []
  const ports: Ports = {
    ...nodePorts,
    process: {
      ...nodePorts.process,
      env,
      print: (line) => void out.push(line),
      printError: (line) => void err.push(line),
      readLine: async () => type?.(out.join('\n')),
    },
  }
  const code = await run(ports, argv)
  return { code, out: out.join('\n'), err: err.join('\n') }
}
