import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTrade, type Trade } from '@holdfast/chain-evm/codec'
import { ChainError } from '@holdfast/chain-core'
import { writeTrade } from '../../chains/evm/testing/write-trade.ts'
import { groupAddress } from './group-address.ts'
import { describeCall } from './render-call.ts'
import type { Locale, RenderContext } from './rendering.ts'

const [ROUTER, USDX, PAYER, OTHER] = [
  '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
]
const CHAIN = 'eip155:1'
const trade: Trade = { gives: USDX, atMost: 2_500_000n, gets: null, atLeast: 10n ** 15n, to: PAYER, deadlineS: 1_800_000_000n }
const context = {
  asset: (_: string, contract: string) => (contract === USDX ? { chain: CHAIN, contract, symbol: 'USDX', decimals: 6n } : undefined),
  coin: (chain: string) => ({ chain, contract: null, symbol: 'ETH', decimals: 18n }),
  isUnlimited: () => false,
  tellsFinds: false,
} satisfies Partial<RenderContext>

/** A call of a contract that is a venue, or is none. */
function told(call: { data: Uint8Array; value: bigint; signature: string | null }, locale: Locale = 'en-US', isVenue = true) {
  const read: RenderContext['trade'] = (each) => {
    try {
      return isVenue && each.contract === ROUTER && each.chain === CHAIN ? readTrade('uniswap-v2', each) : undefined
    } catch (cause) {
      if (cause instanceof ChainError) return 'unreadable'
      throw cause
    }
  }
  const { data, signature, value } = call
  return describeCall({ to: ROUTER, data, signature, amount: value, asset: { chain: CHAIN }, from: PAYER }, { ...context, trade: read }, locale)
}

test('a call of a venue is told by what it gives at most and gets at least, to whom and until when, in both languages', () => {
  const [english, chinese] = [told(writeTrade('uniswap-v2', trade)), told(writeTrade('uniswap-v2', trade), 'zh-CN')]
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
  const coin = told(writeTrade('uniswap-v2', { ...trade, gives: null, gets: OTHER, atMost: 10n ** 18n }))
  assert.equal(coin.title, `Trade at most 1 ETH for at least 1000000000000000 base units of the token ${groupAddress(OTHER)}`)
})

test('that a trade pays somebody else, or is none that can be read, is told in red', () => {
  const other = told(writeTrade('uniswap-v2', { ...trade, to: OTHER }))
  assert.match(other.warnings[0] ?? '', /which is not the address that pays/)
  const unreadable = told({ ...writeTrade('uniswap-v2', trade), value: 1n })
  assert.match(unreadable.warnings[0] ?? '', /no trade that can be read: no signer signs it/)
  assert.deepEqual([other.isGrave, unreadable.isGrave, unreadable.trade], [true, true, []])
})

test('a call of a contract that is no venue is told as it was', () => {
  const { title, trade: rows, warnings } = told(writeTrade('uniswap-v2', trade), 'en-US', false)
  assert.match(title, /^Call swapExactTokensForETH of /)
  assert.deepEqual([rows, warnings.length], [[], 1])
})
