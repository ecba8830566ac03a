import { list, struct, text, uint } from '@holdfast/encoding'
import type { ConditionKind } from './condition-kind.ts'

const DAY_MINUTES = 1440n

/** From `fromMinute` of the day until before `untilMinute`, on these days of the week (0 is Sunday), as clocks of the zone show it (an IANA name). */
const shape = struct('holdfast/condition/times/v1', { zone: text(64), days: list(uint(3), 7), fromMinute: uint(16), untilMinute: uint(16) })

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const formats = new Map<string, Intl.DateTimeFormat | undefined>()

/** A clock of a zone; undefined if nobody knows the zone here. */
function clockOf(zone: string): Intl.DateTimeFormat | undefined {
  if (!formats.has(zone)) formats.set(zone, makeClock(zone))
  return formats.get(zone)
}

function makeClock(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  } catch (cause) {
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}

function readClock(clock: Intl.DateTimeFormat, atMs: number): { day: bigint; minute: bigint } {
  const parts = Object.fromEntries(clock.formatToParts(atMs).map(({ type, value }) => [type, value]))
  return { day: BigInt(DAYS.indexOf(parts['weekday'] ?? '')), minute: BigInt(Number(parts['hour']) * 60 + Number(parts['minute'])) }
}

/** What clocks of a zone showed last: rules of a policy ask for the same minute one after the other. No zone changes its clocks within a minute. */
const lastRead = new Map<string, { minuteOfAll: number; local: { day: bigint; minute: bigint } }>()

/** The day of the week (0 is Sunday) and the minute of it, as clocks of a zone show a time; undefined if nobody knows the zone here. */
export function localTimeOf(zone: string, atMs: number): { day: bigint; minute: bigint } | undefined {
  const minuteOfAll = Math.floor(atMs / 60_000)
  const last = lastRead.get(zone)
  if (last?.minuteOfAll === minuteOfAll) return last.local
  const clock = clockOf(zone)
  if (!clock) return undefined
  const local = readClock(clock, atMs)
  lastRead.set(zone, { minuteOfAll, local })
  return local
}

const timeText = (minute: bigint) => `${String(minute / 60n).padStart(2, '0')}:${String(minute % 60n).padStart(2, '0')}`

const WORDS = {
  'en-US': {
    days: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
    comma: ', ',
    at: (days: string, from: string, until: string, zone: string) => `signed on ${days} from ${from} to ${until} (${zone})`,
  },
  'zh-CN': {
    days: ['周日', '周一', '周二', '周三', '周四', '周五', '周六'],
    comma: '、',
    at: (days: string, from: string, until: string, zone: string) => `于${days} ${from} 至 ${until} 签署（${zone}）`,
  },
}

/** When it is signed, by the clock of each signer. */
export const times = {
  shape,
  suits: ['payment', 'call', 'stake', 'trade'],
  fault: ({ zone, days, fromMinute, untilMinute }) => {
    if (!clockOf(zone)) return `names the time zone ${zone}, which is none`
    if (days.length === 0) return 'is for no day of the week'
    if (days.some((day) => day > 6n) || new Set(days).size !== days.length) return 'names days of the week that are none, or one twice'
    return fromMinute < untilMinute && untilMinute <= DAY_MINUTES ? undefined : 'is for a time of the day that ends before it begins'
  },
  holds: ({ zone, days, fromMinute, untilMinute }, _, { atMs }) => {
    const local = atMs === undefined ? undefined : localTimeOf(zone, atMs)
    if (!local) return undefined
    const { day, minute } = local
    return days.includes(day) && minute >= fromMinute && minute < untilMinute
  },
  words: ({ zone, days, fromMinute, untilMinute }, _, locale) => {
    const words = WORDS[locale]
    return words.at(days.map((day) => words.days[Number(day)] ?? String(day)).join(words.comma), timeText(fromMinute), timeText(untilMinute), zone)
  },
} satisfies ConditionKind<typeof shape>
