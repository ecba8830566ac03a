import type { Timer } from '@holdfast/ports'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { mineBlocks, type MiningNetwork } from './mine-blocks.ts'

/** Runs the miner for a number of block times over a pool that `pendingAt` describes. Returns the block times at which it mined. */
async function minedDuring(ticks: number, pendingAt: (tick: number) => boolean, afterBlock = async (_tick: number) => {}): Promise<number[]> {
  const abort = new AbortController()
  const mined: number[] = []
  let tick = 0
  const sleep: Timer['sleep'] = async () => {
    // A block time passes while nothing else is to be done.
    await setImmediate()
    if (++tick > ticks) abort.abort()
    abort.signal.throwIfAborted()
  }
  const network = {
    getTxpoolStatus: async () => ({ pending: pendingAt(tick) ? 1 : 0, queued: 0 }),
    mine: async () => void mined.push(tick),
  } as MiningNetwork
  await mineBlocks({ sleep, after: () => () => {} }, network, { blockTimeMs: 1000, signal: abort.signal, afterBlock: () => afterBlock(tick) })
  return mined
}

describe('mining', () => {
  it('keeps its pace for sixty blocks after a transaction, then mines every tenth time, and wakes at once', async () => {
    const mined = await minedDuring(1000, (tick) => tick === 500)
    const lively = (from: number) => Array.from({ length: 60 }, (_, i) => from + i)
    assert.deepEqual(mined.slice(0, 60), lively(1))
    assert.deepEqual(mined.slice(60, 63), [70, 80, 90])
    assert.deepEqual(
      mined.filter((tick) => tick >= 495 && tick <= 569),
      [...lively(500), 569],
    )
    assert.ok(mined.length < 250)
  })

  it('does not add what a block takes to the time between two', async () => {
    const abort = new AbortController()
    const begun: number[] = []
    let nowMs = 0
    const due: { atMs: number; wake(): void }[] = []
    const sleep: Timer['sleep'] = (ms) => new Promise((wake) => due.push({ atMs: nowMs + ms, wake }))
    const network = { getTxpoolStatus: async () => ({ pending: 1, queued: 0 }), mine: async () => void begun.push(nowMs) } as MiningNetwork
    const mining = mineBlocks({ sleep, after: () => () => {} }, network, { blockTimeMs: 1000, signal: abort.signal, afterBlock: () => sleep(300) })
    while (begun.length < 5) {
      await setImmediate()
      const next = due.sort((a, b) => a.atMs - b.atMs).shift()!
      nowMs = next.atMs
      next.wake()
    }
    assert.deepEqual(begun, [1000, 2000, 3000, 4000, 5000])
    abort.abort()
    for (const each of due) each.wake()
    await setImmediate()
    for (const each of due) each.wake()
    await mining
  })

  it('goes on after a failure and gives up after ten in a row', async () => {
    const failsOnce = await minedDuring(
      20,
      () => true,
      async (tick) => assert.notEqual(tick, 5),
    )
    assert.equal(failsOnce.length, 20)
    await assert.rejects(
      minedDuring(
        20,
        () => true,
        async () => Promise.reject(new Error('disk full')),
      ),
      /disk full/,
    )
  })
})
