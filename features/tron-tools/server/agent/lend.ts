import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { standingOrdersInForce } from '@holdfast/features/standing-order/server'
import { type Order, openMove } from '@holdfast/features/transfer/server'
import type { StandingOrderIntent } from '@holdfast/intent'
import type { OrganisationId, SubWalletId } from '@holdfast/units'
import type { EnergyMarket } from '../market/energy-market.ts'
import type { tronPlaces } from '../tron-places.ts'
import { chooseLoan, type LoanReason } from './choose-loan.ts'
import type { RentReason } from './choose-rent.ts'

/** `market`: who rents energy out on the network; undefined if nobody does. */
export type AgentNeeds = Pick<ServerContext, 'db' | 'ports' | 'networks' | 'coSigners' | 'settings'> & { market: EnergyMarket | undefined }
export type Place = ReturnType<typeof tronPlaces>[number]
/** The address that lends, and its sub-wallet. */
export type LenderAt = { address: string; subWalletId: SubWalletId }
/** Who was passed over, and why: an address that lends nothing, or whoever rents energy out. */
export type Passed = { by: 'lend'; who: string; reason: LoanReason } | { by: 'rent'; who: string; reason: RentReason }

/** A delegation that is not signed in this time is opened anew. */
const LIFE_MS = 15 * 60_000
export const NORMAL = 1

/** What else is written in the transaction in which an order is opened, so that none is ever opened twice. */
export type Keep = (tx: OrganisationTx, order: Order) => Promise<void>
type Loan = { to: string; lack: bigint; keep(stake: bigint, passed: readonly Passed[]): Keep }

/**
 * Delegates the energy that an address lacks, under a standing order, from the first of the lenders that can, and says of those before it why they cannot.
 * Throws ChainError where the network does not answer.
 */
export async function lend(
  needs: AgentNeeds,
  orgId: OrganisationId,
  place: Place,
  lenders: readonly LenderAt[],
  { to, lack, keep }: Loan,
): Promise<{ passed: readonly Passed[]; isLent: boolean }> {
  const passed: Passed[] = []
  const standing = await lendingOrders(needs, orgId, place)
  for (const lender of lenders) {
    const lending = { standing, lender, to, lack, keep: (stake: bigint) => keep(stake, passed) }
    const reason = lender.address === to ? 'own_address' : await lendFrom(needs, orgId, place, lending)
    if (reason === undefined) return { passed, isLent: true }
    passed.push({ by: 'lend', who: lender.address, reason })
  }
  return { passed: passed.length > 0 ? passed : [{ by: 'lend', who: '', reason: 'no_lender' }], isLent: false }
}

type Lending = { standing: readonly StandingOrderIntent[]; lender: LenderAt; to: string; lack: bigint; keep(stake: bigint): Keep }

/** Delegates from one lender; answers why it does not, or nothing if it does. */
async function lendFrom(
  needs: AgentNeeds,
  orgId: OrganisationId,
  place: Place,
  { standing, lender, to, lack, keep }: Lending,
): Promise<LoanReason | undefined> {
  if (standing.length === 0) return 'no_standing_order'
  const { node } = place.network
  const [control, own, receiver] = await Promise.all([node.control?.(lender.address), place.stake.resources(lender.address), place.stake.resources(to)])
  if (!control?.isOwn) return 'permission_changed'
  if (!receiver.isActive) return 'receiver_inactive'
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
    const opened = await openLoan(needs, orgId, place, { standing: each, lender, to, action: 'delegate', stake: chosen.stake, keep: keep(chosen.stake) })
    if ('order' in opened) return undefined
    reason = opened.reason
  }
  return reason
}

/** Takes back what was lent, under a standing order, or says why not. */
export async function takeBack(
  needs: AgentNeeds,
  orgId: OrganisationId,
  place: Place,
  { lender, to, stake, keep }: { lender: LenderAt; to: string; stake: bigint; keep: Keep },
): Promise<{ order: Order } | { reason: LoanReason }> {
  let reason: LoanReason = 'no_standing_order'
  for (const standing of await lendingOrders(needs, orgId, place)) {
    const opened = await openLoan(needs, orgId, place, { standing, lender, to, action: 'undelegate', stake, keep })
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

type Opening = { standing: StandingOrderIntent; lender: LenderAt; to: string; action: 'delegate' | 'undelegate'; stake: bigint; keep: Keep }

async function openLoan(
  needs: AgentNeeds,
  orgId: OrganisationId,
  { network, coin }: Place,
  { standing, lender, to, action, stake, keep }: Opening,
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
    const opened = await needs.db.asOrganisation(orgId, async (tx) => {
      const made = await openMove(tx, needs, move)
      if ('order' in made) await keep(tx, made.order)
      return made
    })
    if ('order' in opened) return opened
    return { reason: opened.reason === 'alarm' ? 'permission_changed' : opened.reason === 'halted' ? 'failed' : opened.reason }
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    return { reason: cause.errorName === 'insufficient_balance' ? 'no_fee_coins' : 'failed' }
  }
}
