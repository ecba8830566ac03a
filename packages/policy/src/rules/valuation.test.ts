import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '@holdfast/encoding'
import type { Act } from '@holdfast/intent'
import fc from 'fast-check'
import {
  BEYOND_CENTS,
  centsOf,
  checkPolicy,
  type Condition,
  conditionHolds,
  countedName,
  isAboveFirstTier,
  policyHash,
  PolicyRefused,
  type Valuation,
} from '../index.ts'
import { approveBy, dayLimit, namedRule, NOWHERE, personOf, thirdForm } from '../testing/named-rules.ts'
import { CHAIN, ETH, member } from '../testing/sample-organisation.ts'
import { unitsWorth } from './valuation.ts'

const people = [0, 1, 2].map(member)
const CATS = { chain: CHAIN, contract: `erc721:0x${'ab'.repeat(20)}`, symbol: 'CAT', decimals: 0n }
const USDX = { chain: CHAIN, contract: `0x${'cd'.repeat(20)}`, symbol: 'USDX', decimals: 6n }
const ether = countedName(CHAIN, null)
const steps = [{ need: 1n, who: people.map(personOf) }]
const worth = (microUsd: bigint, validUntilMs = 100n, asset = ''): Valuation => ({ chain: CHAIN, asset, microUsd, validUntilMs })
const tableOf = (valuation: Valuation[], decimals = 18n) => thirdForm(people, { assets: [{ ...ETH, decimals }, CATS, USDX], valuation })
const upTo = (atMostCents: bigint | null, aboveCents = 0n): Condition => ({ kind: 'value', aboveCents, atMostCents })
const paying = (amount: bigint, contract: string | null = null): Act => ({
  as: 'payment',
  chain: CHAIN,
  contract,
  amount,
  initiator: people[0]!.id,
  recipients: ['0x1'],
  memo: null,
  source: null,
})

test('an amount is worth the fewest whole cents that are no less than it is, whatever its decimals', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 2n ** 256n - 1n), fc.bigInt(1n, 2n ** 128n - 1n), fc.bigInt(0n, 77n), (amount, microUsd, decimals) => {
      const cents = centsOf(tableOf([worth(microUsd)], decimals), ether, amount, { atMs: 99 })
      const [is, unit] = [amount * microUsd, 10_000n * 10n ** decimals]
      if (is > BEYOND_CENTS * unit) return assert.equal(cents, BEYOND_CENTS)
      assert.ok(cents * unit >= is && (cents - 1n) * unit < is)
    }),
  )
})

test('the most that is worth so little is worth no more, and one base unit beyond it is', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 2n ** 64n - 2n), fc.bigInt(1n, 2n ** 128n - 1n), fc.bigInt(0n, 30n), (cents, microUsd, decimals) => {
      const policy = tableOf([worth(microUsd)], decimals)
      const most = unitsWorth(policy, ether, cents)
      assert.ok(most !== undefined && centsOf(policy, ether, most) <= cents && centsOf(policy, ether, most + 1n) > cents)
    }),
  )
})

test('what nobody says the worth of, or no longer, is beyond any bound; what is nothing is worth nothing', () => {
  const policy = tableOf([worth(5n)])
  assert.equal(centsOf(policy, ether, 1n, { atMs: 99 }), 1n)
  assert.equal(centsOf(policy, ether, 1n, { atMs: 100 }), BEYOND_CENTS)
  assert.equal(centsOf(policy, countedName(CHAIN, USDX.contract), 1n, { atMs: 1 }), BEYOND_CENTS)
  assert.equal(centsOf(policy, countedName('eip155:1', null), 1n, { atMs: 1 }), BEYOND_CENTS)
  assert.equal(centsOf(policy, ether, 0n, { atMs: 100 }), 0n)
})

test('a higher price counts, and a lower one never does; nor does a price say what the table does not', () => {
  const policy = tableOf([worth(2_000_000n)])
  const one = 10n ** 18n
  assert.equal(centsOf(policy, ether, one, { atMs: 1, live: 3_000_000n }), 300n)
  assert.equal(centsOf(policy, ether, one, { atMs: 1, live: 1_000_000n }), 200n)
  assert.equal(centsOf(policy, countedName(CHAIN, USDX.contract), one, { atMs: 1, live: 1n }), BEYOND_CENTS)
})

test('each token of a collection is worth what one piece of it is', () => {
  const policy = tableOf([worth(7_000_000n, 100n, CATS.contract)])
  assert.equal(centsOf(policy, countedName(CHAIN, `${CATS.contract}/0x7`), 2n, { atMs: 1 }), 1400n)
})

