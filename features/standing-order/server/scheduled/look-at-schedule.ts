import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import { openMove, pokeTransfers } from '@holdfast/features/transfer/server'
import type { StandingOrderIntent } from '@holdfast/intent'
import { announce } from '@holdfast/jobs'
import { bytesToUuid, type OrganisationId, type SubWalletId } from '@holdfast/units'
import { sql } from 'kysely'
import { chooseDue, type ChosenDue, stateOf } from '../choose/choose-due.ts'
import type { Reason } from '../choose/chosen.ts'
import { feeNow, placeOf } from '../fee-now.ts'
import type { LookNeeds } from '../look.ts'
import { raiseFees } from '../raise-fees.ts'
import { addressAtPlace } from '../read-holdings.ts'
import { writeReasons } from '../reasons.ts'
import { attemptsOf, type DueReason, duesOf, type Schedule, writeDueReasons } from './payments.ts'

/** A payment that is not signed in this time is opened anew, with a fee of its time. */
const LIFE_MS = 2 * 3_600_000
/** A payment that no block takes in this time has its fee raised, so many times, within what people let it cost. */
export const RAISE = { afterMs: 10 * 60_000, times: 3 }

/** Has each date paid whose time has come, and keeps why another is not paid. Answers how many payments it opened. */
export async function lookAtSchedule(needs: LookNeeds, orgId: OrganisationId, standing: StandingOrderIntent, schedule: Schedule): Promise<number> {
  const id = bytesToUuid(standing.id)
  const nowMs = needs.ports.clock.nowMs()
  const named = new Set(schedule.days.map(Number))
  const dues = duesOf(schedule, await needs.db.asOrganisation(orgId, (tx) => attemptsOf(tx, id))).filter(({ day }) => named.has(day))
  const isDue = dues.some((due) => stateOf(due, nowMs, false) === 'late')
  const chosen = isDue ? await choose(needs, orgId, standing, schedule, dues) : []
  const said: DueReason[] = []
  let opened = 0
  for (const each of chosen) {
    const outcome = each.reason === undefined ? await open(needs, orgId, standing, each) : { reason: each.reason, detail: each.detail }
    if (outcome === undefined) opened++
    else said.push({ day: each.due.day, reason: outcome.reason, detail: outcome.detail === undefined ? null : String(outcome.detail) })
  }
  await needs.db.asOrganisation(orgId, async (tx) => {
    await writeReasons(tx, id, [], nowMs)
    const isNews = await writeDueReasons(tx, id, said, nowMs)
    if (isNews || opened > 0) await announce(tx, needs.ports, 'standing.changed', { standing_order_id: id })
  })
  const raisable = standing.assets.filter(({ asset }) => isRaisable(needs.networks.find(asset.chain)))
  const raised = await raiseFees(
    needs,
    orgId,
    id,
    raisable.map(({ asset: { chain, contract } }) => ({ chain, contract: contract ?? '', raise: RAISE })),
  )
  if (opened > 0 || raised > 0) pokeTransfers(needs)
  return opened
}

/** Whether other bytes can take the place of those that wait. */
const isRaisable = (network: Network | undefined): boolean => network?.node.prepareCancel !== undefined

type Paying = { address: string; subWalletId: string; available: bigint; coins: bigint }
type Chosen = ChosenDue & { route?: Route }
type Route = { payer: Paying; to: string; memo: string | null; place: NonNullable<ReturnType<typeof placeOf>> }

async function choose(
  needs: LookNeeds,
  orgId: OrganisationId,
  standing: StandingOrderIntent,
  schedule: Schedule,
  dues: Parameters<typeof chooseDue>[2],
): Promise<Chosen[]> {
  const nowMs = needs.ports.clock.nowMs()
  const [moved] = standing.assets
  const place = moved && placeOf(needs, standing, moved)
  const { payer, to } = await needs.db.asOrganisation(orgId, async (tx) => ({
    payer: await readPaying(tx, standing),
    to: schedule.to.kind === 'own' ? await addressAtPlace(tx, schedule.to.chain, schedule.to) : schedule.to.address,
  }))
  const unpaid = (reason: Reason) => dues.filter((due) => stateOf(due, nowMs, false) === 'late').map((due) => ({ due, reason }))
  if (!moved || !place || !payer || to === undefined) return unpaid('no_target')
  const amount = moved.atMost
  const now = await feeNow(place, { from: payer.address, to, amount })
  if (now === 'token_refuses') return unpaid(now)
  const fee = now ? { ...now, isRaised: isRaisable(place.network) } : null
  const memo = schedule.to.kind === 'own' ? null : schedule.to.memo
  return chooseDue({ amount, isCoin: moved.asset.contract === null, fee }, payer, dues, nowMs).map((each) => ({ ...each, route: { payer, to, memo, place } }))
}

/** What the one address that pays has; undefined if this server knows no such address. */
async function readPaying(tx: OrganisationTx, { sources, assets }: StandingOrderIntent): Promise<Paying | undefined> {
  const [source, moved] = [sources[0], assets[0]]
  if (!source || !moved) return undefined
  const { chain, contract } = moved.asset
  const address = await addressAtPlace(tx, chain, source)
  if (address === undefined) return undefined
  const has = (of: string) => sql<bigint>`coalesce((select available from address_balance held
    where held.org_id = address.org_id and held.chain = address.chain and held.address = address.address and held.contract = ${of}), 0)`
  const row = await tx
    .selectFrom('address')
    .select(['sub_wallet_id', has(contract ?? '').as('available'), has('').as('coins')])
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .executeTakeFirst()
  return row && { address, subWalletId: row.sub_wallet_id, available: BigInt(row.available), coins: BigInt(row.coins) }
}

/** Opens the payment of a date. Answers why it could not be; undefined if it is open. */
async function open(
  needs: LookNeeds,
  orgId: OrganisationId,
  standing: StandingOrderIntent,
  { due, feeCap, route }: Chosen,
): Promise<{ reason: Reason; detail?: undefined } | undefined> {
  if (feeCap === undefined || !route) return { reason: 'failed' }
  const { payer, to, memo, place } = route
  const { network, asset, coin } = place
  const [moved] = standing.assets
  const move = {
    standing,
    kind: 'withdraw' as const,
    subWalletId: payer.subWalletId as SubWalletId,
    network,
    from: payer.address,
    to,
    memo,
    asset,
    amount: moved?.atMost ?? 0n,
    feeCap: { asset: coin, amount: feeCap },
    lifeMs: LIFE_MS,
    due: { atMs: BigInt(due.dueAtMs), lastMs: BigInt(due.lastAtMs) },
  }
  try {
    const outcome = await needs.db.asOrganisation(orgId, (tx) => openMove(tx, needs, move))
    return 'reason' in outcome ? { reason: outcome.reason } : undefined
  } catch (cause) {
    if (cause instanceof AppError) return { reason: 'failed' }
    throw cause
  }
}
