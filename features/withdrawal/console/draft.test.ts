import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatAmount, parseAmount } from '@holdfast/units'
import {
  alarmsOf,
  amountFault,
  capFault,
  type Coin,
  coinKey,
  feeOf,
  hasCaps,
  isFeeCovered,
  leavesAtMost,
  memoExcess,
  mostOf,
  paidOf,
  sendable,
  spanOf,
  unitOf,
  warningsOf,
  withinRules,
  worthOf,
} from './draft.ts'
import { WARNINGS } from '../contract.ts'

const ether: Coin = { symbol: 'ETH', chain: 'eip155:31337', network: 'Local', contract_address: null, decimals: 18, normal_balance: '2.5' }
const dollar: Coin = { ...ether, symbol: 'USDC', contract_address: '0xabc', decimals: 6 }
const FEE = '0.000021000000000001'
const tiers = (['economy', 'normal', 'fast'] as const).map((tier, i) => {
  return { tier, fee: ['0.00001', FEE, '0.00003'][i]!, eta_s: 30, expected: null, activation: null, resources: [] }
})
const quote = { tiers, fee_decimals: 18, cap_min: '0.00001', cap_max: '0.0006', max_gross: '2.5', max_withdraw: '2.4', along: null }

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
  assert.deepEqual(
    warningsOf({ similar_to: [{ address: '0x1', kind: 'own' }], control, policy_contract: false, is_contract: true, first_seen: true, own: null }),
    ['lookalike', 'control', 'contract', 'first_seen'],
  )
  assert.deepEqual(
    warningsOf({ similar_to: [], control: { own: true, permissions: [] }, policy_contract: false, is_contract: false, first_seen: true, own: null }),
    ['first_seen'],
  )
  assert.deepEqual(warningsOf({ similar_to: [], control: null, policy_contract: false, is_contract: false, first_seen: false, own: null }), [])
})

test('at the review stands what the approval page will say: each look-alike by its address, and no own address as a new destination', () => {
  const none = { similar_to: [], control: null, policy_contract: false, is_contract: false, first_seen: false, own: null }
  const own = { sub_wallet_id: 's', wallet_name: 'Treasury', sub_wallet_name: 'Main', addr_type: 1 }
  assert.deepEqual(alarmsOf(none), [])
  assert.deepEqual(alarmsOf({ ...none, first_seen: true }), [{ key: 'first_seen' }])
  assert.deepEqual(alarmsOf({ ...none, first_seen: true, own }), [])
  // Green for an own address and amber for a new one would contradict each other.
  assert.deepEqual(warningsOf({ ...none, first_seen: true, own }), [])
  const similar_to = [
    { address: '0x1', kind: 'own' as const },
    { address: '0x2', kind: 'book' as const },
  ]
  assert.deepEqual(alarmsOf({ ...none, similar_to, policy_contract: true, is_contract: true }), [
    { key: 'similar_own', address: '0x1' },
    { key: 'similar_book', address: '0x2' },
    { key: 'policy_contract' },
  ])
  const { alarm } = JSON.parse(readFileSync(new URL('../locales/en-US.json', import.meta.url), 'utf8')).withdrawal
  for (const warning of WARNINGS) if (warning !== 'lookalike') assert.ok(alarm[warning], warning)
})

test('what leaves the wallet is shown to the last digit, the fee added only to its own coin', () => {
  assert.deepEqual(leavesAtMost({ coin: ether, paid: '1.5', fee: FEE, feeSymbol: 'ETH', along: null }), [{ value: '1.500021000000000001', unit: 'ETH' }])
  assert.deepEqual(leavesAtMost({ coin: dollar, paid: '1.5', fee: FEE, feeSymbol: 'ETH', along: null }), [
    { value: '1.5', unit: 'USDC' },
    { value: '0.000021000000000001', unit: 'ETH' },
  ])
  const amount = fc.bigInt({ min: 1n, max: 10n ** 30n }).map((value) => `${value / 10n ** 18n}.${String(value % 10n ** 18n).padStart(18, '0')}`)
  fc.assert(
    fc.property(amount, amount, (paid, fee) => {
      const [line] = leavesAtMost({ coin: ether, paid, fee, feeSymbol: 'ETH', along: null })
      assert.equal(parseAmount(line?.value ?? '', 18), parseAmount(paid, 18) + parseAmount(fee, 18))
    }),
  )
})

