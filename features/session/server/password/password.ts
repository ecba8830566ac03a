import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { sql } from 'kysely'
import * as z from 'zod'
import { passwordLogin, passwordRegister, passwordRegisterOptions } from '../../contract.ts'
import { sessionErrors } from '../../errors.ts'
import { newChallengeId, putChallenge, takeChallenge } from '../passkey/challenges.ts'
import { type FoundCredential, signInWith } from '../passkey/find-credential.ts'
import { hasAuthenticator } from '../passkey/has-authenticator.ts'
import { knownDevice } from '../known-device.ts'
import { passwordFault } from './password-fault.ts'
import { completeRegistration, findRegistrant, newCredentialId } from '../registrant.ts'
import { recordRefusal, type SessionServices } from '../session-services.ts'
import { describeTotp, newTotpSecret, totpStep } from './totp.ts'

export const passwordData = z.object({ hash: z.string(), totp: z.string(), last_step: z.int() })
const pendingShape = z.object({ person_id: z.string(), totp: z.string() })

/** After this many failures in a row an account waits, 1, 2, 4 ... seconds, at most a minute. Passkeys and browser keys never wait. */
const FREE_FAILURES = 3
const DELAY_MAX_S = 60

/** Where the secret of an authenticator app is sealed. */
export const placeOf = (found: Pick<FoundCredential, 'orgId' | 'id'>) => ({ org: found.orgId, table: 'login_credential', column: 'data.totp', row: found.id })

type Candidate = FoundCredential & { delayedUntilMs: number }

async function findCandidates(services: SessionServices, account: string): Promise<Candidate[]> {
  const rows = await services.db.asSystem((tx) =>
    tx
      .selectFrom('person')
      .innerJoin('login_credential', (join) =>
        join.onRef('login_credential.org_id', '=', 'person.org_id').onRef('login_credential.person_id', '=', 'person.id'),
      )
      .select([
        'login_credential.id',
        'person.org_id',
        'person.id as person_id',
        'login_credential.data',
        'person.role',
        'person.state',
        'person.delayed_until_at',
      ])
      .where('person.login', '=', account)
      .where('login_credential.kind', '=', 'password')
      .where('login_credential.revoked_at', 'is', null)
      .limit(8)
      .execute(),
  )
  return rows.map((row) => ({
    id: row.id,
    orgId: row.org_id,
    personId: row.person_id,
    role: row.role,
    state: row.state,
    data: row.data,
    delayedUntilMs: Number(row.delayed_until_at ?? 0n),
  }))
}

/** Counts a failure of everybody with this account name. Attempts during a delay do not count, so nobody can make it last for ever. */
async function countFailure(services: SessionServices, account: string): Promise<void> {
  const nowMs = BigInt(services.ports.clock.nowMs())
  await services.db.asSystem((tx) =>
    tx
      .updateTable('person')
      .set({
        failed_logins: sql<number>`least(failed_logins + 1, 1000)`,
        delayed_until_at: sql<bigint>`case when failed_logins + 1 < ${FREE_FAILURES} then null
        else ${nowMs}::bigint + least(power(2, least(failed_logins + 1 - ${FREE_FAILURES}, 10))::bigint, ${DELAY_MAX_S}) * 1000 end`,
      })
      .where('login', '=', account)
      .where((where) => where.or([where('delayed_until_at', 'is', null), where('delayed_until_at', '<=', nowMs)]))
      .execute(),
  )
}

/** The candidate whose password and code these are, and the step of the code. One refusal for everything that can be wrong. */
async function matchCandidate(
  services: SessionServices,
  candidates: readonly Candidate[],
  password: string,
  code: string,
): Promise<{ found: Candidate; step: number } | undefined> {
  const nowMs = services.ports.clock.nowMs()
  // Somebody who does not exist costs one verification too.
  if (candidates.length === 0) await services.hasher.verify(undefined, password)
  let match: { found: Candidate; step: number } | undefined
  for (const found of candidates) {
    const data = passwordData.parse(found.data)
    const isRight = await services.hasher.verify(data.hash, password)
    if (!isRight || found.delayedUntilMs > nowMs) continue
    const step = totpStep(services.sealer.open(placeOf(found), data.totp), code, nowMs)
    if (step !== undefined && step > data.last_step) match ??= { found, step }
  }
  return match
}

