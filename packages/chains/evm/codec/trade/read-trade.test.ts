import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChainError } from '@holdfast/chain-core'
import { concatBytes } from '@holdfast/encoding'
import fc from 'fast-check'
import { type TradeCall, type Writing, writeTrade } from '../../testing/write-trade.ts'
import { checksumAddress } from '../address.ts'
import { encodeFunctionCall, parseSignature, readTrade, type Trade, type TradeForm } from '../index.ts'

const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(checksumAddress)
const amount = fc.bigInt(1n, 2n ** 256n - 1n)
const commonOf = (maxLength: number) =>
  fc.record({ tokens: fc.uniqueArray(address, { minLength: 2, maxLength }), atMost: amount, atLeast: amount, to: address, isExactOutput: fc.boolean() })

type Written = { form: TradeForm; trade: Trade; writing: Writing; call: TradeCall }
const written = (form: TradeForm, trade: Trade, writing: Writing): Written => ({ form, trade, writing, call: writeTrade(form, trade, writing) })
const endsIn = (path: readonly string[]) => ({ gives: path[0] ?? '', gets: path.at(-1) ?? '', between: path.slice(1, -1) })

const v2 = (longest: number, coins: readonly string[]) =>
  fc
    .record({ common: commonOf(longest), deadlineS: fc.bigInt(0n, 2n ** 256n - 1n), coin: fc.constantFrom(...coins) })
    .map(({ common: { tokens: path, isExactOutput, ...amounts }, deadlineS, coin }) => {
      const { gives, gets, between } = endsIn(path)
      const trade = { ...amounts, deadlineS, gives: coin === 'given' ? null : gives, gets: coin === 'got' ? null : gets }
      return written('uniswap-v2', trade, { between, isExactOutput })
    })
const v3 = (longest: number) =>
  fc
    .record({ common: commonOf(longest), deadlineS: fc.option(fc.bigInt(0n, 2n ** 256n - 1n)), fee: fc.bigInt(0n, 2n ** 24n - 1n) })
    .map(({ common: { tokens: path, isExactOutput, ...amounts }, deadlineS, fee }) => {
      const { gives, gets, between } = endsIn(path)
      return written('uniswap-v3', { ...amounts, deadlineS, gives, gets }, { between, isExactOutput, fee })
    })
const any = fc.oneof(v2(5, ['none', 'given', 'got']), v3(5))
/** What a trade goes through, and what the coin is called on the way, is no part of what it gives and gets: here there is neither. */
const direct = fc.oneof(v2(2, ['none']), v3(2))

const isRefused = (form: string, call: TradeCall) => {
  try {
    return void readTrade(form, call)
  } catch (cause) {
    assert.ok(cause instanceof ChainError)
    return true
  }
}

test('a trade is read as it was written, by every function of both forms', () => {
  fc.assert(fc.property(any, ({ form, trade, call }) => assert.deepEqual(readTrade(form, call), trade)))
})

test('bytes that are cut, longer, under another name, of another form or with other coin are no trade', () => {
  fc.assert(
    fc.property(any, any, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 40 }), ({ form, trade, call }, other, cut, more) => {
      const { data, value } = call
      assert.ok(isRefused(form, { ...call, data: data.slice(0, cut % data.length) }))
      assert.ok(isRefused(form, { ...call, data: concatBytes(data, more) }))
      assert.ok(isRefused(form === 'uniswap-v2' ? 'uniswap-v3' : 'uniswap-v2', call))
      assert.ok(isRefused('another', call))
      if (other.call.signature !== call.signature) assert.ok(isRefused(form, { ...call, signature: other.call.signature }))
      if (trade.gives !== null) assert.ok(isRefused(form, { ...call, value: value + 1n }))
      else assert.equal(readTrade(form, { ...call, value: value + 1n }).atMost, trade.atMost + 1n)
    }),
  )
  const { form, call } = written('uniswap-v3', { gives: A, atMost: 5n, gets: B, atLeast: 4n, to: C, deadlineS: 9n }, {})
  assert.throws(() => readTrade(form, { ...call, signature: null as unknown as string }), ChainError)
})

