import { answerPage, type InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { newId, writeCsv } from '@holdfast/units'
import type { exportCalls, listCalls, listSettingsLog } from '../log-contract.ts'
import { keySettings } from '../settings-contract.ts'

type Filter = InputOf<typeof exportCalls>

const EXPORT_ROWS_MAX = 10_000
const HEAD = ['time', 'app_id', 'method', 'path', 'request_id', 'ip', 'http_code', 'code', 'refused', 'duration_ms', 'body_masked']

/** The smallest id that something of a moment can have: ids begin with their time. */
const firstIdAt = (ms: number) => newId(Math.max(0, Math.min(ms, 2 ** 47)), { bytes: (length) => new Uint8Array(length) })

function found(tx: OrganisationTx, asked: Filter) {
  const { app_id, keyword, method, http_code, code, ip, refused, start_time, end_time } = asked
  let rows = tx.selectFrom('machine_call').where('org_id', '=', tx.orgId)
  if (app_id !== undefined) rows = rows.where('machine_id', '=', app_id)
  if (method !== undefined) rows = rows.where('method', '=', method)
  if (http_code !== undefined) rows = rows.where('http_status', '=', Number(http_code))
  if (code !== undefined) rows = rows.where('code', '=', code)
  if (ip !== undefined) rows = rows.where('address', '=', ip)
  if (refused !== undefined) rows = rows.where('refused', refused === 'refused' ? 'is not' : 'is', null)
  if (start_time !== undefined) rows = rows.where('id', '>=', firstIdAt(start_time)).where('at', '>=', BigInt(start_time))
  if (end_time !== undefined) rows = rows.where('at', '<=', BigInt(end_time))
  if (keyword === undefined) return rows
  const part = `%${keyword.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return rows.where((row) => row.or([row('path', 'ilike', part), row('request_id', 'ilike', part)]))
}

/** A page of the calls that programs made, the newest first. */
export async function readCalls(tx: OrganisationTx, asked: InputOf<typeof listCalls>) {
  const rows = found(tx, asked)
  const { count } = await rows.select((row) => row.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
  const page = rows
    .selectAll()
    .orderBy('id', 'desc')
    .limit(asked.page_size)
    .offset((asked.page_no - 1) * asked.page_size)
  return answerPage(asked, Number(count), (await page.execute()).map(callOf))
}

/** The same calls as comma-separated values. */
export async function exportedCalls(tx: OrganisationTx, asked: Filter) {
  const rows = await found(tx, asked)
    .selectAll()
    .orderBy('id', 'desc')
    .limit(EXPORT_ROWS_MAX + 1)
    .execute()
  const lines = rows.slice(0, EXPORT_ROWS_MAX).map((row) => {
    const { at, id: _, ...call } = callOf(row)
    const { app_id, method, path, request_id, ip, http_code, code, refused, duration_ms, body_masked } = call
    return [new Date(at).toISOString(), app_id, method, path, request_id ?? '', ip, String(http_code), code, refused ?? '', String(duration_ms), body_masked]
  })
  return { file_name: 'api-calls.csv', content: writeCsv([HEAD, ...lines]), rows: lines.length, complete: rows.length <= EXPORT_ROWS_MAX }
}

type CallRow = Awaited<ReturnType<ReturnType<typeof allOf>['executeTakeFirstOrThrow']>>
const allOf = (tx: OrganisationTx) => tx.selectFrom('machine_call').selectAll()

const callOf = (row: CallRow) => ({
  id: row.id,
  at: Number(row.at),
  app_id: row.machine_id,
  method: row.method,
  path: row.path,
  request_id: row.request_id,
  ip: row.address,
  http_code: row.http_status,
  code: row.code,
  refused: row.refused,
  duration_ms: row.duration_ms,
  body_masked: row.body,
})

/** A page of the settings that were written, the newest first. */
export async function readSettingsLog(tx: OrganisationTx, asked: InputOf<typeof listSettingsLog>) {
  let rows = tx
    .selectFrom('machine_settings as s')
    .leftJoin('machine_settings as b', (join) =>
      join.onRef('b.org_id', '=', 's.org_id').onRef('b.machine_id', '=', 's.machine_id').onRef('b.version', '=', 's.base_version'),
    )
    .leftJoin('person as p', (join) => join.onRef('p.org_id', '=', 's.org_id').onRef('p.id', '=', 's.made_by'))
    .leftJoin('person as d', (join) => join.onRef('d.org_id', '=', 's.org_id').onRef('d.id', '=', 's.decided_by'))
    .where('s.org_id', '=', tx.orgId)
  if (asked.app_id !== undefined) rows = rows.where('s.machine_id', '=', asked.app_id)
  const { count } = await rows.select((row) => row.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
  const page = await rows
    .select(['s.machine_id', 's.version', 's.made_at', 's.state', 's.document', 's.decided_at', 'p.name as made_by', 'd.name as decided_by'])
    .select('b.document as before')
    .orderBy('s.made_at', 'desc')
    .orderBy('s.version', 'desc')
    .limit(asked.page_size)
    .offset((asked.page_no - 1) * asked.page_size)
    .execute()
  const list = page.map((row) => ({
    app_id: row.machine_id,
    version: row.version,
    at: Number(row.made_at),
    user: row.made_by,
    state: row.state,
    decided_by: row.decided_by,
    decided_at: row.decided_at === null ? null : Number(row.decided_at),
    before: row.before === null ? null : keySettings.parse(row.before),
    after: keySettings.parse(row.document),
  }))
  return answerPage(asked, Number(count), list)
}
