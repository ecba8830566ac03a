import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { codecFor as evmCodec } from '@holdfast/chain-evm/codec'
import { codecFor as tronCodec } from '@holdfast/chain-tron/codec'
import { formatAmount, known, readCsv, writeCsv } from '@holdfast/units'
import fc from 'fast-check'
import { isPayable, linesOf, readLine } from './read-lines.ts'

const codec = known(evmCodec('eip155:1'), 'a codec')
const tron = known(tronCodec('tron:0x2b6653dc'), 'a codec')
const FROM = known(codec.canonicalAddress(`0x${'11'.repeat(20)}`), 'an address')
const of = { codec, isOfOther: (text: string) => tron.canonicalAddress(text) !== undefined, asset: { contract: null, decimals: 6 }, from: FROM }
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => known(codec.canonicalAddress(`0x${Buffer.from(bytes).toString('hex')}`), 'one'))
const read = (cells: Partial<{ address: string; amount: string; memo: string; more: boolean }>) =>
  readLine({ line: 1, address: FROM.replace('0x1111', '0x2222').toLowerCase(), amount: '1', memo: '', more: false, ...cells }, of)

describe('the lines of a file', () => {
  it('are read as they were written, with commas or semicolons, with a byte order mark or without, whatever their head is called', () => {
    const line = fc.record({ to: address, amount: fc.bigInt(1n, 10n ** 18n) })
    const heads = fc.constantFrom(['address', 'amount', 'memo'], ['Memo', 'AMOUNT', ' Address '], ['标签', '收款地址', '金额'], [])
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), heads, fc.boolean(), fc.boolean(), (lines, head, isSemicolon, hasMark) => {
        const place = {
          address: 0,
          amount: 1,
          ...(head.length > 0 && {
            address: head.findIndex((each) => /address|地址/i.test(each)),
            amount: head.findIndex((each) => /amount|金额/i.test(each)),
          }),
        }
        const cells = lines.map(({ to, amount }) => {
          const row = ['', '', '']
          row[place.address] = to
          row[place.amount] = formatAmount(amount, 6)
          return row
        })
        const csv = writeCsv([...(head.length > 0 ? [[...head]] : []), ...cells]).slice(hasMark ? 0 : 1)
        const found = linesOf(readCsv(isSemicolon ? csv.replaceAll(',', ';') : csv)).map((each) => readLine(each, of))
        assert.deepEqual(
          found.map(({ address: to, amount }) => [to, amount]),
          lines.map(({ to, amount }) => [to, amount]),
        )
        assert.ok(found.every(isPayable) || lines.some(({ to }) => to === FROM))
        const sum = (list: readonly (bigint | null)[]) => list.reduce<bigint>((all, each) => all + (each ?? 0n), 0n)
        assert.equal(sum(found.map(({ amount }) => amount)), sum(lines.map(({ amount }) => amount)), 'no unit is lost or made')
      }),
    )
  })

  it('are never guessed at: whatever a cell holds, it is an exact amount of a real address or a fault', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (to, amount, memo) => {
        const line = read({ address: to, amount, memo })
        if (!isPayable(line)) return
        assert.equal(codec.canonicalAddress(to), line.address)
        assert.ok(/^\d+(\.\d{1,6})?$/.test(amount) && line.amount > 0n)
        assert.equal(memo, '')
      }),
    )
  })

  it('say what is wrong with each of them', () => {
    const mixed = `0x${'aB'.repeat(20)}`
    const cases: [Parameters<typeof read>[0], string][] = [
      [{ address: '' }, 'address_missing'],
      [{ address: '0x12' }, 'address_wrong'],
      [{ address: mixed }, 'address_case'],
      [{ address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' }, 'address_other_network'],
      [{ address: FROM }, 'address_own'],
      [{ amount: '' }, 'amount_missing'],
      [{ amount: '0' }, 'amount_wrong'],
      [{ amount: '1,000' }, 'amount_wrong'],
      [{ amount: '1e3' }, 'amount_wrong'],
      [{ amount: '-1' }, 'amount_wrong'],
      [{ amount: '0.0000001' }, 'amount_precision'],
      [{ memo: '7' }, 'memo_unknown'],
      [{ more: true }, 'cells_many'],
    ]
    for (const [cells, fault] of cases) assert.deepEqual(read(cells).faults, [fault], JSON.stringify(cells))
    assert.deepEqual(read({}).faults, [])
  })
})
