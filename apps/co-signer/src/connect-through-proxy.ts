import type { Connection, Ports } from '@holdfast/ports'

/** A proxy did not open the way. */
export class ProxyError extends Error {
  override name = 'ProxyError'
}

const HEAD_BYTES_MAX = 16_384

/**
 * Opens a connection through an HTTP proxy by CONNECT (RFC 9110, 9.3.6), with the name and password in its address, if any. What is said on it is sealed end
 * to end: the proxy sees whom it is with, and no more.
 */
export async function connectThroughProxy({ net }: Pick<Ports, 'net'>, proxy: string, target: { host: string; port: number }): Promise<Connection> {
  const { hostname, port, username, password } = new URL(proxy)
  const connection = await net.connect(hostname.replace(/^\[(.*)\]$/, '$1'), Number(port || 80))
  const authority = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`
  const secret = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`, ...(username === '' ? [] : [`Proxy-Authorization: Basic ${secret}`]), '', '']
  try {
    await connection.write(new TextEncoder().encode(lines.join('\r\n')))
    const incoming = connection.incoming[Symbol.asyncIterator]()
    const { head, rest } = await readHead(incoming)
    const [, status = ''] = /^HTTP\/1\.[01] (\d{3})/.exec(head) ?? []
    if (!status.startsWith('2')) throw new ProxyError(`the proxy ${hostname} does not open the way to ${authority}: ${head.split('\r\n')[0]?.slice(0, 100)}`)
    return { ...connection, incoming: after(rest, incoming) }
  } catch (cause) {
    connection.close()
    throw cause
  }
}

async function readHead(incoming: AsyncIterator<Uint8Array>): Promise<{ head: string; rest: Uint8Array }> {
  let read = Buffer.alloc(0)
  for (;;) {
    const end = read.indexOf('\r\n\r\n')
    if (end >= 0) return { head: read.subarray(0, end).toString('latin1'), rest: new Uint8Array(read.subarray(end + 4)) }
    if (read.length > HEAD_BYTES_MAX) throw new ProxyError('the proxy answers too much')
    const { done, value } = await incoming.next()
    if (done) throw new ProxyError('the proxy closed the connection')
    read = Buffer.concat([read, value])
  }
}

async function* after(first: Uint8Array, incoming: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.length > 0) yield first
  for (;;) {
    const { done, value } = await incoming.next()
    if (done) return
    yield value
  }
}
