import type { ChildProcess, Ports } from '@holdfast/ports'

const READY_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 10_000
const POLL_MS = 20

type Started = { child: ChildProcess; logPath: string; what: string }

/** Waits until a program answers. Throws with the end of its log where it ends before, or takes too long. */
export async function waitUntilReady(
  ports: Pick<Ports, 'clock' | 'timer' | 'disk'>,
  { child, logPath, what }: Started,
  isReady: () => Promise<boolean>,
): Promise<void> {
  let ended = false
  void child.exited.then(() => {
    ended = true
  })
  const startedMs = ports.clock.monotonicMs()
  while (!(await isReady().catch(() => false))) {
    if (ended || ports.clock.monotonicMs() - startedMs > READY_TIMEOUT_MS) {
      const log = new TextDecoder()
        .decode(await ports.disk.read(logPath))
        .trim()
        .slice(-1000)
      throw new Error(`${what} did not start${log === '' ? '' : `: ${log}`} (its log is ${logPath})`)
    }
    await ports.timer.sleep(POLL_MS)
  }
}

/** Asks a program to end, and ends it where it does not. */
export async function stopChild({ timer }: Pick<Ports, 'timer'>, child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  const cancel = timer.after(STOP_TIMEOUT_MS, () => child.kill('SIGKILL'))
  await child.exited
  cancel()
}
