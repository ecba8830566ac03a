import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { standingOrdersInForce } from '@holdfast/features/standing-order/server'
import { type Order, openMove } from '@holdfast/features/transfer/server'
import type { StandingOrderIntent } from '@holdfast/intent'
import type { OrganisationId, SubWalletId } from '@holdfast/units'
import type { tronPlaces } from '../tron-places.ts'
import { chooseLoan, type LoanReason } from './choose-loan.ts'

export type AgentNeeds = Pick<ServerContext, 'db' | 'ports' | 'networks' | 'coSigners' | 'settings'>
export type Place = ReturnType<typeof tronPlaces>[number]
/** The address that lends, and its sub-wallet. */
export type LenderAt = { address: string; subWalletId: SubWalletId }

/** A delegation that is not signed in this time is opened anew. */
const LIFE_MS = 15 * 60_000
const NORMAL = 1

type Loan = { to: string; lack: bigint }

/** Delegates the energy that an address lacks, under a standing order, or says why not. Throws ChainError where the network does not answer. */
export async function lend(
  needs: AgentNeeds,
  orgId: OrganisationId,
  place: Place,
  lender: LenderAt | undefined,
  { to, lack }: Loan,
): Promise<{ order: Order; stake: bigint } | { reason: LoanReason }> {
  if (!lender) return { reason: 'no_lender' }
  const standing = await lendingOrders(needs, orgId, place)
  if (standing.length === 0) return { reason: 'no_standing_order' }
  const { node } = place.network
  const [control, own, receiver] = await Promise.all([node.control?.(lender.address), place.stake.resources(lender.address), place.stake.resources(to)])
  if (!control?.isOwn) return { reason: 'permission_changed' }
  if (!receiver.isActive) return { reason: 'receiver_inactive' }
  const { own: staked, delegatedIn, delegatable } = own.stakes.energy
  const unit = 10n ** BigInt(place.coin.decimals)
  let reason: LoanReason = 'not_covered'
  for (const each of standing) {
    const moved = each.assets.find(({ asset }) => asset.chain === place.network.chain)
    if (!moved) continue
    const chosen = chooseLoan(lack, { ...moved, unit }, { limit: own.meters.energy.limit, stake: staked + delegatedIn, delegatable })
    if ('reason' in chosen) {
      reason = chosen.reason
      continue
    }
    const opened = await openLoan(needs, orgId, place, { standing: each, lender, to, action: 'delegate', stake: chosen.stake })
    if ('order' in opened) return { order: opened.order, stake: chosen.stake }
    reason = opened.reason
  }
  return { reason }
}

/** Takes back what was lent, under a standing order, or says why not. */
export async function takeBack(
  needs: AgentNeeds,
  orgId: OrganisationId,
  place: Place,
  { lender, to, stake }: { lender: LenderAt; to: string; stake: bigint },
): Promise<{ order: Order } | { reason: LoanReason }> {
  let reason: LoanReason = 'no_standing_order'
  for (const standing of await lendingOrders(needs, orgId, place)) {
    const opened = await openLoan(needs, orgId, place, { standing, lender, to, action: 'undelegate', stake })
    if ('order' in opened) return opened
    reason = opened.reason
  }
  return { reason }
}

/** The standing orders in force that delegate energy on a network. */
async function lendingOrders({ db, ports }: AgentNeeds, orgId: OrganisationId, { network }: Place): Promise<StandingOrderIntent[]> {
  const all = await db.asOrganisation(orgId, (tx) => standingOrdersInForce(tx, ports.clock.nowMs()))
  return all.map(({ intent }) => intent).filter((each) => lendsEnergyOn(each, network.chain))
}

/** Whether a standing order delegates energy on a network. */
export const lendsEnergyOn = ({ does, assets }: StandingOrderIntent, chain: string): boolean =>
  does.kind === 'delegate' && does.resources.includes('energy') && assets.some(({ asset }) => asset.chain === chain)

type Opening = { standing: StandingOrderIntent; lender: LenderAt; to: string; action: 'delegate' | 'undelegate'; stake: bigint }

async function openLoan(
  needs: AgentNeeds,
  orgId: OrganisationId,
  { network, coin }: Place,
  { standing, lender, to, action, stake }: Opening,
): Promise<{ order: Order } | { reason: LoanReason }> {
  const { address: from, subWalletId } = lender
  const resource = 'energy' as const
  const asked = { action, resource, amount: stake, receiver: to, lockBlocks: 0n }
  const tiers = await network.node.estimateFee({ from, to, asset: { chain: network.chain, contract: null }, amount: stake, stake: asked })
  const fee = tiers[NORMAL].feeMax
  const most = standing.fees.find(({ asset }) => asset.chain === network.chain)?.max ?? 0n
  if (fee > most) return { reason: 'fee_too_high' }
  const move = {
    kind: 'stake_change' as const,
    lends: { action, resource },
    standing,
    subWalletId,
    network,
    from,
    to,
    memo: null,
    asset: coin,
    amount: stake,
    feeCap: { asset: coin, amount: fee },
    lifeMs: LIFE_MS,
  }
  try {
    const opened = await needs.db.asOrganisation(orgId, (tx) => openMove(tx, needs, move))
    if ('order' in opened) return opened
    return { reason: opened.reason === 'alarm' ? 'permission_changed' : opened.reason === 'halted' ? 'failed' : opened.reason }
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    return { reason: cause.errorName === 'insufficient_balance' ? 'no_fee_coins' : 'failed' }
  }
}
