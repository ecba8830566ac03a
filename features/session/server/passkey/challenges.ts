import { AppError } from '@holdfast/contract'
import type { RequestContext } from '@holdfast/http'
import { newId } from '@holdfast/units'
import { sql } from 'kysely'
import type * as z from 'zod'
import { sessionErrors } from '../../errors.ts'
import type { SessionServices } from '../session-services.ts'

export type ChallengeKind = 'passkey_login' | 'passkey_register' | 'password_register' | 'device_login' | 'device_register'

const LIFETIME_MS = 5 * 60_000
const KEPT_MS = 60 * 60_000

/** Keeps what a browser was asked, for five minutes, for this browser only. `id` is made before, so that what is sealed can name its row. */
export async function putChallenge(
  services: SessionServices,
  context: RequestContext,
  kind: ChallengeKind,
  id: string,
  data: Record<string, unknown>,
): Promise<void> {
  const nowMs = services.ports.clock.nowMs()
  const browser = Buffer.from(context.browserHash).toString('hex')
  await services.db.asSystem(async (tx) => {
    await tx
      .deleteFrom('login_challenge')
      .where('expires_at', '<', BigInt(nowMs - KEPT_MS))
      .execute()
    await tx
      .insertInto('login_challenge')
      .values({ id, kind, data: JSON.stringify({ ...data, browser }), created_at: nowMs, expires_at: nowMs + LIFETIME_MS })
      .execute()
  })
}

/** A new id for a challenge. */
export function newChallengeId(services: SessionServices): string {
  return newId(services.ports.clock.nowMs(), services.ports.random)
}

/**
 * Takes a challenge, once, whatever becomes of it afterwards: a failed attempt burns it too.
 * Throws AppError `challenge_expired` if it was used, is too old, or was given to another browser.
 */
export async function takeChallenge<S extends z.ZodType>(
  services: SessionServices,
  context: RequestContext,
  kind: ChallengeKind,
  id: string,
  shape: S,
): Promise<z.output<S>> {
  const nowMs = BigInt(services.ports.clock.nowMs())
  const browser = Buffer.from(context.browserHash).toString('hex')
  const taken = await services.db.asSystem((tx) =>
    tx
      .updateTable('login_challenge')
      .set({ used_at: sql<bigint>`greatest(created_at, ${nowMs})` })
      .where('id', '=', id)
      .where('kind', '=', kind)
      .where('used_at', 'is', null)
      .where('expires_at', '>', nowMs)
      .where(sql<string>`data->>'browser'`, '=', browser)
      .returning('data')
      .executeTakeFirst(),
  )
  if (!taken) throw new AppError(sessionErrors.challenge_expired)
  return shape.parse(taken.data)
}