test('a fee taken from the amount keeps the total at the amount, and leaves something to pay', () => {
  assert.equal(paidOf('1.5', ether, FEE), '1.499978999999999999')
  assert.equal(paidOf('1.5', ether, undefined), '1.5')
  assert.deepEqual([amountFault('0.1', ether, { least: '0.2' }), amountFault('0.2', ether, { least: '0.2' })], ['least', undefined])
  assert.deepEqual(
    [amountFault(FEE, ether, { fee: FEE }), amountFault('0.000021000000000002', ether, { fee: FEE }), amountFault(FEE, ether)],
    ['eaten', undefined, undefined],
  )
  const units = fc.bigInt({ min: 1n, max: 10n ** 30n })
  fc.assert(
    fc.property(units, units, (left, taken) => {
      const [amount, fee] = [formatAmount(left + taken, 18), formatAmount(taken, 18)]
      const [line] = leavesAtMost({ coin: ether, paid: paidOf(amount, ether, fee), fee, feeSymbol: 'ETH', along: null })
      assert.equal(line?.value, amount)
    }),
  )
})

test('a custom fee cap is accepted between what the chain asks for now and an obvious mistake', () => {
  const rows = { '0.00001': undefined, '0.0006': undefined, '0.000009999999999999': 'low', '0.000600000000000001': 'high', '': 'shape', x: 'shape' }
  for (const [cap, fault] of Object.entries(rows)) {
    assert.equal(capFault(cap, quote), fault, cap)
    assert.equal(feeOf(quote, { tier: 'custom', cap }), fault === undefined ? cap : undefined)
  }
  assert.equal(capFault('0.0000000000000000001', quote), 'precision')
  assert.equal(feeOf(quote, { tier: 'fast', cap: '' }), '0.00003')
  assert.equal(feeOf(undefined, { tier: 'fast', cap: '' }), undefined)
})

test('if every tier may cost the same a custom cap changes nothing, is not offered, and one typed for another coin is left out', () => {
  const same = { ...quote, tiers: tiers.map((each) => ({ ...each, fee: FEE })) }
  assert.deepEqual([hasCaps(quote), hasCaps(same), feeOf(same, { tier: 'custom', cap: '0.5' })], [true, false, FEE])
})

test('the most that can be typed leaves room for the chosen fee, and none if the fee is taken from it', () => {
  assert.equal(mostOf(quote, true, FEE), '2.5')
  assert.equal(mostOf(quote, false, FEE), '2.499978999999999999')
  assert.equal(mostOf(quote, false, '3'), '0')
  assert.equal(mostOf(quote, false, undefined), '2.4')
  assert.equal(mostOf({ ...quote, max_gross: null }, false, FEE), '2.4')
})

test('the most that is offered is no more than the rules let be paid, beside a fee that is taken from it', () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 24n })
  fc.assert(
    fc.property(units, units, units, fc.boolean(), (funds, rules, fee, isGross) => {
      const [most, payable, taken] = [funds, rules, fee].map((each) => formatAmount(each, 18)) as [string, string, string]
      const offered = parseAmount(withinRules(most, payable, ether, isGross ? taken : undefined), 18)
      assert.ok(offered <= funds && offered - (isGross ? fee : 0n) <= rules)
      assert.ok(offered === funds || offered - (isGross ? fee : 0n) === rules)
      assert.equal(withinRules(most, undefined, ether, undefined), most)
    }),
  )
})

