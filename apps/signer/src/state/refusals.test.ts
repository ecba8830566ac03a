import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JournalEvent } from './journal-events.ts'
import { Refusals, WRITTEN_MAX } from './refusals.ts'

const TEN_MINUTES = 600_000
const refusal = (id: number, check = 'c9') => ({ requestHash: new Uint8Array(32).fill(id % 256).fill(id >> 8, 0, 1), check, reason: 'because' })
const written = (events: readonly JournalEvent[]) => events.filter(({ kind }) => kind === 'refused').length
const leftOut = (events: readonly JournalEvent[]) => events.reduce((sum, event) => sum + (event.kind === 'refusalsLeftOut' ? Number(event.count) : 0), 0)

test('the same refusal is written once in ten minutes, and another one of the same request is as well', () => {
  const refusals = new Refusals()
  assert.deepEqual(refusals.eventsOf(refusal(1), 0), [{ kind: 'refused', ...refusal(1) }])
  assert.deepEqual(refusals.eventsOf(refusal(1), 1), [])
  assert.deepEqual(refusals.eventsOf(refusal(1, 'c12'), 2), [
    { kind: 'refusalsLeftOut', count: 1n },
    { kind: 'refused', ...refusal(1, 'c12') },
  ])
  assert.deepEqual(refusals.eventsOf(refusal(1), TEN_MINUTES), [{ kind: 'refused', ...refusal(1) }])
})

test('whoever asks for refusals for ever has no more than so many written, and each is written or counted', () => {
  const asked = fc.array(fc.record({ id: fc.nat(400), waitMs: fc.nat(10_000) }), { maxLength: 600 })
  fc.assert(
    fc.property(asked, (all) => {
      const refusals = new Refusals()
      const events: JournalEvent[] = []
      let nowMs = 0
      const inStretch = new Map<number, number>()
      for (const { id, waitMs } of all) {
        nowMs += waitMs
        const now = refusals.eventsOf(refusal(id), nowMs)
        events.push(...now)
        const stretch = Math.floor(nowMs / TEN_MINUTES)
        inStretch.set(stretch, (inStretch.get(stretch) ?? 0) + written(now))
      }
      events.push(...refusals.eventsOf(refusal(401), nowMs + TEN_MINUTES))
      assert.equal(written(events) + leftOut(events), all.length + 1)
      assert.ok([...inStretch.values()].every((count) => count <= WRITTEN_MAX))
    }),
    { numRuns: 50 },
  )
})
