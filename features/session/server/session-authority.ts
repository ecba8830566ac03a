import { AppError } from '@holdfast/contract'
import { type Database, type OrganisationTx, partOfRevision, readAlong, type Revision, type SystemTx, writtenOnce } from '@holdfast/db'
import type { Session, SessionAuthority } from '@holdfast/http'
import type { Clock } from '@holdfast/ports'
import { RecentMap } from '@holdfast/units'
import { sql } from 'kysely'
import { permissionsOf } from '../permissions.ts'
import { epochOf, IDLE_LIFETIME_MS } from './open-session.ts'

/** Activity is written down at most this often, so that reading costs no write. */
const TOUCH_INTERVAL_MS = 30_000
const REMEMBERED_MAX = 10_000

/** A session as the database has it, whoever asks. */
type Found = { org_id: string; person_id: string; role: string; expires_at: bigint; last_seen_at: bigint }

/** When it is, and since when a session must have been used. */
type Moment = { nowMs: bigint; idleSinceMs: bigint }
const momentOf = (nowMs: number): Moment => ({ nowMs: BigInt(nowMs), idleSinceMs: BigInt(nowMs - IDLE_LIFETIME_MS) })

function liveSessions(db: Pick<SystemTx, 'selectFrom'>, { nowMs, idleSinceMs }: Moment) {
  return db
    .selectFrom('session')
    .innerJoin('person', (join) => join.onRef('person.org_id', '=', 'session.org_id').onRef('person.id', '=', 'session.person_id'))
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', nowMs)
    .where('session.last_seen_at', '>', idleSinceMs)
    .where('person.state', '=', 'active')
}

const askLive = writtenOnce((db, { tokenHash, nowMs, idleSinceMs }: Moment & { tokenHash: Uint8Array }) =>
  liveSessions(db, { nowMs, idleSinceMs })
    .where('session.id', '=', tokenHash)
    .select(['session.org_id', 'session.person_id', 'session.expires_at', 'session.last_seen_at', 'person.role']),
)

// As one value: a function that is asked for as a table costs the database half as much again.
const askSession = writtenOnce(
  (_, { tokenHash }: { tokenHash: Uint8Array }) => sql<{ found: string }>`select holdfast_shown.session_of(${tokenHash})::text as found`,
)
// In one statement, so that both are of one moment. An engine without triggers counts no revision.
const askSessionAndRevision = writtenOnce(
  (_, { tokenHash }: { tokenHash: Uint8Array }) =>
    sql<{ found: string; revision: Revision | null }>`select holdfast_shown.session_of(${tokenHash})::text as found, holdfast_shown.revision() as revision`,
)

/** What the database writes of a row: ids, numbers and the word of a role, none of which needs a quotation mark, and nothing where there is none. */
const FOUND = /^\(([0-9a-f-]{36}),([0-9a-f-]{36}),(\w+),(\d+),(\d+)\)$/

/** The same session, where it is one of the organisation that the transaction works for (`session_of`), and where it is asked for what was written so far. */
async function sessionOfReader(
  tx: OrganisationTx,
  tokenHash: Uint8Array,
  withRevision: boolean,
): Promise<(Found & { revision: Revision | undefined }) | undefined> {
  const [row]: { found: string; revision?: Revision | null }[] = await (withRevision ? askSessionAndRevision : askSession)(tx, { tokenHash })
  const [, org_id, person_id, role, expires_at, last_seen_at] = FOUND.exec(row?.found ?? '') ?? []
  if (org_id === undefined || person_id === undefined || role === undefined) return undefined
  const revision = row?.revision ?? undefined
  return { org_id, person_id, role, expires_at: BigInt(expires_at ?? 0), last_seen_at: BigInt(last_seen_at ?? 0), revision }
}

/**
 * What a session is worth, asked of the database on every request: it is not revoked, not older than 12 hours, not idle for
 * 15 minutes, and its person is active. A removed person or a changed role therefore counts from the next request on.
 *
 * What only reads does not wait for the answer. It begins with what the session was the last time, the question about the session travels with the first one it
 * asks itself, and what it answers is thrown away where the session is another now.
 */
