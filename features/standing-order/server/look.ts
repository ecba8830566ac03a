import { AppError } from '@holdfast/contract'
import type { ServerContext } from '@holdfast/features/context'
import { leastAmount } from '@holdfast/features/deposit/server'
import type { StandingOrderInForce } from '@holdfast/features/policy/server'
import { openMove, pokeTransfers } from '@holdfast/features/transfer/server'
import { callsCollector, type StandingOrderIntent } from '@holdfast/intent'
import { announce } from '@holdfast/jobs'
import { bytesToUuid, type OrganisationId, type SubWalletId } from '@holdfast/units'
import { chooseFuel, type FuelMove } from './choose/choose-fuel.ts'
import { chooseSweeps } from './choose/choose-sweeps.ts'
import type { Chosen, FeeTerms, Holding, Reason } from './choose/chosen.ts'
import { chooseNarrowed, feeNarrowed, leavesAlone, type Narrowing } from './choose/narrowing.ts'
import { addressesWithSingle, readNarrowing } from './narrowings.ts'
import { chooseOfCoins } from './choose-coins.ts'
import { type Asked, feeNow, firstFeeNow, type Place, placeOf } from './fee-now.ts'
import { raiseFees } from './raise-fees.ts'
import { addressAtPlace, readHoldings } from './read-holdings.ts'
import { lookAtSchedule } from './scheduled/look-at-schedule.ts'
import { readWanting, type Said, writeReasons } from './reasons.ts'

export type LookNeeds = Pick<ServerContext, 'ports' | 'db' | 'networks' | 'coSigners'>

/** So many moves are opened in one look; the next look goes on. */
const MOVES_AT_ONCE = 50
/** A move that is not signed in this time is opened anew, with a fee of its time. */
const LIFE_MS = 2 * 3_600_000

type Looking = { needs: LookNeeds; orgId: OrganisationId; standing: StandingOrderIntent; id: string; narrowing: Narrowing | undefined }
type Moved = StandingOrderIntent['assets'][number]

/**
 * Has what a standing order covers moved now, as far as it can be, and keeps of every address that has something why it was not moved. Answers how many moves
 * it opened.
 */
export async function lookAt(needs: LookNeeds, orgId: OrganisationId, { intent: standing }: StandingOrderInForce): Promise<number> {
  // What is delegated or rented follows the payments that need it (features/tron-tools), and whoever asked for a collector chooses what it takes
  // (features/collection).
  if (standing.does.kind === 'delegate' || standing.does.kind === 'rent' || callsCollector(standing.does)) return 0
  if (standing.does.kind === 'schedule') return lookAtSchedule(needs, orgId, standing, standing.does)
  const id = bytesToUuid(standing.id)
  const nowMs = needs.ports.clock.nowMs()
  const looking: Looking = { needs, orgId, standing, id, narrowing: await needs.db.asOrganisation(orgId, (tx) => readNarrowing(tx, id)) }
  const said: Said[] = []
  let opened = 0
  for (const moved of standing.assets) {
    const found = await (standing.does.kind === 'sweep' ? sweep(looking, moved) : fuel(looking, moved))
    said.push(...found.said)
    opened += found.opened
  }
  await needs.db.asOrganisation(orgId, async (tx) => {
    const isNews = await writeReasons(tx, id, said, nowMs)
    if (isNews || opened > 0) await announce(tx, needs.ports, 'standing.changed', { standing_order_id: id })
  })
  const raised = looking.narrowing && !looking.narrowing.isPaused ? await raiseFees(needs, orgId, id, looking.narrowing.assets) : 0
  if (opened > 0 || raised > 0) pokeTransfers(needs)
  return opened
}

type Found = { said: Said[]; opened: number }
/** Of coins each address is asked about by itself. */
const NOBODY_ASKED = { fee: undefined, asked: { pays: undefined, refused: new Set<string>() } }
type Wanted = { from: string; subWalletId: string; to: string; memo: string | null; amount: bigint; feeCap: bigint; holding: Holding }

