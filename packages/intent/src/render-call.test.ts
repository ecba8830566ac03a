import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChainError } from '@holdfast/chain-core'
import { type AbiValue, encodeFunctionCall, parseSignature, readTrade, type Trade } from '@holdfast/chain-evm/codec'
import { writeTrade } from '../../chains/evm/testing/write-trade.ts'
import { groupAddress } from './group-address.ts'
import { describeCall } from './render-call.ts'
import type { Locale, RenderContext } from './rendering.ts'

const [COIN, COLLECTION, SPENDER, NOBODY] = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0x0000000000000000000000000000000000000000',
]
const [APPROVE, FOR_ALL] = ['approve(address,uint256)', 'setApprovalForAll(address,bool)']
const context = {
  asset: (_: string, contract: string | null) => (contract === COIN ? { symbol: 'USDX', decimals: 6n } : undefined),
  isUnlimited: () => false,
  tellsFinds: false,
} as unknown as Parameters<typeof describeCall>[1]

const grantsOf = (locale: Locale, to: string, signature: string, ...values: AbiValue[]) =>
  describeCall({ to, data: encodeFunctionCall(parseSignature(signature), values), signature, asset: { chain: 'eip155:1' } }, context, locale).grants

test('a right that is given is told with who has it and how much of what, and one that is taken back as that', () => {
  const [coin, collection, spender] = [`USDX ${groupAddress(COIN)}`, groupAddress(COLLECTION), groupAddress(SPENDER)]
  const told: [string[], string][] = [
    [grantsOf('en-US', COIN, APPROVE, SPENDER, 2_500_000n), `${spender} may take up to 2.5 ${coin}`],
    [grantsOf('en-US', COIN, APPROVE, SPENDER, 0n), `${spender} may take nothing more of ${coin}`],
    [
      grantsOf('en-US', COLLECTION, APPROVE, SPENDER, 5n),
      `${spender} may take up to 5 base units of token ${collection} (or its token of this number, where it is a collection)`,
    ],
    [grantsOf('en-US', COLLECTION, APPROVE, NOBODY, 5n), `The right over number 5 of ${collection} is taken back: nobody has it then`],
    [grantsOf('zh-CN', COLLECTION, APPROVE, NOBODY, 5n), `收回对 ${collection} 第 5 号的授权：此后无人拥有该授权`],
    [grantsOf('en-US', COLLECTION, FOR_ALL, SPENDER, true), `${spender} may take EVERYTHING of ${collection}, now and later`],
    [grantsOf('en-US', COLLECTION, FOR_ALL, SPENDER, false), `${spender} may take nothing of ${collection} any more, as far as this right goes`],
  ]
  assert.deepEqual(
    told.map(([grants]) => grants),
    told.map(([, words]) => [words]),
  )
})

test('what known functions in call data do is told to approvers, also of those that are carried inside, where the policy counts tokens', () => {
  const [SEND, OWN, SHARES] = ['multiSend(bytes)', 'transferOwnership(address)', 'transferShares(address,uint256)']
  const write = (signature: string, ...values: AbiValue[]) => encodeFunctionCall(parseSignature(signature), values)
  const told = (locale: Locale, signature: string, data: Uint8Array, tellsFinds = true) =>
    describeCall({ to: COIN, data, signature, asset: { chain: 'eip155:1' } }, { ...context, tellsFinds }, locale)
  const to = groupAddress(SPENDER)
  const carrying = write(SEND, Uint8Array.of(7, ...write(OWN, SPENDER), ...write(APPROVE, SPENDER, (1n << 256n) - 1n)))
  assert.deepEqual(told('en-US', SEND, carrying).finds, [
    { label: 'Carried inside', value: `${OWN} · GIVES AWAY CONTROL · to ${to}` },
    { label: 'Carried inside', value: `${APPROVE} · lets others take everything, now and later · to ${to}` },
  ])
  assert.equal(told('en-US', SEND, carrying).isGrave, true)
  assert.deepEqual(told('zh-CN', SHARES, write(SHARES, SPENDER, 5n)).finds, [
    { label: '调用效果', value: `${SHARES} · 转移代币或主币 5 个最小单位 · 接收方 ${to}` },
  ])
  assert.equal(told('en-US', SHARES, write(SHARES, SPENDER, 5n)).isGrave, false)
  // Words that were signed under an older policy stay as they were.
  assert.deepEqual(told('en-US', SEND, carrying, false).finds, [])
  assert.equal(told('en-US', SEND, carrying, false).warnings.length, 1)
})

