import { AppError } from '@holdfast/contract'
import { actForOrganisation, type OrganisationTx, type SystemTx } from '@holdfast/db'
import { bytes, decode, digest, EncodingFault, encode, equalBytes, fromHex, struct, toHex } from '@holdfast/encoding'
import { pageUrl } from '@holdfast/features/approval-page/contract'
import type { ServerContext } from '@holdfast/features/context'
import type { PageCalls } from '@holdfast/features/server-feature'
import { currentPolicy } from '@holdfast/features/policy/server'
import { type Credential, credentialShape } from '@holdfast/intent'
import { known, newId } from '@holdfast/units'
import { p256 } from '@noble/curves/nist.js'
import { sql } from 'kysely'
import * as z from 'zod'
import { sessionErrors } from '@holdfast/features/session/errors'
import { writeMemberEvent } from './member-event.ts'

/** For whom a link is, at which approval page, and who asked for it. */
export type KeyLinkFor = { orgId: string; personId: string; page: string; madeBy: string }

export const LINK_LIFE_MS = 7 * 24 * 3_600_000
/** So many keys come of the links of one maker for one person in so long: as many as a policy can hold of one. Rows are never taken away. */
const KEYS_MAX = 16
const KEYS_MAX_IN_MS = 30 * 24 * 3_600_000

const tokenShape = struct('holdfast/key-link/v1', { secret: bytes(32) })
const tokenText = z.string().regex(/^[0-9a-f]{64}$/)
const getBody = z.object({ token: z.string().max(256), origin: z.string().max(256) })
const enrolBody = getBody.extend({ credential: z.string().max(8192) })

function hashOf(token: string): Uint8Array {
  const parsed = tokenText.safeParse(token)
  if (!parsed.success) throw new AppError(sessionErrors.invite_invalid)
  return digest(tokenShape, { secret: fromHex(parsed.data) })
}

/**
 * A link to one approval page with which a person makes an approval key, once, within seven days. Only the token's hash is kept.
 * Links given to the person before for that page are worth nothing any more. `madeBy` is who asked for the link: a key that is made with one of somebody
 * else counts for nothing until the person has said that it is theirs.
 */
export async function createKeyLink(
  tx: SystemTx,
  { ports }: Pick<ServerContext, 'ports'>,
  { orgId, personId, page, madeBy }: KeyLinkFor,
): Promise<{ url: string; expiresAtMs: number }> {
  const nowMs = ports.clock.nowMs()
  const token = toHex(ports.random.bytes(32))
  const expiresAtMs = nowMs + LINK_LIFE_MS
  await useLinks(tx, { orgId, personId, page }, nowMs)
  await tx
    .insertInto('key_invite')
    .values({ token_hash: hashOf(token), org_id: orgId, person_id: personId, created_at: nowMs, expires_at: expiresAtMs, made_by: madeBy, page })
    .execute()
  return { url: pageUrl(page, 'key', token), expiresAtMs }
}

/** Makes every open link of a person worthless, or those for one page. What names none is from the time of the one page. */
export async function useLinks(tx: SystemTx, { orgId, personId, page }: { orgId: string; personId: string; page?: string }, nowMs: number): Promise<void> {
  const links = tx
    .updateTable('key_invite')
    .set({ used_at: sql<bigint>`greatest(created_at, ${BigInt(nowMs)})` })
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
  await (page === undefined ? links : links.where((link) => link.or([link('page', '=', page), link('page', 'is', null)]))).execute()
}

type Offer = {
  org_id: string
  person_id: string
  made_by: string | null
  page: string | null
  name: string
  genesis_hash: Uint8Array | null
  used_at: bigint | null
}

type Opened = z.output<typeof getBody>

/** The link and its person. A wrong, an expired one, one that was opened at another page than its own and one of a person who left look the same. */
async function findLink(tx: SystemTx, { ports, settings }: KeyPageNeeds, { token, origin }: Opened, lock: boolean): Promise<Offer> {
  const found = tx
    .selectFrom('key_invite')
    .innerJoin('person', (join) => join.onRef('person.org_id', '=', 'key_invite.org_id').onRef('person.id', '=', 'key_invite.person_id'))
    .innerJoin('organisation', 'organisation.id', 'key_invite.org_id')
    .select([
      'key_invite.org_id',
      'key_invite.person_id',
      'key_invite.made_by',
      'key_invite.page',
      'key_invite.used_at',
      'person.name',
      'organisation.genesis_hash',
    ])
    .where('key_invite.token_hash', '=', hashOf(token))
    .where('key_invite.expires_at', '>', BigInt(ports.clock.nowMs()))
    .where('person.state', 'in', ['invited', 'active'])
  const row = await (lock ? found.forUpdate('key_invite') : found).executeTakeFirst()
  if (!row || (row.page ?? settings.approvalOrigin) !== origin) throw new AppError(sessionErrors.invite_invalid)
  return row
}

function offerOf({ person_id: personId, name, genesis_hash: genesis }: Offer, state: 'open' | 'made') {
  return { offer: { genesis: toHex(known(genesis, 'the founding document of the organisation')), person_id: personId, name, state } }
}

type KeyPageNeeds = Pick<ServerContext, 'db' | 'ports' | 'settings'>

