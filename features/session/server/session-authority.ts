import type { Database, SystemTx } from '@holdfast/db'
import type { SessionAuthority } from '@holdfast/http'
import type { Clock } from '@holdfast/ports'
import { sql } from 'kysely'
import { permissionsOf } from '../permissions.ts'
import { epochOf, IDLE_LIFETIME_MS } from './open-session.ts'

/** Activity is written down at most this often, so that reading costs no write. */
const TOUCH_INTERVAL_MS = 30_000

function liveSessions(tx: SystemTx, nowMs: number) {
  return tx
    .selectFrom('session')
    .innerJoin('person', (join) => join.onRef('person.org_id', '=', 'session.org_id').onRef('person.id', '=', 'session.person_id'))
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', BigInt(nowMs))
    .where('session.last_seen_at', '>', BigInt(nowMs - IDLE_LIFETIME_MS))
    .where('person.state', '=', 'active')
}

/**
 * What a session is worth, asked of the database on every request: it is not revoked, not older than 12 hours, not idle for
 * 15 minutes, and its person is active. A removed person or a changed role therefore counts from the next request on.
 */
export function sessionAuthority(db: Database, clock: Clock): SessionAuthority {
  return {
    resolve: async (tokenHash, touch) => {
      const nowMs = clock.nowMs()
      const found = await db.readSystem((tx) =>
        liveSessions(tx, nowMs)
          .where('session.id', '=', tokenHash)
          .select(['session.org_id', 'session.person_id', 'session.expires_at', 'session.last_seen_at', 'person.role'])
          .executeTakeFirst(),
      )
      if (!found) return undefined
      if (touch && Number(found.last_seen_at) < nowMs - TOUCH_INTERVAL_MS) {
        await db.asSystem((tx) =>
          tx
            .updateTable('session')
            .set({ last_seen_at: sql<bigint>`greatest(last_seen_at, ${BigInt(nowMs)})` })
            .where('id', '=', tokenHash)
            .execute(),
        )
      }
      return {
        id: Buffer.from(tokenHash).toString('hex'),
        orgId: found.org_id,
        personId: found.person_id,
        role: found.role,
        permissions: permissionsOf(found.role),
        epoch: epochOf(found.role),
        expiresAtMs: Number(found.expires_at),
      }
    },
    alive: async (sessionIds) => {
      if (sessionIds.length === 0) return new Set()
      const ids = sessionIds.map((id) => new Uint8Array(Buffer.from(id, 'hex')))
      const rows = await db.readSystem((tx) => liveSessions(tx, clock.nowMs()).where('session.id', 'in', ids).select('session.id').execute())
      return new Set(rows.map(({ id }) => Buffer.from(id).toString('hex')))
    },
  }
}
