import type { Disk } from '@holdfast/ports'
import { known, visibleText } from '@holdfast/units'
import PDFDocument from 'pdfkit'
import { breakLines } from './break-lines.ts'
import { type Fonts, fontsFor } from './font-slices.ts'

/** A document of headed lists: a label and what stands for it, row by row. Texts of strangers may stand anywhere in it. */
export type Sheet = {
  /** BCP 47, such as en-US. */
  language: string
  title: string
  /** What must be seen first, such as the state and the amount. */
  lead: string[]
  sections: { title: string; rows: { label: string; value: string }[] }[]
  /** Stands below, small. */
  notes: string[]
  /** At the foot of each page; `{page}` and `{pages}` stand for the numbers. */
  foot: string
  madeAtMs: number
}

const MARGIN = 56
const LABEL_WIDTH = 138
const INK = '#17191f'
const DIM = '#5b6270'
const LINE = '#d9dce3'
const LEADING = 1.45
/** A heading does not stand alone at the end of a page. */
const HEADING_NEEDS = 60
const FOOT_HEIGHT = 30

/** Writes a sheet as a PDF on A4 pages, with every font it needs inside. What no font draws is shown by its number, as in `[U+1F600]`. */
export async function writePdf(disk: Pick<Disk, 'read'>, sheet: Sheet): Promise<Uint8Array> {
  const texts = [sheet.title, ...sheet.lead, ...sheet.notes, sheet.foot, '0123456789[]U+ABCDEF', ...sheet.sections.flatMap(textsOf)]
  const pen = new Pen(sheet, await fontsFor(disk, texts.map(plainText).join('')))
  pen.write(sheet.title, { size: 19 })
  pen.gap(4)
  for (const line of sheet.lead) pen.write(line, { size: 12 })
  for (const { title, rows } of sheet.sections) {
    pen.heading(title)
    for (const { label, value } of rows) pen.row(label, value)
  }
  pen.gap(14)
  for (const note of sheet.notes) pen.write(note, { size: 8.5, colour: DIM })
  pen.feet(sheet.foot)
  return pen.end()
}

/** The font has no angle brackets, which stand around the number of a character that cannot be seen. */
const plainText = (text: string): string => visibleText(text).replace(/[⟨⟩]/g, (bracket) => (bracket === '⟨' ? '[' : ']'))

const textsOf = ({ title, rows }: Sheet['sections'][number]): string[] => [title, ...rows.flatMap(({ label, value }) => [label, value])]

type Look = { size: number; colour?: string; x?: number; width?: number }

class Pen {
  readonly #document: PDFDocument
  readonly #fonts: Fonts
  readonly #whole: Promise<Uint8Array>
  #y = MARGIN

  constructor({ language, title, madeAtMs }: Sheet, fonts: Fonts) {
    const info = { Title: title, Creator: 'Holdfast', Producer: 'Holdfast', CreationDate: new Date(madeAtMs) }
    // The foot stands below the margin, which would make the library begin another page: margins are kept here.
    const document = new PDFDocument({ size: 'A4', margin: 0, bufferPages: true, lang: language, displayTitle: true, info })
    for (const [name, file] of fonts.files) document.registerFont(name, file)
    this.#document = document
    this.#fonts = fonts
    const pieces: Uint8Array[] = []
    this.#whole = new Promise((resolve, reject) => {
      document.on('data', (piece) => pieces.push(piece))
      document.on('end', () => resolve(new Uint8Array(Buffer.concat(pieces))))
      document.on('error', reject)
    })
  }

  get #width(): number {
    return this.#document.page.width - 2 * MARGIN
  }

  write(text: string, { size, colour = INK, x = MARGIN, width = this.#width }: Look): void {
    for (const line of this.#lines(text, size, width)) {
      this.#need(size * LEADING)
      this.#draw(line, x, this.#y, { size, colour })
      this.#y += size * LEADING
    }
  }

  heading(title: string): void {
    this.gap(16)
    this.#need(HEADING_NEEDS)
    this.write(title, { size: 11.5 })
    this.gap(3)
  }

  /** A label, and beside it its value, line under line. */
  row(label: string, value: string): void {
    this.#rule()
    this.gap(4)
    const size = 9.5
    const x = MARGIN + LABEL_WIDTH
    const labels = this.#lines(label, size, LABEL_WIDTH - 12)
    const values = this.#lines(value, size, this.#width - LABEL_WIDTH)
    for (let line = 0; line < Math.max(labels.length, values.length); line++) {
      this.#need(size * LEADING)
      const [left, right] = [labels[line], values[line]]
      if (left !== undefined) this.#draw(left, MARGIN, this.#y, { size, colour: DIM })
      if (right !== undefined) this.#draw(right, x, this.#y, { size, colour: INK })
      this.#y += size * LEADING
    }
    this.gap(4)
  }

  gap(points: number): void {
    this.#y += points
  }

  feet(text: string): void {
    const { start, count } = this.#document.bufferedPageRange()
    for (let page = start; page < start + count; page++) {
      this.#document.switchToPage(page)
      const words = text.replace('{page}', String(page + 1)).replace('{pages}', String(count))
      const [line = ''] = this.#lines(words, 8, this.#width)
      this.#draw(line, MARGIN, this.#document.page.height - MARGIN + 8, { size: 8, colour: DIM })
    }
  }

  end(): Promise<Uint8Array> {
    this.#document.end()
    return this.#whole
  }

  #need(height: number): void {
    if (this.#y + height <= this.#document.page.height - MARGIN - FOOT_HEIGHT) return
    this.#document.addPage()
    this.#y = MARGIN
  }

  #rule(): void {
    this.#need(HEADING_NEEDS / 3)
    const y = this.#y
    this.#document
      .lineWidth(0.5)
      .strokeColor(LINE)
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + this.#width, y)
      .stroke()
  }

  #lines(text: string, size: number, width: number): string[] {
    // Line breaks are kept; whatever else cannot be seen, or drawn, is shown by its number.
    const seen = text
      .split('\n')
      .map((line) => [...visibleText(line)].map((each) => this.#drawable(each)).join(''))
      .join('\n')
    return breakLines(seen, width, (part) => this.#measure(part, size))
  }

  #drawable(character: string): string {
    return this.#fonts.sliceOf.has(character)
      ? character
      : `[U+${known(character.codePointAt(0), 'the character').toString(16).toUpperCase().padStart(4, '0')}]`
  }

  /** Parts of a text that one font draws. */
  #runs(text: string): { slice: string; text: string }[] {
    const runs: { slice: string; text: string }[] = []
    for (const character of text) {
      const slice = known(this.#fonts.sliceOf.get(character), `the font of ${character}`)
      const last = runs.at(-1)
      if (last?.slice === slice) last.text += character
      else runs.push({ slice, text: character })
    }
    return runs
  }

  #measure(text: string, size: number): number {
    this.#document.fontSize(size)
    return this.#runs(text).reduce((width, run) => width + this.#document.font(run.slice).widthOfString(run.text), 0)
  }

  #draw(line: string, x: number, y: number, { size, colour }: { size: number; colour: string }): void {
    this.#document.fontSize(size).fillColor(colour)
    for (const { slice, text } of this.#runs(line)) {
      this.#document.font(slice).text(text, x, y, { lineBreak: false })
      x += this.#document.widthOfString(text)
    }
  }
}
