import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallError, readEvents, type ServerEvent, AppError, systemErrors } from '@holdfast/contract'
import { createEventHub } from './event-hub.ts'
import type { Session } from './session.ts'
import { startTestServer, terminal } from './test-server.ts'

const session = (id: string, change: Partial<Session> = {}): Session => ({
  id,
  orgId: 'a',
  personId: id,
  role: 'admin',
  permissions: new Set(['x.read']),
  epoch: '1',
  expiresAtMs: 1,
  ...change,
})

function setUp() {
  let nowMs = 0
  const timers: { atMs: number; callback: () => void }[] = []
  const alive = new Set<string>()
  let isDown = false
  const ports = {
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    timer: {
      sleep: async () => undefined,
      after: (ms: number, callback: () => void) => {
        const timer = { atMs: nowMs + ms, callback }
        timers.push(timer)
        return () => void timers.splice(timers.indexOf(timer), 1)
      },
    },
  }
  const hub = createEventHub(ports, {
    alive: async (ids) => (isDown ? Promise.reject(new Error('down')) : new Set(ids.filter((id) => alive.has(id)))),
  })
  const pass = async (ms: number) => {
    const endMs = nowMs + ms
    for (let next = timers.find((each) => each.atMs <= endMs); next; next = timers.find((each) => each.atMs <= endMs)) {
      timers.splice(timers.indexOf(next), 1)
      nowMs = next.atMs
      next.callback()
      for (let at = 0; at < 10; at++) await Promise.resolve()
    }
    nowMs = endMs
  }
  const open = (of: Session, pending = () => 0, sinceMs?: number) => {
    alive.add(of.id)
    const sink = {
      text: '',
      isClosed: false,
      write: (text: string) => void (sink.text += text),
      pendingBytes: pending,
      close: () => void (sink.isClosed = true),
    }
    return Object.assign(sink, { forget: hub.open(of, sink, sinceMs) })
  }
  return { hub, alive, pass, open, goDown: () => void (isDown = true) }
}

test('an event reaches the pages of its organisation, person and permission only', () => {
  const { hub, open } = setUp()
  const ada = open(session('ada'))
  const bob = open(session('bob', { permissions: new Set() }))
  const eve = open(session('eve', { orgId: 'b' }))
  hub.publish({ orgId: 'a', topic: 'order', data: { id: 'all' } })
  hub.publish({ orgId: 'a', topic: 'order', data: { id: 'only-ada' }, personId: 'ada' })
  hub.publish({ orgId: 'a', topic: 'order', data: { id: 'readers' }, permission: 'x.read' })
  assert.match(ada.text, /id: 1\nevent: order\ndata: {"id":"all"}\n\n[^]*only-ada[^]*readers/)
  assert.match(bob.text, /all/)
  assert.doesNotMatch(bob.text, /only-ada|readers/)
  assert.doesNotMatch(eve.text, /data/)
  assert.throws(() => hub.publish({ orgId: 'a', topic: 'a\ndata: x', data: 1 }), /topic/)
})

test('what changed while a page asked for what it shows is told to it once its stream stands, and nothing of before or of others', async () => {
  const { hub, pass, open } = setUp()
  hub.publish({ orgId: 'a', topic: 'long.ago', data: 1 })
  await pass(10_000)
  for (const data of [1, 2]) hub.publish({ orgId: 'a', topic: 'order', data })
  hub.publish({ orgId: 'a', topic: 'bell', data: 3, personId: 'ada' })
  hub.publish({ orgId: 'a', topic: 'key', data: 4, permission: 'keys.read' })
  await pass(900)
  assert.match(open(session('ada'), undefined, 1_000).text, /^retry: 3000\n\nid: 3\nevent: order\ndata: 2\n\nid: 4\nevent: bell\ndata: 3\n\n$/)
  assert.match(open(session('bob'), undefined, 1_000).text, /^retry: 3000\n\nid: 3\nevent: order\ndata: 2\n\n$/)
  assert.equal(open(session('eve', { orgId: 'b' }), undefined, 1_000).text, 'retry: 3000\n\n')
  assert.equal(open(session('cyd')).text, 'retry: 3000\n\n')
  assert.match(open(session('dee'), undefined, 60_000).text, /long.ago/)
})

test('a stream ends within half a second of its session, and if nobody can say whether the session holds', async () => {
  const { hub, alive, pass, open, goDown } = setUp()
  const ada = open(session('ada'))
  const bob = open(session('bob'))
  await pass(2_000)
  assert.equal(ada.isClosed, false)
  alive.delete('ada')
  await pass(500)
  assert.equal(ada.isClosed, true)
  assert.match(ada.text, /event: end\ndata: {"code":"110909"}/)
  assert.equal(bob.isClosed, false)
  goDown()
  await pass(500)
  assert.equal(bob.isClosed, true)
  assert.equal(hub.size, 0)
})

test('a silent stream sends a heartbeat every 15 seconds, a page that does not read is dropped, and a session has at most 8 streams', async () => {
  const { hub, pass, open } = setUp()
  const ada = open(session('ada'))
  await pass(46_000)
  assert.equal(ada.text.match(/: beat/g)?.length, 2)
  const slow = open(session('slow'), () => 2 << 20)
  hub.publish({ orgId: 'a', topic: 'order', data: 1 })
  assert.equal(slow.isClosed, true)
  for (let at = 0; at < 7; at++) open(session('ada'))
  assert.throws(
    () => open(session('ada')),
    (error) => error instanceof AppError && error.errorName === 'rate_limited',
  )
  ada.forget()
  open(session('ada'))
  hub.close()
  assert.throws(() => open(session('bob')), AppError)
})

test('over a real connection: events arrive, a revoked session is cut off, a stranger gets an envelope', async (context) => {
  const { server, addPerson, sessions } = await startTestServer({ origin: undefined as never })
  context.after(() => server.close())
  const { origin } = await server.listen(0)
  const { client, cookieJar } = terminal(origin)
  const ada = addPerson('ada')
  cookieJar.set('__Host-holdfast', ada.token)
  await assert.rejects(readEvents(client, fetch, '/api/mpc/events').next(), (error) => error instanceof CallError && error.is(systemErrors.request_refused))
  cookieJar.set('XSRF-TOKEN', ada.xsrf)
  const events: ServerEvent[] = []
  const reading = (async () => {
    for await (const event of readEvents(client, fetch, '/api/mpc/events')) {
      events.push(event)
      if (event.topic === 'order') sessions.clear()
    }
  })()
  while (server.events.size === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  server.events.publish({ orgId: 'org-1', topic: 'order', data: { id: 7 } })
  await reading
  assert.deepEqual(events, [
    { id: '1', topic: 'order', data: { id: 7 } },
    { id: '', topic: 'end', data: { code: '110909' } },
  ])
  await assert.rejects(readEvents(client, fetch, '/api/mpc/events').next(), (error) => error instanceof CallError && error.is(systemErrors.signed_out))
})
