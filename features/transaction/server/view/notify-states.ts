import { known } from '@holdfast/units'
import { type RawBuilder, sql, type SqlBool } from 'kysely'

/** What can have become of a record's notifications, the worst first: whoever asks how they stand wants to hear of that. */
export const NOTIFY_STATES = ['failed', 'retrying', 'stopped', 'success'] as const
export type NotifyState = (typeof NOTIFY_STATES)[number]

/** How the notifications of one payment or deposit stand: the worst of them, how many arrived of how many there are, and how often it was tried. */
export type NotifyStanding = { status: NotifyState; arrived: number; count: number; times: number }

/** How many notifications of a record stand so, and how often those were tried. */
export type NotifyCount = { state: string; count: number; times: number }

/** How the notifications of a record stand, by what was counted of them. */
export function notifyStanding(counts: readonly NotifyCount[]): NotifyStanding {
  const sumOf = (of: readonly NotifyCount[], name: 'count' | 'times') => of.reduce((sum, each) => sum + each[name], 0)
  const status = known(
    NOTIFY_STATES.find((state) => counts.some((each) => each.state === state)),
    'the state of what is told of a record',
  )
  const arrived = counts.filter((each) => each.state === 'success')
  return { status, arrived: sumOf(arrived, 'count'), count: sumOf(counts, 'count'), times: sumOf(counts, 'times') }
}

/** Whether the notifications of a row `t` stand so. */
export function hasNotifyState(orgId: string, status: NotifyState): RawBuilder<SqlBool> {
  const worse = NOTIFY_STATES.slice(0, NOTIFY_STATES.indexOf(status))
  const told = (states: readonly string[]) =>
    sql`exists (select from webhook_delivery d where d.org_id = ${orgId} and d.record_id = t.id and d.state = any(${[...states]}::text[]))`
  return worse.length === 0 ? sql`(${told([status])})` : sql`(${told([status])} and not ${told(worse)})`
}
