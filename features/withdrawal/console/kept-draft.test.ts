import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dropDraft, type KeptDraft, keepDraft, takeDraft } from './kept-draft.ts'

const draft: KeptDraft = {
  target: { subWallet: { id: 's', name: 'Main' }, coin: { chain: 'eip155:1', symbol: 'ETH' } },
  fields: { to: '0x1', memo: '', amount: '1.5', remark: 'rent', category: '', tags: '' },
  choices: { bid: { tier: 'normal', cap: '' }, isGross: false, expireHours: 24 },
}

test('what was filled in is given back once to who filled it in, and to nobody else who signs in on this tab', () => {
  keepDraft('ann', draft)
  assert.deepEqual(takeDraft('ann'), draft)
  assert.equal(takeDraft('ann'), undefined)
  keepDraft('ann', draft)
  assert.equal(takeDraft('ben'), undefined)
  assert.equal(takeDraft('ann'), undefined, 'somebody else was here meanwhile')
  keepDraft('ann', draft)
  dropDraft()
  assert.equal(takeDraft('ann'), undefined)
})
