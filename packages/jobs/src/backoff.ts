/** Puts off what failed, longer after each failure, and forgets when it succeeded or when circumstances changed. */
export function createBackoff(nowMs: () => number, firstMs: number, maxMs: number) {
  const waiting = new Map<string, { untilMs: number; delayMs: number }>()
  return {
    isDue: (id: string) => (waiting.get(id)?.untilMs ?? 0) <= nowMs(),
    /** What is put off now. */
    putOff: (): string[] => [...waiting].flatMap(([id, { untilMs }]) => (untilMs > nowMs() ? [id] : [])),
    fail: (id: string) => {
      const delayMs = Math.min(maxMs, (waiting.get(id)?.delayMs ?? firstMs / 2) * 2)
      waiting.set(id, { untilMs: nowMs() + delayMs, delayMs })
    },
    succeed: (id: string) => void waiting.delete(id),
    clear: () => waiting.clear(),
  }
}
