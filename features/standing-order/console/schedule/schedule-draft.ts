import type { CallInput, OutputOf } from '@holdfast/contract'
import { formatAmount, parseAmount } from '@holdfast/units'
import { datesFrom, dayOf, dayText, readDay, type Repeat } from '../../dates.ts'
import { ADDRESS_MAX, DATES_MAX, type getScheduleDraft, LATE_DAYS_MAX, type proposeSchedule } from '../../contract.ts'

/** Payments on dates as somebody types them. `id`: the standing order of which they are the next version; `kept`: the dates of it that are still to come. */
export type ScheduleDraft = {
  id: string | null
  kept: readonly number[]
  name: string
  walletId: string
  subWalletId: string
  chain: string
  symbol: string
  address: string
  memo: string
  amount: string
  feeMax: string
  first: string
  time: string
  repeat: Repeat | 'kept'
  step: string
  times: string
  lateDays: string
}

export const EMPTY_SCHEDULE: ScheduleDraft = {
  ...{ id: null, kept: [], name: '', walletId: '', subWalletId: '', chain: '', symbol: '', address: '', memo: '', amount: '', feeMax: '', first: '' },
  ...{ time: '09:00', repeat: 'month', step: '1', times: '12', lateDays: '3' },
}

const AMOUNT = /^\d{1,60}(\.\d{1,30})?$/
const isAmount = (text: string) => AMOUNT.test(text.trim()) && /[1-9]/.test(text)
const isWhole = (text: string, most: number) => /^[1-9]\d{0,3}$/.test(text.trim()) && Number(text) <= most

/** The days of the draft; empty while it does not say them. */
export function daysOf({ first, repeat, step, times, kept }: ScheduleDraft): readonly number[] {
  if (repeat === 'kept') return kept
  const day = readDay(first)
  if (day === undefined || (repeat !== 'once' && !(isWhole(step, DATES_MAX) && isWhole(times, DATES_MAX)))) return []
  return datesFrom(day, { repeat, step: Number(step), times: Number(times) })
}

/** The days in words, a line for each month: 2026-12: 1, 15. */
export const monthsOf = (days: readonly number[]): { month: string; days: string[] }[] =>
  [...Map.groupBy(days.map(dayText), (text) => text.slice(0, 7))].map(([month, texts]) => ({ month, days: texts.map((text) => String(Number(text.slice(8)))) }))

/** What all payments of the draft come to, in whole units; undefined while it does not say that. */
export function sumOf({ amount }: Pick<ScheduleDraft, 'amount'>, count: number): string | undefined {
  if (!isAmount(amount)) return undefined
  const decimals = amount.trim().split('.')[1]?.length ?? 0
  return formatAmount(parseAmount(amount.trim(), decimals) * BigInt(count), decimals)
}

export type ScheduleFault = 'name' | 'from' | 'coin' | 'address' | 'amount' | 'fee' | 'dates' | 'past' | 'long' | 'late'

const YEAR = 366

/** What is missing of a draft, or cannot be. Signers allow no standing order that goes on for more than a year. */
export function faultOfSchedule(draft: ScheduleDraft, nowMs: number): ScheduleFault | undefined {
  const days = daysOf(draft)
  const [first, last] = [days[0], days.at(-1)]
  if (draft.name.trim() === '') return 'name'
  if (draft.subWalletId === '') return 'from'
  if (draft.chain === '') return 'coin'
  if (draft.address.trim() === '' || draft.address.trim().length > ADDRESS_MAX) return 'address'
  if (!isAmount(draft.amount)) return 'amount'
  if (!isAmount(draft.feeMax)) return 'fee'
  if (!isWhole(draft.lateDays, LATE_DAYS_MAX)) return 'late'
  if (first === undefined || last === undefined || !/^\d{2}:\d{2}$/.test(draft.time)) return 'dates'
  const [hours = 0, minutes = 0] = draft.time.split(':').map(Number)
  if (first * 86_400_000 + hours * 3_600_000 + minutes * 60_000 <= nowMs) return 'past'
  return last + Number(draft.lateDays) > dayOf(nowMs) + YEAR - 1 ? 'long' : undefined
}

type Sent = CallInput<typeof proposeSchedule>['schedule']

/** A draft without a fault as it is asked for. */
export function scheduleToSend(draft: ScheduleDraft): Sent {
  const { id, subWalletId, chain, symbol, time } = draft
  return {
    id,
    name: draft.name.trim(),
    sub_wallet_id: subWalletId,
    chain,
    symbol,
    amount: draft.amount.trim(),
    address: draft.address.trim(),
    memo: draft.memo.trim(),
    fee_max: draft.feeMax.trim(),
    dates: daysOf(draft).map(dayText),
    time,
    late_days: Number(draft.lateDays),
  }
}

/** What was asked for once, as it is typed again for the next version: on the dates that are still to come, until somebody chooses others. */
export function draftFromSchedule(sent: NonNullable<OutputOf<typeof getScheduleDraft>['draft']>): ScheduleDraft {
  const { id, name, chain, symbol, address, memo, amount, time, dates } = sent
  const kept = dates.map(readDay).filter((day) => day !== undefined)
  return {
    ...EMPTY_SCHEDULE,
    ...{ id, kept, name, walletId: sent.wallet_id, subWalletId: sent.sub_wallet_id, chain, symbol, address, memo, amount, time },
    ...{ feeMax: sent.fee_max, lateDays: String(sent.late_days), first: dates[0] ?? '' },
    ...(kept.length > 0 && { repeat: 'kept' as const }),
  }
}
