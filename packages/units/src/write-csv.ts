/** What spreadsheets take for the beginning of a formula, also in full width. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const NEGATIVE = /^-\d+(\.\d+)?$/
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/** What a CSV file begins with, so that spreadsheets read it as UTF-8. */
export const CSV_START = '\ufeff'

/** A whole CSV file of its lines, the head of its columns first. */
export function writeCsv(lines: readonly (readonly string[])[]): string {
  return CSV_START + lines.map(writeCsvLine).join('')
}

/**
 * One line of a CSV file by RFC 4180, with its line end. A cell that a spreadsheet would run as a formula gets an apostrophe
 * before it, which spreadsheets take for "this is text". A negative number is a number.
 */
export function writeCsvLine(cells: readonly string[]): string {
  return `${cells.map(writeCell).join(',')}\r\n`
}

function writeCell(text: string): string {
  const safe = FORMULA.test(text) && !NEGATIVE.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
