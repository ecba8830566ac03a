import { nodePorts as ports } from '@holdfast/ports/node'
import type { ChildProcess } from '@holdfast/ports'

export type StandingProgram = {
  start(): void
  /** Ends it with SIGKILL. */
  kill(): Promise<void>
}

/** A program of a test's own that can be killed and started again; it ends with the test, however that ends. */
export function standingProgram({ args, env, logPath, cwd }: { args: readonly string[]; env: Record<string, string>; logPath: string; cwd: string }) {
  let child: ChildProcess | undefined
  const killNow = () => child?.kill('SIGKILL')
  process.once('exit', killNow)
  return {
    start: () => {
      child = ports.process.spawn(process.execPath, args, { cwd, env, logPath })
    },
    kill: async () => {
      killNow()
      await child?.exited
    },
  } satisfies StandingProgram
}
