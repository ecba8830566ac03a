import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PolicyDraft } from '../contract.ts'
import { officersFault, setOfficers } from './officers.ts'

const nothing = { base_version: 1 } as PolicyDraft
const [one, two, three] = ['q', 'p', 'z'].map((letter) => `age1${letter.repeat(58)}`) as [string, string, string]

test('a signer gets officers by naming them, and keeps those it has once nobody is named', () => {
  const named = setOfficers(setOfficers(nothing, 3, [one], 1), 1, [two, three], 2)
  assert.deepEqual(named.recovery, [
    { party: 1, recipients: [two, three], threshold: 2 },
    { party: 3, recipients: [one], threshold: 1 },
  ])
  assert.deepEqual(setOfficers(setOfficers(named, 3, [], 1), 1, [], 2), nothing)
})

test('what is wrong with officers is told of the signer whose they are', () => {
  const faultOf = (...recovery: NonNullable<PolicyDraft['recovery']>) => officersFault({ ...nothing, recovery })
  assert.equal(officersFault(nothing), undefined)
  assert.equal(faultOf({ party: 1, recipients: [one, two], threshold: 2 }, { party: 2, recipients: [three], threshold: 1 }), undefined)
  assert.deepEqual(faultOf({ party: 2, recipients: [one, 'age1short'], threshold: 1 }), { party: 2, what: 'shape' })
  assert.deepEqual(faultOf({ party: 1, recipients: [one], threshold: 1 }, { party: 2, recipients: [one], threshold: 1 }), { party: 1, what: 'twice' })
  assert.deepEqual(faultOf({ party: 3, recipients: [one], threshold: 2 }), { party: 3, what: 'few' })
})
