import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CallError } from '@holdfast/contract'
import { formatAmount, parseAmount } from '@holdfast/units'
import fc from 'fast-check'
import { faultOf, readRecipients } from './read-recipients.ts'

const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
/** A text of the form of an address for each number. */
const address = (i: number) => `bcrt1q${[...String(i)].map((digit) => letters[Number(digit)]).join('')}w508d6qejxtdg4y5r3za`

const coin = { chain: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328', decimals: 8 }

describe('recipients that somebody pastes', () => {
  it('are named once each, in capitals or not, and none of them is an address that nobody has the key of', () => {
    const good = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
    const zero = 'bcrt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqdku202'
    const eater = '1BitcoinEaterAddressDontSendf59kuE'
    const text = [good, good.toUpperCase(), zero, zero.toUpperCase(), eater].map((address) => `${address} 1`).join('\n')
    const { lines, faulty, lost, total } = readRecipients(text, coin)
    assert.deepEqual([lines, faulty, lost, total], [[1], [2], [3, 4, 5], '1'])
  })

  it('are read a line each, however they are separated, and add up to the last unit', () => {
    const amounts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 15n }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(amounts, fc.constantFrom(' ', '\t', ', ', ';', ' ; '), (values, separator) => {
        const text = values.map((value, i) => `${address(i)}${separator}${formatAmount(value, 8)}`).join('\n\n')
        const read = readRecipients(text, coin)
        assert.deepEqual(
          read.recipients.map(({ address_to, amount }) => [address_to, parseAmount(amount, 8)]),
          values.map((value, i) => [address(i), value]),
        )
        const sum = values.reduce((total, value) => total + value, 0n)
        assert.deepEqual([parseAmount(read.total, 8), read.faulty], [sum, []])
      }),
    )
  })

  it('are named by their line if one is invalid: no amount, nothing, too exact, more than two words, or an address twice', () => {
    const [a, b, c, d, e, f, g, h] = Array.from({ length: 8 }, (_, i) => address(i + 1))
    const text = [
      `${a} 1`,
      b,
      `${c} 0`,
      `${d} 0.000000001`,
      `${e} 1 2`,
      `${f} -1`,
      `${g} 1,5`,
      '',
      `${h} 2`,
      `${a} 3`,
      '0x70997970C51812dc3A010C7d01b50e0d17dc79C8 1',
    ].join('\n')
    const { recipients, lines, faulty, total } = readRecipients(text, coin)
    assert.deepEqual(
      recipients.map(({ address_to }) => address_to),
      [a, h],
    )
    assert.deepEqual([lines, faulty, total], [[1, 9], [2, 3, 4, 5, 6, 7, 10, 11], '3'])
    const refused = (data: unknown) => faultOf(new CallError('110055', 'not valid', data, 400), lines)
    assert.deepEqual(refused({ recipient: 2 }), { line: 9, reason: 'not valid' })
    for (const none of [null, {}, { recipient: 3 }, { recipient: '2' }]) assert.equal(refused(none), undefined)
    assert.equal(faultOf(new Error('no answer'), lines), undefined)
  })

  it('are read from a table with a heading and quotes, and contacts by their name, but one name or address twice is not', () => {
    const contacts = new Map([['kraken deposit', address(1)]])
    const read = readRecipients(`Address,Amount\n"${address(2)}","1.5"\nKraken Deposit, 2\nNobody, 3\nkraken deposit;4`, coin, contacts)
    assert.deepEqual(read.recipients, [
      { address_to: address(2), amount: '1.5' },
      { address_to: address(1), amount: '2' },
    ])
    assert.deepEqual([read.lines, read.faulty, read.total], [[2, 3], [4, 5], '3.5'])
  })

  it('are one whether the checksum of the address is written in the case of its letters or not', () => {
    const payee = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    const { lines, faulty } = readRecipients(`${payee} 1\n${payee.toLowerCase()} 1`, { chain: 'eip155:1', decimals: 18 })
    assert.deepEqual([lines, faulty], [[1], [2]])
  })

  it('never make the reading fail', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => readRecipients(text, coin).recipients.length <= 100))
  })
})
