import type { Database, Schema, SystemTx } from '@holdfast/db'
import type { MailNeeds } from '@holdfast/features/mail/server'
import type { Sealer } from '@holdfast/features/session/server'
import type { Ports } from '@holdfast/ports'
import { type Selectable, sql } from 'kysely'
import type { Manner, Write, Written } from './manner.ts'

export type SendingNeeds = MailNeeds & { db: Database; ports: Pick<Ports, 'clock' | 'random' | 'timer' | 'net'>; sealer: Sealer }

/** How long a server that took a notification has it for itself. After that the server is taken for dead, and the notification is sent again. */
export const LEASE_MS = 30_000

/** One try that has been written down and is to be made. */
export type Attempt = {
  orgId: string
  notifyId: string
  endpointId: string
  recordId: string
  isTest: boolean
  number: number
  written: Written
  /** By the monotonic clock: before it began, the lease was ours. */
  claimedAtMs: number
}

export type DueEndpoint = { orgId: string; endpointId: string; isPaused: boolean }

/** Endpoints of one sort for which something is due. A paused one is due for test events only. */
export async function dueEndpoints(db: Database, of: Manner['of'], nowMs: number): Promise<DueEndpoint[]> {
  const rows = await db.readSystem((tx) =>
    tx
      .selectFrom('webhook_endpoint as e')
      .select(['e.org_id', 'e.id', 'e.paused_at'])
      .where('e.removed_at', 'is', null)
      .where('e.machine_id', of === 'machines' ? 'is not' : 'is', null)
      .where((row) => {
        const due = row
          .selectFrom('webhook_delivery as d')
          .select('d.id')
          .whereRef('d.org_id', '=', 'e.org_id')
          .whereRef('d.endpoint_id', '=', 'e.id')
          // In the text, so that the database knows the index of what is tried again before it is asked, and plans this once.
          .where('d.state', '=', sql.lit('retrying'))
          .where('d.next_at', '<=', BigInt(nowMs))
        return row.or([row.and([row('e.paused_at', 'is', null), row.exists(due)]), row.exists(due.where('d.side', '=', sql.lit('test')))])
      })
      .orderBy('e.id')
      .execute(),
  )
  return rows.map((row) => ({ orgId: row.org_id, endpointId: row.id, isPaused: row.paused_at !== null }))
}

/**
 * Takes up to `count` due notifications of an endpoint: leased, counted and written down as tries before anything is sent, so that a
 * server that dies in between leaves a try without an answer and not a gap. Never one with an undelivered earlier one of its record.
 */
export async function claimDeliveries(
  { db, ports }: Pick<SendingNeeds, 'db' | 'ports'>,
  manner: Manner,
  { orgId, endpointId, isPaused }: DueEndpoint,
  { count, holder }: { count: number; holder: string },
): Promise<Attempt[]> {
  const nowMs = ports.clock.nowMs()
  const claimedAtMs = ports.clock.monotonicMs()
  return db.asSystem(async (tx) => {
    const rows = await claimable(tx, { orgId, endpointId, isPaused, count, nowMs })
    if (rows.length === 0) return []
    const endpoint = await tx
      .selectFrom('webhook_endpoint')
      .select(['url', 'machine_id', 'paused_at', 'removed_at'])
      .where('org_id', '=', orgId)
      .where('id', '=', endpointId)
      .executeTakeFirstOrThrow()
    const write = await manner.open(tx, { orgId, url: endpoint.url, machineId: endpoint.machine_id, nowMs })
    if (!write) return []
    const attempts: Attempt[] = []
    for (const row of rows) {
      if (endpoint.removed_at !== null || (endpoint.paused_at !== null && row.side !== 'test')) continue
      attempts.push(await writeAttempt(tx, { row, write, nowMs, claimedAtMs, holder }))
    }
    return attempts
  })
}

type Row = Selectable<Schema['webhook_delivery']>

async function claimable(tx: SystemTx, of: DueEndpoint & { count: number; nowMs: number }): Promise<Row[]> {
  let query = tx
    .selectFrom('webhook_delivery as d')
    .selectAll('d')
    .where('d.org_id', '=', of.orgId)
    .where('d.endpoint_id', '=', of.endpointId)
    .where('d.state', '=', 'retrying')
    .where('d.next_at', '<=', BigInt(of.nowMs))
    .where((row) => row.or([row('d.lease_until_at', 'is', null), row('d.lease_until_at', '<=', BigInt(of.nowMs))]))
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('webhook_delivery as earlier')
            .select('earlier.id')
            .whereRef('earlier.org_id', '=', 'd.org_id')
            .whereRef('earlier.endpoint_id', '=', 'd.endpoint_id')
            .whereRef('earlier.record_id', '=', 'd.record_id')
            .whereRef('earlier.seq', '<', 'd.seq')
            .where('earlier.state', 'in', ['retrying', 'failed']),
        ),
      ),
    )
  if (of.isPaused) query = query.where('d.side', '=', 'test')
  return query.orderBy('d.next_at').orderBy('d.id').limit(of.count).modifyEnd(sql`for update of d skip locked`).execute()
}

type Claim = { row: Row; write: Write; nowMs: number; claimedAtMs: number; holder: string }

async function writeAttempt(tx: SystemTx, { row, write, nowMs, claimedAtMs, holder }: Claim): Promise<Attempt> {
  const number = row.attempts + 1
  const written = write({ notifyId: row.id, event: row.event, body: row.body, attempt: number })
  await tx
    .updateTable('webhook_delivery')
    .set({ attempts: number, tries_left: Math.max(0, row.tries_left - 1), last_at: nowMs, lease_holder: holder, lease_until_at: nowMs + LEASE_MS })
    .where('org_id', '=', row.org_id)
    .where('id', '=', row.id)
    .execute()
  await tx
    .insertInto('webhook_attempt')
    .values({
      org_id: row.org_id,
      notify_id: row.id,
      number,
      url: written.url,
      address: null,
      headers: JSON.stringify(written.headers),
      at: nowMs,
      ended_at: null,
      duration_ms: null,
      http_code: null,
      failure: null,
      answer: null,
      answer_cut: false,
    })
    .execute()
  const { org_id: orgId, id: notifyId, endpoint_id: endpointId, record_id: recordId } = row
  return { orgId, notifyId, endpointId, recordId, isTest: row.side === 'test', number, written, claimedAtMs }
}
