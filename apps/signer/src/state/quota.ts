const STRETCH_MS = 600_000

/**
 * How often something is done in ten minutes. They begin at the same time at every signer, because two must let the same session through: if places came
 * back to each of them one by one, they would come at different times, and one that had a place would lose it to a session for which the other had none.
 */
export class Quota {
  #stretch = 0
  readonly #taken = new Map<string, number>()

  /** Takes one of the `most` places of a subject. False if all of these ten minutes are taken. */
  take(subject: string, most: number, nowMs: number): boolean {
    const stretch = Math.floor(nowMs / STRETCH_MS)
    if (stretch !== this.#stretch) this.#taken.clear()
    this.#stretch = stretch
    const taken = this.#taken.get(subject) ?? 0
    if (taken >= most) return false
    this.#taken.set(subject, taken + 1)
    return true
  }

  giveBack(subject: string): void {
    this.#taken.set(subject, Math.max(0, (this.#taken.get(subject) ?? 0) - 1))
  }
}
