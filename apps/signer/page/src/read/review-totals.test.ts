import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Intent } from '@holdfast/intent'
import { formatAmount } from '@holdfast/units'
import fc from 'fast-check'
import { totalsOf } from './review-totals.ts'

const order = (amount: bigint, asset: object) => ({ kind: 'transfer', amount, asset }) as unknown as Intent
const eth = { chain: 'eip155:1', contract: null, decimals: 18n, symbol: 'ETH' }
const usdc = { chain: 'eip155:1', contract: '0xa0b8', decimals: 6n, symbol: 'USDC' }

test('what orders pay together is summed exactly, each coin of each chain by itself', () => {
  const elsewhere = { ...eth, chain: 'eip155:10' }
  const change = { kind: 'policyChange' } as unknown as Intent
  const orders = [order(1n, eth), order(5_000_000n, usdc), order(10n ** 18n, eth), order(2n * 10n ** 18n, elsewhere), change]
  assert.deepEqual(totalsOf(orders), ['1.000000000000000001 ETH (eip155:1)', '5 USDC (eip155:1)', '2 ETH (eip155:10)'])
  assert.deepEqual(totalsOf([change]), [])
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 1n, max: 10n ** 40n }), { minLength: 1 }), (amounts) => {
      const sum = amounts.reduce((a, b) => a + b, 0n)
      assert.deepEqual(totalsOf(amounts.map((amount) => order(amount, eth))), [`${formatAmount(sum, 18)} ETH (eip155:1)`])
    }),
  )
})

test('a batch counts with all its lines', () => {
  const lines = [1n, 2n, 4n].map((amount, i) => ({ key: new Uint8Array(16).fill(i), to: `payee ${i}`, memo: null, amount: amount * 1_000_000n }))
  const batch = { kind: 'batch', asset: usdc, lines, together: 1n } as unknown as Intent
  assert.deepEqual(totalsOf([batch, order(5_000_000n, usdc)]), ['12 USDC (eip155:1)'])
})
