import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressRanges, networkOf } from './address-ranges.ts'
import type { HttpLimits } from './index.ts'

/**
 * Keeps a server to `connectionsMax` connections. For one more, the one goes that has been without a whole request for longest: whoever opens
 * connections and says nothing pushes out nobody but themselves. One network has a share of them, unless it is a trusted proxy.
 */
export function boundConnections(server: Server, limits: Pick<HttpLimits, 'connectionsMax' | 'connectionsPerAddressMax' | 'trustedProxies'>): void {
  const proxies = addressRanges(limits.trustedProxies)
  const resting = new Set<Socket>()
  const working = new Set<Socket>()
  const perNetwork = new Map<string, number>()
  const count = (network: string, by: 1 | -1): number => {
    const now = (perNetwork.get(network) ?? 0) + by
    if (now > 0) perNetwork.set(network, now)
    else perNetwork.delete(network)
    return now
  }

  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    const network = proxies.has(address) ? undefined : networkOf(address)
    const ofNetwork = network === undefined ? 0 : count(network, 1)
    resting.add(socket)
    socket.once('close', () => {
      resting.delete(socket)
      working.delete(socket)
      if (network !== undefined) count(network, -1)
    })
    if (ofNetwork > limits.connectionsPerAddressMax) socket.destroy()
    else if (resting.size + working.size > limits.connectionsMax) resting.values().next().value?.destroy()
  })
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming
    const work = () => {
      if (resting.delete(socket)) working.add(socket)
    }
    const hasBody = incoming.headers['content-length'] !== undefined || incoming.headers['transfer-encoding'] !== undefined
    if (hasBody) incoming.once('end', work)
    else work()
    outgoing.once('close', () => {
      if (working.delete(socket) && !socket.destroyed) resting.add(socket)
    })
  })
}
