import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { atRisk, type May, type Right, valueAtRisk } from './value-at-risk.ts'

const may = fc.oneof(fc.bigInt({ min: 0n, max: 1_000n }), fc.constantFrom<May>('everything', 'unknown'))
/** Rights over a few things, of which as much is held whichever right is looked at. */
const rights = fc
  .array(fc.option(fc.bigInt({ min: 0n, max: 500n }), { nil: undefined }), { minLength: 1, maxLength: 4 })
  .chain((holdings) =>
    fc
      .array(fc.record({ at: fc.nat(holdings.length - 1), may }))
      .map((list) => list.map((each): Right => ({ key: String(each.at), held: holdings[each.at], may: each.may }))),
  )
const twice = (_key: string, amount: bigint) => amount * 2n

describe('what rights put at risk', () => {
  it('is of one right what it allows and is there, and unknown where either is', () => {
    assert.deepEqual(
      [atRisk({ held: 5n, may: 3n }), atRisk({ held: 5n, may: 9n }), atRisk({ held: 5n, may: 'everything' }), atRisk({ held: 0n, may: 'unknown' })],
      [3n, 5n, 5n, 0n],
    )
    assert.equal(atRisk({ held: 5n, may: 'unknown' }), undefined)
    assert.equal(atRisk({ held: undefined, may: 3n }), undefined)
  })

  it('is never more than is there, never less than one right alone, and says when something is not known', () => {
    fc.assert(
      fc.property(rights, (list) => {
        const { value, isPartial } = valueAtRisk(list, twice)
        const held = [...new Map(list.map((each) => [each.key, each.held ?? 0n])).values()].reduce((sum, each) => sum + each, 0n)
        const known = list.map(atRisk)
        if (value === undefined) return assert.ok(list.length > 0 && known.every((part) => part === undefined))
        assert.ok(value <= held * 2n)
        for (const part of known) assert.ok(part === undefined || value >= part * 2n)
        if (known.every((part) => part !== undefined)) assert.equal(isPartial, false)
        if (list.some((each) => each.held === undefined)) assert.equal(isPartial, true)
      }),
    )
  })

  it('is nothing where there is no right, and unknown where nothing has a price', () => {
    assert.deepEqual(valueAtRisk([], twice), { value: 0n, isPartial: false })
    assert.deepEqual(
      valueAtRisk([{ key: 'a', held: 5n, may: 3n }], () => undefined),
      { value: undefined, isPartial: false },
    )
    const [priced, other] = [
      { key: 'a', held: 5n, may: 3n },
      { key: 'b', held: 5n, may: 3n },
    ] as const
    assert.deepEqual(
      valueAtRisk([priced, other, priced], (key, amount) => (key === 'a' ? amount : undefined)),
      { value: 5n, isPartial: true },
    )
    assert.deepEqual(
      valueAtRisk([{ key: 'a', held: 0n, may: 'unknown' }], () => undefined),
      { value: 0n, isPartial: false },
    )
  })
})