async function sweep(looking: Looking, moved: Moved): Promise<Found> {
  const { needs, orgId, standing, id, narrowing } = looking
  const { chain, contract } = moved.asset
  const target = standing.does.kind === 'sweep' ? standing.does.to.find((each) => each.chain === chain) : undefined
  const single = narrowing?.assets.find((each) => each.chain === chain && each.contract === (contract ?? ''))?.single ?? null
  const asset = { chain, contract: contract ?? '' }
  const { holdings, singles, to } = await needs.db.asOrganisation(orgId, async (tx) => ({
    singles: single === null ? undefined : await addressesWithSingle(tx, { ...asset, least: BigInt(single), standingOrderId: id }),
    holdings: await readHoldings(tx, { ...asset, places: standing.sources, standingOrderId: id }),
    to: target && (target.kind === 'own' ? await addressAtPlace(tx, chain, target) : target.address),
  }))
  const place = placeOf(needs, standing, moved)
  const saying = saysOf(chain, contract)
  const unmoved = (reason: (holding: Holding) => Reason) => ({ said: holdings.map((holding) => saying({ holding, reason: reason(holding) })), opened: 0 })
  if (holdings.length === 0) return { said: [], opened: 0 }
  if (!place || to === undefined) return unmoved(() => 'no_target')
  const nowMs = needs.ports.clock.nowMs()
  const choose = (of: readonly Holding[], fee: FeeTerms) => {
    const terms = { atLeast: moved.atLeast, atMost: moved.atMost, fee, isCoin: contract === null, target: to, never: new Set(standing.never) }
    const hasSingle = (address: string) => singles?.has(address) === true
    return narrowing ? chooseNarrowed(terms, narrowing, of, { ...asset, nowMs, hasSingle }) : chooseSweeps(terms, of)
  }
  const isOfCoins = contract === null && place.network.node.coins !== undefined
  const { fee, asked } = isOfCoins ? NOBODY_ASKED : await firstFeeNow(place, holdings, to)
  if (!isOfCoins && !fee) return unmoved(({ address }) => (asked.refused.has(address) ? 'token_refuses' : 'halted'))
  const chosen = fee ? choose(holdings, fee) : await chooseOfCoins(needs, orgId, { place, to, moves: MOVES_AT_ONCE }, holdings, choose)
  const memo = target?.kind === 'listed' ? target.memo : null
  const wanted = chosen.flatMap(({ holding, move }): Wanted[] =>
    move ? [{ from: holding.address, subWalletId: holding.subWalletId, to, memo, ...move, holding }] : [],
  )
  const { opened, left } = await open(looking, 'collect', place, wanted, asked)
  return { opened, said: [...chosen.filter(({ move }) => !move), ...left].map(saying) }
}

async function fuel(looking: Looking, moved: Moved): Promise<Found> {
  const { needs, orgId, standing, id, narrowing } = looking
  const { chain } = moved.asset
  const { does } = standing
  if (does.kind !== 'fuel') return { said: [], opened: 0 }
  const { payers, wanting } = await needs.db.asOrganisation(orgId, async (tx) => ({
    payers: await readHoldings(tx, { chain, contract: '', places: standing.sources, standingOrderId: id }),
    wanting: await readWanting(tx, { chain, places: does.to, standingOrderId: id, nowMs: needs.ports.clock.nowMs() }),
  }))
  const place = placeOf(needs, standing, moved)
  const saying = saysOf(chain, null)
  const [payer] = payers
  const [first] = wanting
  if (!place || !first) return { said: [], opened: 0 }
  const holdingOf = (each: (typeof wanting)[number]): Holding => ({ ...each, available: each.lacks, coins: 0n })
  const fee = payer && (await feeNow(place, { from: payer.address, to: first.address, amount: moved.atMost }))
  if (!fee || fee === 'token_refuses')
    return { said: wanting.map((each) => saying({ holding: holdingOf(each), reason: payer ? 'halted' : 'no_source' })), opened: 0 }
  const narrowed = narrowing?.assets.find((each) => each.chain === chain && each.contract === '')
  const narrowedTo = narrowing && leavesAlone(narrowing)
  const leftFor = ({ address, subWalletId }: (typeof wanting)[number]) =>
    narrowedTo && (!narrowed?.isOn ? 'switched_off' : narrowedTo({ chain, contract: '', address, subWalletId }))
  const most = narrowed && BigInt(narrowed.atMost) < moved.atMost ? BigInt(narrowed.atMost) : moved.atMost
  // Less is not credited where it arrives, so it would be sent again and again.
  const credited = leastAmount(place.coin.decimals)
  const atLeast = moved.atLeast > credited ? moved.atLeast : credited
  const terms = { atLeast, atMost: most, fee: narrowed ? feeNarrowed(fee, narrowed) : fee, never: new Set(standing.never) }
  const alone = wanting.flatMap((each): Chosen[] => {
    const reason = leftFor(each)
    return reason ? [{ holding: holdingOf(each), reason }] : []
  })
  const { moves, left } = chooseFuel(
    terms,
    wanting.filter((each) => !leftFor(each)),
    payers,
  )
  const wanted = moves.map(({ from, to, amount, feeCap }: FuelMove): Wanted => {
    const holding = { address: to, subWalletId: from.subWalletId, available: amount, coins: 0n, isBusy: false }
    return { from: from.address, subWalletId: from.subWalletId, to, memo: null, amount, feeCap, holding }
  })
  const found = await open(looking, 'fuel', place, wanted)
  return { opened: found.opened, said: [...alone, ...left, ...found.left].map(saying) }
}

