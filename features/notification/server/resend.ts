import { AppError, type InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import { at, known } from '@holdfast/units'
import { sql } from 'kysely'
import { RESEND_WINDOW_MS, type resendNotification } from '../contract.ts'
import { lockRecord, releaseNext } from './release-next.ts'
import { CHANNEL, TRIES_MAX } from './tell-endpoints.ts'
import { writeChange } from './write-change.ts'

type Asked = InputOf<typeof resendNotification>
type Needs = { ports: Pick<Ports, 'clock' | 'random'> }

const PER_MINUTE = 10
const MINUTE_MS = 60_000
/** Of one window; what is beyond waits for the next request. */
const AT_ONCE = 1000

type Chosen = { id: string; endpoint_id: string; record_id: string }

/**
 * Puts notifications back to be sent: one, with the failed ones of its record that come before it, or every failed one of a window
 * of at most an hour. Answers how many. Throws AppError.
 */
export async function resend(tx: OrganisationTx, { ports }: Needs, personId: string, asked: Asked): Promise<number> {
  await demandTurn(tx, ports, personId)
  if (asked.endpoint_id !== undefined) await demandEndpoint(tx, asked.endpoint_id)
  const chosen = await choose(tx, asked)
  const nowMs = ports.clock.nowMs()
  let count = 0
  const byRecord = Map.groupBy(chosen, (each) => `${each.record_id} ${each.endpoint_id}`)
  for (const key of [...byRecord.keys()].sort()) {
    const of = known(byRecord.get(key), `the deliveries of ${key}`)
    const { endpoint_id: endpointId, record_id: recordId } = at(of, 0)
    await lockRecord(tx, endpointId, recordId)
    const ids = of.map((each) => each.id)
    const tries = sql<number>`case when side = 'test' then 1 else ${TRIES_MAX}::integer end`
    const { numUpdatedRows } = await tx
      .updateTable('webhook_delivery')
      .set({
        state: 'retrying',
        tries_left: tries,
        tries_max: sql<number>`attempts + ${tries}`,
        next_at: null,
        updated_at: sql<bigint>`greatest(updated_at, ${nowMs}::int8)`,
      })
      .where('org_id', '=', tx.orgId)
      .where('id', 'in', ids)
      // What is being sent at this moment is left alone.
      .where('lease_holder', 'is', null)
      .executeTakeFirst()
    count += Number(numUpdatedRows)
    await releaseNext(tx, endpointId, recordId, nowMs)
  }
  await writeChange(tx, ports, { endpointId: null, personId, action: 'resend', detail: { ...asked, count } })
  await sql`select pg_notify(${CHANNEL}, '')`.execute(tx)
  return count
}

async function choose(tx: OrganisationTx, asked: Asked): Promise<Chosen[]> {
  if (asked.notify_id !== undefined && asked.biz_id !== undefined)
    throw new AppError('invalid_parameters', { details: { field: 'biz_id', reason: 'name one notification or one record, not both' } })
  if (asked.notify_id !== undefined) return oneWithEarlier(tx, asked.notify_id)
  return asked.biz_id === undefined ? failedInWindow(tx, asked) : ofRecord(tx, asked.biz_id)
}

/** What of a record's notifications failed, or where nothing did the last one to each endpoint. */
async function ofRecord(tx: OrganisationTx, recordId: string): Promise<Chosen[]> {
  const rows = await tx
    .selectFrom('webhook_delivery as d')
    .innerJoin('webhook_endpoint as e', (join) => join.onRef('e.org_id', '=', 'd.org_id').onRef('e.id', '=', 'd.endpoint_id'))
    .select(['d.id', 'd.endpoint_id', 'd.record_id', 'd.state'])
    .where('d.org_id', '=', tx.orgId)
    .where('d.record_id', '=', recordId)
    .where('e.removed_at', 'is', null)
    .orderBy('d.seq')
    .execute()
  if (rows.length === 0) throw new AppError('resource_not_found')
  const failed = rows.filter((each) => each.state === 'failed')
  return failed.length > 0 ? failed : [...new Map(rows.map((each) => [each.endpoint_id, each])).values()]
}

/** A person may ask ten times a minute, however many servers there are. The person's row is the lock. */
async function demandTurn(tx: OrganisationTx, ports: Needs['ports'], personId: string): Promise<void> {
  await tx.selectFrom('person').select('id').where('org_id', '=', tx.orgId).where('id', '=', personId).forUpdate().executeTakeFirstOrThrow()
  const sinceMs = ports.clock.nowMs() - MINUTE_MS
  const asked = await tx
    .selectFrom('webhook_change')
    .select('at')
    .where('org_id', '=', tx.orgId)
    .where('person_id', '=', personId)
    .where('action', '=', 'resend')
    .where('at', '>', BigInt(sinceMs))
    .orderBy('at', 'desc')
    .limit(PER_MINUTE)
    .execute()
  const oldest = asked.at(-1)
  if (asked.length < PER_MINUTE || !oldest) return
  throw new AppError('rate_limited', { details: { retry_after: Math.max(1, Math.ceil((Number(oldest.at) - sinceMs) / 1000)) } })
}

async function oneWithEarlier(tx: OrganisationTx, notifyId: string): Promise<Chosen[]> {
  const row = await tx
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_endpoint as e', (join) => join.onRef('e.org_id', '=', 'webhook_delivery.org_id').onRef('e.id', '=', 'endpoint_id'))
    .select(['webhook_delivery.id', 'endpoint_id', 'record_id', 'seq'])
    .where('webhook_delivery.org_id', '=', tx.orgId)
    .where('webhook_delivery.id', '=', notifyId)
    .where('e.removed_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new AppError('resource_not_found')
  const earlier = await tx
    .selectFrom('webhook_delivery')
    .select(['id', 'endpoint_id', 'record_id'])
    .where('org_id', '=', tx.orgId)
    .where('endpoint_id', '=', row.endpoint_id)
    .where('record_id', '=', row.record_id)
    .where('seq', '<', row.seq)
    .where('state', '=', 'failed')
    .execute()
  return [...earlier, { id: row.id, endpoint_id: row.endpoint_id, record_id: row.record_id }]
}

async function failedInWindow(tx: OrganisationTx, { endpoint_id, start_time, end_time, failed }: Asked): Promise<Chosen[]> {
  const refuse = (field: string, reason: string) => new AppError('invalid_parameters', { details: { field, reason } })
  if (start_time === undefined || end_time === undefined || failed === undefined) throw refuse('notify_id', 'it is required')
  if (end_time < start_time || end_time - start_time > RESEND_WINDOW_MS) throw refuse('end_time', 'it must be at most one hour after the start')
  let query = tx
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_endpoint as e', (join) => join.onRef('e.org_id', '=', 'webhook_delivery.org_id').onRef('e.id', '=', 'endpoint_id'))
    .select(['webhook_delivery.id', 'endpoint_id', 'record_id'])
    .where('webhook_delivery.org_id', '=', tx.orgId)
    .where('webhook_delivery.state', '=', 'failed')
    .where('webhook_delivery.created_at', '>=', BigInt(start_time))
    .where('webhook_delivery.created_at', '<=', BigInt(end_time))
    .where('e.removed_at', 'is', null)
  if (endpoint_id !== undefined) query = query.where('endpoint_id', '=', endpoint_id)
  return query.orderBy('webhook_delivery.created_at').limit(AT_ONCE).execute()
}

async function demandEndpoint(tx: OrganisationTx, endpointId: string): Promise<void> {
  const row = await tx
    .selectFrom('webhook_endpoint')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('id', '=', endpointId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new AppError('resource_not_found')
}

/** Gives a notification up for good; then the next one of its record may go. Throws AppError. */
export async function skip(tx: OrganisationTx, { ports }: Needs, personId: string, notifyId: string): Promise<void> {
  const row = await tx
    .selectFrom('webhook_delivery')
    .select(['endpoint_id', 'record_id'])
    .where('org_id', '=', tx.orgId)
    .where('id', '=', notifyId)
    .executeTakeFirst()
  if (!row) throw new AppError('resource_not_found')
  const nowMs = ports.clock.nowMs()
  await lockRecord(tx, row.endpoint_id, row.record_id)
  const { numUpdatedRows } = await tx
    .updateTable('webhook_delivery')
    .set({ state: 'stopped', next_at: null, updated_at: sql<bigint>`greatest(updated_at, ${nowMs}::int8)` })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', notifyId)
    .where('state', 'in', ['retrying', 'failed'])
    .where('lease_holder', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new AppError('state_changed')
  await releaseNext(tx, row.endpoint_id, row.record_id, nowMs)
  await writeChange(tx, ports, { endpointId: row.endpoint_id, personId, action: 'skip', detail: { notify_id: notifyId } })
  await sql`select pg_notify(${CHANNEL}, '')`.execute(tx)
}
