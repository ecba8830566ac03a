import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import type { HttpHandler, HttpLimits } from './index.ts'
import { nodePorts } from './node.ts'

const LIMITS: HttpLimits = {
  bodyBytesMax: 1024,
  headWithinMs: 5_000,
  requestWithinMs: 10_000,
  exchangeWithinMs: 20_000,
  connectionsMax: 100,
  connectionsPerAddressMax: 100,
  trustedProxies: [],
  admit: () => undefined,
}

async function serve(t: TestContext, change: Partial<HttpLimits>, handler: HttpHandler = async () => new Response('answered')) {
  const server = await nodePorts.net.serveHttp('127.0.0.1', 0, handler, { ...LIMITS, ...change })
  t.after(() => server.close())
  return server.port
}

/** A connection of a stranger: what it heard, and when it was ended. */
function dial(t: TestContext, port: number, from = '127.0.0.1') {
  const socket: Socket = connect({ host: '127.0.0.1', port, localAddress: from })
  t.after(() => socket.destroy())
  let heard = ''
  socket.on('data', (piece) => (heard += piece.toString('latin1')))
  // A connection that is cut answers with an error as often as with an end.
  socket.on('error', () => undefined)
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)))
  const opened = new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  return { socket, ended, opened, heard: () => heard }
}

const GET = 'GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'

/** Far more than fit into the time a slow peer has. */
const DROPS_MAX = 400

test('whoever is slow to send headers, a body or nothing at all is disconnected', async (t) => {
  const port = await serve(t, { headWithinMs: 100, requestWithinMs: 200 })
  const starts = ['', 'GET / HTTP/1.1\r\nhost: a\r\nx-slow: ', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nabc']
  for (const start of starts) {
    const { socket, ended } = dial(t, port)
    socket.write(start)
    // A byte now and then keeps no connection alive.
    let drops = 0
    const drip = setInterval(() => (drops++ < DROPS_MAX ? socket.write(start === '' ? '' : 'a') : socket.destroy()), 20)
    assert.match(await ended, /^(HTTP\/1\.1 408 |$)/, JSON.stringify(start))
    clearInterval(drip)
    assert.ok(drops < DROPS_MAX, JSON.stringify(start))
  }
})

test('whoever does not take the answer is disconnected', async (t) => {
  const port = await serve(t, { exchangeWithinMs: 100 }, async () => new Response(new Uint8Array(32 << 20)))
  const { socket, ended } = dial(t, port)
  socket.pause()
  socket.write(GET)
  await new Promise<void>((resolve) => setTimeout(resolve, 300))
  socket.resume()
  assert.ok((await ended).length < 32 << 20)
})

test('what is refused by its head has its body neither read nor kept', async (t) => {
  let handled = 0
  const handler = async () => {
    handled++
    return new Response()
  }
  const port = await serve(t, { connectionsMax: 200, connectionsPerAddressMax: 200, admit: () => new Response('another host', { status: 421 }) }, handler)
  const body = Buffer.alloc(4 << 20)
  const before = process.memoryUsage().external
  let most = 0
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().external - before)), 5)
  const dials = Array.from({ length: 120 }, () => dial(t, port))
  for (const { socket } of dials) {
    socket.write(`POST / HTTP/1.1\r\nhost: b\r\ncontent-length: ${body.length}\r\n\r\n`)
    socket.write(body)
  }
  await Promise.all(dials.map(({ ended }) => ended))
  clearInterval(watch)
  assert.ok(most < 64 << 20, `${most} bytes`)
  const { socket, ended } = dial(t, port)
  socket.write('POST / HTTP/1.1\r\nhost: b\r\ncontent-length: 4\r\nconnection: close\r\n\r\nbody')
  assert.match(await ended, /^HTTP\/1\.1 421 /)
  assert.equal(handled, 0)
})

test('a body that is too large is refused by its length, or where it grows too large', async (t) => {
  const port = await serve(t, {})
  for (const head of ['content-length: 1025\r\n\r\n', 'transfer-encoding: chunked\r\n\r\n401\r\n']) {
    const { socket, ended } = dial(t, port)
    socket.write(`POST / HTTP/1.1\r\nhost: a\r\n${head}${head.includes('chunked') ? 'x'.repeat(1025) : ''}`)
    assert.match(await ended, /^HTTP\/1\.1 413 /)
  }
  const { socket, ended } = dial(t, port)
  socket.write(`POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 1024\r\n\r\n${'x'.repeat(1024)}`)
  assert.match(await ended, /^HTTP\/1\.1 200 [\s\S]*answered$/)
})

test('a request with two hosts is refused', async (t) => {
  const port = await serve(t, {})
  for (const hosts of ['host: a\r\nhost: b', 'Host: a\r\nHOST: a']) {
    const { socket, ended } = dial(t, port)
    socket.write(`GET / HTTP/1.1\r\n${hosts}\r\nconnection: close\r\n\r\n`)
    assert.match(await ended, /^HTTP\/1\.1 400 /, hosts)
  }
})

test('connections that say nothing make room for one that does', async (t) => {
  const port = await serve(t, { connectionsMax: 8 })
  const idle = Array.from({ length: 8 }, () => dial(t, port))
  await Promise.all(idle.map(({ opened }) => opened))
  const { socket, ended } = dial(t, port)
  socket.write(GET)
  assert.match(await ended, /answered$/)
  assert.equal(await idle[0]!.ended, '')
})

test('one address has a share of the connections, unless it is a trusted proxy', async (t) => {
  const flooded = await serve(t, { connectionsPerAddressMax: 4 })
  const flood = Array.from({ length: 4 }, () => dial(t, flooded, '127.0.0.2'))
  await Promise.all(flood.map(({ opened }) => opened))
  assert.equal(await dial(t, flooded, '127.0.0.2').ended, '')
  const other = dial(t, flooded, '127.0.0.3')
  other.socket.write(GET)
  assert.match(await other.ended, /answered$/)

  const proxied = await serve(t, { connectionsPerAddressMax: 1, trustedProxies: ['127.0.0.2'] })
  const first = dial(t, proxied, '127.0.0.2')
  await first.opened
  const second = dial(t, proxied, '127.0.0.2')
  second.socket.write(GET)
  assert.match(await second.ended, /answered$/)
})

test('a handler is told the address that a trusted proxy names, and no other', async (t) => {
  const admit: HttpLimits['admit'] = ({ address }) => new Response(address)
  const port = await serve(t, { trustedProxies: ['127.0.0.2'], admit })
  const ask = async (from: string) => {
    const { socket, ended } = dial(t, port, from)
    socket.write('GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-forwarded-for: 1.1.1.1\r\nx-forwarded-for: 198.51.100.1\r\n\r\n')
    return (await ended).split('\r\n\r\n')[1]
  }
  assert.equal(await ask('127.0.0.2'), '198.51.100.1')
  assert.equal(await ask('127.0.0.3'), '127.0.0.3')
})
