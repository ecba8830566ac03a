import type { SystemTx } from '@holdfast/db'
import { newSessionToken, type PublicContext, sessionHashOf } from '@holdfast/http'
import { sql } from 'kysely'
import type * as z from 'zod'
import type { SignInMethod, signedIn } from '../contract.ts'
import { rememberDevice } from './known-device.ts'
import type { SessionServices } from './session-services.ts'

export const ABSOLUTE_LIFETIME_MS = 12 * 60 * 60_000
export const IDLE_LIFETIME_MS = 15 * 60_000

export type SignedIn = z.input<typeof signedIn>
export type SessionPerson = { orgId: string; personId: string; role: string }
type Opened = { token: string; person: SessionPerson; expiresAtMs: number }

/** Changes whenever the person's rights change, and with it the open token of the session. */
export function epochOf(role: string): string {
  return role
}

/**
 * Writes a new session for a person who has just proven who they are. Always under a new token, so that a token that was
 * planted before can never become signed in; the session this browser had before ends.
 */
export async function openSession(
  services: SessionServices,
  tx: SystemTx,
  context: PublicContext,
  person: SessionPerson,
  method: SignInMethod,
): Promise<Opened> {
  const { ports } = services
  const nowMs = ports.clock.nowMs()
  const token = newSessionToken(ports.random)
  const id = sessionHashOf(token)
  const expiresAtMs = nowMs + ABSOLUTE_LIFETIME_MS
  await tx
    .updateTable('session')
    .set({ revoked_at: sql<bigint>`greatest(created_at, ${BigInt(nowMs)})` })
    .where('id', '=', context.browserHash)
    .where('revoked_at', 'is', null)
    .execute()
  await tx
    .insertInto('session')
    .values({
      id,
      org_id: person.orgId,
      person_id: person.personId,
      // The XSRF token is derived from the session's token; the column only has to be filled.
      ip: context.ip.slice(0, 64),
      user_agent: context.userAgent,
      created_at: nowMs,
      last_seen_at: nowMs,
      expires_at: expiresAtMs,
    })
    .execute()
  await tx
    .updateTable('person')
    .set({ failed_logins: 0, delayed_until_at: null, last_login_at: nowMs })
    .where('org_id', '=', person.orgId)
    .where('id', '=', person.personId)
    .execute()
  await services.recordSignIn(tx, {
    atMs: nowMs,
    method,
    result: 'ok',
    sessionId: Buffer.from(id).toString('hex'),
    orgId: person.orgId,
    personId: person.personId,
    ip: context.ip,
    userAgent: context.userAgent,
  })
  return { token, person, expiresAtMs }
}

/** Puts a session that was written (and committed) into the browser. */
export function enterSession(services: SessionServices, context: PublicContext, { token, person, expiresAtMs }: Opened): SignedIn {
  services.options.onSessionEnd?.(Buffer.from(context.browserHash).toString('hex'))
  const openToken = context.signIn(token, epochOf(person.role))
  rememberDevice(services, context, person)
  return { open_token: openToken, person_id: person.personId, role: person.role, expires_at: expiresAtMs }
}
