import assert from 'node:assert/strict'
import { test } from 'node:test'
import { announcedTopics, createClient } from '@holdfast/contract'
import { followLiveUpdates, reconnectDelayMs } from './live-updates.ts'

type Answer = { type: string; body: string }

/** Runs against scripted answers, one for each connection; ends when they are used up. */
async function follow(answers: Answer[], ageMs = 900.5, asked: string[] = []): Promise<string[]> {
  const seen: string[] = []
  const stop = new AbortController()
  const fetch = (async (url: string) => {
    asked.push(url)
    const answer = answers.shift()
    if (!answer) {
      stop.abort()
      throw new TypeError('no connection')
    }
    return new Response(answer.body, { headers: { 'content-type': answer.type } })
  }) as typeof globalThis.fetch
  const timer = { after: () => () => undefined, sleep: async (ms: number) => void seen.push(`wait ${ms}`) }
  const client = createClient({ baseUrl: '', fetch, timer, headers: () => ({ language: 'en_US', timezone: 'UTC' }), documentCookies: () => '' })
  await followLiveUpdates({
    client,
    fetch,
    timer,
    path: '/api/mpc/events',
    ageMs: () => ageMs,
    signal: stop.signal,
    onChange: (topics) => seen.push(topics.join(' ')),
    onState: (state) => seen.push(state),
    onSignedOut: () => seen.push('signed out'),
  })
  return seen
}

const stream = (...events: string[]): Answer => ({ type: 'text/event-stream', body: `retry: 3000\n\n${events.join('')}` })
const event = (topic: string, data: unknown = {}) => `event: ${topic}\ndata: ${JSON.stringify(data)}\n\n`

test('each announcement is told as it comes', async () => {
  assert.deepEqual(await follow([stream(event('order.changed'), event('deposit.changed'))]), [
    'connecting',
    'live',
    'order.changed',
    'deposit.changed',
    'offline',
    'wait 1000',
  ])
})

test('after a reconnection everything that is announced may have changed, because what was missed is unknown', async () => {
  assert.deepEqual(await follow([stream(), stream()]), [
    'connecting',
    'live',
    'offline',
    'wait 1000',
    'live',
    announcedTopics.join(' '),
    'offline',
    'wait 1000',
  ])
})

test('the first connection says since when the page asks; one that comes late, or after a failure, counts everything as changed', async () => {
  const asked: string[] = []
  await follow([stream(), stream()], 900.5, asked)
  assert.deepEqual(asked.slice(0, 2), ['/api/mpc/events?since_ms=901', '/api/mpc/events'])
  assert.ok((await follow([stream()], 60_001)).includes(announcedTopics.join(' ')))
  assert.ok((await follow([{ type: 'text/html', body: 'bad gateway' }, stream()])).includes(announcedTopics.join(' ')))
})

test('a session that the server has ended is not reconnected', async () => {
  assert.deepEqual(await follow([stream(event('end', { code: '110909' })), stream()]), ['connecting', 'live', 'signed out'])
  assert.deepEqual(await follow([{ type: 'application/json', body: '{"code":"110909","msg":"out","data":null}' }]), ['connecting', 'signed out'])
})

test('a server that is closing is connected again, later each time, at most after 30 seconds', async () => {
  assert.deepEqual(
    await follow([{ type: 'text/html', body: 'bad gateway' }, { type: 'text/html', body: 'bad gateway' }, stream(event('end', { code: 'closing' }))]),
    ['connecting', 'offline', 'wait 1000', 'offline', 'wait 2000', 'live', announcedTopics.join(' '), 'offline', 'wait 1000'],
  )
  assert.deepEqual([0, 1, 4, 5, 20].map(reconnectDelayMs), [1000, 2000, 16_000, 30_000, 30_000])
})
