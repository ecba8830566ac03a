const STEPS = 10_000n

/** How much of a whole a part is, from 0 to 1, of whole numbers of any size. More than the whole is 1, as is anything of nothing. */
export function ratioOf(part: string, whole: string): number {
  const [some, all] = [BigInt(part), BigInt(whole)]
  if (some >= all) return 1
  return some <= 0n ? 0 : Number((some * STEPS) / all) / Number(STEPS)
}
