/** What is used of the two libraries, which bring no types of their own. */
declare module 'pdfkit' {
  type Options = { size: string; margin: number; bufferPages: boolean; lang: string; displayTitle: boolean; info: Record<string, string | Date> }
  export default class PDFDocument {
    constructor(options: Options)
    readonly page: { width: number; height: number }
    registerFont(name: string, source: Uint8Array): this
    font(name: string): this
    fontSize(points: number): this
    fillColor(colour: string): this
    lineWidth(points: number): this
    strokeColor(colour: string): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    stroke(): this
    rect(x: number, y: number, width: number, height: number): this
    roundedRect(x: number, y: number, width: number, height: number, radius: number): this
    fill(colour: string): this
    widthOfString(text: string): number
    text(text: string, x: number, y: number, options: { lineBreak: false }): this
    addPage(): this
    bufferedPageRange(): { start: number; count: number }
    switchToPage(page: number): this
    on(event: 'data', hear: (piece: Uint8Array) => void): this
    on(event: 'end', hear: () => void): this
    on(event: 'error', hear: (cause: Error) => void): this
    end(): void
  }
}

declare module 'fontkit' {
  export function create(font: Uint8Array): { characterSet: number[] }
}

declare module 'subset-font' {
  /** A font with the glyphs of `text` alone, and one weight of it. */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: { targetFormat: 'sfnt'; keepFeatures: string[]; variationAxes: { wght: number } },
  ): Promise<Uint8Array>
}
