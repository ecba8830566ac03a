import { ChainError } from '@holdfast/chain-core'
import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { planSweep, type Staying, type Sweepable } from '@holdfast/features/utxo/server'
import type { OrganisationId, SubWalletId } from '@holdfast/units'
import type { Chosen, FeeTerms, Holding, Reason } from './choose/chosen.ts'
import type { Place } from './fee-now.ts'

/** The node is asked about the coins of so many addresses in one look, until as many moves are found as one look opens. */
const READ_MAX = 500

type Needs = Pick<ServerContext, 'db' | 'networks'>
type Choose = (holdings: readonly Holding[], fee: FeeTerms) => Chosen[]
type Asked = { place: Place; to: string; moves: number }

/**
 * What comes of addresses on a network of coins, where what can be moved and what that costs follow from the coins of each: `choose` says it of addresses at a
 * fee. Those that are to be left for another reason need no look at their coins. `moves`: so many are opened in one look.
 */
export async function chooseOfCoins(
  needs: Needs,
  orgId: OrganisationId,
  { place, to, moves }: Asked,
  holdings: readonly Holding[],
  choose: Choose,
): Promise<Chosen[]> {
  const chosen: Chosen[] = []
  let [asked, found] = [0, 0]
  for (const each of choose(holdings, feeOf(place, [0n, 0n, 0n]))) {
    const isLater = found >= moves || asked >= READ_MAX
    if (!each.move || isLater) {
      chosen.push(each.move ? { holding: each.holding, reason: 'in_progress' } : each)
      continue
    }
    asked++
    const one = await chooseOne(needs, orgId, { place, to, holding: each.holding, choose })
    if (one.move) found++
    chosen.push(one)
  }
  return chosen
}

const feeOf = ({ max, maxShare }: Place, estimates: FeeTerms['estimates']): FeeTerms => ({ estimates, max, maxShare })

async function chooseOne(
  needs: Needs,
  orgId: OrganisationId,
  { place, to, holding, choose }: { place: Place; to: string; holding: Holding; choose: Choose },
): Promise<Chosen> {
  const { address: from, available } = holding
  const asked = { chain: place.network.chain, subWalletId: holding.subWalletId as SubWalletId, from, to }
  const seen = await planSweep(needs, orgId, asked).catch(notSaid)
  if (!seen) return { holding, reason: 'halted' }
  const amount = seen.amount < available ? seen.amount : available
  const [again] = choose([{ ...holding, available: amount, coins: amount }], feeOf(place, seen.estimates))
  if (again?.move) return { ...again, holding }
  const reason = again?.reason ?? 'failed'
  return { holding, ...((reason === 'below_threshold' && whyOfCoins(seen.stays)) || { reason, ...(again?.detail !== undefined && { detail: again.detail }) }) }
}

function notSaid(cause: unknown): Sweepable | undefined {
  if (cause instanceof ChainError || cause instanceof AppError) return undefined
  throw cause
}

const REASONS_OF: Readonly<Record<Staying, Reason>> = { kept: 'coins_kept', small: 'coins_small', dust: 'coins_dust', waiting: 'in_progress' }

/** Why an address that has enough cannot move enough: the largest part of what it has that stays. Undefined where nothing does. */
function whyOfCoins(stays: Sweepable['stays']): { reason: Reason; detail: bigint } | undefined {
  const [largest] = (['kept', 'small', 'dust', 'waiting'] as const).toSorted((a, b) => (stays[a] < stays[b] ? 1 : stays[a] > stays[b] ? -1 : 0))
  return largest && stays[largest] > 0n ? { reason: REASONS_OF[largest], detail: stays[largest] } : undefined
}
