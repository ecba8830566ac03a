import assert from 'node:assert/strict'
import { test } from 'node:test'
import { equalBytes } from '@holdfast/encoding'
import { eligibleIn, evaluatePayment, inThirdForm, neededIn, type PartName, type Policy } from '@holdfast/policy'
import fc from 'fast-check'
import { approveBy, namedRule, personOf } from '../../../packages/policy/src/testing/named-rules.ts'
import { member, samplePolicy } from '../../../packages/policy/src/testing/sample-organisation.ts'
import { policyWords } from './policy-words.ts'
import { brokenQuorums, newlyBroken, placesOf, withoutPeople } from './quorum-health.ts'

const [ann, ben, cleo, dora] = [0, 1, 2, 3].map((number) => member(number)) as [
  ReturnType<typeof member>,
  ReturnType<typeof member>,
  ReturnType<typeof member>,
  ReturnType<typeof member>,
]
const all = [ann, ben, cleo].map((each) => each.id)
const ofPart = (part: PartName, need: number, ...who: { id: Uint8Array }[]) => ({ part, need: BigInt(need), who: who.map(personOf) })
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

test('the places a policy names a person are all found, and a rule is called by its name', () => {
  const policy = samplePolicy([ann, ben, cleo], 2)
  const rule = { where: 'rule' as const, id: 'payments', name: 'payments' }
  assert.deepEqual(placesOf(policy, ann.id), [
    { as: 'approver', of: rule },
    { as: 'initiator', of: rule },
    { as: 'governor', of: { where: 'governance', id: '' } },
  ])
  assert.deepEqual(placesOf(policy, dora.id), [])
  const large = { where: 'rule' as const, id: 'rule 7', name: 'Large payments' }
  const steps = [{ need: 1n, who: [personOf(ben)] }]
  const action = approveBy(steps, { mayStop: [personOf(cleo)] })
  const withParts = { ...inThirdForm(policy), rules: [namedRule('rule 7', { name: 'Large payments', action })], parts: [ofPart('keys', 1, ben)] }
  assert.deepEqual(placesOf(withParts, ben.id).slice(0, 2), [
    { as: 'approver', of: large },
    { as: 'approver', of: { where: 'part', id: 'keys' } },
  ])
  assert.deepEqual(placesOf(withParts, cleo.id)[0], { as: 'stopper', of: large })
})

test('a part of the workspace breaks when too few of its approvers are left, beside whoever asks', () => {
  const policy = { ...inThirdForm(samplePolicy([ann, ben, cleo], 1)), parts: [ofPart('members', 2, ann, ben)] }
  assert.deepEqual(brokenQuorums(policy, available(all)), [])
  const broken = newlyBroken(policy, available(all), withoutPeople(available(all), [ben.id]))
  assert.deepEqual(
    broken.map(({ where, id, threshold, approvers }) => ({ where, id, threshold, approvers })),
    [{ where: 'part', id: 'members', threshold: 2, approvers: [ann.id] }],
  )
  assert.deepEqual(
    newlyBroken(policy, available(all), withoutPeople(available(all), [cleo.id])).map(({ where }) => where),
    ['part'],
    'nobody is left who could ask beside the two who approve',
  )
  assert.equal(
    policyWords.en_US.broken(broken[0]!, 'Ann'),
    "changes of members and their keys need 2 approvals apart from the requester's, and only Ann could give one",
  )
})
