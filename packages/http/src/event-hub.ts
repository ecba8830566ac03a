import { AppError, EVENTS_REMEMBERED_MS } from '@holdfast/contract'
import type { Clock, Timer } from '@holdfast/ports'
import type { Session, SessionAuthority } from './session.ts'

/**
 * A hint that something changed; interested pages ask for the present state. Never put secrets into `data`: everybody in the organisation (or the
 * person) sees it.
 */
export type HubEvent = { orgId: string; topic: string; data: unknown; personId?: string; permission?: string }

/** Receives the text of a stream. */
export type EventSink = { write(text: string): void; pendingBytes(): number; close(): void }

export type EventHub = {
  /** Tells every open page of the organisation (of the person, with the permission, if given). */
  publish(event: HubEvent): void
  /** Ends the streams of a session at once. The hub also notices by itself within half a second when a session has ended elsewhere. */
  endSession(sessionId: string): void
  /**
   * Opens a stream; returns the function that forgets it. Throws AppError `rate_limited` past 8 streams of a session. What was told in the last `sinceMs`,
   * while the page asked for what it shows, is told once more: its answers may be of before.
   */
  open(session: Session, sink: EventSink, sinceMs?: number): () => void
  /** Ends all streams; the hub then accepts no more. */
  close(): void
  readonly size: number
}

type Stream = { session: Session; sink: EventSink; lastWriteMs: number }
type Told = { event: HubEvent; text: string; atMs: number }

const MAX_STREAMS_PER_SESSION = 8
const MAX_PENDING_BYTES = 1 << 20
const CHECK_INTERVAL_MS = 500
const HEARTBEAT_MS = 15_000
/** What a question may have travelled faster than the one for the stream, so that it was read before `sinceMs` says. */
const TRAVEL_MS = 2_000
const TOPIC = /^[a-z][a-z0-9._-]*$/

/** Server-sent events of all signed-in pages of this process. */
export function createEventHub(ports: { clock: Clock; timer: Timer }, sessions: Pick<SessionAuthority, 'alive'>): EventHub {
  const streams = new Set<Stream>()
  /** The last hint to each audience about each topic, the oldest first. */
  const told = new Map<string, Told>()
  let lastId = 0
  let cancelCheck: (() => void) | undefined
  let isClosed = false

  function end(stream: Stream, code: string): void {
    if (!streams.delete(stream)) return
    stream.sink.write(`event: end\ndata: ${JSON.stringify({ code })}\n\n`)
    stream.sink.close()
  }

  function write(stream: Stream, text: string): void {
    // A client that does not read must not fill our memory; it will reconnect and ask for the present state.
    if (stream.sink.pendingBytes() > MAX_PENDING_BYTES) return end(stream, 'slow')
    stream.sink.write(text)
    stream.lastWriteMs = ports.clock.monotonicMs()
  }

  function remember(event: HubEvent, text: string): void {
    const atMs = ports.clock.monotonicMs()
    const audience = [event.orgId, event.topic, event.personId, event.permission].join()
    told.delete(audience)
    told.set(audience, { event, text, atMs })
    for (const [oldest, each] of told) {
      if (each.atMs >= atMs - EVENTS_REMEMBERED_MS) break
      told.delete(oldest)
    }
  }

  async function check(): Promise<void> {
    const ids = [...new Set([...streams].map((stream) => stream.session.id))]
    // If the question cannot be answered, nobody counts as signed in.
    const alive = await sessions.alive(ids).catch(() => new Set<string>())
    const beatBeforeMs = ports.clock.monotonicMs() - HEARTBEAT_MS
    for (const stream of [...streams]) {
      if (ids.includes(stream.session.id) && !alive.has(stream.session.id)) end(stream, '110909')
      else if (stream.lastWriteMs < beatBeforeMs) write(stream, ': beat\n\n')
    }
  }

  function schedule(): void {
    if (cancelCheck || isClosed || streams.size === 0) return
    cancelCheck = ports.timer.after(CHECK_INTERVAL_MS, () => {
      void check().finally(() => {
        cancelCheck = undefined
        schedule()
      })
    })
  }

  return {
    publish: (event) => {
      if (!TOPIC.test(event.topic) || event.topic === 'end') throw new Error(`the topic "${event.topic}" is not allowed`)
      const text = `id: ${++lastId}\nevent: ${event.topic}\ndata: ${JSON.stringify(event.data)}\n\n`
      remember(event, text)
      for (const stream of [...streams]) if (isFor(event, stream.session)) write(stream, text)
    },
    endSession: (sessionId) => {
      for (const stream of [...streams]) if (stream.session.id === sessionId) end(stream, '110909')
    },
    open: (session, sink, sinceMs = 0) => {
      const own = [...streams].filter((stream) => stream.session.id === session.id).length
      if (isClosed || own >= MAX_STREAMS_PER_SESSION) throw new AppError('rate_limited', { details: { retry_after: 5 } })
      const stream: Stream = { session, sink, lastWriteMs: ports.clock.monotonicMs() }
      streams.add(stream)
      sink.write('retry: 3000\n\n')
      const fromMs = ports.clock.monotonicMs() - sinceMs - TRAVEL_MS
      if (sinceMs > 0) for (const { event, text, atMs } of told.values()) if (atMs >= fromMs && isFor(event, session)) write(stream, text)
      schedule()
      return () => void streams.delete(stream)
    },
    close: () => {
      isClosed = true
      cancelCheck?.()
      for (const stream of [...streams]) end(stream, 'closing')
    },
    get size() {
      return streams.size
    },
  }
}

function isFor({ orgId, personId, permission }: HubEvent, session: Session): boolean {
  if (orgId !== session.orgId || (personId !== undefined && personId !== session.personId)) return false
  return permission === undefined || session.permissions.has(permission)
}
