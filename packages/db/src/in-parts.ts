/** A query holds 65,535 values at most; a row has far fewer than 65 columns. */
const AT_ONCE = 1_000

/** A list in parts that fit a query to the database, however many items a stranger has put into one block. */
export function inParts<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / AT_ONCE) }, (_, i) => list.slice(i * AT_ONCE, (i + 1) * AT_ONCE))
}
