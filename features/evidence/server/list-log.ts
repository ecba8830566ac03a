import { answerPage, AppError, type InputOf } from '@holdfast/contract'
import { type OrganisationTx, patternOf } from '@holdfast/db'
import { decode, toHex } from '@holdfast/encoding'
import { spokenShape, intentShape } from '@holdfast/intent'
import { entryShape, type LogEntry, parseCheckpoint } from '@holdfast/log'
import { bytesToUuid } from '@holdfast/units'
import { sql } from 'kysely'
import type { listLog as endpoint } from '../contract.ts'

type Asked = InputOf<typeof endpoint>

/** So many are counted, and a word is looked for among so many: no reader pages through more. */
export const MOST_FOUND = 10_000

/** A page of the log under filters, with the newest checkpoint of it. */
export async function listLog(tx: OrganisationTx, asked: Asked) {
  const organisation = await tx.selectFrom('organisation').select('genesis_hash').where('id', '=', tx.orgId).executeTakeFirst()
  if (!organisation?.genesis_hash) throw new AppError('resource_not_found')
  const [found, last, first, people, checkpoint] = await Promise.all([
    findEntries(tx, asked),
    tx.selectFrom('log_entry').select('sequence').where('org_id', '=', tx.orgId).orderBy('sequence', 'desc').limit(1).executeTakeFirst(),
    tx.selectFrom('log_fact').select('sequence').where('org_id', '=', tx.orgId).orderBy('sequence').limit(1).executeTakeFirst(),
    tx.selectFrom('person').select(['id', 'name']).where('org_id', '=', tx.orgId).orderBy('name').execute(),
    tx.selectFrom('log_checkpoint').selectAll().where('org_id', '=', tx.orgId).orderBy('size', 'desc').limit(1).executeTakeFirst(),
  ])
  const names = new Map(people.map(({ id, name }) => [id, name]))
  const list = found.rows.map((row) => {
    const entry = decode(entryShape, new Uint8Array(row.bytes))
    const person = row.person_id === null ? null : { person_id: row.person_id, name: names.get(row.person_id) ?? row.person_id.slice(0, 8) }
    return { sequence: Number(row.sequence), at: Number(row.at), kind: row.kind, person, ...saidIn(entry), hash: toHex(row.leaf_hash) }
  })
  const entries = last ? Number(last.sequence) + 1 : 0
  const isBare = [asked.kind, asked.person_id, asked.keyword, asked.start_time, asked.end_time].every((each) => each === undefined || each === '')
  return {
    ...answerPage(asked, isBare ? entries : found.count, list),
    entries,
    facts_from: first ? Number(first.sequence) : entries,
    people: people.map(({ id, name }) => ({ person_id: id, name })),
    fingerprint: toHex(organisation.genesis_hash),
    checkpoint: checkpoint ? checkpointView(checkpoint) : null,
  }
}

type Row = { sequence: bigint; kind: string; at: bigint; person_id: string | null; bytes: Uint8Array; leaf_hash: Uint8Array }

async function findEntries(tx: OrganisationTx, { kind, person_id, keyword = '', start_time, end_time, page_no, page_size }: Asked) {
  const conditions = [
    sql`f.org_id = ${tx.orgId}`,
    ...(kind === undefined ? [] : [sql`f.kind = ${kind}`]),
    ...(person_id === undefined ? [] : [sql`f.person_id = ${person_id}`]),
    ...(start_time === undefined ? [] : [sql`f.at >= ${start_time}`]),
    ...(end_time === undefined ? [] : [sql`f.at <= ${end_time}`]),
  ]
  const word = keyword.trim().toLowerCase()
  const holds = word === '' ? sql`true` : sql`near.words like ${patternOf(word)}`
  const near = sql`(select f.* from log_fact f where ${sql.join(conditions, sql` and `)} order by f.sequence desc limit ${MOST_FOUND}) near`
  const page = sql<Row>`select near.sequence, near.kind, near.at, near.person_id, e.bytes, e.leaf_hash from ${near}
    join log_entry e on e.org_id = near.org_id and e.sequence = near.sequence
    where ${holds} order by near.sequence desc limit ${page_size} offset ${(page_no - 1) * page_size}`
  const count = sql<{ count: bigint }>`select count(*) as count from ${near} where ${holds}`
  const [{ rows }, counted] = await Promise.all([page.execute(tx), count.execute(tx)])
  return { rows, count: Number(counted.rows[0]?.count ?? 0n) }
}

/** What an entry says in short. */
function saidIn({ type, body }: LogEntry): { order_id: string | null; detail: string } {
  if (type === 'intent') {
    const intent = decode(intentShape, body)
    return { order_id: bytesToUuid(intent.orderId), detail: 'remark' in intent && typeof intent.remark === 'string' ? intent.remark : '' }
  }
  if (type !== 'approval') return { order_id: null, detail: '' }
  const spoken = decode(spokenShape, body)
  return { order_id: null, detail: spoken.kind === 'screening' ? `screened_${spoken.level}` : spoken.decision }
}

function checkpointView({ size, note, created_at: at }: { size: bigint; note: string; created_at: bigint }) {
  const { checkpoint, signatures } = parseCheckpoint(note)
  return { size: Number(size), at: Number(at), root: toHex(checkpoint.root), note, signers: signatures.map(({ name }) => name) }
}
