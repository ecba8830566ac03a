import { posix } from 'node:path'
import { readXml } from './read-xml.ts'
import { TableFault } from './table-fault.ts'
import { demandShort, textOfCell } from './text-of-cell.ts'
import { type Archive, unzipWithin } from './unzip-within.ts'

/** What all parts of a workbook that are read may have, unpacked. */
const BYTES_MAX = 32 << 20
/** What all cells of a sheet may have together. A text that many cells share stands in the file once, and is read by whoever works on the table in each. */
const CHARACTERS_MAX = 4 << 20
/** As many digits as a spreadsheet calculates with, and shows. */
const DIGITS = 15
const OFFICE_DOCUMENT = '/officeDocument'
const SHARED_STRINGS = '/sharedStrings'

export type TableLimits = { rowsMax: number; columnsMax: number }

type Relation = { id: string; type: string; target: string }

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

function xmlOf(archive: Archive, name: string): string {
  try {
    return strictUtf8.decode(archive.open(name))
  } catch (cause) {
    if (cause instanceof TableFault) throw cause
    throw new TableFault('the workbook is damaged: save it again', { cause })
  }
}

function relationsOf(archive: Archive, of: string): Relation[] {
  const folder = posix.dirname(of)
  const name = posix.join(folder, '_rels', `${posix.basename(of)}.rels`)
  const relations: Relation[] = []
  if (of !== '' && !archive.has(name)) return relations
  readXml(xmlOf(archive, of === '' ? '_rels/.rels' : name), {
    open: (tag, attributes) => {
      if (tag !== 'Relationship' || attributes.get('TargetMode') === 'External') return
      const target = attributes.get('Target') ?? ''
      const path = target.startsWith('/') ? target.slice(1) : posix.join(of === '' ? '' : folder, target)
      relations.push({ id: attributes.get('Id') ?? '', type: attributes.get('Type') ?? '', target: path })
    },
    text: () => undefined,
    close: () => undefined,
  })
  return relations
}

/** The id of the first sheet that is shown. */
function firstSheet(workbook: string): string {
  const ids: string[] = []
  readXml(workbook, {
    open: (tag, attributes) => {
      const state = attributes.get('state') ?? 'visible'
      const id = [...attributes].find(([name]) => name.endsWith(':id'))?.[1]
      if (tag === 'sheet' && state === 'visible' && id !== undefined) ids.push(id)
    },
    text: () => undefined,
    close: () => undefined,
  })
  const [id] = ids
  if (id === undefined) throw new TableFault('the workbook has no sheet that is shown')
  return id
}

/** Texts as cells have them: runs of one format after the other, without what tells how to pronounce them. */
function textCollector() {
  let text = ''
  let isText = false
  let phonetic = 0
  return {
    open: (tag: string) => {
      if (tag === 'rPh') phonetic++
      isText = tag === 't' && phonetic === 0
    },
    text: (piece: string) => {
      if (isText) text += piece
    },
    close: (tag: string) => {
      if (tag === 'rPh') phonetic--
      isText = false
    },
    take: () => {
      const whole = text
      text = ''
      return whole
    },
  }
}

/** The texts that cells refer to by number, as they stand in the file. */
function sharedTexts(xml: string): string[] {
  const texts: string[] = []
  const collector = textCollector()
  readXml(xml, {
    open: collector.open,
    text: collector.text,
    close: (tag) => {
      collector.close(tag)
      if (tag === 'si') texts.push(collector.take())
    },
  })
  return texts
}

/** A number as the spreadsheet shows it. It is kept in binary, so 1.1 may be written as 1.1000000000000001; where 15 digits do not say it, it lost some. */
function shownNumber(text: string, where: string): string {
  const value = Number(text)
  if (!/^-?[0-9.]+(?:[eE][+-]?[0-9]+)?$/.test(text) || !Number.isFinite(value)) throw new TableFault(`cell ${where} is no number: write it as text`)
  const digits = value.toPrecision(DIGITS)
  const plain = plainDecimal(digits)
  // A whole number of 16 digits has lost its last ones already where it was typed.
  if (Math.abs(Number(digits) - value) > Math.abs(value) * Number.EPSILON || /^-?\d{16}/.test(plain)) {
    throw new TableFault(`cell ${where} has more digits than a spreadsheet keeps: format the cell as text and type it again`)
  }
  return plain
}

function plainDecimal(digits: string): string {
  const [mantissa = '', exponent = '0'] = digits.toLowerCase().split('e')
  const sign = mantissa.startsWith('-') ? '-' : ''
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const shift = Number(exponent)
  const all = `${whole}${fraction}`
  const point = whole.length + shift
  const padded = point <= 0 ? `${'0'.repeat(1 - point)}${all}` : all.padEnd(point, '0')
  const at = Math.max(1, point)
  const integer = padded.slice(0, at).replace(/^0+(?=\d)/, '')
  const rest = padded.slice(at).replace(/0+$/, '')
  const text = rest === '' ? integer : `${integer}.${rest}`
  return text === '0' ? text : `${sign}${text}`
}

