import type { OrganisationTx } from '@holdfast/db'
import { known } from '@holdfast/units'
import { type RawBuilder, sql, type SqlBool } from 'kysely'

/** What can have become of a record's notifications, the worst first: whoever asks how they stand wants to hear of that. */
export const NOTIFY_STATES = ['failed', 'retrying', 'stopped', 'success'] as const
export type NotifyState = (typeof NOTIFY_STATES)[number]

/** How the notifications of one payment or deposit stand: the worst of them, how many arrived of how many there are, and how often it was tried. */
export type NotifyStanding = { status: NotifyState; arrived: number; count: number; times: number }

/** How the notifications of records stand, by record. A record that nobody is told of has none. */
export async function readNotifyStandings(tx: OrganisationTx, recordIds: readonly string[]): Promise<Map<string, NotifyStanding>> {
  if (recordIds.length === 0) return new Map()
  const rows = await tx
    .selectFrom('webhook_delivery')
    .select(['record_id', 'state', sql<bigint>`count(*)`.as('count'), sql<bigint>`sum(attempts)`.as('times')])
    .where('org_id', '=', tx.orgId)
    .where(sql<boolean>`record_id = any(${[...recordIds]}::uuid[])`)
    .groupBy(['record_id', 'state'])
    .execute()
  const sumOf = (of: typeof rows, name: 'count' | 'times') => of.reduce((sum, each) => sum + Number(each[name]), 0)
  return new Map(
    [...Map.groupBy(rows, (each) => each.record_id)].map(([id, of]) => {
      const arrived = of.filter((each) => each.state === 'success')
      const status = known(
        NOTIFY_STATES.find((state) => of.some((each) => each.state === state)),
        `the state of what is told of ${id}`,
      )
      return [id, { status, arrived: sumOf(arrived, 'count'), count: sumOf(of, 'count'), times: sumOf(of, 'times') }]
    }),
  )
}

/** Whether the notifications of a row `t` stand so. */
export function hasNotifyState(orgId: string, status: NotifyState): RawBuilder<SqlBool> {
  const worse = NOTIFY_STATES.slice(0, NOTIFY_STATES.indexOf(status))
  const told = (states: readonly string[]) =>
    sql`exists (select from webhook_delivery d where d.org_id = ${orgId} and d.record_id = t.id and d.state = any(${[...states]}::text[]))`
  return worse.length === 0 ? sql`(${told([status])})` : sql`(${told([status])} and not ${told(worse)})`
}
