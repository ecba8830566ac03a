import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError, reasonIn } from '@holdfast/contract'
import { writeWorkbook } from '../../../ui/src/export/write-workbook.ts'
import { writeCsv } from '@holdfast/units'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { readTable } from './read-table.ts'

const LIMITS = { rowsMax: 100, columnsMax: 9 }
const read = (bytes: Uint8Array | string, limits = LIMITS) => readTable(new File([bytes as Uint8Array<ArrayBuffer>], 'file'), limits)
const saying = (words: RegExp) => (cause: unknown) => {
  assert.ok(cause instanceof AppError && cause.errorName === 'invalid_parameters', String(cause))
  const reason = String(cause.details['reason'])
  assert.match(reason, words)
  assert.match(reasonIn('zh_CN', reason), /\p{Script=Han}/u, reason)
  return true
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** A workbook as spreadsheets write it, with the rows given. */
const files = (rows: string, more: Record<string, string> = {}): Record<string, Uint8Array> =>
  Object.fromEntries(
    Object.entries({
      '_rels/.rels': `<Relationships><Relationship Id="r1" Type="${TYPE}/officeDocument" Target="/xl/workbook.xml"/></Relationships>`,
      'xl/workbook.xml': `<?xml version="1.0"?><x:workbook xmlns:x="m" xmlns:r="r"><x:sheets><x:sheet name="a" state="hidden" r:id="h"/><x:sheet name="b" r:id="s"/></x:sheets></x:workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="s" Type="${TYPE}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="t" Type="${TYPE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
      'xl/sharedStrings.xml': `<sst ${MAIN}><si><t>ETH</t></si><si><r><t>a &amp;</t></r><r><t xml:space="preserve"> b&#x263A;</t></r><rPh><t>no</t></rPh></si></sst>`,
      'xl/worksheets/sheet2.xml': `<worksheet ${MAIN}><!-- > --><cols><col note="a>b"/></cols><sheetData>${rows}</sheetData></worksheet>`,
      ...more,
    }).map(([name, text]) => [name, strToU8(text)]),
  )
const book = (rows: string, more?: Record<string, string>) => zipSync(files(rows, more))

test('what our own workbooks have is read back, cell by cell', async () => {
  const cell = fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .map((text) => text.normalize('NFC').replaceAll(/\p{Cc}|[\ufffe\uffff]/gu, ''))
    .filter((text) => !/^'?[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(text))
  const amount = fc
    .tuple(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 1, max: 999_999 }))
    .map(([whole, part]) => `${whole}.${part}`.replace(/0+$/, ''))
  const rows = fc.array(fc.array(fc.oneof(cell, amount), { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const lines = given.map((cells) => ['x', ...cells])
      const trimmed = lines.map((cells) => cells.slice(0, cells.findLastIndex((each) => each !== '') + 1))
      const found = await read(await writeWorkbook([writeCsv(lines)], async () => undefined))
      assert.deepEqual(
        found.map((cells) => cells.slice(0, cells.findLastIndex((each) => each !== '') + 1)),
        trimmed,
      )
    }),
    { numRuns: 60 },
  )
})

test('what spreadsheets write is read: shared texts, runs, gaps, numbers as they are shown, the first sheet that is shown', async () => {
  const rows =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t>x<![CDATA[<y>]]></t></is></c></row><row r="2"/>' +
    '<row r="3"><c><v>1.1000000000000001</v></c><c><v>1E-3</v></c><c><v>-2.5E+2</v></c><c><v>0.30000000000000004</v></c><c t="b"><v>1</v></c><c s="2"/><c><v>0</v></c></row>'
  assert.deepEqual(await read(book(rows)), [
    ['ETH', '', 'a & b☺', 'x<y>'],
    ['1.1', '0.001', '-250', '0.3', 'true', '', '0'],
  ])
})

