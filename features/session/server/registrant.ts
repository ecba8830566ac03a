import { AppError } from '@holdfast/contract'
import { actForOrganisation, type SystemTx } from '@holdfast/db'
import type { PublicContext } from '@holdfast/http'
import { announce } from '@holdfast/jobs'
import { newId } from '@holdfast/units'
import { sql } from 'kysely'
import type { SignInMethod } from '../contract.ts'
import { sessionErrors } from '../errors.ts'
import { inviteHash } from './create-invite.ts'
import { enterSession, openSession, type SignedIn } from './open-session.ts'
import type { SessionServices } from './session-services.ts'

/** The person a way to sign in is registered for. */
export type Registrant = { orgId: string; personId: string; role: string; name: string; account: string; organisationName: string; inviteHash?: Uint8Array }

/**
 * Whoever is signed in may add or remove a way to sign in only this soon after signing in, so that a session left open or stolen cannot make itself
 * permanent.
 */
const FRESH_MS = 10 * 60_000

function people(tx: SystemTx) {
  return tx
    .selectFrom('person')
    .innerJoin('organisation', 'organisation.id', 'person.org_id')
    .select(['person.org_id', 'person.id', 'person.role', 'person.name', 'person.login', 'organisation.name as organisation_name'])
}

function registrantOf(row: { org_id: string; id: string; role: string; name: string; login: string; organisation_name: string }): Registrant {
  return { orgId: row.org_id, personId: row.id, role: row.role, name: row.name, account: row.login, organisationName: row.organisation_name }
}

/** The person of an open invitation. Throws AppError `invite_invalid`; a wrong, a used and an expired one look the same. */
export async function findInvited(services: SessionServices, invite: string): Promise<Registrant & { expiresAtMs: number }> {
  const hash = inviteHash(invite)
  const row = await services.db.asSystem((tx) =>
    people(tx)
      .innerJoin('invite', (join) => join.onRef('invite.org_id', '=', 'person.org_id').onRef('invite.person_id', '=', 'person.id'))
      .select('invite.expires_at')
      .where('invite.token_hash', '=', hash)
      .where('invite.used_at', 'is', null)
      .where('invite.expires_at', '>', BigInt(services.ports.clock.nowMs()))
      .where('person.state', 'in', ['invited', 'active'])
      .executeTakeFirst(),
  )
  if (!row) throw new AppError(sessionErrors.invite_invalid)
  return { ...registrantOf(row), inviteHash: hash, expiresAtMs: Number(row.expires_at) }
}

/** For whom a registration is: the person of the invitation, or else whoever signed in here a short while ago. Throws AppError. */
export async function findRegistrant(services: SessionServices, context: PublicContext, invite: string | undefined): Promise<Registrant> {
  services.perIp.demand(context.ip)
  if (invite !== undefined) return findInvited(services, invite)
  if (!context.session) throw new AppError('signed_out')
  return findFreshlySignedIn(services, context)
}

/** The person of this browser's session, where it was opened a short while ago. Throws AppError `sign_in_again`. */
export async function findFreshlySignedIn(services: SessionServices, context: PublicContext): Promise<Registrant> {
  const row = await services.db.asSystem((tx) =>
    people(tx)
      .innerJoin('session', (join) => join.onRef('session.org_id', '=', 'person.org_id').onRef('session.person_id', '=', 'person.id'))
      .where('session.id', '=', context.browserHash)
      .where('session.created_at', '>', BigInt(services.ports.clock.nowMs() - FRESH_MS))
      .executeTakeFirst(),
  )
  if (!row) throw new AppError(sessionErrors.sign_in_again)
  return registrantOf(row)
}

export type NewCredential = { id: string; kind: SignInMethod; label: string; lookup?: Uint8Array; data: Record<string, unknown> }

async function useInvite(services: SessionServices, tx: SystemTx, { orgId, personId, inviteHash: hash }: Registrant): Promise<void> {
  const nowMs = BigInt(services.ports.clock.nowMs())
  const used = await tx
    .updateTable('invite')
    .set({ used_at: sql<bigint>`greatest(created_at, ${nowMs})` })
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .returning('token_hash')
    .execute()
  if (!used.some(({ token_hash }) => hash && Buffer.compare(token_hash, hash) === 0)) throw new AppError(sessionErrors.invite_invalid)
  const joined = await tx
    .updateTable('person')
    .set({ state: 'active', updated_at: sql<bigint>`greatest(updated_at, ${nowMs})` })
    .where('org_id', '=', orgId)
    .where('id', '=', personId)
    .where('state', '=', 'invited')
    .returning('id')
    .executeTakeFirst()
  if (!joined) return
  const at = Number(nowMs)
  const { random } = services.ports
  // Through the organisation's own wall, so that its open pages hear of it.
  await actForOrganisation(tx, orgId, async (organisation) => {
    await organisation
      .insertInto('member_event')
      .values({ org_id: orgId, id: newId(at, random), person_id: personId, kind: 'joined', actor: personId, detail: '{}', at })
      .execute()
    await announce(organisation, services.ports, 'member.changed', { person_id: personId })
  })
}

/**
 * Writes a new way to sign in. By invitation it uses the invitation up and signs the person in; else the session stays.
 * Throws AppError `invite_invalid` if the invitation was used meanwhile, `registration_failed` where the key is known already.
 */
export async function completeRegistration(
  services: SessionServices,
  context: PublicContext,
  registrant: Registrant,
  credential: NewCredential,
): Promise<SignedIn> {
  const { orgId, personId, role } = registrant
  const opened = await services.db.asSystem(async (tx) => {
    if (registrant.inviteHash) await useInvite(services, tx, registrant)
    if (credential.lookup) {
      const known = await tx.selectFrom('login_credential').select('id').where('lookup', '=', credential.lookup).executeTakeFirst()
      if (known) throw new AppError(sessionErrors.registration_failed)
    } else {
      // There is one password at a time; a new one replaces it.
      await tx
        .updateTable('login_credential')
        .set({ revoked_at: sql<bigint>`greatest(created_at, ${BigInt(services.ports.clock.nowMs())})` })
        .where('org_id', '=', orgId)
        .where('person_id', '=', personId)
        .where('kind', '=', credential.kind)
        .where('revoked_at', 'is', null)
        .execute()
    }
    await tx
      .insertInto('login_credential')
      .values({
        org_id: orgId,
        id: credential.id,
        person_id: personId,
        kind: credential.kind,
        label: credential.label,
        lookup: credential.lookup ?? null,
        data: JSON.stringify(credential.data),
        created_at: services.ports.clock.nowMs(),
      })
      .execute()
    return registrant.inviteHash ? openSession(services, tx, context, { orgId, personId, role }, credential.kind) : undefined
  })
  if (opened) return enterSession(services, context, opened)
  const { session, openToken } = context
  if (!session || openToken === undefined) throw new AppError('signed_out')
  return { open_token: openToken, person_id: personId, role, expires_at: session.expiresAtMs }
}

/** A new id for a credential. */
export function newCredentialId(services: SessionServices): string {
  return newId(services.ports.clock.nowMs(), services.ports.random)
}
