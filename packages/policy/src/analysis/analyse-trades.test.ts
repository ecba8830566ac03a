import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { BoundedCallRule, Rule } from '../index.ts'
import { CHAIN } from '../testing/sample-organisation.ts'
import { COIN, NOW_MS, people, refusedTrades, ROUTER, tradePolicy, tradeRule, USDX } from '../testing/trade-rules.ts'
import { analysePolicy } from './analyse-policy.ts'
import { decisionAt } from './edge-cases.ts'
import { describeRegion } from './describe-region.ts'

const some = <T>(...values: T[]) => fc.subarray(values, { minLength: 1 })
const rule = fc
  .record({
    given: some(USDX.contract, ''),
    most: fc.constantFrom(1_000_000_000n, 2_000_000_000n),
    gets: some(COIN.contract, ''),
    slippageBps: fc.constantFrom(0n, 100n, 500n),
    deadlineMs: fc.constantFrom(null, 60_000n, 1_200_000n),
    refuses: fc.boolean(),
  })
  .map(({ given, most, gets, refuses, ...bounds }) => (id: string): Rule => {
    const gives = given.map((asset) => ({ asset, atMost: refuses ? null : most * (asset === '' ? 10n ** 9n : 1n) }))
    const covers = { gives, gets: gets.length === 1 && gets[0] === given[0] ? [COIN.contract] : gets }
    return refuses ? refusedTrades(id, covers) : tradeRule(id, { ...covers, ...bounds })
  })

test('of trades that rules decide on each is decided so, of every gap each is denied, and each rule is said to decide or not', () => {
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 4 }), (made) => {
      const policy = tradePolicy(made.map((make, i) => make(`rule ${i}`)))
      const { subjects, gaps, shadowed } = analysePolicy(policy, NOW_MS)
      const trades = subjects.filter(({ as }) => as === 'trade')
      assert.equal(trades.length, 1)
      for (const { decides } of trades)
        for (const each of decides) for (const { witness } of each.parts) assert.equal(decisionAt(policy, witness).rule?.id, each.rule.id)
      for (const { subject, witness } of gaps) if (subject.as === 'trade') assert.equal(decisionAt(policy, witness).kind, 'refused')
      const deciding = trades.flatMap(({ decides }) => decides.filter(({ parts }) => parts.length > 0).map((each) => each.rule.id))
      const never = new Set(shadowed.map((each) => each.rule.id))
      assert.deepEqual(
        policy.rules.map(({ id }) => id).filter((id) => !never.has(id)),
        policy.rules.map(({ id }) => id).filter((id) => deciding.includes(id)),
      )
    }),
    { numRuns: 60 },
  )
})

test('what no rule lets through is said in both languages', () => {
  const policy = tradePolicy([tradeRule('swaps', { gets: [COIN.contract] })])
  const said = (locale: 'en-US' | 'zh-CN') =>
    analysePolicy(policy, NOW_MS)
      .gaps.filter(({ subject }) => subject.as === 'trade')
      .map((gap) => describeRegion(gap, policy, locale))
      .join('\n')
  for (const part of [
    /trades on eip155:31337/,
    /giving USDX above 1000 USDX for COIN/,
    /worth up to 94.99% of what is given/,
    /deadline above 20 minutes away/,
  ])
    assert.match(said('en-US'), part)
  for (const part of [/eip155:31337 上的兑换/, /以 USDX 高于 1000 USDX 换 COIN/, /之比不超过 94.99%/, /距签署高于 20 分钟/]) assert.match(said('zh-CN'), part)
  // Where the table does not say what they are worth, the rule lets nothing through.
  const unpriced = analysePolicy({ ...policy, valuation: [] }, NOW_MS)
  assert.deepEqual(
    unpriced.shadowed.map((each) => each.rule.id),
    ['swaps'],
  )
})

test('a rule for calls that names only venues never decides', () => {
  const ids = people.map(({ id }) => id)
  const bounds = { maxValue: 5n, maxTokens: 5n, window: null, unlimitedAllowances: false, unknownCallData: false }
  const named = { kind: 'boundedCall' as const, id: 'calls', chain: CHAIN, payers: null, contracts: [ROUTER], functions: ['deposit()'] }
  const calls: BoundedCallRule = { ...named, ...bounds, initiators: ids, approvers: ids, threshold: 1n }
  const never = (rules: Rule[]) => analysePolicy(tradePolicy(rules), NOW_MS).shadowed.map((each) => each.rule.id)
  assert.deepEqual([never([calls]), never([calls, tradeRule('swaps')])], [[], ['calls']])
})
