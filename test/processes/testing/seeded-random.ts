export type SeededRandom = {
  seed: number
  /** A number from 0 up to, but not including, 1. */
  next(): number
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  pick<T>(from: readonly T[]): T
}

/** Random choices that can be made again: the seed is printed, and TEST_SEED sets it. (The generator is mulberry32.) */
export function seededRandom(name: string): SeededRandom {
  const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 32)) >>> 0
  console.log(`${name}: TEST_SEED=${seed}`)
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return { seed, next, between, pick: (from) => from[between(0, from.length - 1)]! }
}
