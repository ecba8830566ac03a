import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAmount } from '@holdfast/units'
import { amountFault, type Coin, coinKey, leavesAtMost, memoExcess, unitOf, warningsOf } from './draft.ts'

const ether: Coin = { symbol: 'ETH', chain: 'eip155:31337', network: 'Local', contract_address: null, decimals: 18, normal_balance: '2.5' }
const dollar: Coin = { ...ether, symbol: 'USDC', contract_address: '0xabc', decimals: 6 }
const tier = { tier: 'normal' as const, fee: '0.000021000000000001', eta_s: 30, expected: null, activation: null, resources: [] }

test('an amount is refused before it is sent, with the reason', () => {
  const rows: [string, Coin, string | undefined][] = [
    ['2.5', ether, undefined],
    ['0.000000000000000001', ether, undefined],
    ['2.500000000000000001', ether, 'exceeds'],
    ['0', ether, 'zero'],
    ['0.0', ether, 'zero'],
    ['1.0000001', dollar, 'precision'],
    ['1e2', ether, 'shape'],
    ['', ether, 'shape'],
    ['-1', ether, 'shape'],
    ['01', ether, 'shape'],
    ['1,5', ether, 'shape'],
    ['１', ether, 'shape'],
  ]
  for (const [text, coin, fault] of rows) assert.equal(amountFault(text, coin), fault, text)
})

test('every warning about a destination must be acknowledged, the gravest first', () => {
  const control = { own: false, permissions: [] }
  assert.deepEqual(warningsOf({ similar_to: [{ address: '0x1', kind: 'own' }], control, is_contract: true, first_seen: true }), [
    'lookalike',
    'control',
    'contract',
    'first_seen',
  ])
  assert.deepEqual(warningsOf({ similar_to: [], control: { own: true, permissions: [] }, is_contract: false, first_seen: true }), ['first_seen'])
  assert.deepEqual(warningsOf({ similar_to: [], control: null, is_contract: false, first_seen: false }), [])
})

test('what leaves the wallet is told to the last digit, the fee added only to its own coin', () => {
  assert.deepEqual(leavesAtMost({ coin: ether, amount: '1.5', tier, feeSymbol: 'ETH' }), [{ value: '1.500021000000000001', unit: 'ETH' }])
  assert.deepEqual(leavesAtMost({ coin: dollar, amount: '1.5', tier, feeSymbol: 'ETH' }), [
    { value: '1.5', unit: 'USDC' },
    { value: '0.000021000000000001', unit: 'ETH' },
  ])
  const amount = fc.bigInt({ min: 1n, max: 10n ** 30n }).map((value) => `${value / 10n ** 18n}.${String(value % 10n ** 18n).padStart(18, '0')}`)
  fc.assert(
    fc.property(amount, amount, (paid, fee) => {
      const [line] = leavesAtMost({ coin: ether, amount: paid, tier: { ...tier, fee }, feeSymbol: 'ETH' })
      assert.equal(parseAmount(line?.value ?? '', 18), parseAmount(paid, 18) + parseAmount(fee, 18))
    }),
  )
})

test('two tokens of one collection are two things, counted in whole pieces and called by their number', () => {
  const art: Coin = { ...ether, symbol: 'ART', contract_address: '0xabc', decimals: 0, normal_balance: '3', token_id: '42' }
  assert.notEqual(coinKey(art), coinKey({ ...art, token_id: '43' }))
  assert.deepEqual([unitOf(art), unitOf(ether)], ['ART #42', 'ETH'])
  assert.deepEqual([amountFault('3', art), amountFault('4', art), amountFault('0.5', art)], [undefined, 'exceeds', 'precision'])
  assert.deepEqual(leavesAtMost({ coin: art, amount: '2', tier, feeSymbol: 'ETH' })[0], { value: '2', unit: 'ART #42' })
})

test('a memo is measured in bytes as the network counts them, without the spaces around it', () => {
  assert.equal(memoExcess('  10042 ', 5), undefined)
  assert.equal(memoExcess('é'.repeat(60), 120), undefined)
  assert.equal(memoExcess('e\u0301'.repeat(61), 120), 2, 'in the normal form that is sent')
})
