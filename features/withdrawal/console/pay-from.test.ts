import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { payFrom, type PayingAddress } from './pay-from.ts'

const COIN = { decimals: 6 }
const row = (address: string, available: string, isDefault = false): PayingAddress => ({ address, label: null, available, is_default: isDefault })
const payerOf = (list: readonly PayingAddress[], chosen?: string) => payFrom(list, chosen, COIN)?.payer.address

describe('the address that pays', () => {
  it('is asked for only where something is elsewhere than at the first one', () => {
    assert.equal(payFrom([], undefined, COIN), undefined)
    assert.equal(payFrom([row('a', '5', true), row('b', '0')], undefined, COIN), undefined)
    assert.equal(payerOf([row('a', '0', true), row('b', '1')]), 'b')
    assert.equal(payerOf([row('a', '5', true), row('b', '9')]), 'a')
    assert.equal(payerOf([row('a', '5', true), row('b', '9')], 'b'), 'b')
  })

  it('always has something, and is the chosen one while that has', () => {
    const rows = fc.array(fc.nat(3), { maxLength: 6 }).map((amounts) => amounts.map((amount, i) => row(`address ${i}`, String(amount), i === 0)))
    fc.assert(
      fc.property(rows, fc.nat(7), (list, i) => {
        const found = payFrom(list, `address ${i}`, COIN)
        const funded = list.filter(({ available }) => available !== '0')
        if (!found) return assert.ok(funded.length === 0 || (funded.length === 1 && funded[0]!.is_default))
        assert.deepEqual(found.rows, funded)
        assert.ok(funded.includes(found.payer))
        if (funded.some(({ address }) => address === `address ${i}`)) assert.equal(found.payer.address, `address ${i}`)
      }),
    )
  })
})
