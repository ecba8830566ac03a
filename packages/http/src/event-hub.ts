import { AppError } from '@holdfast/contract'
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
  /** Opens a stream; returns the function that forgets it. Throws AppError `rate_limited` past 8 streams of a session. */
  open(session: Session, sink: EventSink): () => void
  /** Ends all streams; the hub then accepts no more. */
  close(): void
  readonly size: number
}

type Stream = { session: Session; sink: EventSink; lastWriteMs: number }

const MAX_STREAMS_PER_SESSION = 8
const MAX_PENDING_BYTES = 1 << 20
const CHECK_INTERVAL_MS = 500
const HEARTBEAT_MS = 15_000
const TOPIC = /^[a-z][a-z0-9._-]*$/

/** Server-sent events of all signed-in pages of this process. */
export function createEventHub(ports: { clock: Clock; timer: Timer }, sessions: Pick<SessionAuthority, 'alive'>): EventHub {
  const streams = new Set<Stream>()
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
      for (const stream of [...streams]) {
        const { orgId, personId, permissions } = stream.session
        if (orgId !== event.orgId || (event.personId !== undefined && personId !== event.personId)) continue
        if (event.permission !== undefined && !permissions.has(event.permission)) continue
        write(stream, text)
      }
    },
    endSession: (sessionId) => {
      for (const stream of [...streams]) if (stream.session.id === sessionId) end(stream, '110909')
    },
    open: (session, sink) => {
      const own = [...streams].filter((stream) => stream.session.id === session.id).length
      if (isClosed || own >= MAX_STREAMS_PER_SESSION) throw new AppError('rate_limited', { details: { retry_after: 5 } })
      const stream: Stream = { session, sink, lastWriteMs: ports.clock.monotonicMs() }
      streams.add(stream)
      sink.write('retry: 3000\n\n')
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
