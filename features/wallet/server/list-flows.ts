import type { OrganisationTx } from '@holdfast/db'
import type { NetworkAsset, Networks } from '@holdfast/features/network/server'
import { formatWorth, pricesOf, type Quote, worthAt } from '@holdfast/features/price/server'
import { type DailyFlow, dailyFlows, FLOW_DAY_MS } from '@holdfast/ledger'
import { at, formatAmount } from '@holdfast/units'
import { assetOf } from './read-holdings.ts'
import type { Valued } from './worth.ts'

const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const

type Asked = Valued & { subWalletId: string | undefined; range: keyof typeof DAYS }
type Moved = { in: bigint; out: bigint; fee: bigint }
/** What moved of a coin on a day, and what that was worth where a price is known. */
type Step = { place: number; moved: Moved; worth: Moved | undefined }

/**
 * What came in, went out and was paid in fees, on each of the last days. Of the organisation as a whole, without what only went from one of its addresses to
 * another.
 */
export async function listFlows(tx: OrganisationTx, networks: Networks, { subWalletId, range, nowMs, fiat, language }: Asked) {
  const count = DAYS[range]
  const first = Math.floor(nowMs / FLOW_DAY_MS) - count + 1
  const rows = await dailyFlows(tx, { subWalletId, fromDay: first - 1 })
  const moved = movedByCoin(networks, rows, { first, count, isWhole: subWalletId === undefined })
  const moments = moved.flatMap(({ asset, days }) => days.map(({ place }) => ({ asset, atMs: Math.min(nowMs, (first + place + 1) * FLOW_DAY_MS) })))
  const quotes = await pricesOf(tx, moments, fiat)
  let next = 0
  const coins = moved.map(({ asset, days }) => ({
    asset,
    steps: days.map(({ place, moved: each }): Step => ({ place, moved: each, worth: worthOfMove(each, asset.decimals, quotes[next++]) })),
  }))
  const steps = coins.flatMap((coin) => coin.steps)
  const dayOf = (place: number) => (first + place) * FLOW_DAY_MS
  return {
    days: Array.from({ length: count }, (_, place) => ({ day: dayOf(place), ...valueView(steps.filter((step) => step.place === place)) })),
    total: valueView(steps),
    coins: coins.toSorted(byWorth).map(({ asset, steps: of }) => ({
      symbol: asset.symbol,
      chain: asset.chain,
      network: networks.require(asset.chain).name,
      contract_address: asset.contract,
      ...amountView(sumOf(of.map((step) => step.moved)), asset),
      partial: of.some(({ worth }) => !worth),
      days: of.map((step) => ({ day: dayOf(step.place), ...amountView(step.moved, asset) })),
    })),
    price_source: quotes.find((quote) => quote !== undefined)?.source[language] ?? null,
  }
}

type Window = { first: number; count: number; isWhole: boolean }

/** What moved of each coin that is configured, on the days on which something did. What came in after the first midnight may have left on the day before. */
function movedByCoin(networks: Networks, rows: readonly DailyFlow[], { first, count, isWhole }: Window) {
  const byAsset = new Map<NetworkAsset, (Moved & { fromOwn: bigint })[]>()
  for (const { day, chain, contract, amountIn, amountOut, fee, fromOwn } of rows) {
    const asset = assetOf(networks, chain, contract)
    if (!asset) continue
    const days = byAsset.get(asset) ?? Array.from({ length: count + 1 }, () => ({ in: 0n, out: 0n, fee: 0n, fromOwn: 0n }))
    // A server whose clock is ahead of ours may have booked tomorrow.
    const place = Math.min(day - first + 1, count)
    const before = at(days, place)
    days[place] = { in: before.in + amountIn, out: before.out + amountOut, fee: before.fee + fee, fromOwn: before.fromOwn + fromOwn }
    byAsset.set(asset, days)
  }
  return [...byAsset]
    .map(([asset, days]) => ({ asset, days: (isWhole ? withoutOwn(days) : days).slice(1).map((moved, place) => ({ place, moved })) }))
    .map(({ asset, days }) => ({ asset, days: days.filter(({ moved }) => moved.in !== 0n || moved.out !== 0n || moved.fee !== 0n) }))
    .filter(({ days }) => days.length > 0)
}

/**
 * Takes transfers between own addresses out of a coin's days: what came from an own address has left another one, seconds before or after, so it is taken off
 * what left on its day, or where midnight lay between, on the next day or the day before. What left on none of them was kept back on its way, by a missing
 * comment for instance: it then stays what came in. So the difference of in and out is always what the organisation has more.
 */
export function withoutOwn(days: readonly (Moved & { fromOwn: bigint })[]): Moved[] {
  const left = days.map((each) => ({ in: each.in, out: each.out, fee: each.fee }))
  const own = days.map((each) => each.fromOwn)
  for (const away of [0, 1, -1])
    for (const [place, due] of own.entries()) {
      const departed = left[place + away]
      if (!departed) continue
      const both = due < departed.out ? due : departed.out
      departed.out -= both
      at(left, place).in -= both
      own[place] = due - both
    }
  return left
}

function worthOfMove(moved: Moved, decimals: number, quote: Quote | undefined): Moved | undefined {
  if (!quote) return undefined
  const worth = (amount: bigint) => worthAt(amount, decimals, quote.price)
  return { in: worth(moved.in), out: worth(moved.out), fee: worth(moved.fee) }
}

const sumOf = (all: readonly Moved[]): Moved =>
  all.reduce((sum, each) => ({ in: sum.in + each.in, out: sum.out + each.out, fee: sum.fee + each.fee }), { in: 0n, out: 0n, fee: 0n })

/** Nothing is worth nothing; what no price is known for is worth nobody knows what. */
function valueView(steps: readonly Step[]) {
  const known = steps.flatMap(({ worth }) => worth ?? [])
  if (steps.length > 0 && known.length === 0) return { in: null, out: null, fee: null, partial: false }
  const sum = sumOf(known)
  return { in: formatWorth(sum.in), out: formatWorth(sum.out), fee: formatWorth(sum.fee), partial: known.length < steps.length }
}

function amountView(moved: Moved, { decimals }: NetworkAsset) {
  return { in: formatAmount(moved.in, decimals), out: formatAmount(moved.out, decimals), fee: formatAmount(moved.fee, decimals) }
}

type Steps = { steps: readonly Step[] }

function byWorth(one: Steps, other: Steps): number {
  const worth = ({ steps }: Steps) => steps.reduce((sum, step) => sum + (step.worth ? step.worth.in + step.worth.out : 0n), 0n)
  return worth(one) > worth(other) ? -1 : worth(one) < worth(other) ? 1 : 0
}
