import { isAmong } from '../people/is-among.ts'

/** Whether everybody of some people is among others. */
export const areAmong = (some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean => some.every((id) => isAmong(others, id))

/** Whether everything of some texts is among others; null stands for anything. */
export const isWithin = (some: readonly string[] | null, others: readonly string[] | null): boolean =>
  others === null || (some !== null && some.every((each) => others.includes(each)))

/** Whether a bound is no higher than another; null is without end. */
export const isAtMost = (bound: bigint | null, other: bigint | null): boolean => other === null || (bound !== null && bound <= other)
