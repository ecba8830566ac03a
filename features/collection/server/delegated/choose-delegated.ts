import type { Chosen, Reason } from '@holdfast/features/standing-order/server'
import type { TakeTerms, Taken } from '../choose.ts'

/**
 * What an address has authorized that has not ended: of nobody, that no code runs in its name any more (`ends`). `ready`: signed, of its next nonce, and
 * carried by nothing.
 */
export type Authorized = { ends: boolean; isReady: boolean }

/** What an address has of a token, in base units, and whose code runs in its name: nobody's (null), or undefined while nobody knows. */
export type Delegating = {
  address: string
  subWalletId: string
  available: bigint
  delegate: string | null | undefined
  authorized: Authorized | undefined
}

/** `contract`: whose code is to run in the name of the addresses. */
export type SweepTerms = TakeTerms & { contract: string }

type Swept = { taken: Taken[]; wanting: Delegating[]; left: Chosen[] }

/**
 * What one call of the sweeper takes now, the most first, which addresses have to authorize it before, and of every address that has something and is not taken
 * from, why. Where anybody else's code runs in the name of an address, or nobody knows whose, nothing is signed and nothing is taken.
 */
export function chooseSwept({ threshold, most, left, batchMax, contract }: SweepTerms, held: readonly Delegating[]): Swept {
  const swept: Swept = { taken: [], wanting: [], left: [] }
  for (const each of held.toSorted((a, b) => (a.available > b.available ? -1 : 1))) {
    const { address, subWalletId, available, delegate, authorized } = each
    if (available === 0n) continue
    const pass = (reason: Reason, detail?: bigint) => {
      const holding = { address, subWalletId, available, coins: 0n, isBusy: false }
      swept.left.push({ holding, reason, ...(detail !== undefined && { detail }) })
    }
    const isAlong = delegate === null && authorized?.ends === false && authorized.isReady
    if (left) pass(left)
    else if (available < threshold) pass('below_threshold', threshold)
    else if (delegate === undefined) pass('delegation_unread')
    else if (delegate !== null && delegate !== contract) pass('delegated_elsewhere')
    else if (delegate === null && !authorized) {
      swept.wanting.push(each)
      pass('not_authorized')
    } else if ((authorized && !isAlong) || swept.taken.length >= batchMax) pass('in_progress')
    else swept.taken.push({ address, subWalletId, amount: available < most ? available : most })
  }
  return swept
}

/** Reasons for which what is not taken now is taken later by itself: an authorization waits for that, so that one transaction does both. */
const PASSING: ReadonlySet<Reason> = new Set(['fee_too_high', 'fee_share', 'price_unknown', 'scheduled', 'limit_used', 'in_progress'])

type Ending = { contract: string; isRevoking: boolean; left: readonly Chosen[] }

/**
 * Which addresses sign that the contract's code runs in their name no more (`ends`), and whose signed authorizations are carried by a transaction that takes
 * nothing (`alone`): its nonce is taken, so every later payment of the address would wait for it. `left`: why nothing is taken of addresses now.
 */
export function chooseEnding<D extends Omit<Delegating, 'available'>>({ contract, isRevoking, left }: Ending, known: readonly D[]): { ends: D[]; alone: D[] } {
  const passing = new Set(left.flatMap(({ holding, reason }) => (reason !== undefined && PASSING.has(reason) ? [holding.address] : [])))
  return {
    ends: known.filter(({ delegate, authorized }) => isRevoking && delegate === contract && !authorized),
    alone: known.filter(({ address, authorized }) => authorized?.isReady === true && (authorized.ends || !passing.has(address))),
  }
}
