import type { Disk } from '@holdfast/ports'
import { known, visibleText } from '@holdfast/units'
import PDFDocument from 'pdfkit'
import { encodeQR } from 'qr'
import { breakLines } from './break-lines.ts'
import { type Fonts, fontsFor } from './font-slices.ts'

/** A label, its value, and what is said of that in smaller letters under it. */
export type SheetRow = { label: string; value: string; under?: string[] }

/** A document under a letterhead: what must be seen first, headed lists, and a code to verify it by. Texts of strangers may stand anywhere in it. */
export type Sheet = {
  /** BCP 47, such as en-US. */
  language: string
  /** Whose document it is. Its mark is the first letter. */
  letterhead: string
  title: string
  /** At the right of the letterhead, such as number and date. */
  reference: string[]
  /** What must be seen first. `isDone` colours the state. */
  headline: { amount: string; state: string; isDone: boolean; under: string[] }
  sections: { title: string; rows: SheetRow[] }[]
  /** What is said of verifying it; `code` is drawn as a QR code beside its rows. */
  proof: { title: string; code: string; rows: SheetRow[]; notes: string[] }
  /** At the foot of each page; `{page}` and `{pages}` stand for the numbers. */
  foot: string
  madeAtMs: number
}

const MARGIN = 56
const LABEL_WIDTH = 132
const INK = '#17191f'
const DIM = '#5b6270'
const LINE = '#d9dce3'
const PANEL = '#f4f6fa'
const ACCENT = '#2c4bb8'
const GOOD = '#1c6b3c'
const OPEN = '#8a5a00'
const LEADING = 1.45
const FOOT_HEIGHT = 30
const MARK = 34
const CODE = 104
const ROW_GAP = 4
const [AMOUNT_SIZE, TITLE_SIZE, HEADING_SIZE, TEXT_SIZE, SMALL_SIZE] = [22, 19, 11.5, 9.5, 8.5]
const HEADING_HEIGHT = 16 + HEADING_SIZE * LEADING + 3

/**
 * Writes a sheet as a PDF on A4 pages, with every font it needs inside. What no font draws is shown by its number, as in `[U+1F600]`. A part that fits on a
 * page is not broken over two.
 */
export async function writePdf(disk: Pick<Disk, 'read'>, sheet: Sheet): Promise<Uint8Array> {
  const text = textsOf(sheet).map(plainText).join('') + '0123456789[]U+ABCDEF'
  const pen = new Pen(sheet, { regular: await fontsFor(disk, text, 400), bold: await fontsFor(disk, text, 600) })
  pen.letterhead(sheet)
  pen.write(sheet.title, { size: TITLE_SIZE, weight: 'bold' })
  pen.gap(12)
  pen.headline(sheet.headline)
  for (const section of sheet.sections) {
    pen.keep(HEADING_HEIGHT + pen.heightOf(section.rows, pen.width))
    pen.heading(section.title)
    for (const row of section.rows) pen.row(row, { x: MARGIN, width: pen.width })
  }
  pen.proof(sheet.proof)
  pen.feet(sheet.foot)
  return pen.end()
}

/** The font has no angle brackets, which stand around the number of a character that cannot be seen. */
const plainText = (text: string): string => visibleText(text).replace(/[⟨⟩]/g, (bracket) => (bracket === '⟨' ? '[' : ']'))

function textsOf({ letterhead, title, reference, headline, sections, proof, foot }: Sheet): string[] {
  const rows = [...sections, proof].flatMap((each) => [each.title, ...each.rows.flatMap(({ label, value, under = [] }) => [label, value, ...under])])
  return [letterhead, markOf(letterhead), title, ...reference, headline.amount, headline.state, ...headline.under, ...rows, ...proof.notes, foot]
}

/** The first letter of a name, as its mark. */
const markOf = (name: string): string => [...plainText(name).trim()][0]?.toUpperCase() ?? ''

type Weight = 'regular' | 'bold'
type Look = { size: number; colour?: string; weight?: Weight }
type Column = { x: number; width: number }

class Pen {
  readonly #document: PDFDocument
  readonly #fonts: Record<Weight, Fonts>
  readonly #whole: Promise<Uint8Array>
  #y = MARGIN

