import type { Ports } from '@holdfast/ports'

/** Every network of this program listens on this machine alone. */
export const HOST = '127.0.0.1'

const PORT_TIMEOUT_MS = 2_000
const POLL_MS = 20

/** The wanted port once nobody listens on it, or any free one for 0. Waits a moment, since a predecessor may be about to end. */
export async function freePort(ports: Pick<Ports, 'clock' | 'net' | 'timer'>, wantedPort: number, variable: string): Promise<number> {
  const startedMs = ports.clock.monotonicMs()
  for (;;) {
    try {
      const probe = await ports.net.listen(HOST, wantedPort, (connection) => connection.close())
      await probe.close()
      return probe.port
    } catch (cause) {
      if (ports.clock.monotonicMs() - startedMs > PORT_TIMEOUT_MS) throw inUse(cause, wantedPort, variable)
      await ports.timer.sleep(POLL_MS)
    }
  }
}

/** Answers HTTP requests on a port of this machine. `variable` is where another port is set. */
export async function serveHere(net: Ports['net'], port: number, variable: string, handle: (request: Request) => Promise<Response>) {
  return net.serveHttp(HOST, port, handle).catch((cause: unknown) => {
    throw inUse(cause, port, variable)
  })
}

/** Turns a failure to listen into what to do about it. */
function inUse(cause: unknown, port: number, variable: string): Error {
  const { code, message } = cause as { code?: string; message?: string }
  if (code === 'EADDRINUSE') return new Error(`port ${port} is in use by another program: stop that program, or set ${variable} to a free port`)
  return new Error(`cannot listen on port ${port}: ${message}; set ${variable} to another port`)
}
