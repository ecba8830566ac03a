import type { Ports } from '@holdfast/ports'
import { mineBlocks } from './mine-blocks.ts'

/* What the emulators that keep their blocks have in common. */

type Rebuilt<Block> = { rebuild(blocks: Block[]): Promise<void>; stored(): readonly Block[] }

/** Keeps every block as a line, on disk before the next is made; started again, the blocks are executed again. `what` names the emulator. */
export async function openBlockStore<Block extends object>(
  { disk }: Pick<Ports, 'disk'>,
  chain: Rebuilt<Block>,
  { path, what }: { path: string; what: string },
) {
  const lines = new TextDecoder().decode(await disk.read(path)).split('\n')
  // A line that was cut off when the program was killed is a block that nobody was told of.
  lines.pop()
  try {
    await chain.rebuild(lines.map((line) => JSON.parse(line) as Block))
  } catch (cause) {
    throw new Error(`the saved ${what} in ${path} cannot be read: remove the file to start a new network`, { cause })
  }
  const whole = (blocks: readonly Block[]) => new TextEncoder().encode(blocks.map((block) => `${JSON.stringify(block)}\n`).join(''))
  await disk.writeAtomic(path, whole(chain.stored()))
  let file = await disk.openAppend(path)
  return {
    append: (block: Block) => file.append(whole([block])),
    replace: async (blocks: readonly Block[]) => {
      await file.close()
      await disk.writeAtomic(path, whole(blocks))
      file = await disk.openAppend(path)
    },
    close: () => file.close(),
  }
}

type InTurn = <T>(act: () => Promise<T>) => Promise<T>

/** One thing at a time: a block is made whole before anybody asks or sends. */
export function oneAtATime(): InTurn {
  let busy: Promise<unknown> = Promise.resolve()
  return (act) => {
    const turn = busy.then(act)
    busy = turn.catch(() => undefined)
    return turn
  }
}

type Mined = {
  what: string
  blockTimeMs: number
  /** False leaves it to `mine`. */
  mining: boolean | undefined
  inTurn: InTurn
  mineOne: () => Promise<void>
  /** How many transactions wait for a block. */
  pending: () => number
  /** Ends what was opened for the network, while nothing is mined any more. */
  close: { server(): Promise<void>; store(): Promise<void> }
}

/** Mines an emulated chain until it is stopped. `ended` is the fault that ended it, or nothing. */
export function keepMining({ timer }: Pick<Ports, 'timer'>, { what, blockTimeMs, mining, inTurn, mineOne, pending, close }: Mined) {
  const abort = new AbortController()
  const network = { getTxpoolStatus: async () => ({ pending: pending(), queued: 0 }), mine: () => inTurn(mineOne) }
  const plan = { blockTimeMs, signal: abort.signal, afterBlock: async () => {} }
  const work = mining === false ? new Promise<void>((resolve) => abort.signal.addEventListener('abort', () => resolve())) : mineBlocks(timer, network, plan)
  const ended = work.then(
    () => undefined,
    (cause: unknown) => new Error(`the ${what} stopped: ${String(cause)}`),
  )
  let stopping: Promise<void> | undefined
  const shutDown = async () => {
    abort.abort()
    await close.server()
    await ended
    await inTurn(close.store)
  }
  return {
    mine: async (blocks: number) => {
      for (let i = 0; i < blocks; i++) await inTurn(mineOne)
    },
    stop: () => (stopping ??= shutDown()),
    ended,
  }
}
