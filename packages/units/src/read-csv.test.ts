import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CsvFault, readCsv } from './read-csv.ts'
import { CSV_START, writeCsvLine } from './write-csv.ts'

test('what was written is read back, cell by cell', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/^'[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text))
  const lines = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 5 })
  fc.assert(fc.property(lines, (rows) => assert.deepEqual(readCsv(CSV_START + rows.map(writeCsvLine).join('')), rows)))
})

test('files of other programs are read: any line end, a last line without one, quotes, empty cells and lines', () => {
  assert.deepEqual(readCsv('a,b\nc,"d ""e"", f\r\ng"\r\rh,'), [
    ['a', 'b'],
    ['c', 'd "e", f\r\ng'],
    ['h', ''],
  ])
  assert.deepEqual(readCsv(''), [])
  assert.deepEqual(readCsv('\ufeff\n\nx'), [['x']])
})

test('what is broken is refused with its line, and nothing else happens', () => {
  assert.throws(
    () => readCsv('a,b\n"c'),
    (cause) => cause instanceof CsvFault && /line 2/.test(cause.message),
  )
  assert.throws(
    () => readCsv('"a"b'),
    (cause) => cause instanceof CsvFault && /line 1/.test(cause.message),
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'a', "'"), maxLength: 30 }), (text) => {
      try {
        for (const line of readCsv(text)) assert.ok(line.length > 0)
      } catch (cause) {
        assert.ok(cause instanceof CsvFault)
      }
    }),
  )
})
