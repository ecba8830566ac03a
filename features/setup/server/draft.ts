import { AppError } from '@holdfast/contract'
import type { Database, SystemTx } from '@holdfast/db'
import { bytes, digest, equalBytes, fromHex, struct, text, toHex } from '@holdfast/encoding'
import { bytesToUuid } from '@holdfast/units'
import { sql } from 'kysely'
import type { DraftTemplate } from './founding-template.ts'

/** A founding under way. Hexadecimal fields are canonical encodings; tokens are kept as hashes only. */
export type Draft = {
  id: string
  organisationId: string
  name: string
  demo: boolean
  threshold: number
  /** age recipients for the recovery share of signer 1, 2 and 3. */
  recovery: string[][]
  /** How many of those a signer names must come together to open its share; 1 where it is absent. */
  recoveryThreshold?: number
  /** The rules that were chosen to begin with; without them one rule is for every payment. */
  template?: DraftTemplate
  state: 'enrolling' | 'accepting' | 'pinning' | 'ready'
  members: { personId: string; name: string; credential?: string; acceptance?: string; sealedInvite?: string }[]
  founderTokenHash: string
  /** Hash of a member's token -> the member, or `*` for the demo's token that acts for all. */
  memberTokens: Record<string, string>
  genesis?: string
  pinnedBy: number[]
}

/** Who a token speaks for. */
export type Bearer = { draft: Draft; founder: boolean; actsFor: (personId: string) => boolean }

const tokenShape = struct('holdfast/setup-token/v1', { secret: bytes(16), role: text(64) })
const tokenHashShape = struct('holdfast/setup-token-hash/v1', { secret: bytes(16) })
const DRAFT_LIFE_MS = 7 * 24 * 3_600_000
export const EVERYBODY = '*'

/** Tokens are the draft's id and 16 secret bytes; a member's follows from the founder's, so only hashes need keeping. */
export function memberToken(founderToken: string, role: string): string {
  const secret = digest(tokenShape, { secret: secretOf(founderToken), role }).slice(0, 16)
  return founderToken.slice(0, 32) + toHex(secret)
}

export function founderToken(draftId: string, secret: Uint8Array): string {
  return draftId.replaceAll('-', '') + toHex(secret)
}

export function tokenHash(token: string): string {
  return toHex(digest(tokenHashShape, { secret: secretOf(token) }))
}

export function secretOf(token: string): Uint8Array {
  return fromHex(token.slice(32))
}

/** Finds the draft of a token. Throws `resource_not_found` for a token of no draft, alike for wrong and unknown ones. */
export async function findDraft(db: Database, token: string, nowMs: number): Promise<Bearer> {
  return db.asSystem(async (tx) => bearerOf(await readDraft(tx, token, nowMs, false), token))
}

/** Changes the draft of a token in one transaction, one change at a time. */
export async function changeDraftAs(
  db: Database,
  token: string,
  nowMs: number,
  change: (bearer: Bearer, tx: SystemTx) => void | Promise<void>,
): Promise<Bearer> {
  return db.asSystem(async (tx) => {
    const bearer = bearerOf(await readDraft(tx, token, nowMs, true), token)
    await change(bearer, tx)
    await writeDraft(tx, bearer.draft)
    return bearer
  })
}

/**
 * Changes a draft as it is now, whatever was read of it before, one change at a time, and what `change` writes through `tx` with it. Answers the draft as it
 * is then.
 */
export async function changeDraft(db: Database, { id }: Pick<Draft, 'id'>, change: (draft: Draft, tx: SystemTx) => void | Promise<void>): Promise<Draft> {
  return db.asSystem(async (tx) => {
    const { body } = await tx.selectFrom('setup_draft').select('body').where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
    const draft = body as Draft
    await change(draft, tx)
    await writeDraft(tx, draft)
    return draft
  })
}

/**
 * Gives a draft its founding document, once: where two are made at the same time, all people read the one that came first. Answers the draft as it is
 * then.
 */
export async function keepGenesis(db: Database, draft: Pick<Draft, 'id'>, genesis: string): Promise<Draft> {
  return changeDraft(db, draft, (present) => {
    if (!present.genesis) Object.assign(present, { genesis, state: 'accepting' })
  })
}

/** Keeps a new draft for a week. Those whose time is over are thrown away. */
export async function insertDraft(db: Database, draft: Draft, nowMs: number): Promise<void> {
  await db.asSystem(async (tx) => {
    await tx.deleteFrom('setup_draft').where('expires_at', '<=', BigInt(nowMs)).execute()
    await tx
      .insertInto('setup_draft')
      .values({ id: draft.id, body: JSON.stringify(draft), created_at: nowMs, expires_at: nowMs + DRAFT_LIFE_MS })
      .execute()
  })
}

/** The drafts that wait for signers to pin them. */
export async function draftsToFound(db: Database, nowMs: number): Promise<Draft[]> {
  const rows = await db.asSystem((tx) =>
    tx
      .selectFrom('setup_draft')
      .select('body')
      .where('expires_at', '>', BigInt(nowMs))
      // Anybody can begin one, and this is asked every second.
      .where(sql<string>`body->>'state'`, '=', 'pinning')
      .execute(),
  )
  return rows.map((row) => row.body as Draft)
}

async function writeDraft(tx: SystemTx, draft: Draft): Promise<void> {
  await tx
    .updateTable('setup_draft')
    .set({ body: JSON.stringify(draft) } as never)
    .where('id', '=', draft.id)
    .execute()
}

async function readDraft(tx: SystemTx, token: string, nowMs: number, lock: boolean): Promise<Draft> {
  if (!/^[0-9a-f]{64}$/.test(token)) throw new AppError('resource_not_found')
  const found = tx
    .selectFrom('setup_draft')
    .select('body')
    .where('id', '=', bytesToUuid(fromHex(token.slice(0, 32))))
    .where('expires_at', '>', BigInt(nowMs))
  const row = await (lock ? found.forUpdate() : found).executeTakeFirst()
  if (!row) throw new AppError('resource_not_found')
  return row.body as Draft
}

function bearerOf(draft: Draft, token: string): Bearer {
  const hash = tokenHash(token)
  const founder = equalBytes(fromHex(hash), fromHex(draft.founderTokenHash))
  const member = Object.hasOwn(draft.memberTokens, hash) ? draft.memberTokens[hash] : undefined
  if (!founder && member === undefined) throw new AppError('resource_not_found')
  return { draft, founder, actsFor: (personId) => member === personId || member === EVERYBODY }
}
