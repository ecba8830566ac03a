import type { Chosen, FeeTerms, Reason } from '@holdfast/features/standing-order/server'
import { feeWithin } from '@holdfast/features/standing-order/server'

/** What an address has of a token and of the network's own coin, and what it lets the collector take; undefined while nobody knows. In base units. */
export type Allowing = {
  address: string
  subWalletId: string
  available: bigint
  coins: bigint
  allowance: bigint | undefined
  /** An order about its allowance is under way. */
  isBusy: boolean
}

/** From how much on an address is collected, the most that is taken of it, and why nothing is taken now, if so. */
export type TakeTerms = { threshold: bigint; most: bigint; left: Reason | undefined; batchMax: number }
export type Taken = { address: string; subWalletId: string; amount: bigint }

export const holdingOf = ({ address, subWalletId, available, coins, isBusy }: Allowing) => ({ address, subWalletId, available, coins, isBusy })

/**
 * What one call of the collector takes now, the most first, and of every address that has something and is not taken from, why. It never takes more than an
 * address has and allows.
 */
export function chooseTaken({ threshold, most, left, batchMax }: TakeTerms, held: readonly Allowing[]): { taken: Taken[]; left: Chosen[] } {
  const taken: Taken[] = []
  const passed: Chosen[] = []
  const pass = (each: Allowing, reason: Reason, detail?: bigint) => passed.push({ holding: holdingOf(each), reason, ...(detail !== undefined && { detail }) })
  for (const each of held.toSorted((a, b) => (a.available > b.available ? -1 : 1))) {
    const { address, subWalletId, available, allowance } = each
    if (available === 0n) continue
    if (left) pass(each, left)
    else if (available < threshold) pass(each, 'below_threshold', threshold)
    else if (allowance === undefined) pass(each, 'halted')
    else {
      const amount = [available, allowance, most].reduce((least, one) => (one < least ? one : least))
      if (each.isBusy) pass(each, 'in_progress')
      else if (amount < threshold) pass(each, 'not_allowed')
      else if (taken.length >= batchMax) pass(each, 'in_progress')
      else taken.push({ address, subWalletId, amount })
    }
  }
  return { taken, left: passed }
}

/** How addresses allow: each time what they have (`isExact`), or once the most. `isRevoking`: all of it is taken back. */
export type AllowTerms = { threshold: bigint; most: bigint; isExact: boolean; isRevoking: boolean }
export type Allowed = { address: string; subWalletId: string; amount: bigint; feeCap: bigint }

/**
 * Which allowance an address sets now; undefined where it stays as it is. One that is too small is first set to zero: there are tokens that take no other from
 * one to the next. Nothing is ever allowed above `most`.
 */
export function wantedAllowance({ threshold, most, isExact, isRevoking }: AllowTerms, { available, allowance }: Allowing): bigint | undefined {
  if (allowance === undefined) return undefined
  const isWanting = isRevoking ? allowance > 0n : available >= threshold && allowance < threshold
  if (!isWanting) return undefined
  return isRevoking || allowance > 0n ? 0n : isExact && available < most ? available : most
}

/** Which addresses set which allowance now, and of those that should and cannot, why. */
export function chooseAllowed({ fee, ...terms }: AllowTerms & { fee: FeeTerms }, held: readonly Allowing[]): { allowed: Allowed[]; left: Chosen[] } {
  const allowed: Allowed[] = []
  const left: Chosen[] = []
  const cap = feeWithin(fee)
  for (const each of held) {
    const { address, subWalletId, coins } = each
    const amount = wantedAllowance(terms, each)
    if (amount === undefined) continue
    const pass = (reason: Reason, detail?: bigint) => left.push({ holding: holdingOf(each), reason, ...(detail !== undefined && { detail }) })
    if (each.isBusy) pass('in_progress')
    else if (cap === undefined) pass('fee_too_high', fee.estimates[0])
    // A whole allowance's worth: sending less could cost more than what is sent.
    else if (coins < cap) pass('no_fee_coins', cap)
    else allowed.push({ address, subWalletId, amount, feeCap: cap })
  }
  return { allowed, left }
}
