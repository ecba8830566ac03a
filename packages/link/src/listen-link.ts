import type { Connection } from '@holdfast/ports'
import type { Link } from './call-layer.ts'
import { type LinkOptions, openAsListener } from './open-link.ts'

/** How many strangers may be in the handshake at once; the next ones are turned away. */
const HANDSHAKES_MAX = 64

export type ListenOptions = LinkOptions & {
  host: string
  /** 0 takes any free port. */
  port: number
  /** The Ed25519 public keys that may dial in. */
  allowed: readonly Uint8Array[]
  /**
   * Called for every link that opens, with the address it comes from, if that is known. A peer that dials again has two for a while; the newer one is the
   * good one.
   */
  onLink: (link: Link, address: string | null) => void
  /** Hears why a connection was turned away. */
  onRefused?: (reason: string) => void
}

/** Listens for peers. A connection that does not finish the handshake as it should is closed; nothing else happens. */
export async function listenLink(options: ListenOptions): Promise<{ port: number; close(): Promise<void> }> {
  const links = new Set<Link>()
  let shaking = 0
  const accept = async (connection: Connection): Promise<void> => {
    if (shaking >= HANDSHAKES_MAX) return connection.close()
    shaking++
    try {
      const link = await openAsListener(connection, options)
      links.add(link)
      void link.closed.then(() => links.delete(link))
      options.onLink(link, connection.peerAddress ?? null)
    } catch (cause) {
      options.onRefused?.((cause as Error).message)
    } finally {
      shaking--
    }
  }
  const listener = await options.ports.net.listen(options.host, options.port, (connection) => void accept(connection))
  return {
    port: listener.port,
    close: async () => {
      for (const link of links) link.close()
      await listener.close()
    },
  }
}
