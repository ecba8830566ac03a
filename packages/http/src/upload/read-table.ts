import { AppError } from '@holdfast/contract'
import { CsvFault, readCsv } from '@holdfast/units'
import { readWorkbook, type TableLimits } from './read-workbook.ts'
import { TableFault } from './table-fault.ts'
import { textOfCell } from './text-of-cell.ts'

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The lines of a file that somebody handed in: comma-separated values in UTF-8, or the first sheet of a workbook (XLSX), told by what is in it and not by its
 * name. Throws AppError `invalid_parameters` for the field `file`, or for the cell that is meant, with what to change.
 */
export async function readTable(file: File, limits: TableLimits): Promise<string[][]> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  try {
    const isWorkbook = bytes[0] === 0x50 && bytes[1] === 0x4b
    const lines = isWorkbook ? readWorkbook(bytes, limits) : readCsv(textOf(bytes))
    if (lines.length > limits.rowsMax) throw new TableFault(`the file has more than ${limits.rowsMax} lines: split it`)
    if (lines.some((cells) => cells.length > limits.columnsMax)) {
      throw new TableFault(`the sheet has more than ${limits.columnsMax} columns: take out those that are not needed`)
    }
    // The texts of a workbook were looked at where they were read, each of them once.
    return isWorkbook ? lines : lines.map((cells, row) => cells.map((cell, column) => textOfCell(cell, `cell ${column + 1} of row ${row + 1}`)))
  } catch (cause) {
    if (cause instanceof CsvFault || cause instanceof TableFault) {
      const field = (cause instanceof TableFault ? cause.where : undefined) ?? 'file'
      throw new AppError('invalid_parameters', { cause, details: { field, reason: cause.message } })
    }
    throw cause
  }
}

function textOf(bytes: Uint8Array): string {
  // Files of spreadsheets before 2007 begin so.
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf) throw new TableFault('the file is an old workbook (XLS), or one with a password: save it as XLSX or CSV')
  try {
    return strictUtf8.decode(bytes)
  } catch (cause) {
    throw new TableFault('the file is not in UTF-8: save it as CSV (UTF-8) or as XLSX', { cause })
  }
}