/** What an approval page asks while a member makes an approval key. It holds the link's token, nothing else; its signer says which page it is. */
export function keyPageCalls(context: KeyPageNeeds): PageCalls {
  const { db, ports } = context
  return {
    'key.get': async (body) => {
      const found = await db.asSystem((tx) => findLink(tx, context, getBody.parse(body), false))
      if (found.used_at !== null) throw new AppError(sessionErrors.invite_invalid)
      return offerOf(found, 'open')
    },
    'key.enrol': async (body) => {
      const { credential, ...opened } = enrolBody.parse(body)
      const read = readCredential(credential)
      return db.asSystem(async (tx) => {
        const nowMs = ports.clock.nowMs()
        const found = await findLink(tx, context, opened, true)
        const person = { orgId: found.org_id, personId: found.person_id }
        if (found.used_at !== null) {
          // Whoever never heard our answer hands the same key in again.
          if (await isKnown(tx, person, read)) return offerOf(found, 'made')
          throw new AppError(sessionErrors.invite_invalid)
        }
        await useLinks(tx, { ...person, page: opened.origin }, nowMs)
        await actForOrganisation(tx, person.orgId, async (organisation) => {
          await refuseWhereKnown(organisation, read)
          await refuseOneTooMany(organisation, found, nowMs)
          await organisation
            .insertInto('approval_key')
            .values({
              org_id: person.orgId,
              id: newId(nowMs, ports.random),
              person_id: person.personId,
              credential: encode(credentialShape, read),
              created_at: nowMs,
              link_by: found.made_by,
              page: opened.origin,
              confirmed_at: found.made_by === person.personId ? nowMs : null,
            })
            .execute()
          // All that is known of who made it is whose link it was.
          const actor = found.made_by ?? person.personId
          await writeMemberEvent(organisation, context, { personId: person.personId, actor, kind: 'key_enrolled', note: toHex(read.publicKey) })
        })
        return offerOf(found, 'made')
      })
    },
  }
}

/**
 * A person says of a key that was made with somebody else's link that it is theirs, or that it is not: then it never counts. Said once.
 * Throws AppError if there is no such key that waits for them.
 */
export async function answerForKey(
  tx: OrganisationTx,
  needs: Pick<ServerContext, 'ports'>,
  { personId, keyId, isMine }: { personId: string; keyId: string; isMine: boolean },
): Promise<void> {
  const rows = await tx
    .selectFrom('approval_key')
    .select(['id', 'credential'])
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('confirmed_at', 'is', null)
    .where('denied_at', 'is', null)
    .forUpdate()
    .execute()
  const found = rows.map((row) => ({ id: row.id, key: decode(credentialShape, new Uint8Array(row.credential)) })).find(({ key }) => toHex(key.id) === keyId)
  if (!found) throw new AppError('resource_not_found')
  const nowMs = needs.ports.clock.nowMs()
  await tx
    .updateTable('approval_key')
    .set(isMine ? { confirmed_at: nowMs } : { denied_at: nowMs })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', found.id)
    .execute()
  await writeMemberEvent(tx, needs, { personId, actor: personId, kind: isMine ? 'key_confirmed' : 'key_denied', note: toHex(found.key.publicKey) })
}

function readCredential(hex: string): Credential {
  const refuse = (reason: string, cause?: unknown): never => {
    throw new AppError('invalid_parameters', { details: { field: 'credential', reason }, ...(cause === undefined ? {} : { cause }) })
  }
  let credential: Credential
  try {
    credential = decode(credentialShape, fromHex(hex))
  } catch (cause) {
    if (cause instanceof EncodingFault) return refuse(cause.message, cause)
    throw cause
  }
  if (credential.kind !== 'webauthn' && credential.kind !== 'device') refuse('it is of an unknown kind')
  if (credential.id.length < 16) refuse('its id is too short')
  try {
    p256.Point.fromBytes(credential.publicKey)
  } catch (cause) {
    refuse('its public key is not a point of P-256', cause)
  }
  return credential
}

async function isKnown(tx: SystemTx, { orgId, personId }: { orgId: string; personId: string }, credential: Credential): Promise<boolean> {
  const row = await tx
    .selectFrom('approval_key')
    .select('id')
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .where('credential', '=', encode(credentialShape, credential))
    .executeTakeFirst()
  return row !== undefined
}

/** One key, one person: a policy with a key twice could never come into force. */
async function refuseWhereKnown(tx: OrganisationTx, credential: Credential): Promise<void> {
  const rows = await tx.selectFrom('approval_key').select('credential').where('org_id', '=', tx.orgId).execute()
  const made = rows.map((row) => decode(credentialShape, new Uint8Array(row.credential)))
  const { policy } = await currentPolicy(tx)
  const keys = [...made, ...policy.people.flatMap((person) => person.credentials)]
  const isTaken = keys.some((key) => equalBytes(key.id, credential.id) || equalBytes(key.publicKey, credential.publicKey))
  if (isTaken) throw new AppError(sessionErrors.registration_failed)
}

/** What others made for a person, and what they made long ago, leaves their own links as good as ever. */
async function refuseOneTooMany(tx: OrganisationTx, { person_id: personId, made_by: madeBy }: Offer, nowMs: number): Promise<void> {
  const { made } = await tx
    .selectFrom('approval_key')
    .select((row) => row.fn.countAll<bigint>().as('made'))
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('link_by', 'is not distinct from', madeBy)
    .where('created_at', '>', BigInt(nowMs - KEYS_MAX_IN_MS))
    .executeTakeFirstOrThrow()
  if (made >= BigInt(KEYS_MAX)) throw new AppError(sessionErrors.registration_failed)
}
