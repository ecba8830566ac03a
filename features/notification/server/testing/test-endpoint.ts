import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { demandToldAsDescribed } from './told-as-described.ts'

export type Received = {
  headers: IncomingHttpHeaders
  raw: string
  body: { notify_id: string; seq: number; attempt: number; id?: string; event: string; side: string; status?: number; sent_at: number } & Record<
    string,
    unknown
  >
}

/** What an endpoint does with a notification: its answer, or `hang` (never), `cut` (breaks the line after reading). */
export type Behaviour = { status?: number; body?: string; headers?: Record<string, string> } | 'hang' | 'cut'

export type TestEndpoint = {
  url: string
  /** Everything that arrived, in the order in which it arrived. */
  received: Received[]
  /** Connections that were opened, whatever came of them. */
  connections(): number
  answerWith(act: (received: Received) => Behaviour | Promise<Behaviour>): void
  /** Resolves when so many have arrived. */
  reached(count: number): Promise<void>
  close(): Promise<void>
}

/** An endpoint on this machine that does as a test says, at a port of its own or at the one given. */
export async function openTestEndpoint(at = 0): Promise<TestEndpoint> {
  const received: Received[] = []
  let connections = 0
  let act: (received: Received) => Behaviour | Promise<Behaviour> = () => ({})
  let wake = () => {}
  const answer = (behaviour: Behaviour, response: ServerResponse) => {
    if (behaviour === 'hang') return
    if (behaviour === 'cut') return void response.socket?.destroy()
    response.writeHead(behaviour.status ?? 200, behaviour.headers ?? {}).end(behaviour.body ?? 'SUCCESS')
  }
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const raw = Buffer.concat(pieces).toString('utf8')
      const one: Received = { headers: request.headers, raw, body: raw === '' ? ({} as never) : JSON.parse(raw) }
      if (raw !== '') demandToldAsDescribed(one.body)
      received.push(one)
      wake()
      void Promise.resolve(act(one)).then((behaviour) => answer(behaviour, response))
    })
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    connections: () => connections,
    answerWith: (next) => void (act = next),
    reached: async (count) => {
      while (received.length < count) await new Promise<void>((resolve) => (wake = resolve))
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
