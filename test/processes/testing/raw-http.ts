import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'

export type HttpAnswer = { status: number; contentType: string; text: string }
export type HttpCall = { port: number; method: string; path: string; headers: OutgoingHttpHeaders; body: Buffer | undefined; from: string }

const HANG_MS = 60_000

/** One request, with every header as given and nothing corrected, sent from a chosen address of this machine. Throws where no answer comes. */
export function sendRaw({ port, method, path, headers, body, from }: HttpCall): Promise<HttpAnswer> {
  // Without its length a body would follow some methods as if it were the next request.
  const length = body === undefined ? {} : { 'Content-Length': body.length }
  const options = {
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { ...headers, ...length },
    localAddress: from,
    agent: false,
    timeout: HANG_MS,
    setHost: false,
  }
  return new Promise((resolve, reject) => {
    const call = request(options, (answer) => readAll(answer).then(resolve, reject))
    call.on('timeout', () => call.destroy(new Error(`no answer within ${HANG_MS} ms`)))
    call.on('error', reject)
    call.end(body)
  })
}

async function readAll(answer: IncomingMessage): Promise<HttpAnswer> {
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece as Buffer)
  return { status: answer.statusCode ?? 0, contentType: answer.headers['content-type'] ?? '', text: Buffer.concat(pieces).toString() }
}
