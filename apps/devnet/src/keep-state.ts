import type { Ports } from '@holdfast/ports'
import type { Network } from './open-network.ts'

// Saving may take this part of the time at most; the longer the chain, the rarer it is saved.
const SHARE_OF_TIME = 5

export type StateKeeper = {
  /** Saves unless saving was so slow that it has to wait. */
  saveIfDue(): Promise<void>
  saveNow(): Promise<void>
}

/**
 * Keeps the whole chain in one file, replaced whole each time. The network's program can write such a file itself, but not
 * atomically: killed in the middle it leaves half a file and does not start again.
 */
export async function keepState(ports: Pick<Ports, 'clock' | 'disk'>, network: Network, path: string): Promise<StateKeeper> {
  const saved = await ports.disk.read(path)
  if (saved) await load(network, saved, path)
  let dueMs = 0
  const saveNow = async () => {
    const startedMs = ports.clock.monotonicMs()
    const dump = await request(network, 'anvil_dumpState', [])
    if (typeof dump !== 'string') throw new Error('the local network gave no state to save')
    await ports.disk.writeAtomic(path, Buffer.from(dump.slice(2), 'hex'))
    const endedMs = ports.clock.monotonicMs()
    dueMs = endedMs + (endedMs - startedMs) * (SHARE_OF_TIME - 1)
  }
  return { saveNow, saveIfDue: async () => (ports.clock.monotonicMs() >= dueMs ? saveNow() : undefined) }
}

async function load(network: Network, saved: Uint8Array, path: string): Promise<void> {
  const loaded = await request(network, 'anvil_loadState', [`0x${Buffer.from(saved).toString('hex')}`]).catch(() => false)
  if (loaded !== true) throw new Error(`the saved network in ${path} cannot be read: remove the file to start a new network`)
}

/** The one way to the methods that viem has no types for. */
export function request(network: Network, method: string, params: unknown[]): Promise<unknown> {
  return network.request({ method, params } as never)
}
