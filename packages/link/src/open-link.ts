import type { Connection, Ports } from '@holdfast/ports'
import { type Handler, type Link, startCalls } from './call-layer.ts'
import { FrameReader, LinkError } from './frame-reader.ts'
import { type LinkIdentity, type LinkKeys, shakeAsDialer, shakeAsListener } from './handshake.ts'
import { SecureChannel } from './secure-channel.ts'

export type LinkPorts = Pick<Ports, 'net' | 'timer' | 'clock' | 'random'>
export type LinkOptions = { ports: LinkPorts; me: LinkIdentity; handlers: readonly Handler[]; report?: (cause: unknown) => void }

const HANDSHAKE_MAX_MS = 10_000

/** Turns a fresh connection into a link as the side that dialled. Closes it and throws LinkError if anything is wrong. */
export function openAsDialer(connection: Connection, options: LinkOptions & { peer: Uint8Array }): Promise<Link> {
  return open(connection, options, async (reader) => {
    const keys = await shakeAsDialer({ connection, reader, random: options.ports.random, me: options.me }, options.peer)
    const channel = new SecureChannel(connection, reader, keys, 'dialer')
    const letIn = await channel.receive()
    if (letIn?.length !== 0) throw new LinkError('the listener did not let us in: it may not know our key')
    return { keys, channel }
  })
}

/** Turns a fresh connection into a link as the side that listened. Closes it and throws LinkError if anything is wrong. */
export function openAsListener(connection: Connection, options: LinkOptions & { allowed: readonly Uint8Array[] }): Promise<Link> {
  return open(connection, options, async (reader) => {
    const keys = await shakeAsListener({ connection, reader, random: options.ports.random, me: options.me }, options.allowed)
    const channel = new SecureChannel(connection, reader, keys, 'listener')
    await channel.send(new Uint8Array(0))
    return { keys, channel }
  })
}

async function open(
  connection: Connection,
  options: LinkOptions,
  shake: (reader: FrameReader) => Promise<{ keys: LinkKeys; channel: SecureChannel }>,
): Promise<Link> {
  let late = false
  const cancel = options.ports.timer.after(HANDSHAKE_MAX_MS, () => {
    late = true
    connection.close()
  })
  try {
    const { keys, channel } = await shake(new FrameReader(connection.incoming))
    return startCalls({ ports: options.ports, channel, peerKey: keys.peer, handlers: options.handlers, report: options.report })
  } catch (cause) {
    connection.close()
    if (late) throw new LinkError(`the handshake took more than ${HANDSHAKE_MAX_MS} ms`, { cause })
    throw cause instanceof LinkError ? cause : new LinkError(`the handshake failed: ${(cause as Error).message}`, { cause })
  } finally {
    cancel()
  }
}
