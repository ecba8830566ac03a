import type { PublicContext } from '@holdfast/http'
import * as z from 'zod'
import type { SessionServices } from './session-services.ts'

/** A browser in which somebody has signed in before, by a cookie that this server sealed. It opens nothing. */
export type KnownDevice = { orgId: string; personId: string; device: string }

const shape = z.object({ orgId: z.string(), personId: z.string(), device: z.string() })
const PLACE = { org: 'every', table: 'browser', column: 'known', row: 'cookie' }

/**
 * Remembers in this browser that the person has signed in with it. Whoever tries passwords of this person elsewhere then does not hold up this browser, which
 * has a number of tries of its own.
 */
export function rememberDevice({ sealer, ports }: SessionServices, context: PublicContext, { orgId, personId }: Omit<KnownDevice, 'device'>): void {
  const device = Buffer.from(ports.random.bytes(16)).toString('base64url')
  context.rememberDevice(sealer.seal(PLACE, new TextEncoder().encode(JSON.stringify({ orgId, personId, device }))))
}

/** Whom this browser is known to belong to, or undefined if it is not known. */
export function knownDevice({ sealer }: SessionServices, { deviceToken }: PublicContext): KnownDevice | undefined {
  if (deviceToken === undefined) return undefined
  try {
    return shape.parse(JSON.parse(new TextDecoder().decode(sealer.open(PLACE, deviceToken))))
  } catch {
    // Sealed by another server, cut or made up: a browser like any other.
    return undefined
  }
}
