import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CallError } from '@holdfast/contract'
import { formatAmount, parseAmount } from '@holdfast/units'
import fc from 'fast-check'
import type { AddressCheck } from '../draft.ts'
import { faultOf, judgeRows, type Row } from './judge-rows.ts'

const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
/** A text of the form of an address for each number, no two of which begin or end alike. */
const address = (i: number) => {
  const mark = [...String(i).padStart(4, '0')].map((digit) => letters[Number(digit)]).join('')
  return `bcrt1q${mark}w508d6qejxtdg4y5r3za${mark}`
}
const coin = { chain: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328', decimals: 8, normal_balance: '1000000000' }

const checked = (over: Partial<AddressCheck> = {}, canonical = address(1)): AddressCheck => ({
  valid: true,
  is_lost: false,
  policy_contract: false,
  canonical,
  reason: null,
  checksum_at: [],
  is_contract: false,
  control: null,
  is_uninitialised: false,
  memo_max: null,
  memo_required: false,
  own: null,
  book: null,
  first_seen: true,
  similar_to: [],
  ...over,
})
const rowsOf = (...lines: [string, string][]): Row[] => lines.map(([to, amount], key) => ({ key, to, amount }))
const judge = (rows: Row[], checks = new Map<string, AddressCheck>(), of = coin) => judgeRows(rows, { subWalletId: 's', coin: of, checks })

describe('the lines of a payment to several', () => {
  it('add up to the last unit, the empty ones left out, and are ready once the server knows their addresses', () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 15n }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(amounts, (values) => {
        const rows = rowsOf(...values.map((value, i): [string, string] => [address(i), formatAmount(value, 8)]), ['', ' '])
        const checks = new Map(values.map((_, i) => [address(i), checked({}, address(i))]))
        const before = judge(rows)
        const after = judge(rows, checks)
        const sum = values.reduce((total, value) => total + value, 0n)
        assert.deepEqual([parseAmount(after.total, 8), before.rows.length], [sum, values.length])
        assert.deepEqual([before.rows.some(({ isReady }) => isReady), after.rows.every(({ isReady }) => isReady)], [false, true])
      }),
    )
  })

  it('name the line that pays the same address before them, in capitals or not, and the one that looks like it', () => {
    const good = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
    const like = `${good.slice(0, 12)}qqqq${good.slice(16)}`
    const { rows } = judge(rowsOf([good, '1'], [good.toUpperCase(), '1'], [like, '1'], [address(3), '1']))
    assert.deepEqual(
      rows.map(({ addressFault, twin, alike }) => [addressFault, twin, alike]),
      [
        [undefined, undefined, undefined],
        ['twice', 1, undefined],
        [undefined, undefined, 1],
        [undefined, undefined, undefined],
      ],
    )
    const evm = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    assert.equal(judge(rowsOf([evm, '1'], [evm.toLowerCase(), '1']), undefined, { ...coin, chain: 'eip155:1', decimals: 18 }).rows[1]?.twin, 1)
  })

  it('name the line that pays the same account before them, in whatever form the server knows it', () => {
    const [bounceable, plain] = ['EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2', 'UQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p9dz'] as const
    const ton = { ...coin, chain: 'ton:-239', decimals: 9 }
    const rows = rowsOf([bounceable, '1'], [plain, '1'], [bounceable, '1'])
    const one = checked({}, bounceable)
    const twins = (checks: [string, AddressCheck][]) => judge(rows, new Map(checks), ton).rows.map(({ twin }) => twin)
    assert.deepEqual(twins([[bounceable, one]]), [undefined, undefined, 1])
    assert.deepEqual(
      twins([
        [bounceable, one],
        [plain, one],
      ]),
      [undefined, 1, 1],
    )
    assert.deepEqual(twins([[plain, one]]), [undefined, 1, 1])
  })

  it('are never ready with an address that nobody has the key of, that is none, or that has to be read or written about alone', () => {
    for (const dead of ['bcrt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqdku202', 'BCRT1QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQDKU202', '1BitcoinEaterAddressDontSendf59kuE'])
      assert.deepEqual(judge(rowsOf([dead, '1']), new Map([[dead, checked()]])).rows[0]?.addressFault, 'lost')
    const own = { sub_wallet_id: 's', wallet_name: '', sub_wallet_name: '', addr_type: 1 }
    const cases: [string, Partial<AddressCheck>][] = [
      ['invalid', { valid: false, canonical: null }],
      ['lost', { valid: false, is_lost: true }],
      ['self', { own }],
      ['memo', { memo_required: true }],
      ['grave', { similar_to: [{ address: address(2), kind: 'book' }] }],
      ['grave', { policy_contract: true }],
    ]
    for (const [fault, said] of cases) {
      const [row] = judge(rowsOf([address(1), '1']), new Map([[address(1), checked(said)]])).rows
      assert.deepEqual([row?.addressFault, row?.isReady], [fault, false])
    }
    for (const none of ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'nobody', ''])
      assert.deepEqual([judge(rowsOf([none, '1'])).rows[0]?.address, judge(rowsOf([none, '1'])).rows[0]?.isReady], [undefined, false])
  })

  it('are never ready with an amount that is missing, none, zero, too exact or more than there is, and count what is known', () => {
    const checks = new Map([[address(1), checked()]])
    const faults = ['', '1,5', '-1', '0', '0.000000001', '1000000001', '2'].map((amount) => judge(rowsOf([address(1), amount]), checks))
    assert.deepEqual(
      faults.map(({ rows: [row], total }) => [row?.amountFault, row?.isReady, total]),
      [
        [undefined, false, '0'],
        ['shape', false, '0'],
        ['shape', false, '0'],
        ['zero', false, '0'],
        ['precision', false, '0'],
        ['exceeds', false, '1000000001'],
        [undefined, true, '2'],
      ],
    )
  })

  it('are covered by what there is only together', () => {
    const half = (amount: string) => judge(rowsOf([address(1), '500000000'], [address(2), amount])).isCovered
    assert.deepEqual([half('500000000'), half('500000000.00000001')], [true, false])
  })

  it('are found by the number of the recipient that a refusal names', () => {
    const refused = (data: unknown) => faultOf(new CallError('110055', 'not valid', data, 400), [1, 9])
    assert.deepEqual(refused({ recipient: 2 }), { line: 9, reason: 'not valid' })
    for (const none of [null, {}, { recipient: 3 }, { recipient: '2' }]) assert.equal(refused(none), undefined)
    assert.equal(faultOf(new Error('no answer'), [1, 9]), undefined)
  })
})
