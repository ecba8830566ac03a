import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { concatBytes } from '@holdfast/encoding'
import type { CallAct } from '@holdfast/intent'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { type BoundedCallRule, capsOf, checkPolicy, countedOf, type NamedRule, outcomesOfAct, type Policy } from '../index.ts'
import { approveBy, dayLimit, personOf } from '../testing/named-rules.ts'
import { CHAIN } from '../testing/sample-organisation.ts'
import { COIN, NOW_MS, PAYER, people, refusedTrades, ROUTER, tradeCall, tradePolicy, tradeRule, USDX, VALID_UNTIL_MS } from '../testing/trade-rules.ts'

const OTHER = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'
const steps = [{ need: 1n, who: people.map(personOf) }]
const ids = people.map(({ id }) => id)

/** The rules that decide, or why none does. */
const verdicts = (policy: Policy, act: CallAct, atMs: number | undefined = NOW_MS): string[] =>
  outcomesOfAct(policy, act, atMs === undefined ? {} : { atMs }).map((each) => (each.kind === 'deny' ? each.reason : each.rule.id))

/** A rule for calls that lets anything be called at the router, also what nobody can read. */
const anyCall: BoundedCallRule = {
  kind: 'boundedCall',
  id: 'any call',
  chain: CHAIN,
  payers: null,
  contracts: [ROUTER, OTHER],
  functions: [tradeCall().signature ?? '', 'approve(address,uint256)'],
  maxValue: 10n ** 30n,
  maxTokens: 10n ** 20n,
  window: null,
  unlimitedAllowances: true,
  unknownCallData: true,
  initiators: ids,
  approvers: ids,
  threshold: 1n,
}