test('a number reads as it was typed, to the last of fifteen digits', async () => {
  const digits = fc.tuple(fc.bigInt(1n, 10n ** 15n - 1n), fc.integer({ min: 0, max: 14 }))
  const typed = digits.map(([all, places]) => {
    const text = String(all).padStart(places + 1, '0')
    const whole = text.slice(0, text.length - places)
    const rest = text.slice(text.length - places).replace(/0+$/, '')
    return rest === '' || places === 0 ? whole : `${whole}.${rest}`
  })
  await fc.assert(
    fc.asyncProperty(typed, async (text) => {
      const stored = String(Number(Number(text).toPrecision(17)))
      for (const written of [stored, Number(text).toExponential(16)]) assert.deepEqual(await read(book(`<row><c><v>${written}</v></c></row>`)), [[text]])
    }),
    { numRuns: 100 },
  )
  for (const lost of ['1234567890123456', '1234567890123450', '1e17', '0.12345678901234567']) {
    await assert.rejects(read(book(`<row><c r="B7"><v>${lost}</v></c></row>`)), saying(/B7 has more digits/))
  }
})

test('what could be read in two ways, or calculates, is refused with what to change', async () => {
  const cases: [string, RegExp][] = [
    ['<row><c r="B2"><f>1+1</f><v>2</v></c></row>', /B2 has a formula/],
    ['<row><c r="B2" t="e"><v>#REF!</v></c></row>', /B2 has no value/],
    ['<row><c r="B2" t="d"><v>2026-01-01</v></c></row>', /B2 has no value/],
    ['<row><c r="B2"><v>Infinity</v></c></row>', /B2 is no number/],
    ['<row><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>', /damaged/],
    ['<row><c r="A1" t="s"><v>9</v></c></row>', /damaged/],
    ['<row><c r="XFD1"><v>1</v></c></row>', /more than 9 columns/],
    ['<row><c><v>1</v></c></row>'.repeat(101), /more than 100 lines/],
    ['<row><c t="inlineStr"><is><t>&unknown;</t></is></c></row>', /damaged/],
    ['<row><c>', /damaged/],
    ['<row></c></row>', /damaged/],
    ['<a>'.repeat(100), /damaged/],
  ]
  for (const [rows, words] of cases) await assert.rejects(read(book(rows)), saying(words), rows.slice(0, 80))
  const grows = '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'
  await assert.rejects(read(book('', { 'xl/worksheets/sheet2.xml': grows })), saying(/declares a document type/))
  await assert.rejects(read(book('', { 'xl/worksheets/sheet2.xml': '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>' })), saying(/declares a document type/))
})

test('an archive that would unpack to more than it may, that lies or is protected, is refused', async () => {
  const bomb = { ...files(''), 'xl/worksheets/sheet2.xml': new Uint8Array(40 << 20) }
  await assert.rejects(read(zipSync(bomb, { level: 1 })), saying(/too large/))
  const lying = Buffer.from(zipSync({ ...files(''), 'xl/worksheets/sheet2.xml': new Uint8Array(1 << 20) }))
  const at = lying.lastIndexOf('xl/worksheets/sheet2.xml') - 46
  lying.writeUInt32LE(100, at + 24)
  await assert.rejects(read(lying), saying(/too large|damaged/))
  const secret = Buffer.from(book(''))
  secret.writeUInt16LE(1, secret.lastIndexOf('_rels/.rels') - 46 + 8)
  await assert.rejects(read(secret), saying(/password/))
  const { 'xl/worksheets/sheet2.xml': _, ...fewer } = files('')
  await assert.rejects(read(zipSync(fewer)), saying(/incomplete/))
  await assert.rejects(read(zipSync(Object.fromEntries(Array.from({ length: 501 }, (__, i) => [`f${i}`, new Uint8Array()])))), saying(/too many parts/))
})

test('no bytes at all do anything but be read or refused', async () => {
  const good = book('<row r="1"><c r="A1" t="s"><v>0</v></c></row>')
  const changes = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
  const spoil = (list: [number, number][]) => {
    const bytes = Uint8Array.from(good)
    for (const [at, value] of list) bytes[at] = value
    return bytes
  }
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        changes.map(spoil),
        fc.nat(good.length).map((end) => good.subarray(0, end)),
        fc.uint8Array({ maxLength: 99 }),
      ),
      async (bytes) => {
        await read(bytes).catch((cause) => assert.ok(cause instanceof AppError, String(cause)))
      },
    ),
    { numRuns: 500 },
  )
})