/** What stands in the way of every move of an asset alike: once one was told so, the others need not be tried. */
const STOPS_ALL: readonly Reason[] = ['limit_used', 'halted']

/**
 * Opens moves one after the other, each in a transaction of its own. Once a limit is used up, or the coin stands still, the rest is left. `asked`: what the
 * node has just said of some of them.
 */
async function open(
  { needs, orgId, standing }: Looking,
  kind: 'collect' | 'fuel',
  place: Place,
  wanted: readonly Wanted[],
  asked?: Asked,
): Promise<{ opened: number; left: Chosen[] }> {
  const { network, asset, coin } = place
  const left: Chosen[] = []
  let opened = 0
  let stoppedBy: Reason | undefined
  for (const { from, subWalletId, to, memo, amount, feeCap, holding } of wanted) {
    if (stoppedBy || opened >= MOVES_AT_ONCE) {
      left.push({ holding, reason: stoppedBy ?? 'in_progress' })
      continue
    }
    const move = {
      standing,
      kind,
      subWalletId: subWalletId as SubWalletId,
      network,
      from,
      to,
      memo,
      asset,
      amount,
      feeCap: { asset: coin, amount: feeCap },
      lifeMs: LIFE_MS,
    }
    const outcome = (await refusal(place, move, asked)) ?? (await needs.db.asOrganisation(orgId, (tx) => openMove(tx, needs, move)).catch(reasonOf))
    if (!('reason' in outcome)) opened++
    else {
      if (STOPS_ALL.includes(outcome.reason)) stoppedBy = outcome.reason
      left.push({ holding, reason: outcome.reason })
    }
  }
  return { opened, left }
}

/** Why a token would not let an address pay, by a trial on the network: nothing is opened that no block could carry out. The own coin refuses nobody. */
async function refusal(
  place: Place,
  { from, to, amount }: Pick<Wanted, 'from' | 'to' | 'amount'>,
  asked: Asked | undefined,
): Promise<{ reason: Reason } | undefined> {
  if (place.asset.contract === null || (asked?.pays?.from === from && asked.pays.amount === amount)) return undefined
  if (asked?.refused.has(from)) return { reason: 'token_refuses' }
  const fee = await feeNow(place, { from, to, amount })
  if (fee === undefined) return { reason: 'halted' }
  return fee === 'token_refuses' ? { reason: fee } : undefined
}

/** What is refused for its own reason is told as that; anything else failed for this address alone, and the next look tries again. */
function reasonOf(cause: unknown): { reason: Reason } {
  if (cause instanceof AppError) return { reason: 'failed' }
  throw cause
}

const saysOf =
  (chain: string, contract: string | null) =>
  ({ holding: { address, subWalletId, available }, reason, detail }: Pick<Chosen, 'holding' | 'reason' | 'detail'>): Said => ({
    chain,
    contract: contract ?? '',
    address,
    subWalletId,
    amount: available,
    reason: reason ?? 'failed',
    detail: detail === undefined ? null : String(detail),
  })
