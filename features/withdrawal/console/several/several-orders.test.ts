import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatAmount, parseAmount } from '@holdfast/units'
import { severalCoin, paysSeveral } from './several-coin.ts'
import { type CheckedRecipient, feesOf, missingFor, ordersFor, unsent } from './several-orders.ts'

/** Fees of which the middle one is given; the slow one is nothing, the fast one the same again with a one before it. */
const feesAbout = (normal: string) => ({ economy: '0', normal, fast: `1${normal}` })
const recipient = (line: number, amount = '1', fee = '0.01'): CheckedRecipient => {
  return { line, address_to: `address${line}`, amount, name: null, warnings: line % 2 ? ['first_seen'] : [], fees: feesAbout(fee) }
}
const common = { sub_wallet_id: 's', chain: 'eip155:1', symbol: 'ETH', remark: '' }
const ids = () => {
  let made = 0
  return () => `id-${made++}`
}

test('each recipient gets an order of its own with an id of its own and only its own warnings, or all are in one', () => {
  const recipients = [recipient(1), recipient(2, '2')]
  const each = ordersFor({ recipients, total: '3', fees: null, common }, 'normal', ids())
  assert.deepEqual(
    each.map(({ line, order, state }) => [line, order.request_id, order.address_to, order.amount, order.max_fee, order.ack, state]),
    [
      [1, 'id-0', 'address1', '1', '0.01', 'first_seen', 'ready'],
      [2, 'id-1', 'address2', '2', '0.01', '', 'ready'],
    ],
  )
  const [all, ...others] = ordersFor({ recipients, total: '3', fees: feesAbout('0.02'), common }, 'fast', ids())
  assert.deepEqual(
    [all?.order.outputs, all?.order.amount, all?.order.max_fee, all?.order.fee_tier, all?.order.ack, others.length],
    [recipients.map(({ address_to, amount }) => ({ address_to, amount })), '3', '10.02', 'fast', 'first_seen', 0],
  )
})

test('what is sent again is what was not sent, with the same ids, and nothing that was', () => {
  const lines = fc.uniqueArray(fc.nat(1000), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(lines, fc.infiniteStream(fc.constantFrom('ready', 'sending', 'unanswered', 'sent', 'refused')), (numbers, states) => {
      const orders = ordersFor({ recipients: numbers.map((line) => recipient(line)), total: '1', fees: null, common }, 'normal', ids())
      const after = orders.map(({ line, order }) => {
        const state = states.next().value!
        if (state === 'sent') return { line, order, state, orderId: 'o' } as const
        return state === 'refused' ? ({ line, order, state, reason: 'r' } as const) : ({ line, order, state: state as 'ready' } as const)
      })
      assert.deepEqual(
        unsent(after).map(({ order }) => order.request_id),
        orders.filter((_, i) => after[i]?.state !== 'sent').map(({ order }) => order.request_id),
      )
      assert.equal(new Set(orders.map(({ order }) => order.request_id)).size, orders.length)
    }),
  )
})

test('amounts and all fees must be there before anything is sent, to the last unit', () => {
  const units = fc.bigInt({ min: 1n, max: 10n ** 24n })
  fc.assert(
    fc.property(fc.array(units, { minLength: 2, maxLength: 10 }), units, units, fc.boolean(), (fees, total, has, isFeeCoin) => {
      const shown = (value: bigint) => formatAmount(value, 18)
      const all = feesOf({ recipients: fees.map((fee, i) => recipient(i, '1', shown(fee))), fees: null }, 'normal', 18)
      const sum = fees.reduce((one, other) => one + other, 0n)
      assert.equal(parseAmount(all, 18), sum)
      const held = { available: shown(has), decimals: 18, feeBalance: shown(has), feeDecimals: 18, isFeeCoin }
      const expected = isFeeCoin ? (total + sum > has ? 'coin' : undefined) : total > has ? 'coin' : sum > has ? 'fee' : undefined
      assert.equal(missingFor(shown(total), all, held), expected)
    }),
  )
  assert.equal(feesOf({ recipients: [], fees: feesAbout('0.5') }, 'normal', 8), '0.5')
  assert.equal(feesOf({ recipients: [], fees: feesAbout('0.5') }, 'economy', 8), '0')
})

test('bitcoin pays all by one transaction, other coins by an order each, and a token that is inscribed not at all', () => {
  const coin = { symbol: 'X', network: 'n', decimals: 8, normal_balance: '0' }
  const [bitcoin, token, inscribed] = [
    { ...coin, chain: 'bip122:00', contract_address: null },
    { ...coin, chain: 'eip155:1', contract_address: '0x1' },
    { ...coin, chain: 'bip122:00', contract_address: 'brc20:ordi' },
  ]
  assert.deepEqual([severalCoin(bitcoin).isTogether, severalCoin(token).isTogether], [true, false])
  assert.deepEqual([bitcoin, token, inscribed].map(paysSeveral), [true, true, false])
})
