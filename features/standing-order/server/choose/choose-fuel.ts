import type { Chosen, FeeTerms } from './chosen.ts'
import { feeWithin } from './fee-within.ts'

/** An address that has something to move and not the coins for the fee: what it lacks, in base units. */
export type Wanting = { address: string; subWalletId: string; lacks: bigint; isBusy: boolean }

/** What an address of the sources has of the network's own coin. */
export type Paying = { address: string; subWalletId: string; available: bigint }

export type FuelTerms = { atLeast: bigint; atMost: bigint; fee: FeeTerms; never: ReadonlySet<string> }

/** A move of coins for fees, from one own address to another. */
export type FuelMove = { from: Paying; to: string; amount: bigint; feeCap: bigint }

/**
 * Coins for fees for those that lack them, the one that lacks the least first, from the address that has the most. Of everyone that gets none, why. What it
 * sends is what is lacking, and a tenth more since fees move, within the amounts that the standing order lets through.
 */
export function chooseFuel(terms: FuelTerms, wanting: readonly Wanting[], payers: readonly Paying[]): { moves: FuelMove[]; left: Chosen[] } {
  let purse = payers.filter(({ address }) => !terms.never.has(address)).map((payer) => ({ payer, available: payer.available }))
  const moves: FuelMove[] = []
  const left: Chosen[] = []
  const cap = feeWithin(terms.fee)
  for (const { address, subWalletId, lacks, isBusy } of wanting.toSorted((a, b) => (a.lacks < b.lacks ? -1 : 1))) {
    const holding = { address, subWalletId, available: lacks, coins: 0n, isBusy }
    const refuse = (reason: Exclude<Chosen['reason'], undefined>, detail?: bigint) => left.push({ holding, reason, ...(detail !== undefined && { detail }) })
    if (terms.never.has(address)) refuse('excluded')
    else if (isBusy) refuse('in_progress')
    else if (cap === undefined) refuse('fee_too_high', terms.fee.estimates[0])
    else {
      const wanted = clamp(lacks + lacks / 10n, terms)
      const first = purse.findIndex(({ available }) => available >= wanted + cap)
      // Those after this one lack as much or more: whoever has too little now has too little for them.
      if (first !== 0) purse = first < 0 ? [] : purse.slice(first)
      const from = purse.find((each) => each.payer.address !== address && each.available >= wanted + cap)
      if (wanted < lacks) refuse('limit_used', lacks)
      else if (!from) refuse('no_source', wanted + cap)
      else if (cap * 10_000n > wanted * terms.fee.maxShare) refuse('fee_share', (cap * 10_000n) / terms.fee.maxShare)
      else {
        from.available -= wanted + cap
        moves.push({ from: from.payer, to: address, amount: wanted, feeCap: cap })
      }
    }
  }
  return { moves, left }
}

function clamp(amount: bigint, { atLeast, atMost }: FuelTerms): bigint {
  if (amount < atLeast) return atLeast
  return amount > atMost ? atMost : amount
}
