import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { fetchPlain } from './fetch-plain.ts'

type Seen = { sockets: number; closed: number }

/** A server that answers as it is told, and counts its connections. */
async function withServer(listener: RequestListener, act: (url: string, seen: Seen) => Promise<void>): Promise<void> {
  const seen = { sockets: 0, closed: 0 }
  const server = createServer(listener).on('connection', (socket) => {
    seen.sockets++
    socket.on('close', () => seen.closed++)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const LONG = 'ab'.repeat(200_000)
const answers: Record<string, RequestListener> = {
  short: (_, out) => out.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }).end('{}'),
  'of no told length': (_, out) => (out.write('first '), out.end('second')),
  long: (_, out) => out.writeHead(200, { 'content-length': LONG.length }).end(LONG),
  'compressed by gzip': (_, out) => out.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(LONG)),
  'compressed by Brotli': (_, out) => out.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(LONG)),
  'whose encoding is in capitals': (_, out) => out.writeHead(200, { 'content-encoding': 'GZIP' }).end(gzipSync(LONG)),
  'that says that it is not encoded': (_, out) => out.writeHead(200, { 'content-encoding': 'identity', 'content-length': 2 }).end('{}'),
  empty: (_, out) => out.writeHead(204).end(),
  'of a failed gateway': (_, out) => out.writeHead(502, { 'content-length': 7 }).end('gateway'),
}

const POST = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'what is it? äöü', redirect: 'error' } as const

for (const [name, listener] of Object.entries(answers))
  test(`an answer ${name} is read as the built-in fetch reads it`, () =>
    withServer(listener, async (url) => {
      const told = async (send: typeof globalThis.fetch) => {
        const response = await send(url, POST)
        return [response.status, response.ok, response.headers.get('content-type'), await response.text()]
      }
      assert.deepEqual(await told(fetchPlain), await told(fetch))
    }))

test('a question arrives as it was asked, with its length', () =>
  withServer(
    async (incoming, out) => {
      const pieces = await incoming.toArray()
      const { method, headers } = incoming
      out.end(JSON.stringify([method, headers['content-type'], headers['content-length'], Buffer.concat(pieces).toString()]))
    },
    async (url) => {
      assert.deepEqual(await (await fetchPlain(url, POST)).json(), ['POST', 'text/plain', '18', 'what is it? äöü'])
      const bytes = await fetchPlain(url, { ...POST, body: new TextEncoder().encode('bytes'), headers: new Headers(POST.headers) })
      assert.deepEqual(await bytes.json(), ['POST', 'text/plain', '5', 'bytes'])
      assert.deepEqual(await (await fetchPlain(new URL(url), { redirect: 'error' })).json(), ['GET', null, null, ''])
    },
  ))

test('questions one after the other take one connection', () =>
  withServer(answers.short!, async (url, seen) => {
    for (let i = 0; i < 20; i++) await (await fetchPlain(url, POST)).text()
    assert.equal(seen.sockets, 1)
  }))

test('a redirect is refused and followed by nobody', async () => {
  let asked = 0
  await withServer(
    (_, out) => (asked++, out.writeHead(307, { location: '/' }).end()),
    async (url) => {
      await assert.rejects(fetchPlain(url, POST), /redirect/)
      assert.equal(asked, 1)
    },
  )
})

test('an answer in an encoding that nobody asked for is refused', () =>
  withServer(
    (_, out) => out.writeHead(200, { 'content-encoding': 'zstd' }).end('?'),
    (url) => assert.rejects(fetchPlain(url, POST), /encoded as zstd/),
  ))

test('whoever gives up before, while or after the answer begins gets the reason, and the connection ends', async () => {
  const reason = new Error('no longer wanted')
  const before = new AbortController()
  before.abort(reason)
  await assert.rejects(fetchPlain('http://127.0.0.1:9/', { ...POST, signal: before.signal }), reason)
  await withServer(
    (_, out) => setTimeout(() => out.end(), 600_000).unref(),
    async (url) => {
      const while_ = new AbortController()
      const asked = fetchPlain(url, { ...POST, signal: while_.signal })
      setImmediate(() => while_.abort(reason))
      await assert.rejects(asked, reason)
    },
  )
  await withServer(
    (_, out) => void out.write('begun'),
    async (url) => {
      const after = new AbortController()
      const response = await fetchPlain(url, { ...POST, signal: after.signal })
      after.abort(reason)
      await assert.rejects(response.text())
    },
  )
})

for (const encoding of ['identity', 'gzip'])
  test(`whoever reads no further (${encoding}) ends the connection`, () =>
    withServer(
      (_, out) => {
        if (encoding === 'gzip') out.setHeader('content-encoding', 'gzip')
        out.write(encoding === 'gzip' ? gzipSync(LONG) : LONG)
      },
      async (url, seen) => {
        const reader = (await fetchPlain(url, POST)).body!.getReader()
        await reader.read()
        await reader.cancel()
        while (seen.closed === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      },
    ))

test('an answer that breaks off is none, whether its length was told or not', async () => {
  for (const length of [undefined, 100, 100_000])
    await withServer(
      (_, out) => {
        if (length !== undefined) out.setHeader('content-length', length)
        out.write('begun')
        setTimeout(() => out.destroy(), 20)
      },
      (url) => assert.rejects(fetchPlain(url, POST).then((response) => response.text())),
    )
})

test('nobody there, and an address that is none, are errors that say so', async () => {
  await assert.rejects(fetchPlain('http://127.0.0.1:9/', POST), /ECONNREFUSED/)
  await assert.rejects(fetchPlain('no address', POST), /Invalid URL/)
})

test('a question of another kind is asked by the built-in fetch', () =>
  withServer(
    (incoming, out) => (incoming.url === '/' ? out.writeHead(307, { location: '/moved' }).end() : out.end(incoming.url)),
    async (url) => assert.equal(await (await fetchPlain(url)).text(), '/moved'),
  ))

test('a question goes through the proxy that the environment names', async () => {
  const proxy = createServer((incoming, out) => void out.end(`the proxy asks ${incoming.headers.host} for it`))
  // The built-in one has a tunnel made, in which the proxy of this test answers by itself.
  proxy.on('connect', (_, socket: Socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    proxy.emit('connection', socket)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const program = `const { fetchPlain } = await import('${new URL('./fetch-plain.ts', import.meta.url)}')
    console.log(await (await fetchPlain('http://node.invalid/rpc', { redirect: 'error' })).text())`
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1', HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, NO_PROXY: '' }
  const printed = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', program], { env }, (_, out, err) => resolve(out + err))
  })
  proxy.closeAllConnections()
  proxy.close()
  assert.equal(printed, 'the proxy asks node.invalid for it\n')
})
