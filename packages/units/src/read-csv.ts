/** Text that is no CSV. The message says what to change and can be shown to the person who chose the file. */
export class CsvFault extends Error {
  override name = 'CsvFault'
}

const CELLS_MAX = 200_000

/** What stands between the cells: a semicolon where spreadsheets write the decimal comma, told by the first line; otherwise a comma. */
function separatorOf(content: string): ',' | ';' {
  const first = content.slice(0, content.search(/[\r\n]|$/)).replaceAll(/"[^"]*"/g, '')
  return first.includes(';') && !first.includes(',') ? ';' : ','
}

/**
 * The lines of a CSV file by RFC 4180, each a list of cells: with or without a byte order mark, with commas or semicolons between,
 * lines ending by CR, LF or both, empty lines left out. The apostrophe that `writeCsvLine` puts before a formula is taken away again. Throws CsvFault with the line.
 */
export function readCsv(text: string): string[][] {
  const lines: string[][] = []
  let cells: string[] = []
  let line = 1
  let count = 0
  const content = text.replace(/^\ufeff/, '')
  const separator = separatorOf(content)
  let at = 0
  const endLine = () => {
    if (cells.length > 1 || cells[0] !== '') lines.push(cells)
    cells = []
  }
  while (at < content.length) {
    if (++count > CELLS_MAX) throw new CsvFault('the file is too large: split it')
    const { cell, next } = content[at] === '"' ? quoted(content, at, { line, separator }) : plain(content, at, separator)
    line += cell.split('\n').length - 1
    cells.push(/^'[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(cell) ? cell.slice(1) : cell)
    at = next
    if (content[at] === separator) {
      at++
      // A separator at the very end stands before one more cell, an empty one.
      if (at === content.length) cells.push('')
      continue
    }
    endLine()
    line++
    if (content[at] === '\r' && content[at + 1] === '\n') at += 2
    else at++
  }
  if (cells.length > 0) endLine()
  return lines
}

const endsCell = (letter: string, separator: string) => letter === separator || letter === '\r' || letter === '\n'

function plain(content: string, from: number, separator: string): { cell: string; next: number } {
  let at = from
  while (at < content.length && !endsCell(content.charAt(at), separator)) at++
  return { cell: content.slice(from, at), next: at }
}

function quoted(content: string, from: number, { line, separator }: { line: number; separator: string }): { cell: string; next: number } {
  let cell = ''
  let at = from + 1
  for (;;) {
    const end = content.indexOf('"', at)
    if (end < 0) throw new CsvFault(`line ${line}: a quotation mark is not closed`)
    cell += content.slice(at, end)
    if (content[end + 1] !== '"') {
      const next = end + 1
      if (next < content.length && !endsCell(content.charAt(next), separator))
        throw new CsvFault(`line ${line}: something stands after a closing quotation mark`)
      return { cell, next }
    }
    cell += '"'
    at = end + 2
  }
}
