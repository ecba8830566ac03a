import { at } from '@holdfast/units'
/** What may be taken of something: an amount in base units, everything, or nobody knows. */
export type May = bigint | 'everything' | 'unknown'

/** A right over what is kept under `key`; `held` is undefined if nobody lists that, so that nobody counts it. */
export type Right = { key: string; held: bigint | undefined; may: May }

/** How much of what is there may be taken by one right; undefined if that is not known. */
export function atRisk({ held, may }: Pick<Right, 'held' | 'may'>): bigint | undefined {
  if (held === undefined) return undefined
  if (held === 0n || may === 'everything') return held
  if (may === 'unknown') return undefined
  return may < held ? may : held
}

/**
 * What all rights together put at risk, in millionths of a currency: of each thing as much as its rights let be taken, and never more than is there.
 * `isPartial`: of something it is not known how much, or what it is worth. Where nothing is known the value is undefined, which is not nothing.
 */
export function valueAtRisk(
  rights: readonly Right[],
  worth: (key: string, amount: bigint) => bigint | undefined,
): { value: bigint | undefined; isPartial: boolean } {
  let [value, isPartial, isKnown] = [0n, false, rights.length === 0]
  for (const [key, same] of Map.groupBy(rights, (right) => right.key)) {
    const parts = same.map(atRisk)
    const known = parts.filter((part) => part !== undefined)
    const sum = known.reduce((total, part) => total + part, 0n)
    const { held } = at(same, 0)
    const most = held !== undefined && sum > held ? held : sum
    const worthOf = most === 0n ? 0n : worth(key, most)
    // A right that nobody can tell puts nothing more at risk where all there is can be taken already.
    isPartial ||= worthOf === undefined || (known.length < parts.length && most !== held)
    isKnown ||= worthOf !== undefined && known.length > 0
    value += worthOf ?? 0n
  }
  return isKnown ? { value, isPartial } : { value: undefined, isPartial: false }
}
