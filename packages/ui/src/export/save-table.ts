import { browserPorts } from '@holdfast/ports/browser'
import { downloadFile } from '../base/download.ts'

/** The kinds of file that a list can be written into. */
export const TABLE_FORMATS = ['csv', 'xlsx'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]

/** Takes out of a file's name what none may have; `holdfast` where nothing is left. */
export function fileName(name: string): string {
  const safe = name
    .replace(/[^\p{L}\p{N}._-]+/gu, ' ')
    .trim()
    .slice(0, 80)
  return safe || 'holdfast'
}

/** Hands the parts of one CSV file to the browser as that file, or as a workbook. What writes workbooks is fetched with the first one. */
export async function saveTable(name: string, parts: readonly string[], format: TableFormat): Promise<void> {
  downloadFile(`${fileName(name)}.${format}`, await fileOf(parts, format))
}

async function fileOf(parts: readonly string[], format: TableFormat): Promise<Uint8Array<ArrayBuffer>> {
  if (format === 'csv') return new TextEncoder().encode(parts.join(''))
  const { writeWorkbook } = await import('./write-workbook.ts')
  return writeWorkbook(parts, () => browserPorts.timer.sleep(0))
}
