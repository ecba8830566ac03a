import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { chooseEnding, chooseSwept, type Delegating } from './choose-delegated.ts'

const CONTRACT = '0xsweeper'
const amounts = fc.bigInt(0n, 300n)
const authorized = fc.record({ ends: fc.boolean(), isReady: fc.boolean() })
const held: fc.Arbitrary<Delegating[]> = fc
  .array(
    fc.record({
      available: amounts,
      delegate: fc.constantFrom(null, undefined, CONTRACT, '0xother'),
      authorized: fc.option(authorized, { nil: undefined }),
    }),
    { maxLength: 12 },
  )
  .map((list) => list.map((each, i) => ({ ...each, address: `0x${i}`, subWalletId: `s${i}` })))
const bounds = fc.tuple(fc.bigInt(1n, 200n), fc.bigInt(0n, 200n)).map(([threshold, more]) => ({ threshold, most: threshold + more, contract: CONTRACT }))

describe('what the sweeper takes', () => {
  it('is of addresses that delegate to it, or whose own signature goes along: never more than they have or may give, and each once', () => {
    fc.assert(
      fc.property(held, bounds, fc.integer({ min: 1, max: 5 }), (list, terms, batchMax) => {
        const { taken, wanting, left } = chooseSwept({ ...terms, left: undefined, batchMax }, list)
        assert.ok(taken.length <= batchMax)
        assert.equal(new Set(taken.map(({ address }) => address)).size, taken.length)
        const of = (address: string) => list.find((each) => each.address === address)!
        for (const { address, amount } of taken) {
          const { available, delegate, authorized: signed } = of(address)
          assert.ok(amount >= terms.threshold && amount <= terms.most && amount <= available)
          assert.ok(delegate === CONTRACT ? signed === undefined : delegate === null && signed?.isReady === true && !signed.ends)
        }
        for (const { address } of wanting) {
          const { available, delegate, authorized: signed } = of(address)
          assert.ok(available >= terms.threshold && delegate === null && signed === undefined, 'only who delegates to nobody is asked to sign, once')
        }
        const told = new Set([...taken.map(({ address }) => address), ...left.map(({ holding }) => holding.address)])
        for (const each of list) assert.equal(told.has(each.address), each.available > 0n, 'there is a reason for every address that has something')
      }),
    )
  })

  it('is nothing, and nobody signs, while there is a reason to leave all, or where other code runs, or nobody knows whose', () => {
    fc.assert(
      fc.property(held, bounds, (list, terms) => {
        const paused = chooseSwept({ ...terms, left: 'paused', batchMax: 5 }, list)
        assert.deepEqual([paused.taken, paused.wanting], [[], []])
        assert.ok(paused.left.every(({ reason }) => reason === 'paused'))
        for (const delegate of ['0xother', undefined]) {
          const elsewhere = list.map((each) => ({ ...each, delegate }))
          const { taken, wanting, left } = chooseSwept({ ...terms, left: undefined, batchMax: 5 }, elsewhere)
          assert.deepEqual([taken, wanting], [[], []])
          const why = delegate ? 'delegated_elsewhere' : 'delegation_unread'
          assert.ok(left.every(({ reason }) => reason === 'below_threshold' || reason === why))
        }
      }),
    )
  })
})

describe('what ends, and what is carried by itself', () => {
  it('is asked of addresses that delegate to the contract alone, once, and every signature finds a transaction that carries it', () => {
    fc.assert(
      fc.property(held, bounds, fc.boolean(), fc.integer({ min: 1, max: 5 }), (list, terms, isRevoking, batchMax) => {
        const { taken, left } = chooseSwept({ ...terms, left: isRevoking ? 'paused' : undefined, batchMax }, list)
        const { ends, alone } = chooseEnding({ contract: CONTRACT, isRevoking, left }, list)
        assert.ok(ends.every(({ delegate, authorized: signed }) => isRevoking && delegate === CONTRACT && signed === undefined))
        if (isRevoking) assert.equal(ends.length, list.filter((each) => each.delegate === CONTRACT && !each.authorized).length)
        assert.ok(alone.every(({ authorized: signed }) => signed?.isReady))
        const carried = new Set([...alone, ...taken].map(({ address }) => address))
        const waits = new Set(left.filter(({ reason }) => reason === 'in_progress').map(({ holding }) => holding.address))
        for (const { address, authorized: signed } of list) if (signed?.isReady) assert.ok(carried.has(address) || (!signed.ends && waits.has(address)))
      }),
    )
  })
})
