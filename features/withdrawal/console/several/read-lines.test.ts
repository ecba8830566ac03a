import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { OUTPUTS_MAX } from '../../contract.ts'
import { pastedLines, readLines } from './read-lines.ts'

const payee = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

describe('recipients that somebody pastes', () => {
  it('are read a line each, however they are separated and wherever they were written', () => {
    const line = fc.record(
      { to: fc.constantFrom(payee, 'Kraken deposit', 'nobody'), amount: fc.stringMatching(/^\d{1,9}(\.\d{1,9})?$/) },
      { noNullPrototype: true },
    )
    const between = fc.constantFrom(' ', '\t', ', ', ';', ' ; ')
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), between, fc.constantFrom('\n', '\r\n', '\n\n'), (lines, separator, end) => {
        assert.deepEqual(readLines(lines.map(({ to, amount }) => to + separator + amount).join(end)), { lines, left: 0 })
      }),
    )
  })

  it('are read from a table with a heading and quotes, and one without an amount keeps its address', () => {
    const { lines } = readLines(`Address,Amount\n"${payee}","1.5"\nKraken deposit, 2\n${payee},`)
    assert.deepEqual(lines, [
      { to: payee, amount: '1.5' },
      { to: 'Kraken deposit', amount: '2' },
      { to: payee, amount: '' },
    ])
    assert.deepEqual(readLines('Kraken deposit').lines, [{ to: 'Kraken deposit', amount: '' }])
  })

  it('keep an amount that is none, for its field to say so', () => {
    assert.deepEqual(
      readLines(`${payee} 1,5\n${payee} -1\n${payee} 1.000,00`).lines.map(({ amount }) => amount),
      ['1,5', '-1', '1.000,00'],
    )
  })

  it('are no amount that is pasted as one, whatever separates its digits', () => {
    for (const amount of ['1,000.50', '12,5', '1 000', '7']) assert.equal(pastedLines(amount, true), undefined)
    assert.equal(pastedLines(payee, false), undefined)
    assert.deepEqual(pastedLines(`${payee} 1`, false)?.lines, [{ to: payee, amount: '1' }])
    for (const isAmount of [true, false]) assert.equal(pastedLines(`${payee} 1\n${payee} 2`, isAmount)?.lines.length, 2)
  })

  it('never make the reading fail, and those beyond the most are counted, not taken in silence', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readLines(text).lines.length <= OUTPUTS_MAX))
    const many = Array.from({ length: OUTPUTS_MAX + 3 }, () => `${payee} 1`).join('\n')
    assert.deepEqual([readLines(many).lines.length, readLines(many).left], [OUTPUTS_MAX, 3])
  })
})
