import { setTimeout as sleep } from 'node:timers/promises'
import type { SeededRandom } from './seeded-random.ts'
import type { Killable, TestStack } from './start-test-stack.ts'

type Plan = { names: readonly Killable[]; kills: number; random: SeededRandom; signal: AbortSignal }

/** Of the kills, those that hit a program in its start; the others hit it at work. */
const SHARE_IN_START = 0.25
const START_MS = 2000
const WORK_MS = 2000

/**
 * Kills one of the programs, or the database, with SIGKILL and has it started again, `kills` times, each at a random moment: while it starts, while it
 * works, while it waits. Answers, when all are ready again, how often each was killed. The signal ends it early.
 */
export async function killAtRandom(stack: TestStack, { names, kills, random, signal }: Plan): Promise<Map<Killable, number>> {
  const killed = new Map<Killable, number>()
  const starting = new Map<Killable, Promise<unknown>>()
  // On a machine that is busy, one that waits for another that is killed meanwhile may give up its start.
  const untilStarted = async (name: Killable): Promise<void> => {
    try {
      await starting.get(name)
    } catch {
      await stack.kill(name)
      await stack.restart(name)
    }
  }
  for (let i = 0; i < kills && !signal.aborted; i++) {
    const name = random.pick(names)
    const isInStart = random.next() < SHARE_IN_START
    if (!isInStart) {
      await untilStarted(name)
      await untilTwoSigners(stack, signal)
    }
    await sleep(random.between(0, isInStart ? START_MS : WORK_MS))
    await stack.kill(name)
    killed.set(name, (killed.get(name) ?? 0) + 1)
    // A start that was hit in its middle ends with "did not start"; only the one that nobody disturbs has to succeed.
    await starting.get(name)?.catch(() => undefined)
    const started = stack.restart(name)
    started.catch(() => undefined)
    starting.set(name, started)
  }
  await Promise.all([...starting.keys()].map(untilStarted))
  return killed
}

/** Signers dial again after longer and longer pauses; before two are there, a kill would hit idle processes only. */
async function untilTwoSigners({ settings }: TestStack, signal: AbortSignal): Promise<void> {
  const connected = async (): Promise<number> => {
    const { signers } = (await (await fetch(`http://127.0.0.1:${settings.ports.console}/healthz`)).json()) as { signers: number[] }
    return signers.length
  }
  while (!signal.aborted && (await connected().catch(() => 0)) < 2) await sleep(50)
}
