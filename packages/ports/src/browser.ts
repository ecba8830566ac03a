import type { Clock, Random, Timer } from './index.ts'

/** The parts of the outside that code in a browser page may use. */
export const browserPorts: { clock: Clock; random: Random; timer: Timer; fetch: typeof globalThis.fetch } = {
  clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now() },
  random: { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) },
  timer: {
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, ms)
        signal?.addEventListener('abort', () => {
          clearTimeout(timer)
          reject(signal.reason)
        })
      }),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms)
      return () => clearTimeout(timer)
    },
  },
  fetch: (...args) => fetch(...args),
}
