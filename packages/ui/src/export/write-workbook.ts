import { readCsv } from '@holdfast/units'
import { strToU8, Zip, ZipDeflate } from 'fflate'

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** What stands around the sheet in the smallest workbook that spreadsheets open (ECMA-376): no formulas, no macros, no links. */
const AROUND: Readonly<Record<string, string>> = {
  '[Content_Types].xml':
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Holdfast" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
}
const SHEET_START = `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
/** Longer text a spreadsheet does not take in one cell. */
const CELL_MAX = 32_767
/** A spreadsheet calculates with this many digits and writes zeros for the others. */
const DIGITS_MAX = 15

/**
 * A workbook (XLSX) of the parts of one CSV file, the head of its columns first. A column is one of numbers where each of its
 * cells is a number that a spreadsheet holds to the last digit, and else one of text: no digit of an amount is lost, and no sum
 * leaves a cell out unseen. Text is never a formula. `pause` is awaited between parts, so that a long list does not hold up the page.
 */
export async function writeWorkbook(parts: readonly string[], pause: () => Promise<void>): Promise<Uint8Array<ArrayBuffer>> {
  const isNumber = await numberColumns(parts, pause)
  const pieces: Uint8Array[] = []
  let fault: Error | null = null
  const zip = new Zip((error, piece) => {
    fault ??= error
    pieces.push(piece)
  })
  const add = (name: string) => {
    const file = new ZipDeflate(name, { level: 6 })
    zip.add(file)
    return file
  }
  for (const [name, text] of Object.entries(AROUND)) add(name).push(strToU8(HEAD + text), true)
  const sheet = add('xl/worksheets/sheet1.xml')
  sheet.push(strToU8(HEAD + SHEET_START))
  for (const [at, part] of parts.entries()) {
    const rows = readCsv(part).map((cells, row) => writeRow(cells, (column) => (at > 0 || row > 0) && isNumber[column] === true))
    sheet.push(strToU8(rows.join('')))
    await pause()
  }
  sheet.push(strToU8('</sheetData></worksheet>'), true)
  zip.end()
  if (fault) throw fault
  return joined(pieces)
}

async function numberColumns(parts: readonly string[], pause: () => Promise<void>): Promise<boolean[]> {
  const [head = []] = readCsv(parts[0] ?? '')
  const isNumber = head.map(() => true)
  for (const [at, part] of parts.entries()) {
    for (const cells of readCsv(part).slice(at === 0 ? 1 : 0)) {
      for (const [column, cell] of cells.entries()) if (cell !== '' && !isExact(cell)) isNumber[column] = false
    }
    await pause()
  }
  return isNumber
}

/** Whether a spreadsheet shows a number as it is written: without zeros before it, and with no more digits than it calculates with. */
function isExact(text: string): boolean {
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && text.replace(/^-?0?\.?0*|\./g, '').length <= DIGITS_MAX
}

function writeRow(cells: readonly string[], isNumber: (column: number) => boolean): string {
  return `<row>${cells.map((cell, column) => writeCell(cell, isNumber(column))).join('')}</row>`
}

function writeCell(text: string, isNumber: boolean): string {
  if (text === '') return '<c/>'
  if (isNumber) return `<c><v>${text}</v></c>`
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, CELL_MAX))}</t></is></c>`
}

/** Controls are left out, which XML 1.0 cannot say; what it would read as its own is written by number. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
