import type { Supply } from './supplies.ts'

/** What the units would have burned that no coin was burned for, less what was paid for rented ones; nothing where that was more. */
export const savedBy = ({ covered, price, rent }: Pick<Supply, 'covered' | 'price' | 'rent'>): bigint => {
  const saved = (covered ?? 0n) * price - (rent ?? 0n)
  return saved > 0n ? saved : 0n
}