test('where one byte is another, the trade is refused or another one, never the same', () => {
  fc.assert(
    fc.property(direct, fc.nat(), fc.integer({ min: 1, max: 255 }), ({ form, trade, writing, call }, place, change) => {
      const at = place % call.data.length
      const inner = form === 'uniswap-v3' ? (trade.deadlineS === null ? 0 : 4 + 32 * 5) : 0
      const feeAt = inner + 4 + 32 * 3 - 3
      const isFee = form === 'uniswap-v3' && at >= feeAt && at < feeAt + 3
      const data = call.data.with(at, (call.data[at] ?? 0) ^ change)
      if (isFee) return assert.deepEqual(readTrade(form, { ...call, data }), trade)
      if (isRefused(form, { ...call, data })) return
      const read = readTrade(form, { ...call, data })
      assert.notDeepEqual(read, trade)
      assert.deepEqual(writeTrade(form, read, writing).data, data)
    }),
    { numRuns: 1_000 },
  )
})

const [A, B, C] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string]
const write = (signature: string, ...values: Parameters<typeof encodeFunctionCall>[1][number][]): TradeCall => ({
  signature,
  value: 0n,
  data: encodeFunctionCall(parseSignature(signature), values),
})
const SINGLE = 'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))'
const SINGLE_OUT = 'exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))'
const MULTICALL = 'multicall(uint256,bytes[])'
const single = (changes: Partial<Record<'given' | 'got', string> & Record<'amount' | 'bound' | 'limit', bigint>> = {}, signature = SINGLE) => {
  const { given = A, got = B, amount: exact = 5n, bound = 4n, limit = 0n } = changes
  return write(signature, [given, got, 3000n, C, exact, bound, limit])
}

test('paths that come back or are long, amounts of nothing, limits of the price and several calls in one are no trades', () => {
  const v2Call = (path: string[], ...[exact, bound]: [bigint, bigint]) =>
    write('swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', exact, bound, path, C, 9n)
  const many = Array.from({ length: 6 }, (_, i) => `0x${String(i + 1).repeat(40)}`)
  const inside = (...calls: TradeCall[]) =>
    write(
      MULTICALL,
      9n,
      calls.map(({ data }) => data),
    )
  const refused: [TradeForm, TradeCall][] = [
    ['uniswap-v2', v2Call([A, B, A], 5n, 4n)],
    ['uniswap-v2', v2Call([A, A], 5n, 4n)],
    ['uniswap-v2', v2Call([A], 5n, 4n)],
    ['uniswap-v2', v2Call([], 5n, 4n)],
    ['uniswap-v2', v2Call(many, 5n, 4n)],
    ['uniswap-v2', v2Call([A, B], 0n, 4n)],
    ['uniswap-v2', v2Call([A, B], 5n, 0n)],
    ['uniswap-v3', single({ got: A })],
    ['uniswap-v3', single({ amount: 0n })],
    ['uniswap-v3', single({ bound: 0n })],
    ['uniswap-v3', single({ limit: 1n })],
    ['uniswap-v3', single({ limit: 1n }, SINGLE_OUT)],
    ['uniswap-v3', inside()],
    ['uniswap-v3', inside(single(), single())],
    ['uniswap-v3', inside(inside(single()))],
    ['uniswap-v3', inside(write('unwrapWETH9(uint256,address)', 1n, C))],
    ['uniswap-v3', inside({ ...single(), data: concatBytes(single().data, new Uint8Array(1)) })],
    ['uniswap-v3', write('exactInput((bytes,address,uint256,uint256))', [new Uint8Array(42), C, 5n, 4n])],
    ['uniswap-v3', write('exactInput((bytes,address,uint256,uint256))', [new Uint8Array(43), C, 5n, 4n])],
    ['uniswap-v3', write('unwrapWETH9(uint256,address)', 1n, C)],
  ]
  assert.deepEqual(
    refused.map(([form, call]) => isRefused(form, call)),
    refused.map(() => true),
  )
  assert.deepEqual(isRefused('uniswap-v3', single()), undefined)
  assert.deepEqual(isRefused('uniswap-v3', inside(single())), undefined)
  assert.deepEqual(isRefused('uniswap-v2', v2Call([A, B], 5n, 4n)), undefined)
})
