import type { Ports } from '@holdfast/ports'
import type { Network } from './open-network.ts'

export type MiningNetwork = Pick<Network, 'getTxpoolStatus' | 'mine'>

/** While mining is paused what is sent waits, as where the fee is too low. Whoever has it may change it. */
export type MiningSwitch = { paused: boolean }

export type MiningPlan = {
  blockTimeMs: number
  /** Without it nothing pauses. */
  mining?: MiningSwitch
  signal: AbortSignal
  /** Awaited after each block before the next one is begun. */
  afterBlock(): Promise<void>
}

// After the last transaction the network keeps its pace for this many blocks, so that confirmations come as they should,
const LIVELY_BLOCKS = 60
// and then mines one block where it would have mined this many: a night of idling shall not cost gigabytes.
const IDLE_FACTOR = 10

// One answer lost on a busy machine, or one save that failed, is no reason to end the network; this many in a row are.
const FAILURES_MAX = 10

/** Mines a block every block time until aborted; what mining takes is part of that time. Rejects with the last failure when block after block fails. */
export async function mineBlocks(timer: Ports['timer'], network: MiningNetwork, plan: MiningPlan): Promise<void> {
  let quietBlocks = 0
  let skipped = 0
  let failures = 0
  const mineIfDue = async () => {
    if (plan.mining?.paused) return
    const { pending } = await network.getTxpoolStatus()
    if (pending > 0) quietBlocks = 0
    if (quietBlocks >= LIVELY_BLOCKS && ++skipped < IDLE_FACTOR) return
    await network.mine({ blocks: 1 })
    skipped = 0
    quietBlocks++
    await plan.afterBlock()
  }
  for (let tick = slept(timer, plan); await tick; ) {
    tick = slept(timer, plan)
    try {
      await mineIfDue()
      failures = 0
    } catch (cause) {
      if (++failures >= FAILURES_MAX) throw cause
    }
  }
}

async function slept(timer: Ports['timer'], { blockTimeMs, signal }: MiningPlan): Promise<boolean> {
  if (signal.aborted) return false
  return timer.sleep(blockTimeMs, signal).then(
    () => true,
    () => false,
  )
}
