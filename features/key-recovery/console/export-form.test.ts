import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canApply, holdersOf } from './export-form.ts'

const recipient = (letter: string) => `age1${letter.repeat(58)}`
const draft = (party: number, personId: string, letter: string) => ({ party, personId, recipient: letter === '' ? '' : recipient(letter) })

test('an export is asked for with two signers or three, each for another person with another recipient', () => {
  assert.ok(canApply([draft(1, 'ann', 'a'), draft(2, 'ben', 'b'), draft(3, 'cleo', 'c')]))
  const two = [draft(1, 'ann', 'a'), draft(2, '', ''), draft(3, 'cleo', 'c')]
  assert.ok(canApply(two))
  assert.deepEqual(
    holdersOf(two).map((each) => each.party),
    [1, 3],
  )
  const refused = [
    [draft(1, 'ann', 'a'), draft(2, '', '')],
    [draft(1, 'ann', 'a'), draft(2, 'ben', 'b'), draft(3, 'cleo', '')],
    [draft(1, 'ann', 'a'), draft(2, 'ann', 'b')],
    [draft(1, 'ann', 'a'), draft(2, 'ben', 'a')],
    [draft(1, 'ann', 'a'), { party: 2, personId: 'ben', recipient: 'AGE-SECRET-KEY-1QQQ' }],
  ]
  for (const drafts of refused) assert.equal(canApply(drafts), false, JSON.stringify(drafts))
})
