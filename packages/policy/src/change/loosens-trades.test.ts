import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BoundedCallRule, Policy } from '../index.ts'
import { CHAIN } from '../testing/sample-organisation.ts'
import { COIN, people, refusedTrades, ROUTER, tradePolicy, tradeRule, USDX, valuation } from '../testing/trade-rules.ts'
import { loosens } from './loosens.ts'

const ids = people.map(({ id }) => id)
const calls: BoundedCallRule = {
  kind: 'boundedCall',
  id: 'calls',
  chain: CHAIN,
  payers: null,
  contracts: [ROUTER],
  functions: ['deposit()'],
  maxValue: 5n,
  maxTokens: 5n,
  window: null,
  unlimitedAllowances: false,
  unknownCallData: false,
  initiators: ids,
  approvers: ids,
  threshold: 1n,
}

const before = tradePolicy([tradeRule('swaps')])
const after = (...changes: Parameters<typeof tradeRule>[1][]) => tradePolicy(changes.map((each) => tradeRule('swaps', each)))
const priced = (asset: string, microUsd: bigint) =>
  tradePolicy([tradeRule('swaps')], { valuation: valuation.map((each) => (each.asset === asset ? { ...each, microUsd } : each)) })

test('a change of a rule for trades loosens if it lets more be given, at a worse price, for others, elsewhere, or later', () => {
  const looser: [string, Policy][] = [
    ['more is given', after({ gives: [{ asset: USDX.contract, atMost: 1_000_000_001n }] })],
    [
      'another asset is given',
      after({
        gives: [
          { asset: USDX.contract, atMost: 1_000_000_000n },
          { asset: '', atMost: 1n },
        ],
      }),
    ],
    ['another is got', after({ gets: [COIN.contract, '', USDX.contract] })],
    ['a worse price', after({ slippageBps: 501n })],
    ['a later deadline', after({ deadlineMs: null })],
    ['another router', after({ router: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB' })],
    ['another form', after({ form: 'uniswap-v3' })],
    ['a second rule', tradePolicy([tradeRule('swaps'), tradeRule('more', { slippageBps: 600n })])],
    // The table says the most that something is worth: more of it for what is got lets trades through that were not.
    ['what is got counts for more', priced(COIN.contract, 2_000_001n)],
    ['what is given counts for less', priced(USDX.contract, 999_999n)],
  ]
  const tighter: [string, Policy][] = [
    ['nothing changes', before],
    ['less is given', after({ gives: [{ asset: USDX.contract, atMost: 1n }] })],
    ['fewer are got', after({ gets: [COIN.contract] })],
    ['a better price', after({ slippageBps: 0n })],
    ['a nearer deadline', after({ deadlineMs: 60_000n })],
    ['what is given counts for more', priced(USDX.contract, 1_000_001n)],
    ['no rule', tradePolicy([])],
    ['one that refuses', tradePolicy([refusedTrades('never'), tradeRule('swaps')])],
  ]
  const said = (changes: [string, Policy][]) => changes.map(([what, next]) => [what, loosens(before, next)])
  assert.deepEqual(
    said(looser),
    looser.map(([what]) => [what, true]),
  )
  assert.deepEqual(
    said(tighter),
    tighter.map(([what]) => [what, false]),
  )
})

test('that a contract is a venue no more loosens where a rule for calls names it', () => {
  const [venue, none] = [tradePolicy([refusedTrades('never'), calls]), tradePolicy([calls])]
  assert.deepEqual([loosens(venue, none), loosens(none, venue)], [true, false])
  assert.equal(loosens(tradePolicy([refusedTrades('never')]), tradePolicy([])), false)
})
