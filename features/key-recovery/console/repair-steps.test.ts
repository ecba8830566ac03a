import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repairSteps } from './repair-steps.ts'

const signers = (...online: number[]) => [1, 2, 3].map((party) => ({ party, online: online.includes(party) }))

test('a repair begins with the lost signer connected, then the others, then people, then the signers, then the proof', () => {
  const of = (...args: Parameters<typeof repairSteps>) => repairSteps(...args).map(([, standing]) => standing)
  assert.deepEqual(of(3, signers(1, 2)), ['stuck', 'done', 'ahead', 'ahead', 'ahead'])
  assert.deepEqual(of(3, signers(1, 3)), ['done', 'stuck', 'ahead', 'ahead', 'ahead'])
  assert.deepEqual(of(3, signers(1, 2, 3)), ['done', 'done', 'now', 'ahead', 'ahead'])
  assert.deepEqual(of(3, signers(1, 2, 3), { state: 'approved' }), ['done', 'done', 'done', 'now', 'ahead'])
  assert.deepEqual(of(3, signers(1, 2), { state: 'approved' }), ['stuck', 'done', 'done', 'ahead', 'ahead'])
  assert.deepEqual(of(1, signers(), { state: 'active' }), ['done', 'done', 'done', 'done', 'now'])
})
