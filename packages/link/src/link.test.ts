import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import { bytes, struct, text, uint } from '@holdfast/encoding'
import { GENESIS_RECORD_BYTES_MAX } from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import type { CallDefinition } from '@holdfast/protocol'
import fc from 'fast-check'
import { PeerError, clipText } from './peer-error.ts'
import { type Handler, type Link, on, startCalls } from './call-layer.ts'
import { connectLink, type StandingLink } from './connect-link.ts'
import { FrameReader } from './frame-reader.ts'
import { linkPublicKey } from './handshake.ts'
import { listenLink } from './listen-link.ts'
import { SecureChannel } from './secure-channel.ts'

type Struct = ReturnType<typeof struct>
const call = <Q extends Struct, A extends Struct>(name: string, request: Q, reply: A): CallDefinition<Q, A> => ({ name, request, reply })
const double = call('double', struct('test/double/v1', { value: uint() }), struct('test/doubled/v1', { value: uint() }))
const echo = call('echo', struct('test/echo/v1', { data: bytes(undefined, 4 << 20) }), struct('test/echoed/v1', { data: bytes(undefined, 4 << 20) }))
const keep = call('keep', struct('test/keep/v1', { record: bytes(undefined, GENESIS_RECORD_BYTES_MAX) }), struct('test/kept/v1', { bytes: uint() }))
const refuse = call('refuse', struct('test/refuse/v1', { kind: text(16) }), struct('test/refused/v1', {}))

const host = '127.0.0.1'
const ports = nodePorts
const newIdentity = () => ({ secretKey: ports.random.bytes(32) })
const doubling = on(double, ({ value }) => ({ value: value * 2n }))

type Side = { handlers?: Handler[]; report?: (cause: unknown) => void }

/** A listener that allows one dialer, and that dialer; both end with the test. */
async function openPair(t: TestContext, sides: { dialer?: Side; listener?: Side; through?: (port: number) => Promise<number> } = {}) {
  const [dialer, listener] = [newIdentity(), newIdentity()]
  const arrived = Promise.withResolvers<Link>()
  const server = await listenLink({
    ports,
    host,
    port: 0,
    me: listener,
    allowed: [linkPublicKey(dialer)],
    handlers: [],
    onLink: arrived.resolve,
    ...sides.listener,
  })
  const port = (await sides.through?.(server.port)) ?? server.port
  const connected = Promise.withResolvers<void>()
  const lost = Promise.withResolvers<string>()
  const link = connectLink({
    ports,
    host,
    port,
    me: dialer,
    serverKey: linkPublicKey(listener),
    handlers: [],
    ...sides.dialer,
    onState: (state) => (state.connected ? connected.resolve() : lost.resolve(state.reason)),
  })
  t.after(async () => {
    link.close()
    await server.close()
  })
  await connected.promise
  return { link, other: await arrived.promise, lost: lost.promise }
}

