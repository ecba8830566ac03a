import type { PAYMENT_STATES } from '../../contract.ts'
import type { FeeTerms, Reason } from './chosen.ts'
import { feeWithin } from './fee-within.ts'

/**
 * An order that was opened for a date. `spent`: it did not pay, and signers may count it or have refused it; `void`: it ended before that. `pays`: what it was
 * opened to pay, in base units, which an earlier version may have said otherwise.
 */
export type Attempt = { orderId: string; state: 'open' | 'paid' | 'spent' | 'void'; atMs: number; pays: { contract: string; symbol: string; amount: bigint } }

/** A date of a schedule: from when until when it may be paid, and what was tried. */
export type Due = { day: number; dueAtMs: number; lastAtMs: number; attempts: readonly Attempt[] }

export type PaymentState = (typeof PAYMENT_STATES)[number]

/** After an order that ended unpaid, the next one for its date is opened no sooner. */
const AGAIN_MS = 10 * 60_000

/** How it stands with a date at a time. `isStopped`: nothing of the standing order happens any more. */
export function stateOf({ dueAtMs, lastAtMs, attempts }: Due, nowMs: number, isStopped: boolean): PaymentState {
  const has = (state: Attempt['state']) => attempts.some((each) => each.state === state)
  if (has('paid')) return 'paid'
  if (has('open')) return 'under_way'
  if (has('spent')) return 'failed'
  if (nowMs >= lastAtMs) return 'skipped'
  if (isStopped) return 'ended'
  return nowMs < dueAtMs ? 'planned' : 'late'
}

/** What a scheduled payment is made by: its amount, of the network's own coin or of a token, and what a transaction costs; null where nobody says. */
export type DueTerms = { amount: bigint; isCoin: boolean; fee: FeeTerms | null }

/** What comes of a date whose time has come: a payment for a fee up to a cap, or why not. `detail`: base units, of which the reason says what they are. */
export type ChosenDue = { due: Due } & ({ feeCap: bigint; reason?: undefined } | { feeCap?: undefined; reason: Reason; detail?: bigint })

/**
 * The dates that are to be paid now, the oldest first, as far as what the address has goes, and of every other whose time has come, why not. `available` is of
 * the asset, `coins` of the network's own coin; of the own coin both are one amount. Where fees may be raised later, there is room for that, unless a date
 * would not be paid for it.
 */
export function chooseDue(terms: DueTerms, has: Has, dues: readonly Due[], nowMs: number): ChosenDue[] {
  const late = dues.filter((due) => stateOf(due, nowMs, false) === 'late').toSorted((a, b) => a.day - b.day)
  const tight = chooseEach({ ...terms, fee: terms.fee && { ...terms.fee, isRaised: false } }, has, late, nowMs)
  if (!terms.fee?.isRaised) return tight
  const roomy = chooseEach(terms, has, late, nowMs)
  const paid = (of: readonly ChosenDue[]) => of.filter(({ feeCap }) => feeCap !== undefined).length
  return paid(roomy) > 0 && paid(roomy) === paid(tight) ? roomy : tight
}

type Has = { available: bigint; coins: bigint }

function chooseEach(terms: DueTerms, has: Has, late: readonly Due[], nowMs: number): ChosenDue[] {
  let { available, coins } = has
  return late.map((due): ChosenDue => {
    const chosen = chooseOne(terms, { available, coins }, due, nowMs)
    if (chosen.feeCap !== undefined) {
      available -= terms.amount + (terms.isCoin ? chosen.feeCap : 0n)
      coins = terms.isCoin ? available : coins - chosen.feeCap
    }
    return chosen
  })
}

function chooseOne({ amount, isCoin, fee }: DueTerms, { available, coins }: Has, due: Due, nowMs: number): ChosenDue {
  if (due.attempts.some(({ atMs }) => nowMs < atMs + AGAIN_MS)) return { due, reason: 'failed' }
  if (fee === null) return { due, reason: 'halted' }
  const feeCap = feeWithin(fee)
  if (feeCap === undefined) return { due, reason: 'fee_too_high', detail: fee.estimates[0] }
  const needed = amount + (isCoin ? feeCap : 0n)
  if (available < needed) return { due, reason: 'no_funds', detail: needed - available }
  if (!isCoin && coins < feeCap) return { due, reason: 'no_fee_coins', detail: feeCap - coins }
  return { due, feeCap }
}
