import { downloadFile } from '@holdfast/ui'
import { CSV_START, writeCsvLine } from '@holdfast/units'

/** Hands lines to the browser as a CSV file. What a file must not be called is taken out of its name. */
export function downloadCsv(name: string, lines: readonly (readonly string[])[]): void {
  const safe = name
    .replace(/[^\p{L}\p{N} ._-]+/gu, ' ')
    .trim()
    .slice(0, 80)
  downloadFile(`${safe || 'holdfast'}.csv`, new TextEncoder().encode(CSV_START + lines.map(writeCsvLine).join('')))
}
