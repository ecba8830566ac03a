import type { Timer } from '@holdfast/ports'
import { ChunkLoadError, isChunkFailure } from './chunk-failure.ts'

/** Which build the server serves: the one that runs here, another, or none, since it does not answer. */
export type Served = 'same' | 'other' | 'none'

/** `lost`: the server does not answer. `incomplete`: it does, with this very build, and a part could still not be fetched. */
export type ConnectionState = 'good' | 'lost' | 'incomplete'

export type Connection = {
  /** Asks the server which build it serves. */
  ask(): Promise<Served>
  /** What is done where a part of the page could not be fetched: resolved once it can be tried again. Throws ChunkLoadError if there is a newer version. */
  mend(cause: unknown): Promise<void>
  mended(): void
  /** Asks the server until it answers, and says so for as long as it does not. */
  check(): Promise<void>
  state(): ConnectionState
  subscribe(listener: () => void): () => void
  /** Tries again now. */
  retry(): void
}

type Around = {
  fetch: typeof globalThis.fetch
  timer: Timer
  /** The path of the script that this page began with. Its name changes with every build. */
  entry: string
  /** Where the browser says that it has no network, and that it has one again. */
  window: Pick<EventTarget, 'addEventListener'>
}

const PAGE = '/mpc/'
const RETRY_MS = 3_000
const ANSWER_MS = 10_000

/** Tells a server that does not answer from one that has a newer version, so that only the latter takes a page away. */
export function createConnection({ timer, entry, window, ...outside }: Around): Connection {
  const listeners = new Set<() => void>()
  let state: ConnectionState = 'good'
  let waiting = new AbortController()

  const say = (next: ConnectionState) => {
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }
  const retry = () => {
    waiting.abort()
    waiting = new AbortController()
  }
  window.addEventListener('online', retry)

  const ask = async (): Promise<Served> => {
    const late = new AbortController()
    const stop = timer.after(ANSWER_MS, () => late.abort())
    try {
      const answer = await outside.fetch(PAGE, { cache: 'no-store', credentials: 'omit', signal: late.signal })
      if (!answer.ok) return 'none'
      return (await answer.text()).includes(`"${entry}"`) ? 'same' : 'other'
    } catch {
      return 'none'
    } finally {
      stop()
    }
  }

  // Cut short by whoever is impatient, and by the browser where it has a network again.
  const pause = () => timer.sleep(RETRY_MS, waiting.signal).catch(() => undefined)
  const untilServed = async (): Promise<{ served: Served; wasAway: boolean }> => {
    for (let wasAway = false; ; wasAway = true) {
      const served = await ask()
      if (served !== 'none') return { served, wasAway }
      say('lost')
      await pause()
    }
  }
  const mend = async (cause: unknown): Promise<void> => {
    if (!isChunkFailure(cause)) throw cause
    const { served, wasAway } = await untilServed()
    if (served === 'other') {
      say('good')
      throw new ChunkLoadError(cause)
    }
    say('incomplete')
    // A server that was away is why the part did not come: it is tried at once. One that answered all along is not asked again and again.
    if (!wasAway) await pause()
  }
  let checking: Promise<void> | undefined
  const check = () =>
    (checking ??= untilServed().then(() => {
      checking = undefined
      if (state === 'lost') say('good')
    }))
  window.addEventListener('offline', () => void check())
  return {
    ask,
    mend,
    mended: () => say('good'),
    check,
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    retry,
  }
}
