import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY_DRAFT } from './ask-draft.ts'
import { firstAnswer, isSameDraft } from './first-answer.ts'

const idle = { error: null, fetchStatus: 'idle' } as const
const first = { days: '30' }
const second = { days: '60' }

test('a form begins with a fresh answer, never with one that is just being asked for again', () => {
  const answers = [
    { data: first, error: null, fetchStatus: 'fetching' },
    { data: second, ...idle },
    { data: first, ...idle },
  ] as const
  const begun: (typeof first | undefined)[] = []
  for (const answer of answers) begun.push(firstAnswer(begun.at(-1), answer))
  assert.deepEqual(begun, [undefined, second, second], 'the kept answer is waited out, and later answers change nothing')
  assert.equal(firstAnswer(undefined, { data: first, ...idle }), first, 'one that is fresh still needs no waiting')
})

test('an answer that could not be asked for again is no beginning', () => {
  assert.equal(firstAnswer(undefined, { data: first, error: new Error('refused'), fetchStatus: 'idle' }), undefined)
  assert.equal(firstAnswer(undefined, { data: first, error: null, fetchStatus: 'paused' }), undefined)
  assert.equal(firstAnswer(second, { data: undefined, error: new Error('refused'), fetchStatus: 'idle' }), second, 'a form that has begun stays')
})

test('a draft is input by what it says, not by being another copy', () => {
  const draft = { ...EMPTY_DRAFT, fees: { 'eip155:1': { max: '1', share: '10' } } }
  assert.ok(isSameDraft(draft, structuredClone(draft)))
  assert.ok(!isSameDraft(draft, { ...draft, days: '91' }))
  assert.ok(isSameDraft(draft, { ...{ ...draft, days: '91' }, days: '90' }))
})
