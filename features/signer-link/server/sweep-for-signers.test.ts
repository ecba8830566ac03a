import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServerContext } from '@holdfast/features/context'
import { sweepForSigners } from './sweep-for-signers.ts'

/** A clock that stands still and pauses that only a poke ends. */
function needs() {
  const hearing = new Set<() => void>()
  const sleep = (_: number, signal?: AbortSignal) => new Promise<void>((_, reject) => signal?.addEventListener('abort', () => reject(new Error('woken'))))
  const onChange = (callback: () => void) => {
    hearing.add(callback)
    return () => hearing.delete(callback)
  }
  const given = { db: {}, ports: { clock: { monotonicMs: () => 0 }, timer: { sleep } }, coSigners: { onChange } }
  return { given: given as unknown as ServerContext, hearing, signerCame: () => hearing.forEach((each) => each()) }
}

test('what failed is put off until a signer comes, and nothing listens after the end', async () => {
  const { given, hearing, signerCame } = needs()
  const sweeps = sweepForSigners()
  const reported: unknown[] = []
  let looks = 0
  let tries = 0
  let looked = Promise.withResolvers<void>()
  const next = async (wake: () => void) => {
    looked = Promise.withResolvers<void>()
    wake()
    await looked.promise
  }
  const work = sweeps.start(given, { report: (cause) => reported.push(cause) }, async ({ attend }) => {
    looks++
    await attend('wallet', async () => {
      tries++
      throw new Error('no signer is there')
    })
    looked.resolve()
  })
  await looked.promise
  await next(() => sweeps.poke(given))
  assert.deepEqual({ looks, tries }, { looks: 2, tries: 1 })
  await next(signerCame)
  assert.deepEqual({ looks, tries, reported: reported.length }, { looks: 3, tries: 2, reported: 2 })
  await work.stop()
  assert.equal(hearing.size, 0)
})