test('a file of values is read whatever it is called, and what is neither is refused', async () => {
  assert.deepEqual(await read('\ufeffa,b\r\n1,"2,3"\r\n'), [
    ['a', 'b'],
    ['1', '2,3'],
  ])
  await assert.rejects(read(Uint8Array.from([0xd0, 0xcf, 0x11])), saying(/old workbook/))
  await assert.rejects(read(Uint8Array.from([0xb9, 0xe9, 0x2c])), saying(/not in UTF-8/))
  await assert.rejects(read('a\n"b'), saying(/line 2/))
  await assert.rejects(read('a\0b'), saying(/NUL/))
  await assert.rejects(read('x\n'.repeat(101)), saying(/more than 100 lines/))
})

test('a text that many cells share is looked at once, however many have it', async (t) => {
  const decomposed = 'e\u0301'.repeat(99)
  const shared = { 'xl/sharedStrings.xml': `<sst ${MAIN}><si><t>${decomposed}</t></si></sst>` }
  const bytes = book(`<row>${'<c t="s"><v>0</v></c>'.repeat(9)}</row>`.repeat(100), shared)
  let units = 0
  const { normalize } = String.prototype
  t.mock.method(String.prototype, 'normalize', function count(this: string, form: string) {
    units += this.length
    return normalize.call(this, form)
  })
  const lines = await read(bytes)
  t.mock.restoreAll()
  assert.deepEqual(
    lines,
    Array.from({ length: 100 }, () => Array.from({ length: 9 }, () => '\u00e9'.repeat(99))),
  )
  assert.ok(units <= 2 * decomposed.length, `${units} characters were looked at`)
})

test('a text that is longer than a cell can be is refused by the cell that has it, and not looked at', async (t) => {
  const about = (field: string) => (cause: unknown) => {
    assert.ok(cause instanceof AppError)
    assert.equal(cause.details['field'], field)
    return saying(/^it must have at most 32767 characters$/)(cause)
  }
  const long = 'x'.repeat(32_768)
  const whole = long.slice(1)
  const shared = (text: string) => ({
    'xl/sharedStrings.xml': `<sst ${MAIN}><si><t>a</t></si><si><r><t>${text.slice(9)}</t></r><r><t>${text.slice(0, 9)}</t></r></si></sst>`,
  })
  const refers = '<row><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
  const inline = (text: string) => `<row><c r="C4" t="inlineStr"><is><t>${text}</t></is></c></row>`
  const looked = t.mock.method(String.prototype, 'normalize')
  await assert.rejects(read(book(inline(long))), about('cell C4'))
  await assert.rejects(read(book(`<row><c r="C4" t="str"><v>${long}</v></c></row>`)), about('cell C4'))
  await assert.rejects(read(book(`<row><c r="C4"><v>${'1'.repeat(32_768)}</v></c></row>`)), about('cell C4'))
  await assert.rejects(read(long), about('cell 1 of row 1'))
  assert.equal(looked.mock.callCount(), 0)
  await assert.rejects(read(`a,b\nc,"${long}"`), about('cell 2 of row 2'))
  await assert.rejects(read(book(refers, shared(long))), about('cell B1'))
  t.mock.restoreAll()
  assert.deepEqual(await read(book(refers, shared(whole))), [['a', whole]])
  assert.deepEqual(await read(book(inline(whole))), [['', '', whole]])
  assert.deepEqual(await read(`a,b\nc,${whole}`), [
    ['a', 'b'],
    ['c', whole],
  ])
})

test('a workbook whose cells would have more text together than a table may is refused, small as it is packed', async () => {
  const shared = { 'xl/sharedStrings.xml': `<sst ${MAIN}><si><t>${'x'.repeat(32_767)}</t></si></sst>` }
  const bytes = book(`<row>${'<c t="s"><v>0</v></c>'.repeat(9)}</row>`.repeat(100), shared)
  assert.ok(bytes.length < 4096, String(bytes.length))
  await assert.rejects(read(bytes), saying(/^the workbook is too large: split it$/))
})
