import { AppError, type InputOf, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { resourceErrors } from '@holdfast/features/resource/errors'
import { announce } from '@holdfast/jobs'
import { readNamedSubWallets } from '@holdfast/features/wallet/server'
import { amountOf } from '@holdfast/http'
import { formatAmount, newId } from '@holdfast/units'
import { type listMonitored, type saveMonitored, SHORT_OF } from '../contract.ts'
import { hoursUntil, type Left } from './forecast.ts'
import { tronPlace } from './tron-places.ts'

const DAY_MS = 86_400_000
const SHOWN_MS = 7 * DAY_MS

type Needs = Pick<ServerContext, 'ports' | 'networks'>
type Target = { chain: string; address: string }

/** What is left of each: units of energy, bytes of bandwidth with the free ones, coin in base units. */
export type Lefts = Record<(typeof SHORT_OF)[number], bigint>

/** What is below the threshold that it has; a threshold of 0 has none below it. */
export const lowOf = (lefts: Lefts, least: Lefts) => SHORT_OF.filter((each) => lefts[each] < least[each])

/** Watches an own address, or sets its thresholds anew. Throws `tron_no_data` for an address that is not an own one on a network with resources. */
export async function watch(tx: OrganisationTx, needs: Needs, input: InputOf<typeof saveMonitored>): Promise<void> {
  const { chain, address, receivers = [] } = input
  const { coin } = tronPlace(needs, chain)
  const own = await tx
    .selectFrom('address')
    .select('sub_wallet_id')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .executeTakeFirst()
  if (!own) throw new AppError(resourceErrors.tron_no_data)
  await demandMembers(tx, receivers)
  const nowMs = needs.ports.clock.nowMs()
  const least = { energy_min: BigInt(input.energy_min), net_min: BigInt(input.net_min), coin_min: amountOf(input.trx_min, coin) }
  // What was low by the old thresholds may not be by the new ones: the next look says it anew, and tells again.
  const set = { ...least, watched: true, receivers: [...receivers], low: null, low_since: null, updated_at: nowMs }
  await tx
    .insertInto('tron_target')
    .values({ org_id: tx.orgId, id: newId(nowMs, needs.ports.random), chain, address, sub_wallet_id: own.sub_wallet_id, ...set })
    .onConflict((conflict) => conflict.columns(['org_id', 'chain', 'address']).doUpdateSet(set))
    .execute()
  await announce(tx, needs.ports, 'tron.changed', {})
}

/** Ends watching. Throws `resource_not_found` for an address that is not watched. */
export async function unwatch(tx: OrganisationTx, { ports }: Pick<Needs, 'ports'>, { chain, address }: Target): Promise<void> {
  const ended = await tx
    .updateTable('tron_target')
    .set({ watched: false, low: null, low_since: null, updated_at: ports.clock.nowMs() })
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .where('watched', '=', true)
    .returning('id')
    .executeTakeFirst()
  if (!ended) throw new AppError('resource_not_found')
  await announce(tx, ports, 'tron.changed', { target_id: ended.id })
}

/** Throws `resource_not_found` if somebody is no member of the organisation. */
export async function demandMembers(tx: OrganisationTx, personIds: readonly string[]): Promise<void> {
  if (personIds.length === 0) return
  const known = await tx
    .selectFrom('person')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('id', 'in', [...personIds])
    .execute()
  if (known.length < personIds.length) throw new AppError('resource_not_found')
}

/** What is watched, with what was read of it in the last seven days. */
export async function monitored(tx: OrganisationTx, { ports, networks }: Needs, walletId: string | undefined): Promise<OutputOf<typeof listMonitored>> {
  const nowMs = ports.clock.nowMs()
  const targets = await tx.selectFrom('tron_target').selectAll().where('org_id', '=', tx.orgId).where('watched', '=', true).orderBy('address').execute()
  const names = await readNamedSubWallets(
    tx,
    targets.map((each) => each.sub_wallet_id),
  )
  const samples = await tx
    .selectFrom('tron_sample')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('at', '>', BigInt(nowMs - SHOWN_MS))
    .orderBy('at')
    .execute()
  return targets.flatMap((target) => {
    const [network, coin, named] = [networks.find(target.chain), networks.byContract(target.chain, ''), names.get(target.sub_wallet_id)]
    if (!network || !coin || !named || (walletId !== undefined && named.wallet_id !== walletId)) return []
    const read = samples
      .filter(({ chain, address }) => chain === target.chain && address === target.address)
      .map((each) => ({ row: each, atMs: each.at, lefts: leftsOf(each) }))
    const last = read.at(-1)
    const lastDay = read.filter(({ atMs }) => last !== undefined && atMs >= last.atMs - BigInt(DAY_MS))
    const least: Lefts = { energy: target.energy_min, net: target.net_min, trx: target.coin_min }
    const soonest = SHORT_OF.flatMap((of) => {
      // What is below its threshold already shows as low; what an address does not have, and needs none of, does not run out.
      if (last && (last.lefts[of] < least[of] || last.lefts[of] === 0n)) return []
      const hours = hoursUntil(
        lastDay.map(({ atMs, lefts }): Left => ({ atMs, left: lefts[of] })),
        least[of],
      )
      return hours === undefined ? [] : [{ of, hours }]
    }).toSorted((one, other) => Number(one.hours - other.hours))[0]
    const shown = (value: bigint) => formatAmount(value, coin.decimals)
    return [
      {
        chain: target.chain,
        network: network.name,
        symbol: coin.symbol,
        address: target.address,
        wallet_name: named.wallet_name,
        sub_wallet_name: named.sub_wallet_name,
        looked_at: last === undefined ? null : Number(last.atMs),
        energy: last ? { have: String(last.lefts.energy), limit: String(last.row.energy_limit) } : null,
        net: last ? { have: String(last.lefts.net), limit: String(last.row.net_limit) } : null,
        trx: last ? shown(last.lefts.trx) : null,
        energy_min: String(least.energy),
        net_min: String(least.net),
        trx_min: shown(least.trx),
        forecast_h: soonest === undefined ? null : Number(soonest.hours),
        forecast_of: soonest?.of ?? null,
        alert: target.low ?? [],
        alert_since: target.low_since === null ? null : Number(target.low_since),
        receivers: target.receivers,
        samples: read.map(({ atMs, lefts }) => ({ at: Number(atMs), energy: String(lefts.energy), net: String(lefts.net), trx: shown(lefts.trx) })),
      },
    ]
  })
}

type Sampled = { energy_limit: bigint; energy_used: bigint; net_limit: bigint; net_used: bigint; coin: bigint }
const rest = (limit: bigint, used: bigint) => (limit > used ? limit - used : 0n)
/** What a reading leaves. */
export const leftsOf = (read: Sampled): Lefts => ({
  energy: rest(read.energy_limit, read.energy_used),
  net: rest(read.net_limit, read.net_used),
  trx: read.coin,
})
