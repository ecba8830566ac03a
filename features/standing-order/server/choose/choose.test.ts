import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { chooseFuel, type Wanting } from './choose-fuel.ts'
import { chooseSweeps } from './choose-sweeps.ts'
import type { FeeTerms, Holding, Terms } from './chosen.ts'

const TARGET = 'treasury'
const fee = (changes: Partial<FeeTerms> = {}): FeeTerms => ({ estimates: [5n, 10n, 20n], max: 12n, maxShare: 1_000n, ...changes })
const terms = (changes: Partial<Terms> = {}): Terms => ({
  atLeast: 100n,
  atMost: 10_000n,
  fee: fee(),
  isCoin: true,
  target: TARGET,
  never: new Set(),
  ...changes,
})
const holding = (changes: Partial<Holding> = {}): Holding => ({ address: 'a', subWalletId: 's', available: 1_000n, coins: 1_000n, isBusy: false, ...changes })
const chosen = (of: Partial<Terms>, has: Partial<Holding> = {}) => {
  const [only] = chooseSweeps(terms(of), [holding(has)])
  return only && (only.move ?? { reason: only.reason, detail: only.detail })
}

describe('what a sweep moves', () => {
  it('is all that an address has; of the own coin, all but the fee', () => {
    assert.deepEqual(chosen({}), { amount: 990n, feeCap: 10n })
    assert.deepEqual(chosen({ isCoin: false }), { amount: 1_000n, feeCap: 10n })
    assert.deepEqual(chosen({ atMost: 300n }), { amount: 300n, feeCap: 10n })
  })

  it('leaves room in its fee cap where a fee may be raised later, and goes without where there is none', () => {
    assert.deepEqual(chosen({ fee: fee({ isRaised: true, max: 100n }) }), { amount: 980n, feeCap: 20n })
    assert.deepEqual(chosen({ fee: fee({ isRaised: true }) }), { amount: 988n, feeCap: 12n }, 'never above what people approved')
    assert.deepEqual(chosen({ isCoin: false, fee: fee({ isRaised: true, max: 100n }) }, { coins: 12n }), { amount: 1_000n, feeCap: 10n })
    assert.deepEqual(chosen({ isCoin: false, fee: fee({ isRaised: true, max: 100n }) }, { coins: 9n }), { reason: 'no_fee_coins', detail: 11n })
  })

  it('leaves what has arrived, what is excluded and what is on its way', () => {
    assert.equal(chosen({}, { address: TARGET }), undefined)
    assert.deepEqual(chosen({ never: new Set(['a']) }), { reason: 'excluded', detail: undefined })
    assert.deepEqual(chosen({}, { isBusy: true }), { reason: 'in_progress', detail: undefined })
  })

  it('says how much is missing, where something is', () => {
    assert.deepEqual(chosen({}, { available: 99n }), { reason: 'below_threshold', detail: 100n })
    assert.deepEqual(chosen({}, { available: 105n }), { reason: 'below_threshold', detail: 110n })
    assert.deepEqual(chosen({ isCoin: false }, { coins: 4n }), { reason: 'no_fee_coins', detail: 6n })
    assert.deepEqual(chosen({ fee: fee({ maxShare: 50n }) }), { reason: 'fee_share', detail: 2_000n })
  })

  it('waits while a fee at slow speed is above the most that people approved', () => {
    assert.deepEqual(chosen({ fee: fee({ max: 7n }) }), { amount: 995n, feeCap: 5n })
    assert.deepEqual(chosen({ fee: fee({ max: 4n }) }), { reason: 'fee_too_high', detail: 5n })
  })

  it('is always what the standing order lets through and the address can pay; and of every other address it says why not', () => {
    const amount = fc.bigInt(0n, 2_000n)
    fc.assert(
      fc.property(
        fc.record({ atLeast: amount, more: fc.bigInt(1n, 2_000n), max: fc.bigInt(1n, 30n), maxShare: fc.bigInt(1n, 10_000n), isCoin: fc.boolean() }),
        fc.tuple(fc.bigInt(1n, 10n), fc.bigInt(10n, 20n), fc.bigInt(20n, 40n)),
        fc.array(fc.record({ available: fc.bigInt(1n, 3_000n), coins: amount, isBusy: fc.boolean() }), { maxLength: 8 }),
        ({ max, maxShare, more, ...wanted }, estimates, has) => {
          const given = { ...wanted, atMost: wanted.atLeast + more }
          const holdings = has.map((each, i) => holding({ address: `address ${i}`, ...each }))
          const found = chooseSweeps(terms({ ...given, fee: { estimates, max, maxShare } }), holdings)
          assert.equal(found.length, holdings.length)
          for (const { holding: from, move, reason } of found) {
            assert.equal(move === undefined, reason !== undefined)
            if (!move) continue
            assert.ok(!from.isBusy && move.amount >= given.atLeast && move.amount <= given.atMost && move.amount > 0n && move.feeCap <= max)
            if (given.isCoin) assert.ok(move.amount + move.feeCap <= from.available && move.feeCap * 10_000n <= move.amount * maxShare)
            else assert.ok(move.amount <= from.available && move.feeCap <= from.coins)
          }
        },
      ),
    )
  })
})

