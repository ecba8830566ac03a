import { OUTPUTS_MAX } from '../../contract.ts'

/** What somebody wrote for one recipient. */
export type Line = { to: string; amount: string }

/** The address, or a contact's name, which may have spaces; then what is meant as the amount. */
const LINE = /^(.+?)[\s,;]+([-+]?[\d.][\d.,]*)$/
/** No address and no name is longer; a file that is no table has lines that are. */
const LINE_MAX = 400
const TRAILING = /[\s,;]+$/
/** The first line of a table says what stands in its columns, and no amount. */
const HEADING = /^[^\d]+[\s,;][^\d]+$/

/**
 * Recipients as people paste them or as a CSV file has them, one on each line: an address or the name of a contact, then the amount, separated by spaces, a
 * tab, a comma or a semicolon. Nothing is judged here. `left` counts the lines beyond the most that anybody reads through at once.
 */
export function readLines(text: string): { lines: Line[]; left: number } {
  const written = text
    .split(/\r\n|\n|\r/)
    .map((line) => line.slice(0, LINE_MAX).replaceAll('"', '').trim())
    .filter((line) => line !== '')
  const [first = '', ...rest] = written
  const read = (written.length > 1 && HEADING.test(first) ? rest : written).map((line): Line => {
    const [, to, amount = ''] = LINE.exec(line) ?? []
    return to === undefined ? { to: line.replace(TRAILING, ''), amount: '' } : { to, amount }
  })
  return { lines: read.slice(0, OUTPUTS_MAX), left: Math.max(0, read.length - OUTPUTS_MAX) }
}

/**
 * The recipients in what is pasted into a field; undefined if it is the text of that field alone: one line without an amount, or one that is pasted as an
 * amount, whose own comma separates nothing.
 */
export function pastedLines(text: string, isAmount: boolean): ReturnType<typeof readLines> | undefined {
  const read = readLines(text)
  const isRecipient = !isAmount && Boolean(read.lines[0]?.amount)
  return read.lines.length > 1 || isRecipient ? read : undefined
}
