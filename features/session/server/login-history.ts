import { answerPage, AppError, type InputOf, type Language } from '@holdfast/contract'
import type { OrganisationTx, Schema } from '@holdfast/db'
import { handle, type HandledEndpoint, type MemberContext } from '@holdfast/http'
import { writeCsv } from '@holdfast/units'
import type { Selectable } from 'kysely'
import { exportLoginHistory, listLoginHistory, trustDevice } from '../contract.ts'
import { IDLE_LIFETIME_MS } from './open-session.ts'
import { parseUserAgent } from './parse-user-agent.ts'
import type { SessionServices } from './session-services.ts'

type Filter = InputOf<typeof exportLoginHistory>
type EventRow = Selectable<Schema['login_event']>

const EXPORT_ROWS_MAX = 10_000
const READ_OTHERS = 'login_history.read'

const WORDS = {
  en_US: {
    wrong_credential: 'The password, code or key was wrong.',
    delayed: 'The account was waiting after earlier failures.',
    used_already: 'The code or passkey answer was used before.',
    suspended: 'The member is suspended.',
    not_active: 'The account is not active.',
    too_many: 'More tries followed in this hour; they are not listed one by one.',
    head: ['Time (UTC)', 'Person', 'Way', 'Result', 'Reason', 'IP address', 'Browser', 'System', 'Place', 'New device', 'What the browser says'],
    ok: 'signed in',
    refused: 'refused',
    yes: 'yes',
    no: 'no',
    passkey: 'passkey',
    password: 'password and code',
    device: 'browser key',
  },
  zh_CN: {
    wrong_credential: '密码、验证码或密钥错误。',
    delayed: '该账号因此前多次失败正处于等待期。',
    used_already: '验证码或通行密钥应答已被使用过。',
    suspended: '该成员已停用。',
    not_active: '该账号不是有效状态。',
    too_many: '该小时内还有更多尝试，不再逐条列出。',
    head: ['时间（UTC）', '人员', '方式', '结果', '原因', 'IP 地址', '浏览器', '系统', '地点', '新设备', '浏览器自述'],
    ok: '登录成功',
    refused: '已拒绝',
    yes: '是',
    no: '否',
    passkey: '通行密钥',
    password: '密码与验证码',
    device: '浏览器密钥',
  },
} as const satisfies Record<Language, unknown>

/** Who signed in, when, whence and how, and who was refused. Append-only: nothing here changes or deletes a line. */
export function loginHistoryEndpoints(services: SessionServices): HandledEndpoint[] {
  const { db } = services
  return [
    handle(listLoginHistory, async (caller, { page_no: page, page_size: size, ...filter }) => {
      const { rows, total, names, trusted } = await db.asOrganisation(caller.orgId, async (tx) => {
        const { count } = await events(tx, caller, filter)
          .select((row) => row.fn.countAll<string>().as('count'))
          .executeTakeFirstOrThrow()
        const found = await newest(tx, caller, filter)
          .offset((page - 1) * size)
          .limit(size)
          .execute()
        return { rows: found, total: Number(count), names: await namesOf(tx), trusted: await trustedDevices(tx) }
      })
      const open = await openSessionsOf(services, caller.orgId, rows)
      const all = mayReadOthers(caller)
      const list = rows.map((row) => ({ ...eventView(row, names, open, caller.language), trusted: trusted.has(deviceOf(row)) }))
      return {
        ...answerPage({ page_no: page, page_size: size }, total, list),
        all,
        people: all ? [...names].map(([id, name]) => ({ user_id: id, name })) : [],
      }
    }),
    handle(trustDevice, async ({ orgId, personId }, { id, trusted }) => {
      const changed_at = services.ports.clock.nowMs()
      await db.asOrganisation(orgId, async (tx) => {
        const event = await tx
          .selectFrom('login_event')
          .select(['device', 'os'])
          .where('org_id', '=', orgId)
          .where('id', '=', id)
          .where('person_id', '=', personId)
          .where('result', '=', 'ok')
          .executeTakeFirst()
        if (!event) throw new AppError('resource_not_found')
        if (event.device === '' && event.os === '')
          throw new AppError('invalid_parameters', { details: { field: 'id', reason: 'nothing is known of this device that would tell it from others' } })
        await tx
          .insertInto('trusted_device')
          .values({ org_id: orgId, person_id: personId, ...event, trusted, changed_at })
          .onConflict((conflict) => conflict.columns(['org_id', 'person_id', 'device', 'os']).doUpdateSet({ trusted, changed_at }))
          .execute()
      })
      return null
    }),
    handle(exportLoginHistory, async (caller, filter) => {
      const { rows, names } = await db.asOrganisation(caller.orgId, async (tx) => ({
        rows: await newest(tx, caller, filter)
          .limit(EXPORT_ROWS_MAX + 1)
          .execute(),
        names: await namesOf(tx),
      }))
      const kept = rows.slice(0, EXPORT_ROWS_MAX)
      const day = new Date(services.ports.clock.nowMs()).toISOString().slice(0, 10)
      const words = WORDS[caller.language]
      return {
        file_name: `login-history-${day}.csv`,
        content: writeCsv([words.head, ...kept.map((row) => lineOf(row, names, caller.language))]),
        rows: kept.length,
        complete: kept.length === rows.length,
      }
    }),
  ]
}