/** The number of a column from its letters, such as 27 from AB; undefined for what is no cell. */
function columnOf(reference: string): number | undefined {
  const [, letters] = /^([A-Z]{1,3})[1-9][0-9]{0,6}$/.exec(reference) ?? []
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

type Cell = { where: string; column: number; kind: string; value: string }

/** Reads the cells of one sheet, row by row. */
class SheetReader {
  readonly rows: string[][] = []
  private readonly shared: readonly string[]
  /** The shared texts that a cell has referred to: each is looked at once, however many cells have it. */
  private readonly sound = new Map<number, string>()
  private characters = 0
  private readonly limits: TableLimits
  private readonly inline = textCollector()
  private row: string[] = []
  private cell: Cell | undefined
  private isValue = false

  constructor(shared: readonly string[], limits: TableLimits) {
    this.shared = shared
    this.limits = limits
  }

  open(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (tag === 'row') this.row = []
    else if (tag === 'c') this.begin(attributes)
    else if (tag === 'f') throw new TableFault(`cell ${this.cell?.where ?? ''} has a formula: paste its value in place of it`)
    else if (tag === 'v') this.isValue = true
    if (this.cell) this.inline.open(tag)
  }

  text(piece: string): void {
    if (!this.cell) return
    if (this.isValue) this.cell.value += piece
    else this.inline.text(piece)
  }

  close(tag: string): void {
    if (this.cell) this.inline.close(tag)
    if (tag === 'v') this.isValue = false
    else if (tag === 'c' && this.cell) {
      const text = this.valueOf(this.cell)
      this.characters += text.length
      if (this.characters > CHARACTERS_MAX) throw new TableFault('the workbook is too large: split it')
      this.row[this.cell.column] = text
      this.cell = undefined
    } else if (tag === 'row') this.endRow()
  }

  private begin(attributes: ReadonlyMap<string, string>): void {
    const reference = attributes.get('r')
    const column = reference === undefined ? this.row.length : columnOf(reference)
    if (column === undefined || this.row[column] !== undefined) throw new TableFault('the workbook is damaged: save it again')
    if (column >= this.limits.columnsMax) throw new TableFault(`the sheet has more than ${this.limits.columnsMax} columns: take out those that are not needed`)
    this.cell = { where: reference ?? `${column + 1} of row ${this.rows.length + 1}`, column, kind: attributes.get('t') ?? 'n', value: '' }
  }

  private valueOf({ where, kind, value }: Cell): string {
    const inline = this.inline.take()
    if (kind === 'inlineStr') return textOfCell(inline, `cell ${where}`)
    if (value === '') return ''
    demandShort(value, `cell ${where}`)
    switch (kind) {
      case 's':
        return this.sharedText(Number(value), where)
      case 'n':
        return shownNumber(value, where)
      case 'b':
        return value === '1' ? 'true' : 'false'
      case 'str':
        return textOfCell(value, `cell ${where}`)
      default:
        throw new TableFault(`cell ${where} has no value that can be read: write it as text`)
    }
  }

  private sharedText(number: number, where: string): string {
    const known = this.sound.get(number)
    if (known !== undefined) return known
    const given = this.shared[number]
    if (given === undefined) throw new TableFault('the workbook is damaged: save it again')
    const text = textOfCell(given, `cell ${where}`)
    this.sound.set(number, text)
    return text
  }

  private endRow(): void {
    const cells = Array.from(this.row, (cell) => cell ?? '')
    if (cells.every((cell) => cell === '')) return
    if (this.rows.length >= this.limits.rowsMax) throw new TableFault(`the file has more than ${this.limits.rowsMax} lines: split it`)
    this.rows.push(cells)
  }
}

/**
 * The lines of the first sheet of a workbook (XLSX) that is shown, as texts; lines without anything in them are left out. A number is as the spreadsheet shows
 * it. Formulas, dates of their own kind, errors, passwords and document types are refused. Throws TableFault, which says what to change.
 */
export function readWorkbook(bytes: Uint8Array, limits: TableLimits): string[][] {
  const archive = unzipWithin(bytes, BYTES_MAX)
  const book = relationsOf(archive, '').find(({ type }) => type.endsWith(OFFICE_DOCUMENT))?.target ?? 'xl/workbook.xml'
  const parts = relationsOf(archive, book)
  const id = firstSheet(xmlOf(archive, book))
  const sheet = parts.find((part) => part.id === id)?.target
  if (sheet === undefined) throw new TableFault('the workbook is incomplete: save it again')
  const texts = parts.find(({ type }) => type.endsWith(SHARED_STRINGS))?.target
  const reader = new SheetReader(texts === undefined ? [] : sharedTexts(xmlOf(archive, texts)), limits)
  readXml(xmlOf(archive, sheet), reader)
  return reader.rows
}
