import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../testing/test-world.ts'
import { readCalls } from './call-log.ts'
import { recordCall } from './door/record-call.ts'
import { useNonces } from './door/use-nonces.ts'
import { startForgettingCalls } from './forget-calls.ts'

const DAY_MS = 86_400_000
const made = {
  method: 'GET',
  path: '/open/v1/wallets',
  body: '',
  requestId: null,
  address: '203.0.113.7',
  httpStatus: 200,
  code: '0',
  refused: null,
  durationMs: 1,
}

test('a call stays in the log for 180 days, and a nonce for as long as a call with it could be taken', async () => {
  const { db, orgId, context, close } = await openWorld()
  try {
    const nowMs = context.ports.clock.nowMs()
    await recordCall(context, { ...made, key: { orgId, machineId: 'payouts' }, atMs: nowMs })
    const nonce = { machineId: 'payouts', nonces: ['a'.repeat(20)], overAtMs: nowMs + DAY_MS }
    await db.asOrganisation(orgId, (tx) => useNonces(tx, nonce))
    const isFresh = async () => (await db.asOrganisation(orgId, (tx) => useNonces(tx, nonce))).size === 1
    const after = async (days: number) => {
      const ports = { ...context.ports, clock: { ...context.ports.clock, nowMs: () => nowMs + days * DAY_MS } }
      const failed: unknown[] = []
      // The round that has begun is waited for.
      await startForgettingCalls({ db, ports }, (cause) => failed.push(cause)).stop()
      assert.deepEqual(failed, [])
      return (await db.asOrganisation(orgId, (tx) => readCalls(tx, { page_no: 1, page_size: 20 }))).pageTotal
    }
    assert.deepEqual([await after(0.9), await isFresh()], [1, false])
    assert.deepEqual([await after(179), await isFresh()], [1, true])
    assert.equal(await after(181), 0)
  } finally {
    await close()
  }
})
