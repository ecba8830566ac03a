/**
 * A set of orders: in each dimension (what, who asks, to whom …) the classes that belong to it, as bits. An order is in it if its class belongs to it in every
 * dimension.
 */
export type Region = readonly bigint[]

/** What is in both; undefined if nothing is. */
export function meet(one: Region, other: Region): Region | undefined {
  const both = one.map((side, i) => side & (other[i] ?? 0n))
  return both.includes(0n) ? undefined : both
}

export const isWithin = (inner: Region, outer: Region): boolean => inner.every((side, i) => (side & ~(outer[i] ?? 0n)) === 0n)

/** A region without another, in parts that have nothing in common. */
function withoutOne(region: Region, taken: Region): Region[] {
  if (!meet(region, taken)) return [region]
  const parts: Region[] = []
  const inside = [...region]
  for (const [i, side] of region.entries()) {
    const outside = side & ~(taken[i] ?? 0n)
    if (outside !== 0n) parts.push(inside.with(i, outside))
    inside[i] = side & (taken[i] ?? 0n)
  }
  return parts
}

/** What is left of a region without all of these, in parts that have nothing in common; undefined if that would be more than `most` parts. */
export function without(region: Region, taken: readonly Region[], most: number): Region[] | undefined {
  let parts: Region[] = [region]
  for (const each of taken) {
    parts = parts.flatMap((part) => withoutOne(part, each))
    if (parts.length > most) return undefined
  }
  return parts
}
