import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { draftOf, type Entry, faultOfLine, withMargin } from './valuation-draft.ts'

const entry = (changes: Partial<Entry> = {}): Entry => ({
  chain: 'eip155:1',
  asset: '',
  network: 'Ethereum',
  symbol: 'ETH',
  usd: '2000',
  valid_until: 1_000,
  state: 'valid',
  live: '1900.5',
  deviation: -5,
  ...changes,
})

describe('a draft of the table of values', () => {
  it('leaves out what is emptied, keeps an end that nobody changed, and gives a new one where somebody did', () => {
    const table = { base_version: 3, open_change_id: null, is_read: true, entries: [entry(), entry({ asset: '0xa' }), entry({ asset: '0xb' })] }
    const typed = ({ asset }: Entry) => ({ '': { usd: '2100', days: '' }, '0xa': { usd: '', days: '5' }, '0xb': { usd: '1', days: '2' } })[asset]!
    assert.deepEqual(draftOf(table, typed, 500).entries, [
      { chain: 'eip155:1', asset: '', usd: '2100', valid_until: 1_000 },
      { chain: 'eip155:1', asset: '0xb', usd: '1', valid_until: 500 + 2 * 86_400_000 },
    ])
  })

  it('says what is wrong with a line', () => {
    assert.equal(faultOfLine(entry(), { usd: '', days: '' }), undefined)
    assert.equal(faultOfLine(entry(), { usd: '1.1234567', days: '' }), 'usd')
    assert.equal(faultOfLine(entry(), { usd: '0', days: '' }), 'usd')
    assert.equal(faultOfLine(entry({ usd: null }), { usd: '1', days: '' }), 'days')
    assert.equal(faultOfLine(entry(), { usd: '1', days: '400' }), 'days')
  })

  it('puts a margin on a price, never below it', () => {
    assert.equal(withMargin('1900.5', 20), '2280.6')
    assert.equal(withMargin('0.000001', 1), '0.000002')
    assert.equal(withMargin('5', 0), '5')
    assert.equal(withMargin(null, 10), undefined)
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 15n), fc.integer({ min: 0, max: 200 }), (micro, percent) => {
        const live = `${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, '0')}`
        const [whole = '0', fraction = ''] = withMargin(live, percent)!.split('.')
        const got = BigInt(whole + fraction.padEnd(6, '0'))
        assert.ok(got * 100n >= micro * BigInt(100 + percent) && (got - 1n) * 100n < micro * BigInt(100 + percent))
      }),
    )
  })
})