function mayReadOthers({ session }: MemberContext): boolean {
  return session.permissions.has(READ_OTHERS)
}

/** The rows a caller may see: their own, or all for who may read the history of others. */
function events(tx: OrganisationTx, caller: MemberContext, { user_id: person, result, start_time: start, end_time: end }: Filter) {
  const wanted = mayReadOthers(caller) ? person : caller.personId
  let query = tx.selectFrom('login_event').where('org_id', '=', tx.orgId)
  if (wanted !== undefined) query = query.where('person_id', '=', wanted)
  if (result !== undefined) query = query.where('result', '=', result)
  if (start !== undefined) query = query.where('at', '>=', BigInt(start))
  if (end !== undefined) query = query.where('at', '<=', BigInt(end))
  return query
}

function newest(tx: OrganisationTx, caller: MemberContext, filter: Filter) {
  return events(tx, caller, filter).selectAll().orderBy('at', 'desc').orderBy('id', 'desc')
}

async function namesOf(tx: OrganisationTx): Promise<Map<string, string>> {
  const people = await tx.selectFrom('person').select(['id', 'name']).where('org_id', '=', tx.orgId).orderBy('name').orderBy('id').execute()
  return new Map(people.map((each) => [each.id, each.name]))
}

/** What people have said are theirs, each as `deviceOf` writes it. */
async function trustedDevices(tx: OrganisationTx): Promise<Set<string>> {
  const rows = await tx.selectFrom('trusted_device').select(['person_id', 'device', 'os']).where('org_id', '=', tx.orgId).where('trusted', '=', true).execute()
  return new Set(rows.map(deviceOf))
}

const deviceOf = ({ person_id: person, device, os }: Pick<EventRow, 'person_id' | 'device' | 'os'>) => JSON.stringify([person, device, os])

/** Those of the sessions the rows name that are still open. */
async function openSessionsOf({ db, ports }: SessionServices, orgId: string, rows: readonly EventRow[]): Promise<Set<string>> {
  const ids = rows.flatMap((row) => (row.session_id ? [row.session_id] : []))
  if (ids.length === 0) return new Set()
  const nowMs = ports.clock.nowMs()
  const open = await db.asSystem((tx) =>
    tx
      .selectFrom('session')
      .select('id')
      .where('org_id', '=', orgId)
      .where('id', 'in', ids)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', BigInt(nowMs))
      .where('last_seen_at', '>', BigInt(nowMs - IDLE_LIFETIME_MS))
      .execute(),
  )
  return new Set(open.map(({ id }) => Buffer.from(id).toString('hex')))
}

function reasonText(reason: string | null, language: Language): string {
  const words: Record<string, unknown> = WORDS[language]
  return reason !== null && Object.hasOwn(words, reason) ? String(words[reason]) : ''
}

function eventView(row: EventRow, names: ReadonlyMap<string, string>, open: ReadonlySet<string>, language: Language) {
  const { version } = parseUserAgent(row.user_agent)
  const session = row.session_id && Buffer.from(row.session_id).toString('hex')
  return {
    id: row.id,
    at: Number(row.at),
    user_id: row.person_id,
    name: names.get(row.person_id) ?? '',
    method: row.method,
    device: row.device,
    os: row.os,
    app_version: version,
    ip: row.ip,
    location: null,
    result: row.result,
    reason: row.reason,
    reason_text: reasonText(row.reason, language),
    new_device: row.is_new_device,
    session_state: session ? (open.has(session) ? ('open' as const) : ('ended' as const)) : null,
  }
}

function lineOf(row: EventRow, names: ReadonlyMap<string, string>, language: Language): string[] {
  const words = WORDS[language]
  return [
    new Date(Number(row.at)).toISOString(),
    names.get(row.person_id) ?? row.person_id,
    words[row.method],
    words[row.result],
    reasonText(row.reason, language),
    row.ip,
    row.device,
    row.os,
    '',
    row.is_new_device ? words.yes : words.no,
    row.user_agent,
  ]
}