test('a bound of value holds as the plain sum says; an unknown worth is never under one, and without a clock nobody knows', () => {
  const bounds = fc.record({ above: fc.bigInt(0n, 30n), most: fc.option(fc.bigInt(1n, 60n)) })
  const entries = fc.option(fc.record({ microUsd: fc.bigInt(1n, 40_000n), until: fc.integer({ min: 1, max: 20 }) }))
  fc.assert(
    fc.property(bounds, entries, fc.bigInt(1n, 400n), fc.integer({ min: 0, max: 25 }), ({ above, most }, entry, amount, atMs) => {
      const policy = tableOf(entry ? [worth(entry.microUsd, BigInt(entry.until))] : [], 1n)
      const isKnown = entry !== null && atMs < entry.until
      // In tenths of a unit: one cent is 100,000 tenths of a millionth of a dollar.
      const over = (cents: bigint) => !isKnown || amount * entry.microUsd > cents * 100_000n
      const expected = (above === 0n || over(above)) && (most === null || !over(most))
      const held = conditionHolds(upTo(most, above), paying(amount), { atMs }, policy)
      assert.equal(held, expected)
      const looked = conditionHolds(upTo(most, above), paying(amount), {}, policy)
      if (looked !== undefined) assert.equal(looked, expected)
    }),
    { numRuns: 2000 },
  )
  const policy = tableOf([worth(1_000_000n)])
  assert.equal(conditionHolds(upTo(100n), paying(1n), {}, policy), undefined)
  assert.equal(conditionHolds(upTo(100n), paying(2n * 10n ** 18n), {}, policy), false)
  assert.equal(conditionHolds(upTo(null, 100n), paying(1n, USDX.contract), {}, policy), true)
})

test('what cannot be valued or would let through the unknown is no policy', () => {
  const base = { assets: [ETH, CATS, USDX] }
  const stands = (changes: Partial<Parameters<typeof thirdForm>[1]>) => checkPolicy(thirdForm(people, { ...base, ...changes }))
  const small = namedRule('small', { conditions: [upTo(100n)], limits: [dayLimit({ maxCents: 500n })], steps })
  stands({ valuation: [worth(1n), worth(1n, 1n, CATS.contract)], rules: [small, namedRule('never', { conditions: [upTo(null, 900n)] })] })
  const calls = {
    kind: 'calls' as const,
    chain: CHAIN,
    contracts: ['0x1'],
    functions: ['deposit()'],
    maxValue: 1n,
    maxTokens: 1n,
    unlimitedAllowances: false,
    unknownCallData: false,
  }
  const refused: [RegExp, Partial<Parameters<typeof thirdForm>[1]>][] = [
    [/says what 0x1 on .* is worth, which the policy does not pin/, { valuation: [worth(1n, 9n, '0x1')] }],
    [/says what erc721:.*\/0x7 on .* is worth/, { valuation: [worth(1n, 9n, `${CATS.contract}/0x7`)] }],
    [/says twice what the own coin on/, { valuation: [worth(1n), worth(2n)] }],
    [/takes the own coin on .* to be worth nothing/, { valuation: [worth(0n)] }],
    [/is for any value/, { rules: [namedRule('a', { conditions: [upTo(null)], steps })] }],
    [/is for no value/, { rules: [namedRule('a', { conditions: [upTo(5n, 5n)], steps })] }],
    [/would let through what nobody knows the worth of/, { rules: [namedRule('a', { conditions: [upTo(5n)] })] }],
    [/limits calls by their value/, { rules: [namedRule('a', { covers: calls, limits: [dayLimit({ maxCents: 5n })], action: approveBy(steps) })] }],
    [/a condition \(value\) that says nothing/, { rules: [namedRule('a', { covers: calls, conditions: [upTo(5n)], action: approveBy(steps) })] }],
  ]
  for (const [reason, changes] of refused)
    assert.throws(
      () => stands(changes),
      (cause) => cause instanceof PolicyRefused && reason.test(cause.message),
      String(reason),
    )
})

test('an order above the smallest bound of value is a large one, and so is any of unknown worth, at whatever time', () => {
  const policy = thirdForm(people, {
    assets: [ETH, USDX],
    valuation: [worth(1_000_000n, 1n)],
    rules: [namedRule('small', { conditions: [upTo(100n)], steps })],
  })
  const order = (amount: bigint, contract: string | null = null) => isAboveFirstTier(policy, { chain: CHAIN, contract, amount })
  assert.deepEqual([order(10n ** 18n), order(10n ** 18n + 1n), order(1n, USDX.contract)], [false, true, true])
  assert.equal(isAboveFirstTier({ ...policy, rules: [namedRule('small', { steps })] }, { chain: CHAIN, contract: null, amount: 10n ** 30n }), false)
})

test('a policy of before keeps its bytes', () => {
  const policy = thirdForm(people, {
    assets: [ETH],
    rules: [
      namedRule('small', {
        conditions: [
          { kind: 'assets', assets: [{ chain: CHAIN, asset: '', above: 0n, atMost: 5n }] },
          { kind: 'memo', isPresent: true },
          { kind: 'times', zone: 'UTC', days: [1n], fromMinute: 0n, untilMinute: 60n },
          { kind: 'askers', who: people.map(personOf) },
          { kind: 'destinations', ...NOWHERE, listed: true, addresses: [] },
          { kind: 'sources', wallets: [{ name: 'w', keyId: new Uint8Array(32).fill(7), path: [0n] }] },
        ],
        limits: [dayLimit({ maxCount: 3n, maxCents: 5n, amounts: [{ chain: CHAIN, asset: '', max: 9n }] })],
        steps,
      }),
    ],
    valuation: [worth(5n, 9n)],
  })
  assert.equal(toHex(policyHash(policy)), '22312fcc8e2cb15990c57996ff4baf0571cfb13309fbf63a211ae48baf69b3f9')
})