/** A TCP relay that may change what goes from the dialer to the listener. */
async function relay(t: TestContext, port: number, change: (piece: Buffer, count: number) => Buffer): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((inner) => {
    const outer = connect({ host, port })
    let count = 0
    for (const socket of [inner, outer]) sockets.add(socket.on('error', () => socket.destroy()))
    inner.on('data', (piece) => outer.write(change(piece, count++)))
    outer.on('data', (piece) => inner.write(piece))
    inner.on('close', () => outer.destroy())
    outer.on('close', () => inner.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as { port: number }).port
}

describe('a link', () => {
  it('carries calls both ways, many at once, each to its own answer', async (t) => {
    const { link, other } = await openPair(t, { dialer: { handlers: [doubling] }, listener: { handlers: [doubling] } })
    const ask = (side: Pick<Link, 'call'>, value: bigint) => side.call(double, { value }, { timeoutMs: 5000 })
    const numbers = Array.from({ length: 100 }, (_, i) => BigInt(i))
    const answers = await Promise.all([...numbers.map((n) => ask(link, n)), ...numbers.map((n) => ask(other, n + 1000n))])
    assert.deepEqual(
      answers.map((answer) => answer.value),
      [...numbers.map((n) => 2n * n), ...numbers.map((n) => 2n * (n + 1000n))],
    )
  })

  it('answers in the order of completion, not of asking', async (t) => {
    const first = Promise.withResolvers<void>()
    const slow = on(double, async ({ value }) => {
      if (value === 1n) await first.promise
      return { value: value * 2n }
    })
    const { link } = await openPair(t, { listener: { handlers: [slow] } })
    const one = link.call(double, { value: 1n }, { timeoutMs: 5000 })
    assert.equal((await link.call(double, { value: 2n }, { timeoutMs: 5000 })).value, 4n)
    first.resolve()
    assert.equal((await one).value, 2n)
  })

  it('carries four megabytes unchanged', async (t) => {
    const { link } = await openPair(t, { listener: { handlers: [on(echo, (value) => value)] } })
    const data = ports.random.bytes(4 << 20)
    assert.deepEqual((await link.call(echo, { data }, { timeoutMs: 10_000 })).data, data)
  })

  it('carries the record of an organisation to the side that dialled, as large as it may be', async (t) => {
    const { other } = await openPair(t, { dialer: { handlers: [on(keep, ({ record }) => ({ bytes: BigInt(record.length) }))] } })
    const record = new Uint8Array(GENESIS_RECORD_BYTES_MAX)
    assert.equal((await other.call(keep, { record }, { timeoutMs: 60_000 })).bytes, BigInt(record.length))
  })

  it('is not given up as silent while a large message is still on its way, and is when nothing comes any more', async () => {
    const waits: (() => void)[] = []
    let nowMs = 0
    const clock = { nowMs: () => nowMs, monotonicMs: () => nowMs }
    const timer = { sleep: ports.timer.sleep, after: (_: number, callback: () => void) => (waits.push(callback), () => {}) }
    const incoming = new PassThrough()
    const connection = { incoming, write: async () => {}, close: () => {} }
    const key = new Uint8Array(32)
    const channel = new SecureChannel(connection, new FrameReader(incoming), { peer: key, sendKey: key, receiveKey: key }, 'dialer')
    const link = startCalls({ ports: { timer, clock }, channel, peerKey: key, handlers: [] })
    let isOpen = true
    const closed = link.closed.then((reason) => {
      isOpen = false
      return reason
    })
    const later = async (piece: Uint8Array | undefined) => {
      nowMs += 40_000
      if (piece) incoming.write(piece)
      await new Promise((resolve) => setImmediate(resolve))
      for (const fire of waits.splice(0)) fire()
    }
    await later(Uint8Array.of(2, 0, 0, 0))
    for (let i = 0; i < 4; i++) await later(new Uint8Array(1000))
    assert.equal(isOpen, true)
    for (let i = 0; i < 2; i++) await later(undefined)
    assert.equal(await closed, 'the peer fell silent')
  })

  it('carries a refusal with its check and its signed statement', async (t) => {
    const statement = { message: Uint8Array.of(1, 2, 3), party: 2n, signature: new Uint8Array(64).fill(7) }
    const refusing = on(refuse, ({ kind }) => {
      throw new PeerError(kind as 'refused', 'limits: 5 of 4 used', { check: 'c9', statement })
    })
    const { link } = await openPair(t, { listener: { handlers: [refusing] } })
    for (const kind of ['refused', 'fault', 'cheat', 'unavailable']) {
      await assert.rejects(link.call(refuse, { kind }, { timeoutMs: 5000 }), (cause: PeerError) => {
        assert.deepEqual([cause.kind, cause.check, cause.message, cause.statement], [kind, 'c9', 'limits: 5 of 4 used', statement])
        return true
      })
    }
  })

  it('tells the peer nothing about a bug in a handler, and its own log everything', async (t) => {
    const reported: unknown[] = []
    const bug = new Error('share = 1234')
    const failing = on(refuse, () => {
      throw bug
    })
    const { link } = await openPair(t, { listener: { handlers: [failing], report: (cause) => reported.push(cause) } })
    await assert.rejects(link.call(refuse, { kind: '' }, { timeoutMs: 5000 }), (cause: PeerError) => cause.kind === 'fault' && !cause.message.includes('1234'))
    assert.deepEqual(reported, [bug])
  })

  it('answers a call nobody handles, and one it cannot read, with a fault', async (t) => {
    const { link } = await openPair(t, { listener: { handlers: [doubling] } })
    await assert.rejects(link.call(echo, { data: new Uint8Array(1) }, { timeoutMs: 5000 }), { kind: 'fault', message: 'nobody here answers to echo' })
    const misnamed = { ...refuse, name: 'double' }
    await assert.rejects(
      link.call(misnamed, { kind: 'x' }, { timeoutMs: 5000 }),
      (cause: PeerError) => cause.kind === 'fault' && /cannot be read/.test(cause.message),
    )
    assert.equal((await link.call(double, { value: 4n }, { timeoutMs: 5000 })).value, 8n)
  })

  it('gives up on a call without an answer as unavailable, and ignores an answer that comes later', async (t) => {
    const late = Promise.withResolvers<{ value: bigint }>()
    const { link } = await openPair(t, { listener: { handlers: [on(double, ({ value }) => (value === 0n ? late.promise : { value }))] } })
    await assert.rejects(link.call(double, { value: 0n }, { timeoutMs: 20 }), { kind: 'unavailable' })
    late.resolve({ value: 9n })
    assert.equal((await link.call(double, { value: 5n }, { timeoutMs: 5000 })).value, 5n)
  })

  it('fails the calls under way when the connection ends, and dials again', async (t) => {
    const [dialer, listener] = [newIdentity(), newIdentity()]
    const links: Link[] = []
    const handlers = [on(double, ({ value }) => (value === 0n ? new Promise<never>(() => {}) : { value }))]
    const server = await listenLink({ ports, host, port: 0, me: listener, allowed: [linkPublicKey(dialer)], handlers, onLink: (link) => links.push(link) })
    const states: boolean[] = []
    let onConnected = Promise.withResolvers<void>()
    const link: StandingLink = connectLink({
      ports,
      host,
      port: server.port,
      me: dialer,
      serverKey: linkPublicKey(listener),
      handlers: [],
      onState: ({ connected }) => {
        states.push(connected)
        if (connected) onConnected.resolve()
      },
    })
    t.after(async () => {
      link.close()
      await server.close()
    })
    await onConnected.promise
    onConnected = Promise.withResolvers()
    const waiting = link.call(double, { value: 0n }, { timeoutMs: 60_000 })
    const failed = assert.rejects(waiting, { kind: 'unavailable' })
    links[0]!.close()
    await failed
    await assert.rejects(link.call(double, { value: 1n }, { timeoutMs: 1000 }), { kind: 'unavailable' })
    await onConnected.promise
    assert.equal((await link.call(double, { value: 3n }, { timeoutMs: 5000 })).value, 3n)
    assert.deepEqual(states, [true, false, true])
  })
})

describe('the handshake', () => {
  async function expectRefusal(keys: { allowed?: Uint8Array; serverKey?: Uint8Array }): Promise<{ dialer: string; listener: string[] }> {
    const [dialer, listener] = [newIdentity(), newIdentity()]
    const refusals: string[] = []
    const onLink = () => assert.fail('a stranger was let in')
    const allowed = [keys.allowed ?? linkPublicKey(dialer)]
    const server = await listenLink({ ports, host, port: 0, me: listener, allowed, handlers: [], onLink, onRefused: (reason) => refusals.push(reason) })
    const lost = Promise.withResolvers<string>()
    const onState = (state: { connected: boolean; reason?: string }) => (state.connected ? assert.fail('connected to a stranger') : lost.resolve(state.reason!))
    const link = connectLink({ ports, host, port: server.port, me: dialer, serverKey: keys.serverKey ?? linkPublicKey(listener), handlers: [], onState })
    const reason = await lost.promise
    link.close()
    await server.close()
    return { dialer: reason, listener: refusals }
  }

  it('refuses a dialer whose key is not pinned', async () => {
    const { dialer, listener } = await expectRefusal({ allowed: linkPublicKey(newIdentity()) })
    assert.match(dialer, /may not know our key/)
    assert.match(listener[0]!, /not one of those allowed/)
  })

  it('refuses a listener with another key than the one pinned', async () => {
    const { dialer } = await expectRefusal({ serverKey: linkPublicKey(newIdentity()) })
    assert.match(dialer, /another one than the one pinned/)
  })

  it('fails when any byte of it is changed on the way', async (t) => {
    const [dialer, listener] = [newIdentity(), newIdentity()]
    const refusals: string[] = []
    let links = 0
    const server = await listenLink({
      ports,
      host,
      port: 0,
      me: listener,
      allowed: [linkPublicKey(dialer)],
      handlers: [],
      onLink: () => links++,
      onRefused: (reason) => refusals.push(reason),
    })
    t.after(() => server.close())
    // The first piece is the hello, the second the proof.
    for (const [piece, at] of [
      [0, 10],
      [0, 60],
      [0, 85],
      [0, 100],
      [1, 20],
      [1, 50],
      [1, 90],
    ] as const) {
      const port = await relay(t, server.port, (content, count) => {
        const changed = Buffer.from(content)
        if (count === piece) changed[Math.min(at, changed.length - 1)]! ^= 1
        return changed
      })
      const lost = Promise.withResolvers<void>()
      const onState = (state: { connected: boolean }) => (state.connected ? assert.fail('connected') : lost.resolve())
      const link = connectLink({ ports, host, port, me: dialer, serverKey: linkPublicKey(listener), handlers: [], onState })
      await lost.promise
      link.close()
    }
    assert.equal(links, 0)
  })

  it('survives any bytes a stranger sends', async (t) => {
    const server = await listenLink({
      ports,
      host,
      port: 0,
      me: newIdentity(),
      allowed: [linkPublicKey(newIdentity())],
      handlers: [],
      onLink: () => assert.fail('let in'),
    })
    t.after(() => server.close())
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (sent) => {
        const socket = connect({ host, port: server.port })
        await new Promise<void>((resolve) => {
          socket
            .on('close', () => resolve())
            .on('error', () => {})
            .resume()
          socket.end(sent)
        })
      }),
      { numRuns: 100 },
    )
  })
})

