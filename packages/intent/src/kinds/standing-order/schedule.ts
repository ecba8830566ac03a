import { equalBytes } from '@holdfast/encoding'
import type { StandingOrderIntent } from './standing-order.ts'

/*
 * Payments on dates. A standing order of this form lists its dates, days of the calendar of UTC counted from 1 January 1970: nobody who decides computes a
 * calendar, and people read the very list that is signed. A transfer says which date it pays by the time before which nobody may sign it (`notBeforeMs`).
 */

/** So many dates a schedule has at most. */
export const SCHEDULE_DATES_MAX = 366
/** The longest that a payment which could not be made on its date is made later. */
export const SCHEDULE_LATE_DAYS_MAX = 31

const DAY_MS = 86_400_000n
const MINUTES = 1_440n

type Schedule = Extract<StandingOrderIntent['does'], { kind: 'schedule' }>
type Timed = Pick<Schedule, 'minute'>

/** When the payment of a day is due, and since when signers sign it. */
export const dueMs = ({ minute }: Timed, day: bigint): bigint => day * DAY_MS + minute * 60_000n

/** Until when the payment of a day may be made. */
export const lastMs = (schedule: Pick<Schedule, 'minute' | 'lateDays'>, day: bigint): bigint => dueMs(schedule, day) + schedule.lateDays * DAY_MS

/** The day that a transfer pays, by the calendar of UTC. */
export const dayPaid = ({ notBeforeMs }: { notBeforeMs: bigint }): bigint => notBeforeMs / DAY_MS

/** Why a schedule makes no sense, or leaves something open that people should read in it; undefined if neither. */
export function scheduleFault({ does, sources, assets, fees, limits, notBeforeMs, untilMs }: Omit<StandingOrderIntent, 'kind'>): string | undefined {
  if (does.kind !== 'schedule') return undefined
  const { to, days, minute, lateDays } = does
  const [source, asset, fee] = [sources[0], assets[0], fees[0]]
  if (!source || sources.length > 1 || source.path.length === 0) return 'scheduled payments come from one address, and the standing order names another number'
  if (!asset || assets.length > 1 || asset.atLeast !== asset.atMost) return 'scheduled payments are of one amount of one asset'
  if (!fee || fees.length > 1 || fee.maxShare !== 10_000n) return 'the fee of scheduled payments is bounded by an amount and by nothing else'
  if (limits.length > 0) return 'scheduled payments are bounded by their dates, and the standing order has a limit besides'
  if (to.chain !== asset.asset.chain) return 'the standing order does not name one address to move to on each network'
  if (to.kind === 'own' ? to.path.length === 0 : to.address === '' || to.memo === '') return 'the standing order moves to an address that it does not name'
  if (to.kind === 'own' && equalBytes(to.keyId, source.keyId) && to.path.join('/') === source.path.join('/'))
    return 'scheduled payments go to the address that they come from'
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined || days.some((day, i) => i > 0 && day <= (days[i - 1] ?? day)))
    return 'the schedule has no date, or its dates are not in sequence'
  if (minute >= MINUTES) return 'the schedule names no time of a day'
  if (lateDays < 1n || lateDays > BigInt(SCHEDULE_LATE_DAYS_MAX)) return `a scheduled payment is made 1 to ${SCHEDULE_LATE_DAYS_MAX} days late at most`
  // So no newer version opens a date that has passed.
  if (dueMs(does, first) <= notBeforeMs) return 'the schedule has a date from before it was asked for'
  return untilMs === lastMs(does, last) ? undefined : 'the standing order ends at another time than its last payment'
}
