import assert from 'node:assert/strict'
import { test } from 'node:test'
import { equalBytes } from '@holdfast/encoding'
import { eligibleIn, evaluatePayment, neededIn, type Policy } from '@holdfast/policy'
import fc from 'fast-check'
import { member, samplePolicy } from '../../../packages/policy/src/testing/sample-organisation.ts'
import { brokenQuorums, newlyBroken, placesOf, withoutPeople } from './quorum-health.ts'

const [ann, ben, cleo, dora] = [0, 1, 2, 3].map((number) => member(number)) as [
  ReturnType<typeof member>,
  ReturnType<typeof member>,
  ReturnType<typeof member>,
  ReturnType<typeof member>,
]
const all = [ann, ben, cleo].map((each) => each.id)
const available = (ids: Uint8Array[]) => ({ active: ids, mayPropose: ids })

test('two of three with everybody asking breaks when one of the three goes, and the rule is named', () => {
  const policy = samplePolicy([ann, ben, cleo], 2)
  assert.deepEqual(brokenQuorums(policy, available(all)), [])
  const broken = newlyBroken(policy, available(all), withoutPeople(available(all), [cleo.id]))
  assert.deepEqual(
    broken.map(({ where, id, threshold }) => ({ where, id, threshold })),
    [
      { where: 'rule', id: 'payments', threshold: 2 },
      { where: 'governance', id: '', threshold: 2 },
    ],
  )
})

test('one of three may go where one approval is enough; what was broken before is not blamed on who goes now', () => {
  assert.deepEqual(newlyBroken(samplePolicy([ann, ben, cleo], 1), available(all), withoutPeople(available(all), [cleo.id])), [])
  const policy = samplePolicy([ann, ben, cleo], 2)
  assert.deepEqual(newlyBroken(policy, available([ann.id, ben.id]), available([ann.id])), [])
})

test('somebody who asks without approving serves a quorum of all approvers', () => {
  const policy = samplePolicy([ann, ben, cleo], 2)
  const rule = { ...policy.rules[0]!, approvers: [ann.id, ben.id], initiators: [cleo.id] }
  assert.deepEqual(brokenQuorums({ ...policy, rules: [rule], governance: { approvers: [ann.id, ben.id], threshold: 2n } }, available(all)), [])
})

test('a rule is called whole exactly where some available person could ask and be approved by available people', () => {
  const people = [ann, ben, cleo, dora]
  const ids = people.map((each) => each.id)
  const some = (minLength: number) => fc.subarray(ids, { minLength })
  fc.assert(
    fc.property(some(1), some(1), fc.integer({ min: 1, max: 4 }), some(0), (initiators, approvers, threshold, active) => {
      const policy: Policy = {
        ...samplePolicy(people, 1),
        rules: [{ kind: 'transfer', id: 'r', chain: null, asset: null, maxAmount: null, window: null, initiators, approvers, threshold: BigInt(threshold) }],
      }
      const order = { chain: 'eip155:31337', contract: null, amount: 1n }
      const isServed = active.some((initiator) => {
        const outcome = evaluatePayment(policy, { ...order, initiator })
        return (
          outcome.kind === 'needs' && eligibleIn(outcome.steps).filter((id) => active.some((each) => equalBytes(each, id))).length >= neededIn(outcome.steps)
        )
      })
      assert.equal(
        brokenQuorums(policy, available(active)).every((each) => each.where !== 'rule'),
        isServed,
      )
    }),
  )
})

test('the places a policy names a person are all found', () => {
  const policy = samplePolicy([ann, ben, cleo], 2)
  assert.deepEqual(placesOf(policy, ann.id), [
    { rule: 'payments', as: 'approver' },
    { rule: 'payments', as: 'initiator' },
    { rule: '', as: 'governor' },
  ])
  assert.deepEqual(placesOf(policy, dora.id), [])
})