/** Sign-in and registration with account, password and six digits. */
export function passwordEndpoints(services: SessionServices): HandledEndpoint[] {
  return [
    handle(passwordLogin, async (context, { account, password, google_code: code }) => {
      services.perIp.demand(context.ip)
      const device = knownDevice(services, context)
      // Who tries passwords of an account from elsewhere uses up the tries of everybody there, and not those of the browsers it is known from.
      services.perAccount.demand(device ? `device ${device.device}` : account)
      const found = await findCandidates(services, account)
      const isKnown = (each: Candidate) => device !== undefined && each.orgId === device.orgId && each.personId === device.personId
      if (device && !found.some(isKnown)) services.perAccount.demand(account)
      const candidates = found.map((each) => (isKnown(each) ? { ...each, delayedUntilMs: 0 } : each))
      const match = await matchCandidate(services, candidates, password, code)
      if (match) return signInWith(services, context, 'password', match.found, { field: 'last_step', value: match.step })
      await countFailure(services, account)
      const [only] = candidates.length === 1 ? candidates : []
      const reason = only && only.delayedUntilMs > services.ports.clock.nowMs() ? 'delayed' : 'wrong_credential'
      await recordRefusal(services, context, 'password', reason, only)
      throw new AppError(sessionErrors.sign_in_refused)
    }),

    handle(passwordRegisterOptions, async (context, { invite }) => {
      const registrant = await findRegistrant(services, context, invite)
      const secret = newTotpSecret(services.ports.random)
      const id = newChallengeId(services)
      const totp = services.sealer.seal({ org: registrant.orgId, table: 'login_challenge', column: 'data.totp', row: id }, secret)
      await putChallenge(services, context, 'password_register', id, { person_id: registrant.personId, totp })
      const described = describeTotp(secret, registrant.account, registrant.organisationName)
      return { challenge_id: id, account: registrant.account, totp_secret: described.secret, otpauth_uri: described.uri }
    }),

    handle(passwordRegister, async (context, { invite, challenge_id: challengeId, password, google_code: code }) => {
      const registrant = await findRegistrant(services, context, invite)
      const reason = passwordFault(password, [registrant.account, registrant.name, registrant.organisationName])
      if (reason) throw new AppError(sessionErrors.password_too_weak, { details: { reason } })
      const pending = await takeChallenge(services, context, 'password_register', challengeId, pendingShape)
      if (pending.person_id !== registrant.personId) throw new AppError(sessionErrors.challenge_expired)
      const secret = services.sealer.open({ org: registrant.orgId, table: 'login_challenge', column: 'data.totp', row: challengeId }, pending.totp)
      const step = totpStep(secret, code, services.ports.clock.nowMs())
      if (step === undefined) throw new AppError(sessionErrors.totp_refused)
      const id = newCredentialId(services)
      const data = { hash: await services.hasher.hash(password), totp: services.sealer.seal(placeOf({ orgId: registrant.orgId, id }), secret), last_step: step }
      return completeRegistration(services, context, registrant, { id, kind: 'password', label: registrant.account, data })
    }),
  ]
}

type CodeServices = Pick<SessionServices, 'ports' | 'sealer' | 'perCode'>

/** Demands a code of whoever has an authenticator app; who signs in without one has nothing to give. Throws AppError. */
export async function demandSecondFactorWhereSet(services: CodeServices, tx: OrganisationTx, personId: string, code: string | undefined): Promise<void> {
  if (!(await hasAuthenticator(tx, personId))) return
  if (code === undefined) throw new AppError('invalid_parameters', { details: { field: 'google_code', reason: 'it is required' } })
  await demandSecondFactor(services, tx, personId, code)
}

/**
 * Demands a fresh six-digit code of a person before a sensitive change (`google_code`). The code is used up with the transaction.
 * Throws AppError `totp_refused` if the code is wrong, was used, or the person has no authenticator app, and `rate_limited` past a few tries.
 */
export async function demandSecondFactor(services: CodeServices, tx: OrganisationTx, personId: string, code: string): Promise<void> {
  // Of a million codes three are right at any moment: whoever stole a session would soon have tried them all.
  services.perCode.demand(personId)
  const row = await tx
    .selectFrom('login_credential')
    .select(['id', 'data'])
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('kind', '=', 'password')
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError(sessionErrors.totp_refused)
  const data = passwordData.parse(row.data)
  const step = totpStep(services.sealer.open(placeOf({ orgId: tx.orgId, id: row.id }), data.totp), code, services.ports.clock.nowMs())
  if (step === undefined || step <= data.last_step) throw new AppError(sessionErrors.totp_refused)
  await tx
    .updateTable('login_credential')
    .set({ data: JSON.stringify({ ...data, last_step: step }) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .execute()
}
