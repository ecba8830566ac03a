import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findPayer, type Payer } from './find-payer.ts'

const [first, used, wanted] = ['first', 'used', 'wanted'].map((id) => ({ id, name: id })) as [Payer, Payer, Payer]

describe('who pays several', () => {
  it('is the wanted sub-wallet, else the one in use, else the first', () => {
    const all = [first, used, wanted]
    assert.deepEqual(findPayer(all, { wantedId: 'wanted', inUseId: 'used', isWhole: true }), { payer: wanted, isReplaced: false })
    assert.deepEqual(findPayer(all, { wantedId: undefined, inUseId: 'used', isWhole: true }), { payer: used, isReplaced: false })
    for (const inUseId of [undefined, 'hidden'])
      assert.deepEqual(findPayer(all, { wantedId: undefined, inUseId, isWhole: true }), { payer: first, isReplaced: false })
  })

  it('is nobody else while the named one may still come with the rest of the list', () => {
    assert.equal(findPayer([first, used], { wantedId: 'wanted', inUseId: 'used', isWhole: false }), undefined)
    assert.equal(findPayer([first], { wantedId: undefined, inUseId: 'used', isWhole: false }), undefined)
    assert.deepEqual(findPayer([first], { wantedId: undefined, inUseId: undefined, isWhole: false }), { payer: first, isReplaced: false })
    assert.deepEqual(findPayer([first, wanted], { wantedId: 'wanted', inUseId: undefined, isWhole: false }), { payer: wanted, isReplaced: false })
  })

  it('is said to be another one where the wanted one cannot pay', () => {
    assert.deepEqual(findPayer([first, used], { wantedId: 'wanted', inUseId: 'used', isWhole: true }), { payer: used, isReplaced: true })
    assert.deepEqual(findPayer([], { wantedId: 'wanted', inUseId: undefined, isWhole: true }), { payer: undefined, isReplaced: true })
  })
})
