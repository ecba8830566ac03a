import type { ServerContext } from '@holdfast/features/context'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { getCalendar } from '../contract.ts'
import { readCalendar } from './read-calendar.ts'

/** What is on the days of a month. */
export function calendarEndpoints({ db, ports, networks }: ServerContext): HandledEndpoint[] {
  return [
    handle(getCalendar, ({ orgId }, { month }) =>
      db.asOrganisation(orgId, async (tx) => ({ list: await readCalendar(tx, { ports, networks }, monthOf(month)) })),
    ),
  ]
}

/** From when until when a month of UTC goes. */
function monthOf(text: string): { fromMs: number; untilMs: number } {
  const [year = 0, month = 1] = text.split('-').map(Number)
  return { fromMs: Date.UTC(year, month - 1, 1), untilMs: Date.UTC(year, month, 1) }
}
