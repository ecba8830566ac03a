import { fetchPlain } from '@holdfast/ports/fetch-plain'
import { nodePorts } from '@holdfast/ports/node'
import assert from 'node:assert/strict'
import { ChainError } from '../index.ts'

/** Stands in the URL of every node under test, where keys often stand, and must be in no message. */
export const SECRET = 'secret-key-in-the-path'

export async function refused(promise: Promise<unknown>, message?: RegExp): Promise<void> {
  await assert.rejects(promise, (error: unknown) => {
    assert.ok(error instanceof ChainError, String(error))
    assert.ok(!error.message.includes(SECRET), error.message)
    assert.ok(error.message.length < 500)
    if (message) assert.match(error.message, message)
    return true
  })
}

/** Gives every question the answer: over a real socket, but where the answer never ends, since no server waits for that. */
export async function openWith({ answer, unending }: BrokenAnswer, use: (url: string, fetch: typeof globalThis.fetch) => Promise<void>): Promise<void> {
  if (unending) return use(`http://node.test/${SECRET}`, async () => answer())
  const server = await nodePorts.net.serveHttp('127.0.0.1', 0, async () => answer())
  try {
    await use(`http://127.0.0.1:${server.port}/${SECRET}`, fetchPlain)
  } finally {
    await server.close()
  }
}

/** Nested deeper than anything that walks through it by calling itself can follow. */
const DEEP = `${'['.repeat(50_000)}${']'.repeat(50_000)}`

type BrokenAnswer = { answer: () => Response | Promise<Response>; limits?: { timeoutMs?: number; answerMaxBytes?: number }; message?: RegExp; unending?: true }

/** Answers that are none, whatever was asked. */
export function everyAnswerBroken(): BrokenAnswer[] {
  const json = { headers: { 'content-type': 'application/json' } }
  const begun = () => new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{"jsonrpc"')) })
  const endless = () => new ReadableStream({ pull: (stream) => stream.enqueue(new Uint8Array(10_000)) })
  return [
    { unending: true, answer: () => new Promise(() => {}), limits: { timeoutMs: 50 }, message: /did not answer within 50 ms/ },
    { unending: true, answer: () => new Response(begun(), json), limits: { timeoutMs: 50 }, message: /did not answer within 50 ms/ },
    { unending: true, answer: () => new Response(endless(), json), limits: { answerMaxBytes: 50_000 }, message: /more than 50000 bytes/ },
    { answer: () => new Response('<html>hello</html>', { headers: { 'content-type': 'text/html' } }) },
    { answer: () => new Response('') },
    { answer: () => new Response('{"jsonrpc":"2.0","id":1,"res', json) },
    { answer: () => new Response(DEEP, json) },
    { answer: () => new Response(`{"jsonrpc":"2.0","id":1,"ok":true,"error":null,"result":${DEEP}}`, json) },
    { answer: () => new Response('null', json) },
    { answer: () => new Response('[]', json) },
    { answer: () => new Response('7', json) },
    { answer: () => new Response('gateway', { status: 502 }) },
    { answer: () => Response.json({ error: `bad ${SECRET}` }, { status: 401 }) },
    { answer: () => new Response(null, { status: 307, headers: { location: 'http://127.0.0.1:9/' } }) },
  ]
}

type Answer = { key: string; body: string; path: string[] }

/** Records what a real node answers, to answer the same from memory with one thing in it replaced. */
export function recorder(fetch: typeof globalThis.fetch) {
  const answers = new Map<string, string>()
  // The id that numbers questions of JSON-RPC differs each time and says nothing.
  const keyOf = (input: unknown, init?: RequestInit) => `${String(input)} ${String(init?.body ?? '').replace(/"id":\d+,?/, '')}`
  const recording: typeof globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init)
    answers.set(keyOf(input, init), await response.clone().text())
    return response
  }
  const replaying = (change: (places: Answer[]) => { key: string; body: unknown }): typeof globalThis.fetch => {
    const places = [...answers].flatMap(([key, body]) => pathsOf(JSON.parse(body)).map((path) => ({ key, body, path })))
    const { key: changed, body } = change(places)
    return async (input, init) => {
      const key = keyOf(input, init)
      if (key === changed) return Response.json(body ?? null)
      const known = answers.get(key)
      // A broken answer may lead to questions that were not asked before.
      return known === undefined ? fetch(input, init) : new Response(known, { headers: { 'content-type': 'application/json' } })
    }
  }
  return { recording, replaying, clear: () => answers.clear(), isEmpty: () => answers.size === 0 }
}

/** Every place in a JSON value, as the path of keys to it. */
function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
}

export function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>
  copy[key] = replaced(copy[key], rest, by)
  return copy
}