describe('a rule for trades', () => {
  const policy = tradePolicy([tradeRule('trades')])

  it('asks for what a screener says of the trade, where it has that condition', () => {
    const conditions: NamedRule['conditions'] = [{ kind: 'screening', machines: ['lists'], levels: ['low'], withinMs: 60_000n }]
    const publicKey = ed25519.getPublicKey(new Uint8Array(32).fill(51))
    const lists = { id: 'lists', name: 'List desk', kind: 'screener', publicKey, purpose: '', expiresAtMs: BigInt(VALID_UNTIL_MS) }
    const screened = tradePolicy([tradeRule('trades', {}, { conditions })], { machines: [lists] })
    checkPolicy(screened)
    // A server that keeps the word back would reach the rule after it.
    const strict = tradeRule('strict', {}, { conditions, action: approveBy([{ need: 2n, who: people.map(personOf) }]) })
    const both = (...rules: NamedRule[]) => tradePolicy(rules, { machines: [lists] })
    assert.throws(() => checkPolicy(both(strict, tradeRule('less'))), /rule less after it asks for less/)
    checkPolicy(both(tradeRule('less'), strict))
    const given = (level: 'low' | 'severe') => ({ said: [{ machine: 'lists', level, atMs: NOW_MS }], atMs: [NOW_MS] })
    const ruled = (said?: ReturnType<typeof given>) =>
      outcomesOfAct(screened, tradeCall(), { atMs: NOW_MS, ...(said && { screened: said }) }).map((each) => (each.kind === 'deny' ? 'denied' : each.rule.id))
    assert.deepEqual([ruled(given('low')), ruled(given('severe')), ruled({ said: [], atMs: [NOW_MS] })], [['trades'], ['denied'], ['denied']])
  })

  it('lets a trade through that is within it, and nothing that is not', () => {
    checkPolicy(policy)
    const given = 1_000_000_000n
    const tried: [string, CallAct, string, number?][] = [
      ['a fair trade', tradeCall(), 'trades'],
      ['as much as it may give, at the worst price', tradeCall({ atMost: given, atLeast: 475_000_000n }), 'trades'],
      ['for the own coin', tradeCall({ gets: null, atLeast: 10n ** 17n }), 'trades'],
      ['by the function for exact outputs', tradeCall({}, { isExactOutput: true }), 'trades'],
      ['through another token', tradeCall({}, { between: [OTHER] }), 'trades'],
      ['for another receiver', tradeCall({ to: OTHER }), 'trade-for-another'],
      ['from another address', { ...tradeCall(), from: OTHER }, 'trade-for-another'],
      ['more than it may give', tradeCall({ atMost: given + 1n, atLeast: given }), 'given-too-high'],
      ['a worse price by one base unit', tradeCall({ atMost: given, atLeast: 474_999_999n }), 'slippage-too-high'],
      ['the other way round', tradeCall({ gives: COIN.contract, gets: USDX.contract }), 'pair-not-allowed'],
      ['for another token', tradeCall({ gets: OTHER }), 'pair-not-allowed'],
      ['of the own coin', tradeCall({ gives: null }), 'pair-not-allowed'],
      ['until later than it may', tradeCall({ deadlineS: BigInt(NOW_MS) / 1000n + 1201n }), 'deadline-not-allowed'],
      ['until a second that has passed', tradeCall({ deadlineS: BigInt(NOW_MS) / 1000n }), 'deadline-not-allowed'],
      ['at another router', { ...tradeCall(), contract: OTHER }, 'contract-not-allowed'],
      ['on another network', { ...tradeCall(), chain: 'eip155:1' }, 'asset-not-pinned'],
      ['with bytes behind it', { ...tradeCall(), data: concatBytes(tradeCall().data, new Uint8Array(32)) }, 'unreadable-trade'],
      ['under no name', { ...tradeCall(), signature: null }, 'unreadable-trade'],
      ['with coin along', { ...tradeCall(), value: 1n }, 'unreadable-trade'],
      ['of another form', { ...tradeCall({}, { form: 'uniswap-v3' }) }, 'unreadable-trade'],
      ['when the table says nothing any more', tradeCall({ deadlineS: BigInt(VALID_UNTIL_MS / 1000 + 60) }), 'worth-unknown', VALID_UNTIL_MS],
    ]
    assert.deepEqual(
      tried.map(([what, act, , atMs]) => [what, verdicts(policy, act, atMs)]),
      tried.map(([what, , verdict]) => [what, [verdict]]),
    )
  })

  it('says the same of every trade as the plain sum does', () => {
    const arbitrary = fc.record({
      atMost: fc.bigInt(1n, 1_200_000_000n),
      atLeast: fc.bigInt(1n, 700_000_000n),
      slippageBps: fc.bigInt(0n, 9_999n),
      priceGiven: fc.bigInt(1n, 5_000_000n),
      priceGot: fc.bigInt(1n, 5_000_000n),
      leftS: fc.integer({ min: -5, max: 1_300 }),
      isStale: fc.boolean(),
      isForOwn: fc.boolean(),
    })
    fc.assert(
      fc.property(arbitrary, ({ atMost, atLeast, slippageBps, priceGiven, priceGot, leftS, isStale, isForOwn }) => {
        const prices = [USDX, COIN].map(({ contract }, i) => ({
          chain: CHAIN,
          asset: contract,
          microUsd: i === 0 ? priceGiven : priceGot,
          validUntilMs: BigInt(NOW_MS + (isStale && i === 1 ? 0 : 1)),
        }))
        const act = tradeCall({ atMost, atLeast, deadlineS: BigInt(NOW_MS / 1000 + leftS), ...(!isForOwn && { to: OTHER }) })
        const found = verdicts(tradePolicy([tradeRule('trades', { slippageBps })], { valuation: prices }), act)
        const isInTime = leftS > 0 && leftS <= 1_200
        const isWorth = atLeast * priceGot * 10_000n >= atMost * priceGiven * (10_000n - slippageBps)
        const isIn = isForOwn && atMost <= 1_000_000_000n && isInTime && !isStale && isWorth
        assert.equal(found[0] === 'trades', isIn, found[0])
      }),
      { numRuns: 1_000 },
    )
  })

  it('may let trades wait without a deadline, where it says so, and of routers of version 3', () => {
    const v3 = { form: 'uniswap-v3' } as const
    const open = tradePolicy([tradeRule('trades', { ...v3, deadlineMs: null })])
    const bounded = tradePolicy([tradeRule('trades', v3)])
    const without = tradeCall({ deadlineS: null }, v3)
    assert.deepEqual([verdicts(open, without), verdicts(bounded, without)], [['trades'], ['deadline-not-allowed']])
    assert.deepEqual([verdicts(open, tradeCall({}, v3)), verdicts(bounded, tradeCall({}, v3))], [['trades'], ['trades']])
    // Without a clock too nobody has to wait to know that there is none.
    assert.deepEqual(
      outcomesOfAct(bounded, without).map((each) => each.kind === 'deny' && each.reason),
      ['deadline-not-allowed'],
    )
  })

  it('may decide before anybody knows the time, and so may the one after it; that a price is too bad is known at once', () => {
    const two = tradePolicy([tradeRule('first'), tradeRule('second', { slippageBps: 100n })])
    const look = (act: CallAct) => outcomesOfAct(two, act).map((each) => (each.kind === 'deny' ? each.reason : each.rule.id))
    assert.deepEqual([look(tradeCall()), verdicts(two, tradeCall())], [['first', 'second'], ['first']])
    assert.deepEqual(look(tradeCall({ atLeast: 48_000_000n })), ['first'])
    assert.deepEqual(look(tradeCall({ atLeast: 40_000_000n })), ['slippage-too-high'])
  })

  it('that refuses, refuses at any price, also where nobody knows one', () => {
    const refusing = tradePolicy([refusedTrades('never'), tradeRule('trades')], { valuation: [] })
    checkPolicy(refusing)
    assert.deepEqual([verdicts(refusing, tradeCall()), verdicts(refusing, tradeCall({ atLeast: 1n }))], [['refused-by-rule'], ['refused-by-rule']])
    const other = tradePolicy([refusedTrades('never', { gets: [''] }), tradeRule('trades')])
    assert.deepEqual(verdicts(other, tradeCall()), ['trades'])
  })

  it('counts what is given at most in its limits, whatever it is given for', () => {
    const limit = dayLimit({ amounts: [{ chain: CHAIN, asset: USDX.contract, max: 150_000_000n }], maxCents: 20_000n })
    const limited = tradeRule('trades', {}, { limits: [limit], action: approveBy(steps) })
    const all = tradePolicy([limited])
    checkPolicy(all)
    const counted = [tradeCall(), tradeCall({ gets: null })].map((act) => countedOf(all, limited, act))
    const expected = { chain: CHAIN, contract: USDX.contract, amount: 100_000_000n, isOfTokens: false }
    assert.deepEqual(counted, [expected, expected])
    const coin = tradeCall({ gives: null, atMost: 7n, gets: USDX.contract })
    assert.deepEqual(countedOf(all, limited, coin), { chain: CHAIN, contract: null, amount: 7n, isOfTokens: false })
    const [outcome] = outcomesOfAct(all, tradeCall(), { atMs: NOW_MS })
    assert.ok(outcome?.kind === 'needs')
    const caps = capsOf(outcome.limits, { ...expected, initiator: ids[0] ?? new Uint8Array(), from: PAYER, paid: [] }, (amount) => amount / 10_000n)
    assert.deepEqual(
      caps.map(({ unit, adds, most }) => [unit, adds, most]),
      [
        ['amount', 100_000_000n, 150_000_000n],
        ['cent', 10_000n, 20_000n],
      ],
    )
  })
})

