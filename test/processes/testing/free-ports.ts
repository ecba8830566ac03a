import { createServer } from 'node:net'

/** Where, after the first port of a stack, a test listens itself. */
export const HOOK_OFFSET = 32
/** As `localSettings` gives them out. */
const PORT_OFFSETS = [0, 10, 11, 12, 20, 21, 25, 26, 27, 28, 29, 30, 31, HOOK_OFFSET]

/**
 * A base from which all ports of a stack are free. Below the range from which the system takes ports for outgoing connections. Whoever listens at the last
 * port of a base has it for themselves, from before the programs listen at theirs until this process ends.
 */
export async function freePortBase(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const base = 20_000 + 40 * Math.floor(Math.random() * 300)
    if (!(await claim(base + 39))) continue
    const free = await Promise.all(PORT_OFFSETS.map((offset) => isFree(base + offset)))
    if (free.every(Boolean)) return base
  }
  throw new Error('no free ports between 20000 and 32000')
}

function claim(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const holder = createServer().unref()
    holder.once('error', () => resolve(false))
    holder.listen(port, '127.0.0.1', () => resolve(true))
  })
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
