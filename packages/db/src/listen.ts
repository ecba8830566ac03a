import type { Ports } from '@holdfast/ports'
import pg from 'pg'

export type Listener = { close(): Promise<void> }

const RECONNECT_MS = 1_000
const HEARTBEAT_MS = 15_000
const ANSWER_TIMEOUT_MS = 10_000

type Listening = {
  ports: Pick<Ports, 'timer'>
  url: string
  channel: string
  onHint: () => void
  /** Called when the connection is lost or unavailable. */
  onAway: () => void
}

/**
 * Calls back when something may have happened on the channel: on each NOTIFY, and after each new connection, because hints
 * sent while there was none are lost. A hint only makes work start sooner; the listener must also check by itself.
 */
export function listen(listening: Listening): Listener {
  const closing = new AbortController()
  const done = keepListening(listening, closing.signal)
  return {
    close: async () => {
      closing.abort()
      await done
    },
  }
}

async function keepListening({ ports, url, channel, onHint, onAway }: Listening, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      application_name: `holdfast listens to ${channel}`,
    })
    const lost = new AbortController()
    // Without this listener an error would end the process.
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    client.on('notification', onHint)
    const quiet = AbortSignal.any([signal, lost.signal])
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      onHint()
      // A connection that died silently answers no query; the query's failure ends this round.
      while (!quiet.aborted) {
        await ports.timer.sleep(HEARTBEAT_MS, quiet)
        await client.query('select 1')
      }
    } catch {
      // Not connected or closing: the loop decides which.
    }
    const ended = client.end().catch(() => {})
    if (signal.aborted) {
      // A lost connection may never learn that it should end.
      if (!lost.signal.aborted) await ended
      return
    }
    onAway()
    await ports.timer.sleep(RECONNECT_MS, signal).catch(() => {})
  }
}