  constructor({ language, title, madeAtMs }: Sheet, fonts: Record<Weight, Fonts>) {
    const info = { Title: title, Creator: 'Holdfast', Producer: 'Holdfast', CreationDate: new Date(madeAtMs) }
    // The foot stands below the margin, which would make the library begin another page: margins are kept here.
    const document = new PDFDocument({ size: 'A4', margin: 0, bufferPages: true, lang: language, displayTitle: true, info })
    for (const weight of ['regular', 'bold'] as const) for (const [name, file] of fonts[weight].files) document.registerFont(`${weight} ${name}`, file)
    this.#document = document
    this.#fonts = fonts
    const pieces: Uint8Array[] = []
    this.#whole = new Promise((resolve, reject) => {
      document.on('data', (piece) => pieces.push(piece))
      document.on('end', () => resolve(new Uint8Array(Buffer.concat(pieces))))
      document.on('error', reject)
    })
  }

  get width(): number {
    return this.#document.page.width - 2 * MARGIN
  }

  write(text: string, look: Look, { x, width }: Column = { x: MARGIN, width: this.width }): void {
    for (const line of this.#lines(text, look, width)) {
      this.keep(look.size * LEADING)
      this.#draw(line, x, this.#y, look)
      this.#y += look.size * LEADING
    }
  }

  /** The mark and the name at the left, numbers and dates at the right, a line under both. */
  letterhead({ letterhead, reference }: Sheet): void {
    const top = this.#y
    this.#document.roundedRect(MARGIN, top, MARK, MARK, 8).fill(ACCENT)
    const look: Look = { size: 17, colour: '#ffffff', weight: 'bold' }
    const mark = markOf(letterhead)
    if (this.#fonts.bold.sliceOf.has(mark)) this.#draw(mark, MARGIN + (MARK - this.#measure(mark, look)) / 2, top + 5, look)
    const half = this.width / 2
    this.#y = top + 7
    this.write(letterhead, { size: 13, weight: 'bold' }, { x: MARGIN + MARK + 12, width: half - MARK - 24 })
    const left = this.#y
    this.#y = top + 2
    for (const text of reference) {
      for (const line of this.#lines(text, { size: SMALL_SIZE }, half)) {
        const x = MARGIN + this.width - this.#measure(line, { size: SMALL_SIZE })
        this.#draw(line, x, this.#y, { size: SMALL_SIZE, colour: DIM })
        this.#y += SMALL_SIZE * LEADING
      }
    }
    this.#y = Math.max(left, this.#y, top + MARK) + 12
    this.#rule()
    this.gap(18)
  }

  headline({ amount, state, isDone, under }: Sheet['headline']): void {
    const column = { x: MARGIN + 16, width: this.width - 32 }
    const parts: [string, Look][] = [
      [amount, { size: AMOUNT_SIZE, weight: 'bold' }],
      ...under.map((text): [string, Look] => [text, { size: 10, colour: DIM }]),
      [state, { size: 10, colour: isDone ? GOOD : OPEN, weight: 'bold' }],
    ]
    const height = parts.reduce((sum, [text, look]) => sum + this.#lines(text, look, column.width).length * look.size * LEADING, 22)
    this.#document.roundedRect(MARGIN, this.#y, this.width, height, 8).fill(PANEL)
    this.gap(10)
    for (const [text, look] of parts) this.write(text, look, column)
    this.gap(12)
  }

  heading(title: string): void {
    this.gap(16)
    this.write(title, { size: HEADING_SIZE, weight: 'bold' })
    this.gap(3)
  }

  /** A label, and beside it its value, line under line. */
  row({ label, value, under = [] }: SheetRow, { x, width }: Column): void {
    this.#rule({ x, width })
    this.gap(ROW_GAP)
    const labelWidth = Math.min(LABEL_WIDTH, width * 0.4)
    const labels = this.#lines(label, { size: TEXT_SIZE }, labelWidth - 12).map((text) => ({ text, size: TEXT_SIZE, colour: INK }))
    const small = under.flatMap((text) => this.#lines(text, { size: SMALL_SIZE }, width - labelWidth))
    const values = [
      ...this.#lines(value, { size: TEXT_SIZE }, width - labelWidth).map((text) => ({ text, size: TEXT_SIZE, colour: INK })),
      ...small.map((text) => ({ text, size: SMALL_SIZE, colour: DIM })),
    ]
    for (let line = 0; line < Math.max(labels.length, values.length); line++) {
      const [left, right] = [labels[line], values[line]]
      const height = (right?.size ?? TEXT_SIZE) * LEADING
      this.keep(height)
      if (left) this.#draw(left.text, x, this.#y, { size: left.size, colour: DIM })
      if (right) this.#draw(right.text, x + labelWidth, this.#y, right)
      this.#y += height
    }
    this.gap(ROW_GAP)
  }

  /** How high some rows are together. */
  heightOf(rows: readonly SheetRow[], width: number): number {
    const labelWidth = Math.min(LABEL_WIDTH, width * 0.4)
    const linesOf = (text: string, size: number, room: number) => this.#lines(text, { size }, room).length
    return rows.reduce((sum, { label, value, under = [] }) => {
      const values = linesOf(value, TEXT_SIZE, width - labelWidth)
      const small = under.reduce((count, text) => count + linesOf(text, SMALL_SIZE, width - labelWidth), 0)
      const labels = linesOf(label, TEXT_SIZE, labelWidth - 12)
      return sum + Math.max(labels * TEXT_SIZE, values * TEXT_SIZE + small * SMALL_SIZE) * LEADING + 2 * ROW_GAP
    }, 0)
  }

  /** The code, what it holds beside it, and under both what can be verified by it. */
  proof({ title, code, rows, notes }: Sheet['proof']): void {
    const beside = { x: MARGIN + CODE + 18, width: this.width - CODE - 18 }
    const notesHeight = notes.reduce((sum, note) => sum + this.#lines(note, { size: SMALL_SIZE }, this.width).length * SMALL_SIZE * LEADING, 0)
    this.keep(HEADING_HEIGHT + Math.max(CODE, this.heightOf(rows, beside.width)) + 10 + notesHeight)
    this.heading(title)
    const top = this.#y
    this.#code(code, MARGIN, top + 2)
    for (const row of rows) this.row(row, beside)
    this.#y = Math.max(this.#y, top + CODE) + 10
    for (const note of notes) this.write(note, { size: SMALL_SIZE, colour: DIM })
  }

  gap(points: number): void {
    this.#y += points
  }

  feet(text: string): void {
    const { start, count } = this.#document.bufferedPageRange()
    for (let page = start; page < start + count; page++) {
      this.#document.switchToPage(page)
      const words = text.replace('{page}', String(page + 1)).replace('{pages}', String(count))
      const [line = ''] = this.#lines(words, { size: 8 }, this.width)
      this.#draw(line, MARGIN, this.#document.page.height - MARGIN + 8, { size: 8, colour: DIM })
    }
  }

  end(): Promise<Uint8Array> {
    this.#document.end()
    return this.#whole
  }

  /** Goes on on another page where this one has no room left for it; what no page has room for is broken. */
  keep(height: number): void {
    const room = this.#document.page.height - MARGIN - FOOT_HEIGHT
    if (this.#y === MARGIN || this.#y + Math.min(height, room - MARGIN) <= room) return
    this.#document.addPage()
    this.#y = MARGIN
  }

  #rule({ x, width }: Column = { x: MARGIN, width: this.width }): void {
    const y = this.#y
    this.#document
      .lineWidth(0.5)
      .strokeColor(LINE)
      .moveTo(x, y)
      .lineTo(x + width, y)
      .stroke()
  }

  #code(text: string, x: number, y: number): void {
    const modules = encodeQR(text, 'raw', { border: 1 })
    const size = CODE / modules.length
    for (const [at, row] of modules.entries())
      for (const [along, isDark] of row.entries()) if (isDark) this.#document.rect(x + along * size, y + at * size, size, size)
    this.#document.fill(INK)
  }

  #lines(text: string, look: Look, width: number): string[] {
    // Line breaks are kept; whatever else cannot be seen, or drawn, is shown by its number.
    const seen = text
      .split('\n')
      .map((line) => [...visibleText(line)].map((each) => this.#drawable(each)).join(''))
      .join('\n')
    return breakLines(seen, width, (part) => this.#measure(part, look))
  }

  #drawable(character: string): string {
    return this.#fonts.regular.sliceOf.has(character)
      ? character
      : `[U+${known(character.codePointAt(0), 'the character').toString(16).toUpperCase().padStart(4, '0')}]`
  }

  /** Parts of a text that one font draws. */
  #runs(text: string, weight: Weight): { font: string; text: string }[] {
    const runs: { font: string; text: string }[] = []
    for (const character of text) {
      const font = `${weight} ${known(this.#fonts[weight].sliceOf.get(character), `the font of ${character}`)}`
      const last = runs.at(-1)
      if (last?.font === font) last.text += character
      else runs.push({ font, text: character })
    }
    return runs
  }

  #measure(text: string, { size, weight = 'regular' }: Look): number {
    this.#document.fontSize(size)
    return this.#runs(text, weight).reduce((width, run) => width + this.#document.font(run.font).widthOfString(run.text), 0)
  }

  #draw(line: string, x: number, y: number, { size, colour = INK, weight = 'regular' }: Look): void {
    this.#document.fontSize(size).fillColor(colour)
    for (const { font, text } of this.#runs(line, weight)) {
      this.#document.font(font).text(text, x, y, { lineBreak: false })
      x += this.#document.widthOfString(text)
    }
  }
}
