import type { Ports } from '@holdfast/ports'
import { KIT_FILE_BYTES_MAX } from '@holdfast/protocol'
import type { LocalSettings } from './local-settings.ts'
import { runDrill } from './run-drill.ts'

const HOST = '127.0.0.1'
/** A page of a browser may send other types without being asked whether it may. */
const KIT_TYPE = 'application/octet-stream'

/**
 * Holds drills for demo wallets: who sends the kit of one to this machine's own port gets the proof that it rebuilds its key. The server asks it for people
 * who press a button; the demo's identities never leave their files.
 */
export async function serveDrills(ports: Ports, settings: LocalSettings): Promise<{ close(): Promise<void> }> {
  let last: Promise<unknown> = Promise.resolve()
  const hold = async (kit: Uint8Array): Promise<Response> => {
    // One after the other: each is held in the files of the one before.
    const drill = last.then(() => runDrill(ports, settings, kit, { name: 'of-the-page' }))
    last = drill.catch(() => undefined)
    try {
      return new Response(new Uint8Array(await drill), { headers: { 'content-type': KIT_TYPE } })
    } catch (cause) {
      return new Response(cause instanceof Error ? cause.message : String(cause), { status: 422 })
    }
  }
  return ports.net.serveHttp(HOST, settings.ports.drills, async (request) => {
    if (request.method !== 'POST' || request.headers.get('content-type') !== KIT_TYPE) return new Response('POST the kit of a demo wallet', { status: 405 })
    const kit = new Uint8Array(await request.arrayBuffer())
    return kit.length > KIT_FILE_BYTES_MAX ? new Response('this is too long for a kit', { status: 413 }) : hold(kit)
  })
}
