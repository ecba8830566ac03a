import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standingOf, toneOfOrder } from './signing-words.ts'

test('an absence that the signers followed is shown by what became of it, and a signer that is missing is never shown as good', () => {
  const followed = (standing: 'in_force' | 'back' | 'over' | 'unknown' | null) => ({ state: 'followed' as const, standing })
  assert.deepEqual(
    (['in_force', 'unknown', 'back', 'over', null] as const).map((each) => [standingOf(followed(each)), toneOfOrder(followed(each))]),
    [
      ['in_force', 'warn'],
      ['unknown', 'warn'],
      ['back', 'good'],
      ['over', 'neutral'],
      ['followed', 'good'],
    ],
  )
  assert.deepEqual([standingOf({ state: 'approving', standing: null }), toneOfOrder({ state: 'rejected', standing: null })], ['approving', 'bad'])
})
