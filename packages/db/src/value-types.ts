import pg from 'pg'

const BYTEA = 17
const INT8 = 20
const NUMERIC = 1700

type Parse = (text: string) => unknown

/**
 * How values come out of the database: whole numbers that may be money as bigint and never as a JavaScript number, bytes as
 * Uint8Array. Given to each pool by itself, so that a library with a pool of its own sees what it expects.
 */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (format !== 'binary') {
      if (oid === INT8) return BigInt
      if (oid === NUMERIC) return parseNumeric
      if (oid === BYTEA) return parseBytes
    }
    return pg.types.getTypeParser(oid, format as 'text') as Parse
  }) as pg.CustomTypesConfig['getTypeParser'],
}

/** Our numeric columns have no digits after the point; a computed value that has some, such as an average, stays text. */
function parseNumeric(text: string): bigint | string {
  return /^-?[0-9]+$/.test(text) ? BigInt(text) : text
}

function parseBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'))
}
