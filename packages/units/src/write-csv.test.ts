import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { writeCsvLine } from './write-csv.ts'

/** A reader of RFC 4180, written from its grammar alone. */
function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; ; at++) {
        assert.ok(at < text.length, 'a quote is never closed')
        if (text[at] !== '"') cell += text[at]
        else if (text[at + 1] === '"') {
          cell += '"'
          at++
        } else break
      }
      at++
    } else while (at < text.length && text[at] !== ',' && text[at] !== '\r' && text[at] !== '\n') cell += text[at++]
    row.push(cell)
    if (text[at] === ',') {
      at++
      continue
    }
    assert.equal(text.slice(at, at + 2), '\r\n')
    at += 2
    rows.push(row)
    row = []
  }
  return rows
}

const awkward = fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", ' ', ';', 'a', '1', '测', '\u{1f600}', '＝', '\0') })
const cells = fc.array(fc.oneof(awkward, fc.string({ unit: 'grapheme' })), { minLength: 1, maxLength: 8 })

describe('a CSV line', () => {
  it('is read back cell for cell, whatever the cells hold, but for the apostrophe before a formula', () => {
    fc.assert(
      fc.property(fc.array(cells, { minLength: 1, maxLength: 5 }), (rows) => {
        const read = readCsv(rows.map(writeCsvLine).join(''))
        assert.equal(read.length, rows.length)
        rows.forEach((row, i) => {
          assert.equal(read[i]!.length, row.length)
          row.forEach((cell, j) => {
            const given = read[i]![j]!
            assert.ok(given === cell || given === `'${cell}`)
          })
        })
      }),
      { numRuns: 1000 },
    )
  })

  it('leaves a negative number a number, which is no formula', () => {
    assert.equal(writeCsvLine(['-12.50', '-1', '-1+1', '-1e5', '--1', '-']), "-12.50,-1,'-1+1,'-1e5,'--1,'-\r\n")
  })

  it('holds no cell that a spreadsheet would run', () => {
    fc.assert(
      fc.property(cells, (row) => {
        for (const cell of readCsv(writeCsvLine(row))[0]!) assert.doesNotMatch(cell, /^([=+@\t\r\n＝＋－＠]|-(?!\d+(\.\d+)?$))/)
      }),
      { numRuns: 1000 },
    )
    for (const cell of ['=HYPERLINK("http://x")', '+1', '-1+1', '@x', '\t=1', '\r=1', '＝1']) assert.match(writeCsvLine([cell]), /^"?'/)
  })

  it('leaves what is harmless as it is', () => {
    assert.equal(writeCsvLine(['', '12.50', '0xAb', 'a-b', "it's", '备注']), ",12.50,0xAb,a-b,it's,备注\r\n")
    assert.equal(writeCsvLine(['a,b', 'say "x"', 'two\nlines']), '"a,b","say ""x""","two\nlines"\r\n')
  })
})
