import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPolicy, type Condition, describeRule, namesContract, type NamedRule, PolicyRefused } from '../index.ts'
import { dayLimit } from '../testing/named-rules.ts'
import { CHAIN, ETH } from '../testing/sample-organisation.ts'
import { COIN, refusedTrades, ROUTER, tradePolicy, tradeRule, USDX } from '../testing/trade-rules.ts'

const CATS = { chain: CHAIN, contract: `erc721:0x${'ab'.repeat(20)}`, symbol: 'CAT', decimals: 0n }
const assets = [ETH, USDX, COIN, CATS]
const given = (asset: string, atMost: bigint | null = 5n) => ({ gives: [{ asset, atMost }] })

test('a rule for trades that nobody can mean is no policy', () => {
  const refused: [RegExp, NamedRule[]][] = [
    [/of the form sushi, which nobody here can read/, [tradeRule('a', { form: 'sushi' })]],
    [/is no EVM network/, [tradeRule('a', { chain: 'eip155:5' })]],
    [/as a router, which is no address/, [tradeRule('a', { router: ROUTER.toLowerCase() })]],
    [/as a router, which is no address/, [tradeRule('a', { router: `0x${'0'.repeat(40)}` })]],
    [/which is a token of the policy/, [tradeRule('a', { router: USDX.contract })]],
    [/lets nothing be given/, [tradeRule('a', { gives: [] })]],
    [/lets nothing be got/, [tradeRule('a', { gets: [] })]],
    [/names an asset of its trades twice/, [tradeRule('a', { gets: ['', ''] })]],
    [/which the policy does not pin as a coin or token/, [tradeRule('a', given(`0x${'cd'.repeat(20)}`))]],
    [/which the policy does not pin as a coin or token/, [tradeRule('a', { gets: [CATS.contract] })]],
    [/for itself only/, [tradeRule('a', { gets: [USDX.contract] })]],
    [/lets any amount of/, [tradeRule('a', given(USDX.contract, null))]],
    [/lets any amount of/, [tradeRule('a', given(USDX.contract, 0n))]],
    [/at any price/, [tradeRule('a', { slippageBps: null })]],
    [/at any price/, [tradeRule('a', { slippageBps: 10_000n })]],
    [/give it time/, [tradeRule('a', { deadlineMs: 0n })]],
    [/up to a bound/, [refusedTrades('a', { slippageBps: 5n })]],
    [/up to a bound/, [refusedTrades('a', given(USDX.contract))]],
    [/up to a bound/, [refusedTrades('a', { deadlineMs: 5n })]],
    [/takes .* for a router of the form uniswap-v2, and rule b for one of another/, [tradeRule('a'), tradeRule('b', { form: 'uniswap-v3' })]],
    [/limits tokens of calls/, [tradeRule('a', {}, { limits: [dayLimit({ maxTokens: 5n })] })]],
    [/limits each destination/, [tradeRule('a', {}, { limits: [dayLimit({ each: 'destination', maxCount: 5n })] })]],
    [/a condition \(memo\) that says nothing/, [tradeRule('a', {}, { conditions: [{ kind: 'memo', isPresent: true } satisfies Condition] })]],
    [/passes orders without approvals, and is not for payments/, [tradeRule('a', {}, { action: { kind: 'pass', fees: [], mayStop: [], expiresAfterMs: 0n } })]],
  ]
  for (const [reason, rules] of refused)
    assert.throws(
      () => checkPolicy(tradePolicy(rules, { assets })),
      (cause) => cause instanceof PolicyRefused && reason.test(cause.message),
      String(reason),
    )
  checkPolicy(tradePolicy([tradeRule('a'), tradeRule('b', { deadlineMs: null, slippageBps: 0n }), refusedTrades('c')], { assets }))
})

test('a rule for trades is said whole in both languages, and one that refuses without bounds that it has not', () => {
  const [rule, never] = [tradeRule('swaps'), refusedTrades('never')]
  const policy = tradePolicy([rule, never])
  const english = describeRule(rule, policy, 'en-US')
  assert.match(english, /trades at the router 0x7a25\S+ \(uniswap-v2\) on eip155:31337/)
  assert.match(english, /giving USDX, at most 1000 USDX each time for COIN, ETH/)
  assert.match(english, /goes to the paying address only; .* at most 5% less .*; with a deadline at most 20 minutes after it is signed/)
  assert.match(describeRule(tradeRule('open', { deadlineMs: null }), policy, 'en-US'), /WITH ANY DEADLINE OR NONE/)
  assert.match(describeRule(rule, policy, 'zh-CN'), /路由合约 .*以 USDX（单笔不超过 1000 USDX） 换取 COIN、ETH.*至多低 5%.*签署后 20 分钟/)
  assert.match(describeRule(never, policy, 'en-US'), /giving USDX for COIN, ETH – REFUSED$/)
})

test('a venue is a contract, to which nobody pays by mistake', () => {
  const policy = tradePolicy([tradeRule('swaps')])
  assert.deepEqual([namesContract(policy, CHAIN, ROUTER), namesContract(policy, 'eip155:1', ROUTER)], [true, false])
})
