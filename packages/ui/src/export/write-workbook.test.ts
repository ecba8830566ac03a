import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CSV_START, writeCsvLine } from '@holdfast/units'
import fc from 'fast-check'
import { strFromU8, unzipSync } from 'fflate'
import { writeWorkbook } from './write-workbook.ts'

const partsOf = (rows: readonly (readonly string[])[], size: number) =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, at) =>
    [at === 0 ? CSV_START : '', ...rows.slice(at * size, (at + 1) * size).map((row) => writeCsvLine(row))].join(''),
  )

async function sheetOf(rows: readonly (readonly string[])[], size = 3): Promise<string> {
  const files = unzipSync(await writeWorkbook(partsOf(rows, size), async () => undefined))
  assert.deepEqual(Object.keys(files).sort(), [
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ])
  return strFromU8(files['xl/worksheets/sheet1.xml']!)
}

/** The cells of a sheet as a spreadsheet reads them. */
function cellsOf(sheet: string): { text: string; isNumber: boolean }[][] {
  return [...sheet.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c\/>|<c><v>(.*?)<\/v><\/c>|<c t="inlineStr"><is><t xml:space="preserve">(.*?)<\/t><\/is><\/c>/gs)].map(([, number, text]) => ({
      text: (number ?? text ?? '').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
      isNumber: number !== undefined,
    })),
  )
}

test('every cell of every part is in the workbook, in its place, whatever it says', async () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }).filter((text) => !/[\p{Cc}\ufffe\uffff]/u.test(text) && !text.startsWith("'")),
    fc.constantFrom('<b>&amp;', '"]]>', '=1+1', '-cmd|x', ' spaces ', '0.10', '12'),
  )
  const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 2, maxLength: 8 }).map((rows) => rows.map(([a, ...others]) => [`x${a}`, ...others]))
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      assert.deepEqual(
        cellsOf(await sheetOf(rows)).map((row) => row.map((each) => each.text)),
        rows,
      )
    }),
    { numRuns: 60 },
  )
})

test('nothing is a formula, and what XML cannot say does not break the file', async () => {
  const sheet = await sheetOf([['Remark'], ['=HYPERLINK("http://x")'], ['@SUM(A1)'], ['a\u0000b\uD800\u000c']])
  assert.doesNotMatch(sheet, /<f[ >]/)
  assert.deepEqual(
    cellsOf(sheet).map((row) => row[0]!.text),
    ['Remark', '=HYPERLINK("http://x")', '@SUM(A1)', 'ab\ufffd'],
  )
})

test('a column is of numbers only where a spreadsheet holds each of them to the last digit', async () => {
  const rows = [
    ['Worth', 'Amount', 'Code', 'Empty'],
    ['1234.56', '1.5', '007', ''],
    ['', '0.123456789012345678', '1', ''],
    ['-0.00', '2', '2', ''],
    ['99999999999999.5', '3', '3', ''],
  ]
  const cells = cellsOf(await sheetOf(rows))
  assert.deepEqual(
    cells.map((row) => row.map(({ isNumber }) => isNumber)),
    [
      [false, false, false, false],
      [true, false, false, false],
      [false, false, false, false],
      [true, false, false, false],
      [true, false, false, false],
    ],
  )
})
