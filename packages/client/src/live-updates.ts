import { announcedTopics, CallError, type Client, EVENTS_REMEMBERED_MS, readEvents } from '@holdfast/contract'
import type { Timer } from '@holdfast/ports'

export type LiveState = 'connecting' | 'live' | 'offline'

export type LiveUpdateOptions = {
  client: Client
  fetch: typeof globalThis.fetch
  timer: Timer
  path: string
  /** How long ago the page asked its first question. */
  ageMs(): number
  signal: AbortSignal
  /** Told what has changed. */
  onChange(topics: readonly string[]): void
  onState(state: LiveState): void
  /** The server ended the session. */
  onSignedOut(): void
}

const SHORTEST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
const SIGNED_OUT = '110909'

/** How long to wait before connection number `failures` after the first. */
export function reconnectDelayMs(failures: number): number {
  return Math.min(SHORTEST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)
}

/**
 * Follows the server's events until `signal` aborts, and says what they are about. Events are hints. What happened between the page's first question and
 * its first connection the server tells once more; whatever happened if that failed, took long, or ended is unknown, and then everything that is announced
 * may have changed.
 */
export async function followLiveUpdates(options: LiveUpdateOptions): Promise<void> {
  const { signal } = options
  let failures = 0
  let isKnown = options.ageMs() <= EVENTS_REMEMBERED_MS
  const connected = () => {
    failures = 0
    options.onState('live')
    if (!isKnown) options.onChange(announcedTopics)
  }
  // The stream says nothing until something happens; that it stands is known from its headers.
  const watchedFetch: typeof fetch = async (...request) => {
    const response = await options.fetch(...request)
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) connected()
    return response
  }
  options.onState('connecting')
  while (!signal.aborted) {
    const path = isKnown ? `${options.path}?since_ms=${Math.ceil(options.ageMs())}` : options.path
    try {
      for await (const event of readEvents(options.client, watchedFetch, path, signal)) {
        if (event.topic === 'end' && isSignedOut(event.data)) return options.onSignedOut()
        if (event.topic === 'end') break
        options.onChange([event.topic])
      }
    } catch (error) {
      if (error instanceof CallError && error.code === SIGNED_OUT) return options.onSignedOut()
    }
    if (signal.aborted) return
    isKnown = false
    options.onState('offline')
    await options.timer.sleep(reconnectDelayMs(failures++), signal).catch(() => undefined)
  }
}

function isSignedOut(data: unknown): boolean {
  return typeof data === 'object' && data !== null && (data as { code?: unknown }).code === SIGNED_OUT
}
