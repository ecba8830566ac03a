import { textFault } from '@holdfast/contract'
import { TableFault } from './table-fault.ts'

/** As many characters as a cell of a spreadsheet can have. */
const CHARACTERS_MAX = 32_767

/** Throws TableFault if a text is longer than a cell can be. `where` is such as `cell B2`. */
export function demandShort(text: string, where: string): void {
  if (text.length > CHARACTERS_MAX) throw new TableFault(`it must have at most ${CHARACTERS_MAX} characters`, { where })
}

/** The text of a cell in Unicode's composed form. Throws TableFault for what is too long or no text; whatever is too long is not looked at further. */
export function textOfCell(given: string, where: string): string {
  demandShort(given, where)
  const text = given.normalize('NFC')
  const fault = textFault(text)
  if (fault) throw new TableFault(fault)
  return text
}