describe('a contract that a rule for trades names as a venue', () => {
  it('is judged by rules for trades alone, whatever rules for calls say', () => {
    const unreadable: CallAct = { ...tradeCall(), data: Uint8Array.of(1, 2, 3, 4), signature: null }
    const approve: CallAct = { ...tradeCall(), data: Uint8Array.of(9, 9, 9, 9), signature: 'approve(address,uint256)' }
    const calls = tradePolicy([anyCall])
    for (const both of [
      tradePolicy([anyCall, tradeRule('trades')]),
      tradePolicy([tradeRule('trades'), anyCall]),
      tradePolicy([anyCall, refusedTrades('never')]),
    ])
      for (const act of [unreadable, approve, { ...unreadable, value: 5n }]) assert.deepEqual(verdicts(both, act), ['unreadable-trade'])
    assert.deepEqual(verdicts(calls, unreadable), ['any call'])
    assert.deepEqual(verdicts(tradePolicy([anyCall, tradeRule('trades')]), { ...unreadable, contract: OTHER }), ['any call'])
    assert.deepEqual(verdicts(tradePolicy([anyCall, tradeRule('trades')]), tradeCall({ to: OTHER })), ['trade-for-another'])
    assert.deepEqual(verdicts(tradePolicy([anyCall, refusedTrades('never')]), tradeCall()), ['refused-by-rule'])
  })

  it('changes nothing of calls of other contracts', () => {
    const selector = fc.constantFrom<number[]>([9, 5, 0xea, 0xa7, 0xb3], [1, 2, 3, 4], [...tradeCall().data.slice(0, 4)])
    const acts = fc
      .record({ head: selector, tail: fc.uint8Array({ maxLength: 200 }), value: fc.bigInt(0n, 3n), signature: fc.constantFrom(null, ...anyCall.functions) })
      .map(({ head, tail, value, signature }): CallAct => ({ ...tradeCall(), contract: OTHER, data: Uint8Array.of(...head, ...tail), value, signature }))
    const rules = fc
      .record({ maxValue: fc.bigInt(0n, 3n), maxTokens: fc.bigInt(0n, 10n), unknownCallData: fc.boolean(), unlimitedAllowances: fc.boolean() })
      .map((given): BoundedCallRule => ({ ...anyCall, ...given }))
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 3 }), fc.oneof(acts, fc.constant({ ...tradeCall(), contract: OTHER })), (calls, act) => {
        const named = calls.map((rule, i) => ({ ...rule, id: `calls ${i}` }))
        const [before, after] = [tradePolicy(named), tradePolicy([...named, tradeRule('trades')])]
        assert.deepEqual(verdicts(after, act), verdicts(before, act))
        assert.deepEqual(verdicts(after, act, undefined), verdicts(before, act, undefined))
      }),
    )
  })
})
