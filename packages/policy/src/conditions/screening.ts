import { list, struct, text, uint } from '@holdfast/encoding'
import { SCREENING_LEVELS, type ScreeningLevel, isScreeningLevel } from '@holdfast/intent'
import { findMachine } from '../people/machines.ts'
import { type Screened, screenerOf } from '../people/read-screenings.ts'
import type { ConditionKind, Holds } from './condition-kind.ts'

const MACHINES_MAX = 8
const MINUTE_MS = 60_000n
/** An older word says nothing of an address any more. */
export const SCREENING_AGE_MAX_MS = 30n * 24n * 60n * MINUTE_MS
/** So far a screener's clock may be before that of whoever decides. */
export const SCREENING_AHEAD_MAX_MS = 5 * 60_000

/** Each of these screeners has said one of these levels of the order, no longer ago than `withinMs`. */
const shape = struct('holdfast/condition/screening/v1', {
  machines: list(text(64), MACHINES_MAX),
  levels: list(text(8), SCREENING_LEVELS.length),
  withinMs: uint(53),
})

/** What the word of one screener is to a rule: absent, too old, from a screener whose time is over, or the newest level that it said. */
export type ScreeningState = { machine: string; is: 'missing' | 'stale' | 'expired' } | { machine: string; is: 'said'; level: ScreeningLevel; atMs: number }

const WORDS = {
  'en-US': {
    and: ' and ',
    or: ' or ',
    levels: { low: 'low', medium: 'medium', high: 'high', severe: 'severe', unknown: 'unknown' },
    said: (machines: string, levels: string, age: string) => `screened as ${levels} by ${machines}, at most ${age} before it is signed`,
    age: (minutes: bigint) => (minutes === 1n ? '1 minute' : `${minutes} minutes`),
  },
  'zh-CN': {
    and: '、',
    or: '或',
    levels: { low: '低', medium: '中', high: '高', severe: '严重', unknown: '未知' },
    said: (machines: string, levels: string, age: string) => `经${machines}筛查风险等级为${levels}，且签署时结果不早于 ${age}前`,
    age: (minutes: bigint) => `${minutes} 分钟`,
  },
}

/**
 * What screeners said of the order. A word that is missing, too old, of another order or by another machine is not known: such a rule lets nothing through, and
 * refuses if it is one that refuses.
 */
export const screening = {
  shape,
  suits: ['payment', 'call', 'stake', 'trade'],
  fault: ({ machines, levels, withinMs }, known) => {
    if (machines.length === 0) return 'names no screener'
    if (new Set(machines).size !== machines.length) return 'names a screener twice'
    const other = machines.find((id) => !screenerOf(known, id))
    if (other !== undefined) return `names the machine ${other}, which is no screener of the policy`
    if (levels.length === 0) return 'names no level of risk'
    if (new Set(levels).size !== levels.length || !levels.every(isScreeningLevel)) return 'names levels of risk that are none, or one twice'
    if (withinMs < MINUTE_MS) return 'wants what screeners say to be younger than a minute'
    return withinMs > SCREENING_AGE_MAX_MS ? 'takes what screeners said more than 30 days ago' : undefined
  },
  holds: ({ machines, levels, withinMs }, _, { screened }, known) => {
    if (screened === undefined || screened.atMs.length === 0) return undefined
    const found = screened.atMs.flatMap((atMs) => machines.map((machine) => stateOf(machine, { withinMs }, { said: screened.said, atMs }, known)))
    const each = found.map((state): Holds => (state.is === 'said' ? levels.includes(state.level) : undefined))
    if (each.includes(false)) return false
    return each.includes(undefined) ? undefined : true
  },
  words: ({ machines, levels, withinMs }, known, locale) => {
    const words = WORDS[locale]
    const names = machines.map((id) => `“${findMachine(known, id)?.name ?? id}”`).join(words.and)
    const named = SCREENING_LEVELS.filter((level) => levels.includes(level)).map((level) => words.levels[level])
    return words.said(names, named.join(words.or), words.age(withinMs / MINUTE_MS))
  },
} satisfies ConditionKind<typeof shape>

type Directory = Parameters<typeof screenerOf>[0]

/** What a screener's newest word is at a moment. Of two of the same time that say different things, neither is known. */
export function stateOf(
  machine: string,
  { withinMs }: { withinMs: bigint },
  { said, atMs }: { said: Screened['said']; atMs: number },
  known: Directory,
): ScreeningState {
  const named = screenerOf(known, machine)
  if (!named || named.expiresAtMs <= BigInt(Math.floor(atMs))) return { machine, is: 'expired' }
  const own = said.filter((each) => each.machine === machine && each.atMs <= atMs + SCREENING_AHEAD_MAX_MS)
  const newestMs = Math.max(...own.map((each) => each.atMs))
  const newest = own.filter((each) => each.atMs === newestMs)
  const [first] = newest
  if (!first || newest.some(({ level }) => level !== first.level)) return { machine, is: 'missing' }
  return BigInt(Math.floor(atMs)) - BigInt(newestMs) > withinMs ? { machine, is: 'stale' } : { machine, is: 'said', level: first.level, atMs: newestMs }
}