test('an amount that leaves nothing for the fee on top is refused with the most that is possible, at every balance', () => {
  const ten = { ...ether, normal_balance: '10' }
  const most = mostOf({ ...quote, max_gross: '10' }, false, FEE)
  assert.deepEqual([most, amountFault('10', ten, { most }), amountFault(most, ten, { most })], ['9.999978999999999999', 'onTop', undefined])
  assert.equal(amountFault('10', ten, { fee: FEE, most: '9' }), 'exceeds', 'of coins that are locked')
  const units = fc.bigInt({ min: 2n, max: 10n ** 30n })
  fc.assert(
    fc.property(units, units, units, (balance, fee, amount) => {
      const [has, cost, text] = [balance, fee, amount].map((each) => formatAmount(each, 18)) as [string, string, string]
      const left = mostOf({ ...quote, max_gross: has }, false, cost)
      const isPossible = amount + fee <= balance
      assert.equal(amountFault(text, { ...ether, normal_balance: has }, { most: left }) === undefined, isPossible)
    }),
  )
})

test('a worth is exact, and unknown without a price', () => {
  assert.deepEqual(
    [worthOf('1.5', '3517.2'), worthOf('0', '3517.2'), worthOf('1', null), worthOf('x', '1'), worthOf('', '1')],
    ['5275.8', '0', null, null, null],
  )
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.bigInt({ min: 0n, max: 10n ** 12n }), (amount, price) => {
      const worth = worthOf(formatAmount(amount, 18), formatAmount(price, 10))
      assert.equal(parseAmount(worth ?? '', 28), amount * price)
    }),
  )
})

test('a time is told in the largest unit that it fills, and a fee that cannot be paid is known', () => {
  assert.deepEqual([86_400, 3_600, 1_200, 60, 15].map(spanOf), [
    { unit: 'day', count: 1 },
    { unit: 'hour', count: 1 },
    { unit: 'minute', count: 20 },
    { unit: 'minute', count: 1 },
    { unit: 'second', count: 15 },
  ])
  assert.deepEqual([isFeeCovered({ fee_balance: '1', fee_decimals: 18 }, '1'), isFeeCovered({ fee_balance: '1', fee_decimals: 18 }, '1.1')], [true, false])
})

test('two tokens of one collection are two things, counted in whole pieces and named by their number', () => {
  const art: Coin = { ...ether, symbol: 'ART', contract_address: '0xabc', decimals: 0, normal_balance: '3', token_id: '42' }
  assert.notEqual(coinKey(art), coinKey({ ...art, token_id: '43' }))
  assert.deepEqual([unitOf(art), unitOf(ether)], ['ART #42', 'ETH'])
  assert.deepEqual([amountFault('3', art), amountFault('4', art), amountFault('0.5', art)], [undefined, 'exceeds', 'precision'])
  assert.deepEqual(leavesAtMost({ coin: art, paid: '2', fee: FEE, feeSymbol: 'ETH', along: null })[0], { value: '2', unit: 'ART #42' })
})

test('a token that is inscribed first is limited to what can be inscribed, and its coin leaves the wallet too', () => {
  const token: Coin = { ...ether, symbol: 'ORDI', contract_address: 'brc20:ordi', normal_balance: '100' }
  const inscribing = { along: '0.00000546', max_withdraw: '70.5' }
  assert.deepEqual([amountFault('70.6', sendable(token, inscribing)), amountFault('70.5', sendable(token, inscribing))], ['exceeds', undefined])
  assert.equal(sendable(token, undefined), token)
  assert.equal(sendable(ether, quote), ether)
  assert.deepEqual(leavesAtMost({ coin: token, paid: '70.5', fee: '0.00002', feeSymbol: 'BTC', along: inscribing.along }), [
    { value: '70.5', unit: 'ORDI' },
    { value: '0.00002546', unit: 'BTC' },
  ])
})

test('a memo is measured in bytes as the network counts them, without the spaces around it', () => {
  assert.equal(memoExcess('  10042 ', 5), undefined)
  assert.equal(memoExcess('é'.repeat(60), 120), undefined)
  assert.equal(memoExcess('e\u0301'.repeat(61), 120), 2, 'in the normal form that is sent')
})
