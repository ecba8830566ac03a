import type { Chosen, Holding, Terms } from './chosen.ts'
import { feeWithin } from './fee-within.ts'

/**
 * What a sweep moves of one asset now, and of every address that has some and is not moved, why. `holdings`: what the addresses of its sources have, the most
 * first. The network's own coin pays the fee out of itself, so the fee is left behind; a token is moved whole, if its address has the coins for the fee.
 */
export function chooseSweeps(terms: Terms, holdings: readonly Holding[]): Chosen[] {
  return holdings.flatMap((holding) => {
    const found = chooseRoomy(terms, holding)
    return found ? [{ holding, ...found }] : []
  })
}

type One = { move: { amount: bigint; feeCap: bigint } } | { reason: Exclude<Chosen['reason'], undefined>; detail?: bigint }

/** With room for a higher fee later, or without it if the address has too little for that. */
function chooseRoomy(terms: Terms, holding: Holding): One | undefined {
  const roomy = chooseOne(terms, holding)
  if (!terms.fee.isRaised || roomy === undefined || 'move' in roomy) return roomy
  const tight = chooseOne({ ...terms, fee: { ...terms.fee, isRaised: false } }, holding)
  return tight && 'move' in tight ? tight : roomy
}

function chooseOne({ atLeast, atMost, fee, isCoin, target, never }: Terms, { address, available, coins, isBusy }: Holding): One | undefined {
  // What has arrived needs no moving.
  if (address === target) return undefined
  if (never.has(address)) return { reason: 'excluded' }
  if (isBusy) return { reason: 'in_progress' }
  if (available < atLeast || available === 0n) return { reason: 'below_threshold', detail: atLeast }
  const cap = feeWithin(fee)
  if (cap === undefined) return { reason: 'fee_too_high', detail: fee.estimates[0] }
  if (!isCoin) {
    if (coins < cap) return { reason: 'no_fee_coins', detail: cap - coins }
    return { move: { amount: available < atMost ? available : atMost, feeCap: cap } }
  }
  const left = available - cap
  const amount = left < atMost ? left : atMost
  if (amount <= 0n || amount < atLeast) return { reason: 'below_threshold', detail: atLeast + cap }
  // As the signers compare it: the fee may not reach more of the amount than people approved.
  if (cap * 10_000n > amount * fee.maxShare) return { reason: 'fee_share', detail: (cap * 10_000n) / fee.maxShare }
  return { move: { amount, feeCap: cap } }
}