describe('a frame', () => {
  for (const [what, change] of [
    ['changed', (frame: Buffer) => Buffer.from(frame.map((byte, i) => (i === frame.length - 1 ? byte ^ 1 : byte)))],
    ['sent twice', (frame: Buffer) => Buffer.concat([frame, frame])],
    ['announced as long as only the other side may send', (frame: Buffer) => Buffer.concat([Buffer.from([0, 0x70, 0, 0]), frame])],
    ['announced longer than allowed', (frame: Buffer) => Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 0xff]), frame])],
    ['cut short', (frame: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, 1]), frame.subarray(4)])],
  ] as const) {
    it(`${what} on its way closes the connection and harms nothing else`, async (t) => {
      let hostile = false
      const { link, other, lost } = await openPair(t, {
        listener: { handlers: [doubling] },
        through: (port) => relay(t, port, (piece) => (hostile ? change(piece) : piece)),
      })
      assert.equal((await link.call(double, { value: 1n }, { timeoutMs: 5000 })).value, 2n)
      hostile = true
      await link.call(double, { value: 1n }, { timeoutMs: 5000 }).catch((cause: PeerError) => assert.equal(cause.kind, 'unavailable'))
      assert.match(await other.closed, /changed on its way|at most/)
      await lost
    })
  }
})

describe('clipText', () => {
  it('gives text of at most so many bytes, whatever goes in', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'é', 'e\u0301', '中', '😀', '\ud800', '\udc00'), { maxLength: 40 }), fc.nat(60), (parts, max) => {
        const input = parts.join('')
        const clipped = clipText(input, max)
        return new TextEncoder().encode(clipped).length <= max && clipped.isWellFormed() && clipped.normalize('NFC') === clipped
      }),
    )
  })
})
