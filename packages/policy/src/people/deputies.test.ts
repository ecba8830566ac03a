import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decode, encode } from '@holdfast/encoding'
import {
  changesParts,
  checkPolicy,
  deputiesOf,
  describeChange,
  describePolicy,
  hasThirdForm,
  inThirdForm,
  listingCoolingMs,
  loosens,
  partsTouched,
  type Policy,
  policyHash,
  policyShape,
  withDeputies,
  withListingCooling,
} from '../index.ts'
import { groupOf, personOf, thirdForm } from '../testing/named-rules.ts'
import { member, samplePolicy } from '../testing/sample-organisation.ts'

const people = [1, 2, 3].map(member)
const [ann, ben, cleo] = people.map(personOf) as [ReturnType<typeof personOf>, ReturnType<typeof personOf>, ReturnType<typeof personOf>]
const desk = { id: 'desk', name: 'Desk', members: [people[1]!.id] }
const base = thirdForm(people, { groups: [desk] })
const having = (...deputies: (typeof ann)[]): Policy => withDeputies(base, deputies)

describe('those who may stand in', () => {
  it('are nobody in every former form, whose bytes and meaning stay', () => {
    for (const policy of [samplePolicy(people, 2), base, withListingCooling(base, 0)]) {
      assert.deepEqual(deputiesOf(policy), [])
      assert.ok(!describePolicy(policy, 'en-US').some((line) => line.includes('decide in their place')))
      assert.deepEqual(policyHash(decode(policyShape, encode(policyShape, policy))), policyHash(policy))
    }
    assert.equal(withDeputies(base, []), base, 'a policy that names nobody keeps its form')
  })

  it('come with the fifth form, which says everything that the fourth does', () => {
    const policy = having(ben)
    assert.equal(policy.kind, 'namedDeputies')
    assert.deepEqual(decode(policyShape, encode(policyShape, policy)), policy)
    assert.equal(hasThirdForm(policy), true)
    assert.equal(inThirdForm(policy), policy)
    assert.equal(listingCoolingMs(policy), listingCoolingMs(base))
    const slower = withListingCooling(inThirdForm(policy), 3_600_000)
    assert.deepEqual([slower.kind, listingCoolingMs(slower), deputiesOf(slower)], ['namedDeputies', 3_600_000, [ben]])
    assert.deepEqual(deputiesOf(withDeputies(inThirdForm(policy), [])), [], 'and are taken out again')
  })

  it('are known people with a key, or groups of such', () => {
    checkPolicy(having(ben, groupOf('desk')))
    const refused = (policy: Policy, why: RegExp) => assert.throws(() => checkPolicy(policy), why)
    refused(having(ben, ben), /list of deputies names a person, a group or a machine twice/)
    refused(having(personOf(member(9))), /list of deputies names .*, who is not in the policy/)
    refused(having(groupOf('night')), /list of deputies names the group night/)
    const keyless = { ...having(groupOf('desk')), governance: { approvers: [people[0]!.id, people[2]!.id], threshold: 1n } }
    refused(
      { ...keyless, people: keyless.people.map((each, i) => (i === 1 ? { ...each, credentials: [] } : each)) },
      /list of deputies names somebody without an approval key/,
    )
  })

  it('are said to whoever reads the policy or a change of it', () => {
    assert.ok(describePolicy(having(ben, groupOf('desk')), 'en-US').some((line) => line.endsWith(`for 30 days at most: ${people[1]!.name}, the group “Desk”`)))
    assert.ok(describePolicy(having(ben), 'zh-CN').some((line) => line.includes('代其审批')))
    const lines = describeChange(having(ben), having(cleo), 'en-US', [])
    assert.ok(lines.some((line) => line.startsWith('From now on: Who is away') && line.endsWith(people[2]!.name)))
    assert.ok(lines.some((line) => line.startsWith('No longer: Who is away') && line.endsWith(people[1]!.name)))
  })

  it('are for those who govern, and more of them loosen the policy', () => {
    const next = (policy: Policy): Policy => ({ ...policy, version: policy.version + 1n })
    const cases: [Policy, Policy, boolean][] = [
      [base, having(ben), true],
      [having(ben), having(ben, cleo), true],
      [having(ben, cleo), having(ben), false],
      [having(ben), having(), false],
      [having(ben), having(groupOf('desk')), false],
      [having(groupOf('desk')), { ...having(groupOf('desk')), groups: [{ ...desk, members: [people[1]!.id, people[2]!.id] }] } as Policy, true],
    ]
    for (const [before, after, does] of cases) {
      assert.equal(loosens(before, next(after)), does)
      assert.ok(partsTouched(before, next(after)).includes('governance'))
      assert.equal(changesParts(before, next(after)), true)
    }
    assert.deepEqual(partsTouched(having(ben), next(having(ben))), [])
    assert.equal(changesParts(having(ben), next(having(ben))), false)
  })
})