export function sessionAuthority(db: Database, clock: Clock): SessionAuthority {
  const remembered = new RecentMap<string, Session>(REMEMBERED_MAX)

  const touched = async (tokenHash: Uint8Array, found: Found, touch: boolean): Promise<void> => {
    const nowMs = clock.nowMs()
    if (!touch || Number(found.last_seen_at) >= nowMs - TOUCH_INTERVAL_MS) return
    await db.asSystem((tx) =>
      tx
        .updateTable('session')
        .set({ last_seen_at: sql<bigint>`greatest(last_seen_at, ${BigInt(nowMs)})` })
        .where('id', '=', tokenHash)
        .execute(),
    )
  }

  const resolve = async (tokenHash: Uint8Array, touch: boolean): Promise<Session | undefined> => {
    const [found] = await db.readSystem((tx) => askLive(tx, { tokenHash, ...momentOf(clock.nowMs()) }))
    const key = keyOf(tokenHash)
    if (!found) {
      remembered.delete(key)
      return undefined
    }
    await touched(tokenHash, found, touch)
    const session = sessionOf(key, found)
    remembered.set(key, session)
    return session
  }

  const isConfirmed = (before: Session, asked: Found | undefined): asked is Found =>
    asked !== undefined && isLive(asked, clock.nowMs()) && isSame(before, sessionOf(before.id, asked))

  const reading: SessionAuthority['reading'] = async (tokenHash, touch, act, again) => {
    const before = remembered.get(keyOf(tokenHash))
    if (!before) return act(await resolve(tokenHash, touch))
    const ask = (tx: OrganisationTx) => sessionOfReader(tx, tokenHash, again !== undefined)
    // Where there is an answer, the question is whether it still stands.
    const kept = again?.find(before, clock.nowMs())
    const first = kept && (await db.readOrganisation(before.orgId, ask))
    const isFirst = isConfirmed(before, first)
    if (kept && isFirst && first.revision !== undefined && kept.revision === partOfRevision(first.revision, kept.readHeights)) {
      await touched(tokenHash, first, touch)
      again?.admit(before)
      return kept.answer
    }
    const { asked = first, ended, restsOn } = await readAlong(before.orgId, isFirst ? undefined : ask, () => act(before))
    if (isConfirmed(before, asked)) await touched(tokenHash, asked, touch)
    else {
      const now = await resolve(tokenHash, touch)
      if (!now || !isSame(before, now)) return act(now)
    }
    if (ended.status === 'fulfilled') {
      // The revision was read before all that the answer rests on, or together with it.
      const { isCovered, readHeights, untilMs } = restsOn
      if (again && isCovered && asked?.revision !== undefined)
        again.keep(before, { revision: partOfRevision(asked.revision, readHeights), readHeights, untilMs, answer: ended.value })
      return ended.value
    }
    // A refusal is the same the second time. Anything else may have come of beginning early: a connection that was lost, or something written.
    if (isRefusal(ended.reason)) throw ended.reason
    return act(before)
  }

  return {
    resolve,
    reading,
    alive: async (sessionIds) => {
      if (sessionIds.length === 0) return new Set()
      const ids = sessionIds.map((id) => new Uint8Array(Buffer.from(id, 'hex')))
      const rows = await db.readSystem((tx) => liveSessions(tx, momentOf(clock.nowMs())).where('session.id', 'in', ids).select('session.id').execute())
      return new Set(rows.map(({ id }) => keyOf(id)))
    },
  }
}

const keyOf = (tokenHash: Uint8Array): string => Buffer.from(tokenHash).toString('hex')

const isLive = ({ expires_at, last_seen_at }: Found, nowMs: number): boolean => Number(expires_at) > nowMs && Number(last_seen_at) > nowMs - IDLE_LIFETIME_MS

const isSame = (a: Session, b: Session): boolean =>
  a.id === b.id && a.orgId === b.orgId && a.personId === b.personId && a.role === b.role && a.epoch === b.epoch && a.expiresAtMs === b.expiresAtMs

const isRefusal = (reason: unknown): boolean => reason instanceof AppError && reason.errorName !== 'system_error'

function sessionOf(id: string, { org_id, person_id, role, expires_at }: Found): Session {
  return { id, orgId: org_id, personId: person_id, role, permissions: permissionsOf(role), epoch: epochOf(role), expiresAtMs: Number(expires_at) }
}
