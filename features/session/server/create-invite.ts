import { createHash } from 'node:crypto'
import type { SystemTx } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import { invitePath } from '../invite-link.ts'

const LIFETIME_MS = 7 * 24 * 60 * 60_000

/** The hash under which the database keeps an invitation. */
export function inviteHash(token: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(`holdfast/invite/v1\0${token}`).digest())
}

/**
 * A link with which a person registers a way to sign in, once, within seven days. Only the token's hash is kept, so the link
 * can be shown now and never again. When one invitation of a person is used, the others of that person are worth nothing.
 */
export async function createInvite(
  tx: SystemTx,
  ports: Pick<Ports, 'clock' | 'random'>,
  person: { orgId: string; personId: string },
): Promise<{ token: string; path: string; expiresAtMs: number }> {
  const token = Buffer.from(ports.random.bytes(32)).toString('base64url')
  const nowMs = ports.clock.nowMs()
  const expiresAtMs = nowMs + LIFETIME_MS
  await tx
    .insertInto('invite')
    .values({ token_hash: inviteHash(token), org_id: person.orgId, person_id: person.personId, created_at: nowMs, expires_at: expiresAtMs })
    .execute()
  return { token, path: invitePath(token), expiresAtMs }
}
