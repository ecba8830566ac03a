import { type RawBuilder, sql, type SqlBool } from 'kysely'

/** No text that begins with another one comes after that one with this character behind it. */
const LAST_CHARACTER = '\u{10ffff}'

/**
 * Whether a column begins with a text, letter by letter, as a range that an index answers: under row level security no index answers `like`. The databases
 * that Holdfast makes sort by bytes; where one does not, the range may leave something out, and `^@` keeps out what does not belong.
 */
export function beginsWith(column: string, text: string): RawBuilder<SqlBool> {
  const ref = sql.ref(column)
  return sql`(${ref} >= ${text} and ${ref} < ${text + LAST_CHARACTER} and ${ref} ^@ ${text})`
}

/** Whether a column of ids begins with so many of their hexadecimal digits, as a range that an index answers. */
export function idBeginsWith(column: string, digits: string): RawBuilder<SqlBool> {
  const ref = sql.ref(column)
  return sql`(${ref} >= ${uuidOf(digits.padEnd(32, '0'))}::uuid and ${ref} <= ${uuidOf(digits.padEnd(32, 'f'))}::uuid)`
}

const uuidOf = (digits: string) => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** The pattern of whatever holds a text, for `like`. */
export function patternOf(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}