describe('coins for fees', () => {
  const wanting = (address: string, lacks: bigint, isBusy = false): Wanting => ({ address, subWalletId: 's', lacks, isBusy })
  const payer = (available: bigint, address = 'purse') => ({ address, subWalletId: 'p', available })
  const plenty = { atLeast: 1n, atMost: 1_000n, fee: fee({ maxShare: 10_000n }), never: new Set<string>() }

  it('go to those that lack the least first, a tenth more than they lack, as long as the purse has them', () => {
    const { moves, left } = chooseFuel(plenty, [wanting('b', 200n), wanting('a', 100n)], [payer(240n)])
    assert.deepEqual(
      moves.map(({ to, amount, feeCap }) => [to, amount, feeCap]),
      [['a', 110n, 10n]],
    )
    assert.deepEqual(
      left.map(({ holding: { address }, reason, detail }) => [address, reason, detail]),
      [['b', 'no_source', 230n]],
    )
  })

  it('are never less than what is lacking, nor sent twice, nor to who is excluded', () => {
    const { moves, left } = chooseFuel(
      { ...plenty, atMost: 50n, never: new Set(['c']) },
      [wanting('a', 100n), wanting('b', 20n, true), wanting('c', 20n)],
      [payer(999n)],
    )
    assert.equal(moves.length, 0)
    assert.deepEqual(left.map(({ holding: { address }, reason }) => [address, reason]).toSorted(), [
      ['a', 'limit_used'],
      ['b', 'in_progress'],
      ['c', 'excluded'],
    ])
  })

  it('never take more from an address than it has, together with the fees', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, 300n), { maxLength: 10 }), fc.array(fc.bigInt(0n, 2_000n), { maxLength: 3 }), (lacks, purses) => {
        const given = lacks.map((each, i) => wanting(`address ${i}`, each))
        const payers = purses.map((each, i) => payer(each, `purse ${i}`))
        const { moves, left } = chooseFuel(plenty, given, payers)
        assert.equal(moves.length + left.length, given.length)
        for (const each of payers) {
          const taken = moves.filter(({ from }) => from.address === each.address).reduce((sum, { amount, feeCap }) => sum + amount + feeCap, 0n)
          assert.ok(taken <= each.available)
        }
        // Whoever gets none lacks more than any purse has left.
        const most = payers.map(({ address, available }) =>
          moves.filter(({ from }) => from.address === address).reduce((rest, { amount, feeCap }) => rest - amount - feeCap, available),
        )
        for (const { reason, detail } of left) if (reason === 'no_source') assert.ok(most.every((rest) => detail !== undefined && rest < detail))
      }),
    )
  })
})
