import { AppError } from '@holdfast/contract'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { isMailAddress } from '@holdfast/mail'
import { sql } from 'kysely'
import {
  endOtherSessions,
  endSession,
  getInvite,
  getLoginConfig,
  getPermissions,
  getState,
  getUserInfo,
  listMethods,
  listSessions,
  logout,
  removeMethod,
  signInMethods,
} from '../contract.ts'
import { sessionErrors } from '../errors.ts'
import { permissionsOf } from '../permissions.ts'
import { endSessions } from './end-sessions.ts'
import { IDLE_LIFETIME_MS } from './open-session.ts'
import { hasAuthenticator } from './passkey/has-authenticator.ts'
import { findFreshlySignedIn, findInvited } from './registrant.ts'
import { parseUserAgent } from './parse-user-agent.ts'
import type { SessionServices } from './session-services.ts'
import { isSoundPasskey } from './passkey/sound-passkey.ts'

/** What a page asks before and after sign-in. */
export function stateEndpoints(services: SessionServices): HandledEndpoint[] {
  const { db, options } = services
  return [
    handle(getState, async ({ session, openToken }) => {
      const organisations = await db.asSystem((tx) =>
        tx
          .selectFrom('organisation')
          .select(['id', 'name'])
          .where('state', '=', 'active')
          .where((where) => (session ? where('id', '=', session.orgId) : where.val(true)))
          .limit(1)
          .execute(),
      )
      const [organisation] = organisations
      return {
        signed_in: session !== undefined,
        organisation_ready: organisation !== undefined,
        demo: options.demo,
        methods: [...signInMethods],
        session:
          session && openToken !== undefined
            ? {
                open_token: openToken,
                person_id: session.personId,
                role: session.role,
                expires_at: session.expiresAtMs,
                organisation_id: session.orgId,
                name: await nameOf(services, session.orgId, session.personId),
              }
            : null,
      }
    }),
    // No cloud stands between a person and the door: nothing is configured, and nobody else learns who signs in.
    handle(getLoginConfig, async () => ({
      ...{ region: null, user_pool_id: null, captcha: null, upload: null },
      sign_in: { path: '/login', methods: [...signInMethods] },
    })),
    handle(getInvite, async (context, { invite }) => {
      services.perIp.demand(context.ip)
      const { organisationName, name, account, expiresAtMs } = await findInvited(services, invite)
      return { organisation_name: organisationName, name, account, expires_at: expiresAtMs }
    }),
  ]
}

async function nameOf(services: SessionServices, orgId: string, personId: string): Promise<string> {
  const row = await services.db.asOrganisation(orgId, (tx) =>
    tx.selectFrom('person').select('name').where('org_id', '=', orgId).where('id', '=', personId).executeTakeFirst(),
  )
  return row?.name ?? ''
}

/** Who is signed in and what they may do. */
export function userEndpoints(services: SessionServices): HandledEndpoint[] {
  const { db, options } = services
  return [
    handle(getUserInfo, async ({ session, orgId, personId, language }) => {
      const reading = db.readOrganisation(orgId, (tx) =>
        Promise.all([
          tx.selectFrom('person').selectAll().where('org_id', '=', orgId).where('id', '=', personId).executeTakeFirstOrThrow(),
          tx.selectFrom('organisation').select('name').where('id', '=', orgId).executeTakeFirstOrThrow(),
          tx.selectFrom('wallet').select(['id', 'name', 'alias']).where('org_id', '=', orgId).orderBy('created_at').orderBy('id').limit(500).execute(),
          hasAuthenticator(tx, personId),
        ]),
      )
      const [[person, organisation, wallets, hasApp], unread] = await Promise.all([reading, options.countUnread?.(orgId, personId)])
      return {
        user_id: person.id,
        uid: person.id.slice(-12),
        nick_name: person.name,
        account: person.login,
        ...(isMailAddress(person.login) ? { email: person.login } : {}),
        kyc_status: 0 as const,
        google_bind: hasApp,
        language,
        sso_expire_at: session.expiresAtMs,
        organisation: { organisation_id: orgId, name: organisation.name },
        role: person.role,
        workspaces: wallets.map((wallet) => ({ wallet_id: wallet.id, wallet_name: wallet.alias ?? wallet.name, role: person.role, same_rights_pri: false })),
        unread: unread ?? { todo: 0, notice: 0 },
      }
    }),
    handle(getPermissions, async ({ session, orgId }) => {
      const wallets = await db.readOrganisation(orgId, (tx) =>
        tx.selectFrom('wallet').select('id').where('org_id', '=', orgId).orderBy('created_at').orderBy('id').limit(500).execute(),
      )
      return { pms: [...permissionsOf(session.role)], wallet_ids: wallets.map(({ id }) => id) }
    }),
  ]
}

