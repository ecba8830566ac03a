import { answerPage, type InputOf } from '@holdfast/contract'
import type { OrganisationTx, Schema } from '@holdfast/db'
import { last } from '@holdfast/units'
import { type ExpressionBuilder, sql } from 'kysely'
import type { listNotifications as endpoint, NotifyState } from '../contract.ts'

type Filter = InputOf<typeof endpoint>
const ANSWER_BEGINNING = 200

/** The columns every view of a notification is made from. */
export function notifications(tx: OrganisationTx) {
  return tx
    .selectFrom('webhook_delivery as d')
    .innerJoin('webhook_endpoint as e', (join) => join.onRef('e.org_id', '=', 'd.org_id').onRef('e.id', '=', 'd.endpoint_id'))
    .leftJoin('webhook_attempt as a', (join) => join.onRef('a.org_id', '=', 'd.org_id').onRef('a.notify_id', '=', 'd.id').onRef('a.number', '=', 'd.attempts'))
    .where('d.org_id', '=', tx.orgId)
    .select([
      'd.id',
      'd.endpoint_id',
      'd.side',
      'd.event',
      'd.seq',
      'd.record_id',
      'd.request_id',
      'd.biz_status',
      'd.http_code',
      'd.failure',
      'd.duration_ms',
      'd.attempts',
      'd.tries_max',
      'd.last_at',
      'd.next_at',
      'd.state',
      'd.created_at',
      'd.body',
      'e.url',
      'e.paused_at',
      'a.url as sent_url',
      'a.answer',
      'a.headers',
    ])
}

type Found = Awaited<ReturnType<ReturnType<typeof notifications>['executeTakeFirstOrThrow']>>

export function notificationView(row: Found) {
  const isTest = row.side === 'test'
  const waits = row.state === 'retrying'
  return {
    notify_id: row.id,
    endpoint_id: row.endpoint_id,
    side: row.side,
    event: row.event,
    seq: Number(row.seq),
    biz_id: isTest ? null : row.record_id,
    request_id: row.request_id,
    biz_status: row.biz_status,
    url: row.sent_url ?? row.url,
    http_code: row.http_code,
    failure_reason: row.failure,
    answer: row.answer === null ? null : [...row.answer].slice(0, ANSWER_BEGINNING).join(''),
    duration_ms: row.duration_ms,
    times: row.attempts,
    max_times: row.tries_max,
    last_at: row.last_at === null ? null : Number(row.last_at),
    next_at: row.next_at === null ? null : Number(row.next_at),
    status: row.state satisfies NotifyState,
    hold: !waits ? null : row.next_at === null ? ('earlier' as const) : row.paused_at !== null && !isTest ? ('paused' as const) : null,
    created_at: Number(row.created_at),
  }
}

/** Notifications, newest first, a page at a time, with what they add up to. */
export async function listNotifications(tx: OrganisationTx, filter: Filter) {
  const offset = (filter.page_no - 1) * filter.page_size
  const byState = filter.status
  let page = notifications(tx).where((row) => matches(row, filter))
  if (byState !== undefined) page = page.where('d.state', '=', byState)
  const rows = await page.orderBy('d.created_at', 'desc').orderBy('d.id', 'desc').limit(filter.page_size).offset(offset).execute()
  const sums = await tx
    .selectFrom('webhook_delivery as d')
    .where('d.org_id', '=', tx.orgId)
    .where((row) => matches(row, filter))
    .select([
      sql<bigint>`count(*)`.as('all'),
      sql<bigint>`count(*) filter (where d.state = 'success')`.as('success'),
      sql<bigint>`count(*) filter (where d.state = 'failed')`.as('failed'),
      sql<bigint>`count(*) filter (where d.state = 'stopped')`.as('stopped'),
      sql<bigint>`count(*) filter (where d.state = 'retrying')`.as('retrying'),
      sql<number | null>`percentile_disc(0.95) within group (order by d.duration_ms)`.as('p95'),
    ])
    .executeTakeFirstOrThrow()
  const total = Number(byState === undefined ? sums.all : sums[byState])
  const ended = Number(sums.success + sums.failed + sums.stopped)
  const answer = answerPage(filter, total, rows.map(notificationView))
  return {
    ...answer,
    next: answer.has_more && rows.length > 0 ? last(rows).id : null,
    stat: {
      success_rate: ended === 0 ? null : Number(sums.success) / ended,
      p95_ms: sums.p95,
      failed: Number(sums.failed),
      waiting: Number(sums.retrying),
    },
  }
}

type Tables = Schema & { d: Schema['webhook_delivery'] }

function matches(row: ExpressionBuilder<Tables, 'd'>, { wallet_id, endpoint_id, side, keyword, start_time, end_time, after }: Filter) {
  const wanted = [row.val(true)]
  const add = (condition: unknown) => wanted.push(condition as (typeof wanted)[number])
  if (wallet_id !== undefined) add(row('d.wallet_id', '=', wallet_id))
  if (endpoint_id !== undefined) add(row('d.endpoint_id', '=', endpoint_id))
  if (side !== undefined) add(row('d.side', '=', side))
  if (start_time !== undefined) add(row('d.created_at', '>=', BigInt(start_time)))
  if (end_time !== undefined) add(row('d.created_at', '<=', BigInt(end_time)))
  if (after !== undefined) {
    add(sql<boolean>`(d.created_at, d.id) < (select w.created_at, w.id from webhook_delivery w where w.org_id = d.org_id and w.id = ${after}::uuid)`)
  }
  if (keyword) {
    const ids = sql<boolean>`position(lower(${keyword}) in lower(concat_ws(' ', d.request_id, d.record_id::text, d.id::text))) > 0`
    add(ids)
  }
  return row.and(wanted)
}
