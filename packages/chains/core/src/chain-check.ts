/**
 * Has a node's chain checked before the first question, and again after `forget`, which is called for every answer that failed to arrive:
 * another node may answer after a reconnection. Questions at the same moment wait for one check; one that fails is made anew.
 */
export function createChainCheck(check: () => Promise<void>): { pass(): Promise<void>; forget(): void } {
  let checked: Promise<void> | undefined
  return {
    pass: async () => {
      const checking = (checked ??= check())
      try {
        await checking
      } catch (cause) {
        if (checked === checking) checked = undefined
        throw cause
      }
    },
    forget: () => {
      checked = undefined
    },
  }
}
