import type { CallInput } from '@holdfast/contract'
import { at, CsvFault, readCsv } from '@holdfast/units'
import { IMPORT_MAX, type importPersonal } from '../contract.ts'

export type ImportLine = CallInput<typeof importPersonal>['rows'][number]

/** The columns of a file, in the order in which an export writes them. */
export const BOOK_COLUMNS = ['name', 'chain', 'address', 'memo', 'note'] as const

export type ReadFile = { lines: ImportLine[] } | { fault: 'csv' | 'columns' | 'empty' | 'many'; detail: string }

/** The contacts that a CSV file names. Its first line says which column is which, by the words that an export writes in either language. */
export function readBookFile(text: string, words: Readonly<Record<(typeof BOOK_COLUMNS)[number], readonly string[]>>): ReadFile {
  let table: string[][]
  try {
    table = readCsv(text)
  } catch (cause) {
    if (cause instanceof CsvFault) return { fault: 'csv', detail: cause.message }
    throw cause
  }
  const [head = [], ...rest] = table
  const places = BOOK_COLUMNS.map((column) => head.findIndex((cell) => words[column].some((word) => word.toLowerCase() === cell.trim().toLowerCase())))
  if (places.slice(0, 3).some((place) => place < 0))
    return {
      fault: 'columns',
      detail: BOOK_COLUMNS.slice(0, 3)
        .map((column) => words[column][0])
        .join(', '),
    }
  if (rest.length === 0) return { fault: 'empty', detail: '' }
  if (rest.length > IMPORT_MAX) return { fault: 'many', detail: String(IMPORT_MAX) }
  const cell = (line: string[], column: number) => (line[at(places, column)] ?? '').normalize('NFC')
  return { lines: rest.map((line) => ({ name: cell(line, 0), chain: cell(line, 1), address: cell(line, 2), memo: cell(line, 3), note: cell(line, 4) })) }
}
