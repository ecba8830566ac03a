import type { Clock } from '@holdfast/ports'

const AWAY_AFTER_MS = 60_000
const SIGNS_OF_LIFE = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const

type Listened = { addEventListener(name: string, listener: () => void, options?: { passive: boolean; capture: boolean }): void }

/**
 * Whether a person is at the screen. A page that is only left open asks the server too (live updates, polling), and those
 * calls must not keep a session alive.
 */
export type Presence = { isAway(): boolean }

/** Watches a page for keys and pointers; after a minute without any, the person is away. */
export function watchPresence(clock: Clock, page: Listened): Presence {
  let lastMs = clock.monotonicMs()
  for (const name of SIGNS_OF_LIFE) page.addEventListener(name, () => void (lastMs = clock.monotonicMs()), { passive: true, capture: true })
  return { isAway: () => clock.monotonicMs() - lastMs > AWAY_AFTER_MS }
}
