import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { selectAsCore } from '../testing/core-selection.ts'
import { from, network, third } from '../testing/samples.ts'
import { requireScript } from './address.ts'
import type { SpentCoin } from './psbt.ts'
import { changeMin, selectCoins, type Selection, type SelectionOrder, sum } from './select-coins.ts'
import { feeFor, inputWeight, virtualSize } from './size.ts'

const script = requireScript(network, from)
const paying = requireScript(network, third)

/** Numbers that are the same every time (Park and Miller, 1988). */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = Number((BigInt(state) * 48_271n) % 2_147_483_647n)
    return Math.floor((state / 2_147_483_647) * below)
  }
}

const coinOf = (amount: number, index: number): SpentCoin => ({ txid: '11'.repeat(32), index, amount: BigInt(Math.round(amount)), script })
const spread = (draw: (below: number) => number, low: number, high: number) => low * (high / low) ** (draw(1_000_000) / 1_000_000)

/** Five kinds of sets of coins that addresses come to have: dust beside much, much alike, rounds, all sizes, small ones. */
const KINDS: ((draw: (below: number) => number, i: number) => number)[] = [
  (draw, i) => (i % 10 === 0 ? spread(draw, 1e6, 1e8) : spread(draw, 1_000, 20_000)),
  (draw) => 300_000 + draw(20_000),
  (draw) => [50_000, 100_000, 250_000, 1_000_000][draw(4)]!,
  (draw) => spread(draw, 2_000, 5e7),
  (draw) => spread(draw, 10_000, 200_000),
]

/** The same 150 payments at every rate: 50 sets of 5 to 80 coins, and three amounts of each. */
function payments(satPerKvb: bigint): SelectionOrder[] {
  return Array.from({ length: 50 }, (_, n) => {
    const draw = seeded(12_345_677 * (n + 1))
    const coins = Array.from({ length: 5 + draw(76) }, (_, i) => coinOf(KINDS[n % KINDS.length]!(draw, i), i))
    return [5n, 20n, 50n].map((percent) => ({
      script,
      coins,
      payments: [{ script: paying, amount: (sum(coins) * percent) / 100n }],
      changeScript: script,
      satPerKvb,
    }))
  }).flat()
}

function tryTo<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** Both choices of every payment that both can make. */
function compared(satPerKvb: bigint): { ours: Selection; cores: Selection }[] {
  return payments(satPerKvb).flatMap((order, i) => {
    const [ours, cores] = [tryTo(() => selectCoins(order)), selectAsCore(order, seeded(7_654_321 * (i + 1)))]
    return ours && cores ? [{ ours, cores }] : []
  })
}

const LATER = 68n * 10n
const wasteOf = ({ fee, change, coins }: Selection) => fee + (change > 0n ? LATER : 0n) - LATER * BigInt(coins.length)
const total = (selections: readonly Selection[], of: (each: Selection) => bigint) => selections.reduce((all, each) => all + of(each), 0n)

describe('the coins chosen for 150 payments of 50 addresses', () => {
  // Satoshi of fees for all payments, and coins spent. At low rates Core joins coins on purpose and pays more.
  const recorded: [satPerKvb: bigint, fees: bigint, inputs: number][] = [
    [1_000n, 77_398n, 907],
    [5_000n, 372_424n, 935],
    [20_000n, 989_923n, 574],
    [100_000n, 4_913_364n, 566],
  ]
  for (const [satPerKvb, fees, inputs] of recorded) {
    it(`cost what they did at ${satPerKvb / 1000n} sat/vB, and at high rates no more than Bitcoin Core's ways and two in a hundred`, () => {
      const pairs = compared(satPerKvb)
      const [ours, cores] = [pairs.map((each) => each.ours), pairs.map((each) => each.cores)]
      const count = ours.reduce((all, { coins }) => all + coins.length, 0)
      assert.ok(pairs.length >= 100)
      assert.deepEqual([total(ours, ({ fee }) => fee), count], [fees, inputs])
      if (satPerKvb >= 20_000n) assert.ok(total(ours, ({ fee }) => fee) * 100n <= total(cores, ({ fee }) => fee) * 102n)
    })
  }
})

describe('a choice of coins', () => {
  const orders = fc.record({
    amounts: fc.array(fc.integer({ min: 300, max: 3_000_000 }), { minLength: 1, maxLength: 40 }),
    percent: fc.integer({ min: 1, max: 99 }),
    satPerKvb: fc.constantFrom(1_000n, 5_000n, 20_000n, 100_000n),
    required: fc.nat(2),
  })

  it('pays what is ordered and the rate, takes no coin twice, leaves no dust, and is the same whatever the order of the coins', () => {
    fc.assert(
      fc.property(orders, ({ amounts, percent, satPerKvb, required: count }) => {
        const coins = amounts.map(coinOf)
        const required = coins.slice(0, Math.min(count, coins.length))
        const amount = (sum(coins) * BigInt(percent)) / 100n
        const order = { script, coins, required, payments: [{ script: paying, amount }], changeScript: script, satPerKvb }
        const chosen = tryTo(() => selectCoins(order))
        fc.pre(chosen !== undefined)
        const { change, fee } = chosen
        assert.equal(sum(chosen.coins), amount + change + fee)
        assert.ok(fee >= feeFor(virtualSize(script, chosen.coins.length, change > 0n ? [paying, script] : [paying]), satPerKvb))
        assert.equal(new Set(chosen.coins.map(({ index }) => index)).size, chosen.coins.length)
        assert.deepEqual(chosen.coins.slice(0, required.length), required)
        assert.ok(change === 0n || change >= changeMin(order))
        const turned = selectCoins({ ...order, coins: coins.toReversed() })
        assert.deepEqual([sum(turned.coins), turned.fee, turned.coins.length], [sum(chosen.coins), fee, chosen.coins.length])
      }),
      { numRuns: 400 },
    )
  })

  it('wastes no more than the smallest single coin that suffices would, nor than the fewest coins', () => {
    fc.assert(
      fc.property(orders, ({ amounts, percent, satPerKvb }) => {
        const coins = amounts.map(coinOf)
        const order = { script, coins, payments: [{ script: paying, amount: (sum(coins) * BigInt(percent)) / 100n }], changeScript: script, satPerKvb }
        const chosen = tryTo(() => selectCoins(order))
        fc.pre(chosen !== undefined)
        const inputCost = feeFor(BigInt(inputWeight(script)), satPerKvb) / 4n
        const descending = coins.filter(({ amount }) => amount > inputCost).toSorted((a, b) => Number(b.amount - a.amount))
        const ways = [...descending.map((coin) => [coin]), ...descending.map((_, i) => descending.slice(0, i + 1))]
        const alone = ways.flatMap((each) => tryTo(() => selectCoins({ ...order, coins: [], required: each })) ?? [])
        const [single, fewest] = [alone.filter((each) => each.coins.length === 1).at(-1), alone.toSorted((a, b) => a.coins.length - b.coins.length)[0]]
        for (const other of [single, fewest]) assert.ok(!other || wasteOf(chosen) <= wasteOf(other) + 2n)
      }),
      { numRuns: 200 },
    )
  })
})
