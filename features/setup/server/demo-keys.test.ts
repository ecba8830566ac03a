import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy } from '@holdfast/policy'
import fc from 'fast-check'
import { hasDemoKeys } from './demo-keys.ts'

type People = Pick<Policy, 'people'>

/** Each person with the keys of these numbers, all under one name. */
const peopleWith = (label: string, ...keys: number[][]): People => ({
  people: keys.map((own, i) => ({
    id: new Uint8Array(16).fill(i),
    name: 'A',
    credentials: own.map((key) => ({
      id: Uint8Array.of(key),
      kind: 'webauthn',
      publicKey: new Uint8Array(33).fill(key),
      backupEligible: false,
      label,
    })),
  })),
})

test('an organisation is a demo for as long as one key of its founding counts, whatever keys are called and whoever joins', () => {
  const founding = peopleWith('Demo key', [1], [2], [3])
  assert.equal(hasDemoKeys(true, founding, founding), true)
  assert.equal(hasDemoKeys(true, founding, peopleWith('Work laptop', [9], [2, 8], [7])), true)
  assert.equal(hasDemoKeys(true, founding, peopleWith('Demo key', [9], [8], [7])), false)
  assert.equal(hasDemoKeys(false, peopleWith('Demo key', [1]), peopleWith('Demo key', [1])), false)
})

test('it stops being one exactly when the last of those keys is gone', () => {
  const keys = fc.array(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 3 }), { maxLength: 5 })
  fc.assert(
    fc.property(keys, keys, fc.string(), (first, now, label) => {
      const isShared = now.flat().some((key) => first.flat().includes(key))
      return hasDemoKeys(true, peopleWith('Demo key', ...first), peopleWith(label, ...now)) === isShared
    }),
  )
})
