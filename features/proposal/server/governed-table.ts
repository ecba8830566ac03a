import { AppError } from '@holdfast/contract'
import type { Database, OrganisationTx, PolicyChangeState, Schema } from '@holdfast/db'
import { encode } from '@holdfast/encoding'
import type { TodoKind } from '../contract.ts'
import type { ServerContext } from '@holdfast/features/context'
import { appendToLog, type LogEntryKind } from '@holdfast/features/evidence/server'
import { type Intent, intentHash, intentShape } from '@holdfast/intent'
import { announceAll, type Announcement } from '@holdfast/jobs'
import { known } from '@holdfast/units'
import type { Insertable, Selectable } from 'kysely'
import type { ByApproval } from './proposal-kind.ts'
import { governanceQuorum } from './quorum.ts'
import { endStop } from './tell-stoppers.ts'
import { closeProposal, type NewProposal, openProposal } from './write-proposal.ts'

/** The places in the log of the intent, and of each person's approval by person id. */
export type Places = { intent: number; words: Record<string, number> }

/** The places in the log of an intent and these approvals of it. */
export function sequencesOf({ intent, words }: Places, approvals: readonly { personId: string }[]): number[] {
  return [intent, ...approvals.map(({ personId }) => known(words[personId], `the place in the log of the approval by ${personId}`))]
}

/** The columns of every row that is decided by those who govern. */
type GovernedRow = {
  id: string
  intent: Uint8Array
  intent_hash: Uint8Array
  initiator: string | null
  state: string
  is_final: boolean
  reason: string | null
  expires_at: bigint
  created_at: bigint
  updated_at: bigint
  version: number
}
/** A row with its intent, decoded from the bytes that were hashed, and its places in the log if its table keeps them. */
type Governed = { row: GovernedRow; intent: Intent; places?: Places }

type Definition<S extends Governed> = {
  table: 'policy_change' | 'key_change' | 'signer_order'
  /** Its timeline, and the column of it that names the row. */
  events: { table: 'policy_change_event' | 'key_change_event' | 'signer_order_event'; key: 'change_id' | 'order_id' }
  /** As what one of them stands in the list of what people decide. */
  kindOf(intent: S['intent']): TodoKind
  /** How a fault names one of them. */
  noun: string
  /** The moves from each state after the quorum. Nothing that is not here is written. */
  afterQuorum: Partial<Record<S['row']['state'], readonly S['row']['state'][]>>
  /** The right to take one's own back. */
  right: string
  subjectOf(row: S['row']): S
  announcements(row: S['row']): Announcement[]
}

export type GovernedMove<State extends string = string> = {
  state: State
  /** A person's id, server, or signer-1 to signer-3. */
  actor: string
  reason?: string
  log?: readonly { type: LogEntryKind; body: Uint8Array }[]
}

type Needs = Pick<ServerContext, 'ports'>
type Place = { personId: string; sequence: number }
/** The columns that the table of a kind takes from every opening. */
type Common = Omit<GovernedRow, 'initiator' | 'state'> & { org_id: string; state: 'approving' }
type Opening = Pick<NewProposal, 'initiator' | 'walletId' | 'words' | 'deciders'> & { id: string; intent: Intent }

export type GovernedTable<S extends Governed> = {
  /** One by its id; `lock` holds it until the transaction ends. */
  read(tx: OrganisationTx, id: string, lock?: boolean): Promise<S | undefined>
  /** Opens one: log, row, timeline, the people it waits for, and the news. Nothing can change its intent afterwards. */
  open(tx: OrganisationTx, needs: Needs, opening: Opening, insert: (common: Common, places: Places) => Promise<S['row']>): Promise<S>
  /**
   * The one writer of a state: row, log, timeline and the hint to open pages, in the caller's transaction, in which it must have been read with a lock.
   * Locks are taken in this order: row, log, outbox.
   */
  move(tx: OrganisationTx, needs: Needs, subject: S, move: GovernedMove<S['row']['state']>): Promise<S>
  /** Tells open pages. The last thing a transaction does. */
  announce(tx: OrganisationTx, needs: Needs, subject: S): Promise<void>
  /** Takes one's own back while it waits for approvals. A repeated call answers the same. */
  withdraw(tx: OrganisationTx, needs: Needs, asked: { id: string; personId: string; remark: string }): Promise<void>
  /** Those of every organisation that are not over, the one moved longest ago first. */
  unfinished(db: Database): Promise<{ org_id: string; id: string; state: string }[]>
  /** How people decide one of them: those who govern, unless `given` says otherwise. */
  decidedBy(given: Pick<ByApproval<S>, 'poke'> & Partial<ByApproval<S>>): ByApproval<S>
}

/** The moves before the quorum. */
const BEFORE_QUORUM: readonly string[] = ['approved', 'rejected', 'withdrawn', 'expired', 'superseded']
const SWEEP_MAX = 200

