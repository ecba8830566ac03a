import { CHECK_BITS, COLUMN_BYTES, LAMBDA_C, XI } from '../round/parameters.ts'

/** 32-bit words of a row of 128 bits. */
export const ROW_WORDS = LAMBDA_C / 32
/** Bytes of the check matrix: 160 rows of xi bits. */
export const CHALLENGE_BYTES = (CHECK_BITS * XI) / 8

const ROWS = XI + CHECK_BITS
const CHALLENGE_ROW_BYTES = XI / 8

/**
 * Turns 128 columns of xi + 160 bits (72 bytes each, one after the other) into xi + 160 rows of 128 bits, four words each: bit i of a row is
 * bit i & 31 of its word i >> 5, and belongs to column i.
 */
export function transpose(columns: Uint8Array): Uint32Array {
  const rows = new Uint32Array(ROWS * ROW_WORDS)
  for (let i = 0; i < LAMBDA_C; i++) {
    const word = i >> 5
    const shift = i & 31
    for (let byte = 0; byte < COLUMN_BYTES; byte++) {
      const value = columns[i * COLUMN_BYTES + byte]!
      let at = byte * 8 * ROW_WORDS + word
      for (let bit = 0; bit < 8; bit++) {
        rows[at] = rows[at]! | (((value >>> bit) & 1) << shift)
        at += ROW_WORDS
      }
    }
  }
  return rows
}

/**
 * The universal hash of every column at once: 160 rows of 128 bits, row k bit i being bit k of the hash of column i. The hash of a column x is
 * M x[0..xi) + x[xi..xi+160) over GF(2), with M the 160 * xi bits of `challenge`. For a uniform M two different columns have one hash with
 * probability 2^-160. Eight rows at a time are summed through a table of their 256 sums, indexed by bits of M, which is public.
 */
export function hashColumns(challenge: Uint8Array, rows: Uint32Array): Uint32Array {
  const sums = rows.slice(XI * ROW_WORDS)
  const table = new Uint32Array(256 * ROW_WORDS)
  for (let group = 0; group < CHALLENGE_ROW_BYTES; group++) {
    fillTable(table, rows, group * 8)
    for (let k = 0; k < CHECK_BITS; k++) {
      const entry = challenge[k * CHALLENGE_ROW_BYTES + group]! * ROW_WORDS
      const at = k * ROW_WORDS
      for (let word = 0; word < ROW_WORDS; word++) sums[at + word] = sums[at + word]! ^ table[entry + word]!
    }
  }
  return sums
}

/** table[v] = sum of the rows first + t for the bits t of v. */
function fillTable(table: Uint32Array, rows: Uint32Array, first: number): void {
  for (let value = 1; value < 256; value++) {
    const lowestBit = 31 - Math.clz32(value & -value)
    const without = (value & (value - 1)) * ROW_WORDS
    const row = (first + lowestBit) * ROW_WORDS
    for (let word = 0; word < ROW_WORDS; word++) table[value * ROW_WORDS + word] = table[without + word]! ^ rows[row + word]!
  }
}

/** The same universal hash of one column of 72 bytes: 20 bytes. */
export function hashColumn(challenge: Uint8Array, column: Uint8Array): Uint8Array {
  const hash = column.slice(CHALLENGE_ROW_BYTES)
  for (let k = 0; k < CHECK_BITS; k++) {
    let folded = 0
    for (let byte = 0; byte < CHALLENGE_ROW_BYTES; byte++) folded ^= challenge[k * CHALLENGE_ROW_BYTES + byte]! & column[byte]!
    folded ^= folded >> 4
    folded ^= folded >> 2
    folded ^= folded >> 1
    hash[k >> 3] = hash[k >> 3]! ^ ((folded & 1) << (k & 7))
  }
  return hash
}

/** Words as bytes, least significant byte first on every machine. */
export function wordsToBytes(words: Uint32Array): Uint8Array {
  const out = new Uint8Array(words.length * 4)
  const view = new DataView(out.buffer)
  words.forEach((word, i) => view.setUint32(i * 4, word, true))
  return out
}

/** Bytes as words, least significant byte first on every machine. */
export function bytesToWords(value: Uint8Array): Uint32Array {
  const view = new DataView(value.buffer, value.byteOffset, value.length)
  return Uint32Array.from({ length: value.length / 4 }, (_, i) => view.getUint32(i * 4, true))
}
