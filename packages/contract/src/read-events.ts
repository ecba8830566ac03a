import { CallError, TransportError } from './call-error.ts'
import type { Client } from './create-client.ts'
import { envelopeSchema } from './envelope.ts'

/** How far back a server knows what it told, in milliseconds: the longest that a page may take from its first question to its stream (`since_ms`). */
export const EVENTS_REMEMBERED_MS = 60_000

export type ServerEvent = { id: string; topic: string; data: unknown }

type Fields = { id: string; topic: string; data: string[] }

function eventOf(block: string): ServerEvent | undefined {
  const fields: Fields = { id: '', topic: 'message', data: [] }
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon <= 0) continue
    const value = line.slice(colon + 1).replace(/^ /, '')
    const name = line.slice(0, colon)
    if (name === 'id') fields.id = value
    else if (name === 'event') fields.topic = value
    else if (name === 'data') fields.data.push(value)
  }
  if (fields.data.length === 0) return undefined
  return { id: fields.id, topic: fields.topic, data: JSON.parse(fields.data.join('\n')) }
}

/**
 * The server-sent events of `path`, one after the other, until the server ends the stream or `signal` aborts.
 * Read with fetch (`send`) and not with EventSource, because only fetch can send the XSRF header. Reconnecting is the caller's:
 * events are hints, so whoever reconnects asks for the present state.
 * The topic `end` says why the server closed; its data holds the code.
 */
export async function* readEvents(client: Client, send: typeof globalThis.fetch, path: string, signal?: AbortSignal): AsyncGenerator<ServerEvent> {
  const { url, init } = client.request('GET', path, { background: true })
  const response = await send(url, { ...init, headers: { ...init.headers, Accept: 'text/event-stream' }, ...(signal ? { signal } : {}) })
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const envelope = envelopeSchema.safeParse(await response.json().catch(() => undefined))
    if (!envelope.success) throw new TransportError('unreadable', `the server answered ${response.status} without events`)
    throw new CallError(envelope.data.code, envelope.data.msg, envelope.data.data, response.status)
  }
  const decoder = new TextDecoder()
  const reader = response.body.getReader()
  let pending = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      pending += decoder.decode(value, { stream: true })
      const blocks = pending.split('\n\n')
      pending = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = eventOf(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
