import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropDraft, keepDraft, takeDraft } from './kept-draft.ts'

const [payment, call] = [{}, {}]
const reopenPayment = () => undefined
const reopenCall = () => undefined

test('what was filled in is given back once to who filled it in, and to nobody else who signs in on this tab', () => {
  keepDraft(payment, 'ann', reopenPayment)
  assert.equal(takeDraft('ann'), reopenPayment)
  assert.equal(takeDraft('ann'), undefined)
  keepDraft(payment, 'ann', reopenPayment)
  assert.equal(takeDraft('ben'), undefined)
  assert.equal(takeDraft('ann'), undefined, 'somebody else was here meanwhile')
})

test('a form that is sent or closed takes back what was kept of it, and nothing of another form', () => {
  keepDraft(payment, 'ann', reopenPayment)
  dropDraft(payment)
  assert.equal(takeDraft('ann'), undefined)
  keepDraft(payment, 'ann', reopenPayment)
  keepDraft(call, 'ann', reopenCall)
  dropDraft(payment)
  assert.equal(takeDraft('ann'), reopenCall)
})
