/** A map that holds at most `max` keys: a new one puts out the key that was set the longest ago. */
export class RecentMap<K, V> extends Map<K, V> {
  readonly #max: number

  constructor(max: number) {
    super()
    this.#max = max
  }

  override set(key: K, value: V): this {
    // The order of a map is the order in which its keys were added, so a key that is set again is added again.
    this.delete(key)
    super.set(key, value)
    for (const oldest of this.keys()) {
      if (this.size <= this.#max) break
      this.delete(oldest)
    }
    return this
  }
}