const [ROUTER, USDX, PAYER, OTHER] = [
  '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
]
const CHAIN = 'eip155:1'
const trade: Trade = { gives: USDX, atMost: 2_500_000n, gets: null, atLeast: 10n ** 15n, to: PAYER, deadlineS: 1_800_000_000n }
const ofTrades = {
  asset: (_: string, contract: string) => (contract === USDX ? { chain: CHAIN, contract, symbol: 'USDX', decimals: 6n } : undefined),
  coin: (chain: string) => ({ chain, contract: null, symbol: 'ETH', decimals: 18n }),
  isUnlimited: () => false,
  tellsFinds: false,
} satisfies Partial<RenderContext>

/** A call of a contract that is a venue, or is none. */
function toldAtVenue(call: { data: Uint8Array; value: bigint; signature: string | null }, locale: Locale = 'en-US', isVenue = true) {
  const read: RenderContext['trade'] = (each) => {
    try {
      return isVenue && each.contract === ROUTER && each.chain === CHAIN ? readTrade('uniswap-v2', each) : undefined
    } catch (cause) {
      if (cause instanceof ChainError) return 'unreadable'
      throw cause
    }
  }
  const { data, signature, value } = call
  return describeCall({ to: ROUTER, data, signature, amount: value, asset: { chain: CHAIN }, from: PAYER }, { ...ofTrades, trade: read }, locale)
}

test('a call of a venue is told by what it gives at most and gets at least, to whom and until when, in both languages', () => {
  const [english, chinese] = [toldAtVenue(writeTrade('uniswap-v2', trade)), toldAtVenue(writeTrade('uniswap-v2', trade), 'zh-CN')]
  assert.equal(english.title, 'Trade at most 2.5 USDX for at least 0.001 ETH')
  assert.deepEqual(
    english.trade.map(({ label, value }) => [label, value]),
    [
      ['Gives, at most', '2.5 USDX'],
      ['Gets, at least', '0.001 ETH'],
      ['What is got goes to', `the paying address itself, ${groupAddress(PAYER)}`],
      ['Not after', '2027-01-15 08:00:00 UTC'],
    ],
  )
  assert.equal(chinese.title, '以不超过 2.5 USDX 换取不少于 0.001 ETH')
  assert.deepEqual(
    chinese.trade.map(({ label }) => label),
    ['最多付出', '最少得到', '所得进入', '截止时间'],
  )
  assert.deepEqual([english.isGrave, english.args.length], [false, 5])
  const coin = toldAtVenue(writeTrade('uniswap-v2', { ...trade, gives: null, gets: OTHER, atMost: 10n ** 18n }))
  assert.equal(coin.title, `Trade at most 1 ETH for at least 1000000000000000 base units of the token ${groupAddress(OTHER)}`)
})

test('that a trade pays somebody else, or is none that can be read, is told in red', () => {
  const other = toldAtVenue(writeTrade('uniswap-v2', { ...trade, to: OTHER }))
  assert.match(other.warnings[0] ?? '', /which is not the address that pays/)
  const unreadable = toldAtVenue({ ...writeTrade('uniswap-v2', trade), value: 1n })
  assert.match(unreadable.warnings[0] ?? '', /no trade that can be read: no signer signs it/)
  assert.deepEqual([other.isGrave, unreadable.isGrave, unreadable.trade], [true, true, []])
})

test('a call of a contract that is no venue is told as it was', () => {
  const { title, trade: rows, warnings } = toldAtVenue(writeTrade('uniswap-v2', trade), 'en-US', false)
  assert.match(title, /^Call swapExactTokensForETH of /)
  assert.deepEqual([rows, warnings.length], [[], 1])
})
