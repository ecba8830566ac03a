import { PeerError } from '@holdfast/link'
import { nodePorts } from '@holdfast/ports/node'
import { sha256 } from '@noble/hashes/sha2.js'
import type { SignerProcesses } from './signer-processes.ts'

/** How many kills a run makes of each kind of test; the release run makes 500. The seed makes a run that failed happen again. */
export const KILLS = Number(process.env.HOLDFAST_KEY_KILLS ?? '1')
export const SEED = process.env.HOLDFAST_KEY_SEED ?? 'key kills'

/** Numbers that follow from the seed alone. */
export function drawsOf(seed: string): (below: number) => number {
  let state = sha256(new TextEncoder().encode(seed))
  return (below) => {
    state = sha256(state)
    return new DataView(state.buffer, state.byteOffset).getUint32(0) % below
  }
}

/** Fresh 32 bytes at every call, the same in every run of a seed. */
export function noncesOf(seed: string): () => Uint8Array {
  let salt = 0
  return () => sha256(new TextEncoder().encode(`kill ${seed} ${salt++}`))
}

/** Kills `victim` at its n-th call from now on, a moment after the call has left. */
function killAt(at: SignerProcesses, victim: number, n: number, afterMs: number): { killed: () => boolean; gone: Promise<void> } {
  let left = n
  let killed = false
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  at.watch.onCall = (party) => {
    if (killed || party !== victim || left-- > 0) return
    killed = true
    setTimeout(() => {
      at.kill(victim)
      resolve()
    }, afterMs)
  }
  return { killed: () => killed, gone }
}

/** Runs something during which a signer is killed, and starts that signer again. Gives what it failed with, or null if the kill did not stop it. */
export async function runThroughKill(
  at: SignerProcesses,
  run: () => Promise<void>,
  { victim, n, afterMs }: { victim: number; n: number; afterMs: number },
): Promise<Error | null> {
  const { killed, gone } = killAt(at, victim, n, afterMs)
  const failed = await run().then(
    () => null,
    (cause: unknown) => cause as Error,
  )
  if (killed()) {
    await gone
    await at.revive(victim)
  }
  at.watch.onCall = () => {}
  return failed
}

const LINK_TRIES = 60
const LINK_PAUSE_MS = 1000

/** Runs something once more after a kill, as a server's next sweep does; a link lost on the way, as on a machine with other work, is waited for. */
export async function runAgain(run: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await run()
    } catch (cause) {
      if (!(cause instanceof PeerError && cause.kind === 'unavailable') || tries === LINK_TRIES) throw cause
      await nodePorts.timer.sleep(LINK_PAUSE_MS)
    }
  }
}
