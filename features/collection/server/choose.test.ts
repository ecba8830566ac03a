import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Allowing, chooseAllowed, chooseTaken } from './choose.ts'

const amounts = fc.bigInt(0n, 300n)
const held: fc.Arbitrary<Allowing[]> = fc
  .array(fc.record({ available: amounts, coins: fc.bigInt(0n, 20n), allowance: fc.option(amounts, { nil: undefined }), isBusy: fc.boolean() }), {
    maxLength: 12,
  })
  .map((list) => list.map((each, i) => ({ ...each, address: `0x${i}`, subWalletId: `s${i}` })))
const bounds = fc.tuple(fc.bigInt(1n, 200n), fc.bigInt(0n, 200n)).map(([threshold, more]) => ({ threshold, most: threshold + more }))
const fee = { estimates: [5n, 8n, 12n] as const, max: 10n, maxShare: 10_000n }

describe('what a collector takes', () => {
  it('is never more than an address has, allows or may give, never less than the threshold, and each address once', () => {
    fc.assert(
      fc.property(held, bounds, fc.integer({ min: 1, max: 5 }), (list, { threshold, most }, batchMax) => {
        const { taken, left } = chooseTaken({ threshold, most, left: undefined, batchMax }, list)
        assert.ok(taken.length <= batchMax)
        assert.equal(new Set(taken.map(({ address }) => address)).size, taken.length)
        for (const { address, amount } of taken) {
          const of = list.find((each) => each.address === address)!
          assert.ok(amount >= threshold && amount <= most && amount <= of.available && amount <= (of.allowance ?? 0n) && !of.isBusy)
        }
        const told = new Set([...taken.map(({ address }) => address), ...left.map(({ holding }) => holding.address)])
        for (const each of list) assert.equal(told.has(each.address), each.available > 0n, 'there is a reason for every address that has something')
      }),
    )
  })

  it('is nothing while there is a reason to leave all', () => {
    fc.assert(
      fc.property(held, bounds, (list, terms) => {
        const { taken, left } = chooseTaken({ ...terms, left: 'paused', batchMax: 5 }, list)
        assert.deepEqual(taken, [])
        assert.ok(left.every(({ reason }) => reason === 'paused'))
      }),
    )
  })
})

describe('what addresses allow', () => {
  it('is never above the most, never from one amount to another without zero between, and only what is paid for', () => {
    fc.assert(
      fc.property(held, bounds, fc.boolean(), fc.boolean(), (list, { threshold, most }, isExact, isRevoking) => {
        const { allowed } = chooseAllowed({ threshold, most, isExact, isRevoking, fee }, list)
        for (const { address, amount, feeCap } of allowed) {
          const of = list.find((each) => each.address === address)!
          assert.ok(amount <= most && feeCap <= fee.max && of.coins >= feeCap && !of.isBusy)
          if (isRevoking || (of.allowance ?? 0n) > 0n) assert.equal(amount, 0n)
          else assert.equal(amount, isExact && of.available < most ? of.available : most)
          assert.ok(isRevoking || (of.available >= threshold && (of.allowance ?? 0n) < threshold))
        }
      }),
    )
  })

  it('ends everywhere after it is taken back, and then nothing more is asked of an address', () => {
    fc.assert(
      fc.property(held, bounds, (list, terms) => {
        const rich = list.map((each) => ({ ...each, coins: 100n, isBusy: false }))
        const { allowed } = chooseAllowed({ ...terms, isExact: true, isRevoking: true, fee }, rich)
        const after = rich.map((each) => ({ ...each, allowance: allowed.find(({ address }) => address === each.address)?.amount ?? each.allowance }))
        assert.deepEqual(chooseAllowed({ ...terms, isExact: true, isRevoking: true, fee }, after).allowed, [])
        assert.ok(after.every(({ allowance }) => allowance === undefined || allowance === 0n))
      }),
    )
  })

  it('waits while fees are above the cap, and says so', () => {
    const one = [{ address: '0x1', subWalletId: 's', available: 50n, coins: 100n, allowance: 0n, isBusy: false }]
    const { allowed, left } = chooseAllowed({ threshold: 1n, most: 60n, isExact: true, isRevoking: false, fee: { ...fee, max: 4n } }, one)
    assert.deepEqual(allowed, [])
    assert.deepEqual(
      left.map(({ reason, detail }) => [reason, detail]),
      [['fee_too_high', 5n]],
    )
  })
})