/** The life cycle that policy changes, key orders and signer orders share, over the table of one of them. */
export function governedTable<S extends Governed>(definition: Definition<S>): GovernedTable<S> {
  const read: GovernedTable<S>['read'] = (tx, id, lock = false) => readSubject(definition, tx, id, lock)
  const move: GovernedTable<S>['move'] = (tx, needs, subject, to) => moveSubject(definition, tx, needs, subject, to)
  const announce: GovernedTable<S>['announce'] = (tx, { ports }, { row }) => announceAll(tx, ports, definition.announcements(row))
  return {
    read,
    move,
    announce,
    open: (tx, needs, opening, insert) => openSubject(definition, tx, needs, opening, insert),
    withdraw: async (tx, needs, { id, personId, remark }) => {
      const subject = await read(tx, id, true)
      if (!subject) throw new AppError('resource_not_found')
      // Others reject it on the approval page; only the requester can take it back.
      if (subject.row.initiator !== personId) throw new AppError('not_permitted', { details: { permission: definition.right } })
      if (subject.row.state === 'withdrawn') return
      if (subject.row.state !== 'approving') throw new AppError('state_changed')
      await move(tx, needs, subject, { state: 'withdrawn', actor: personId, reason: remark })
    },
    unfinished: (db) =>
      db.asSystem((tx) =>
        tx.selectFrom(asOne(definition)).select(['org_id', 'id', 'state']).where('is_final', '=', false).orderBy('updated_at').limit(SWEEP_MAX).execute(),
      ),
    decidedBy: (given) => ({
      read,
      quorums: ({ intent }, policy) => [governanceQuorum(intent, policy)],
      keepPlace: (tx, subject, place) => keepPlace(definition, tx, subject, place),
      decided: async (tx, needs, subject, { verdict, personId }) => (await move(tx, needs, subject, { state: verdict, actor: personId })).row.state,
      announce,
      ...given,
    }),
  }
}

// The columns used here are the same in each of the tables: the compiler treats all of them as this one.
const asOne = ({ table }: Pick<Definition<Governed>, 'table'>) => table as 'policy_change'
const asOwn = <S extends Governed>(row: Selectable<Schema['policy_change']>) => row as S['row']

async function readSubject<S extends Governed>(definition: Definition<S>, tx: OrganisationTx, id: string, lock: boolean): Promise<S | undefined> {
  const wanted = tx.selectFrom(asOne(definition)).selectAll().where('org_id', '=', tx.orgId).where('id', '=', id)
  const row = await (lock ? wanted.forNoKeyUpdate() : wanted).executeTakeFirst()
  return row && definition.subjectOf(asOwn<S>(row))
}

/** The moves from a state. */
function becomes({ afterQuorum }: Pick<Definition<Governed>, 'afterQuorum'>, state: string): readonly string[] {
  return state === 'approving' ? BEFORE_QUORUM : (afterQuorum[state] ?? [])
}

async function moveSubject<S extends Governed>(definition: Definition<S>, tx: OrganisationTx, needs: Needs, subject: S, to: GovernedMove): Promise<S> {
  const { row, intent } = subject
  const { state, actor, reason, log = [] } = to
  if (!becomes(definition, row.state).includes(state)) throw new Error(`${definition.noun} that is ${row.state} cannot become ${state}`)
  const nowMs = needs.ports.clock.nowMs()
  const written = await tx
    .updateTable(asOne(definition))
    .set({
      state: state as PolicyChangeState,
      is_final: becomes(definition, state).length === 0,
      reason: reason?.slice(0, 1000) || null,
      version: row.version + 1,
      updated_at: Math.max(nowMs, Number(row.updated_at)),
    })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (row.state === 'approving') await closeProposal(tx, row.id)
  else if (written.is_final) await endStop(tx, row.id)
  for (const { type, body } of log) await appendToLog(tx, { genesis: intent.genesis, type, body, atMs: nowMs })
  await writeEvent(definition, tx, written, { actor, reason: reason?.slice(0, 1000) || null, atMs: nowMs })
  await announceAll(tx, needs.ports, definition.announcements(asOwn<S>(written)))
  return { ...subject, row: written }
}

type Step = { actor: string; reason: string | null; atMs: number }

async function writeEvent(
  { events }: Pick<Definition<Governed>, 'events'>,
  tx: OrganisationTx,
  row: GovernedRow,
  { actor, reason, atMs }: Step,
): Promise<void> {
  const step = { org_id: tx.orgId, [events.key]: row.id, seq: row.version, state: row.state, actor, reason, at: atMs }
  await tx
    .insertInto(events.table as 'policy_change_event')
    .values(step as unknown as Insertable<Schema['policy_change_event']>)
    .execute()
}

async function openSubject<S extends Governed>(
  definition: Definition<S>,
  tx: OrganisationTx,
  { ports }: Needs,
  { id, intent, initiator, ...proposal }: Opening,
  insert: (common: Common, places: Places) => Promise<S['row']>,
): Promise<S> {
  const nowMs = ports.clock.nowMs()
  const bytes = encode(intentShape, intent)
  const hash = intentHash(intent)
  const sequence = await appendToLog(tx, { genesis: intent.genesis, type: 'intent', body: bytes, atMs: nowMs })
  const times = { expires_at: intent.expiresAtMs, created_at: BigInt(nowMs), updated_at: BigInt(nowMs) }
  const common = { org_id: tx.orgId, id, intent: bytes, intent_hash: hash, state: 'approving' as const, is_final: false, reason: null, version: 1, ...times }
  const row = await insert(common, { intent: sequence, words: {} })
  await writeEvent(definition, tx, row, { actor: initiator ?? 'server', reason: null, atMs: nowMs })
  const about = { subjectId: id, kind: definition.kindOf(intent), rank: 'rules' as const, intentHash: hash, initiator }
  await openProposal(tx, { ...about, ...proposal, expiresAt: times.expires_at, createdAt: times.created_at })
  await announceAll(tx, ports, definition.announcements(row))
  return definition.subjectOf(row)
}

async function keepPlace({ table }: Pick<Definition<Governed>, 'table'>, tx: OrganisationTx, { row, places }: Governed, place: Place): Promise<void> {
  if (!places) return
  await tx
    .updateTable(table as 'key_change')
    .set({ places: JSON.stringify({ ...places, words: { ...places.words, [place.personId]: place.sequence } }) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .execute()
}