/** The own sessions and the own ways to sign in. */
export function ownEndpoints(services: SessionServices): HandledEndpoint[] {
  const { db, ports, options } = services
  return [
    handle(logout, async (context, { everywhere }) => {
      const { session, orgId, personId } = context
      const ended = await db.asSystem((tx) => endSessions(tx, ports.clock, { orgId, personId }, everywhere ? undefined : session.id))
      for (const id of ended) options.onSessionEnd?.(id)
      context.signOut()
      return null
    }),
    handle(listSessions, async ({ session, orgId, personId }) => {
      const nowMs = ports.clock.nowMs()
      const rows = await db.asSystem((tx) =>
        tx
          .selectFrom('session')
          .select(['id', 'ip', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'])
          .where('org_id', '=', orgId)
          .where('person_id', '=', personId)
          .where('revoked_at', 'is', null)
          .where('expires_at', '>', BigInt(nowMs))
          .where('last_seen_at', '>', BigInt(nowMs - IDLE_LIFETIME_MS))
          .orderBy('created_at', 'desc')
          .limit(100)
          .execute(),
      )
      return rows.map((row) => {
        const id = Buffer.from(row.id).toString('hex')
        return {
          session_id: id,
          current: id === session.id,
          ip: row.ip ?? '',
          user_agent: row.user_agent ?? '',
          device: parseUserAgent(row.user_agent ?? '').device,
          os: parseUserAgent(row.user_agent ?? '').os,
          created_at: Number(row.created_at),
          last_seen_at: Number(row.last_seen_at),
          expires_at: Number(row.expires_at),
        }
      })
    }),
    handle(endOtherSessions, async ({ session, orgId, personId }) => {
      const ended = await db.asSystem((tx) => endSessions(tx, ports.clock, { orgId, personId }, undefined, session.id))
      for (const id of ended) options.onSessionEnd?.(id)
      return { ended: ended.length }
    }),
    handle(endSession, async ({ orgId, personId }, { session_id: sessionId }) => {
      const ended = await db.asSystem((tx) => endSessions(tx, ports.clock, { orgId, personId }, sessionId))
      if (ended.length === 0) throw new AppError('resource_not_found')
      for (const id of ended) options.onSessionEnd?.(id)
      return null
    }),
    handle(listMethods, async ({ orgId, personId }) => {
      const rows = await db.asOrganisation(orgId, (tx) =>
        tx
          .selectFrom('login_credential')
          .select(['id', 'kind', 'label', 'created_at', 'last_used_at'])
          .where('org_id', '=', orgId)
          .where('person_id', '=', personId)
          .where('revoked_at', 'is', null)
          .orderBy('created_at')
          .limit(100)
          .execute(),
      )
      return rows.map((row) => ({
        method_id: row.id,
        kind: row.kind,
        label: row.label,
        created_at: Number(row.created_at),
        last_used_at: row.last_used_at === null ? null : Number(row.last_used_at),
      }))
    }),
    handle(removeMethod, async (context, { method_id: methodId }) => {
      const { orgId, personId } = context
      await findFreshlySignedIn(services, context)
      await db.asOrganisation(orgId, async (tx) => {
        // The person's row is the lock: two removals at once must not take the last two.
        await tx.selectFrom('person').select('id').where('org_id', '=', orgId).where('id', '=', personId).forUpdate().executeTakeFirstOrThrow()
        const own = await tx
          .selectFrom('login_credential')
          .select(['id', 'kind', 'data'])
          .where('org_id', '=', orgId)
          .where('person_id', '=', personId)
          .where('revoked_at', 'is', null)
          .execute()
        if (!own.some(({ id }) => id === methodId)) throw new AppError('resource_not_found')
        const others = own.filter(({ id, kind, data }) => id !== methodId && (kind !== 'passkey' || isSoundPasskey(data)))
        if (others.length === 0) throw new AppError(sessionErrors.last_method)
        await tx
          .updateTable('login_credential')
          .set({ revoked_at: sql<bigint>`greatest(created_at, ${BigInt(ports.clock.nowMs())})` })
          .where('org_id', '=', orgId)
          .where('id', '=', methodId)
          .execute()
      })
      return null
    }),
  ]
}
