import type { OutputOf } from '@holdfast/contract'
import type { listValuation, ValuationDraft } from '../contract.ts'

export type Valuation = OutputOf<typeof listValuation>
export type Entry = Valuation['entries'][number]

/** What somebody types for an asset: nothing for one that is not to be valued. `days` from now; empty leaves the end as it is. */
export type Typed = { usd: string; days: string }

const DAY_MS = 86_400_000
const USD = /^(0|[1-9]\d{0,20})(\.\d{1,6})?$/
const DAYS = /^[1-9]\d{0,2}$/

export const keyOf = ({ chain, asset }: Pick<Entry, 'chain' | 'asset'>): string => `${chain}|${asset}`

export const typedOf = ({ usd }: Entry): Typed => ({ usd: usd ?? '', days: '' })

/** What is wrong with a line; undefined if nothing is. A new entry needs its days. */
export function faultOfLine({ usd: was }: Entry, { usd, days }: Typed): 'usd' | 'days' | undefined {
  if (usd === '') return undefined
  if (!USD.test(usd) || Number(usd) === 0) return 'usd'
  if (days === '') return was === null ? 'days' : undefined
  return DAYS.test(days) && Number(days) <= 366 ? undefined : 'days'
}

/** The table as it is to be. */
export function draftOf({ base_version, entries }: Valuation, typed: (entry: Entry) => Typed, nowMs: number): ValuationDraft {
  return {
    base_version,
    entries: entries.flatMap((entry) => {
      const { usd, days } = typed(entry)
      if (usd === '') return []
      const until = days === '' ? (entry.valid_until ?? nowMs) : nowMs + Number(days) * DAY_MS
      return [{ chain: entry.chain, asset: entry.asset, usd, valid_until: until }]
    }),
  }
}

/** A live price with a margin in percent on top, rounded up to millionths of a dollar; undefined where none is known. */
export function withMargin(live: string | null, percent: number): string | undefined {
  if (live === null) return undefined
  const [whole = '0', fraction = ''] = live.split('.')
  const micro = BigInt(whole + fraction.padEnd(6, '0').slice(0, 6))
  const raised = (micro * BigInt(100 + percent) + 99n) / 100n
  const digits = raised.toString().padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}
