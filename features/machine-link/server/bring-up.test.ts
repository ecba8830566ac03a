import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bringUp } from './bring-up.ts'
import type { MachineDoor, NamedMachine } from './machine-door.ts'

test('a co-signer is told hundreds of versions in their order, without waiting for the answer to each', async () => {
  const changes = Array.from({ length: 350 }, (_, i) => Uint8Array.of(i >> 8, i & 255))
  const inForce = { policy: { version: 351n }, genesisRecord: Uint8Array.of(1), policyChanges: changes }
  const needs = { ports: { clock: { nowMs: () => 1 } }, db: { readOrganisation: async () => [inForce, null], asOrganisation: async () => undefined } }
  const told: number[] = []
  let waiting = 0
  let mostWaiting = 0
  const link = {
    call: async ({ name }: { name: string }, { change }: { change: Uint8Array }) => {
      if (name === 'co-signer-begin') return { version: '1.1.0', policyVersion: 1n, mark: null }
      told.push(change[0]! * 256 + change[1]!)
      const policyVersion = BigInt(told.length + 1)
      mostWaiting = Math.max(mostWaiting, ++waiting)
      await new Promise((resolve) => setImmediate(resolve))
      waiting--
      return { policyVersion }
    },
  }
  const door = { connected: new Map() } as unknown as MachineDoor
  const machine = { orgId: 'org', genesis: new Uint8Array(32), machineId: 'machine' } as unknown as NamedMachine
  await bringUp(needs as never, door, machine, link as never)
  assert.deepEqual(told, [...changes.keys()])
  assert.ok(mostWaiting > 10 && mostWaiting <= 256, `${mostWaiting} at once: a link works on 256 calls`)
  assert.equal([...door.connected.values()][0]?.policyVersion, 351n)
})
