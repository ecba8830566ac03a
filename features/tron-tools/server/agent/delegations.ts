import { BuildError, leftOf } from '@holdfast/chain-core'
import { AppError, type InputOf, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { resourceErrors } from '@holdfast/features/resource/errors'
import { fromNode } from '@holdfast/features/network/server'
import { readNamedSubWallets, subWalletPath } from '@holdfast/features/wallet/server'
import { claimRequest, type RequestKey } from '@holdfast/http'
import { announce } from '@holdfast/jobs'
import { formatAmount, newId, type OrderId, type OrganisationId } from '@holdfast/units'
import type { createDelegation, estimateDelegation, getDelegation, listDelegations } from '../../agent-contract.ts'
import { tryTransfer } from './attend.ts'
import { stakeFor } from './choose-loan.ts'
import type { AgentNeeds } from './lend.ts'
import { unitsToRent } from './choose-rent.ts'
import { priceOfRent } from './rent.ts'
import { savedBy } from './saved-by.ts'
import { agentPlace } from './settings.ts'
import { beginSupply, readAgent, readLenders, type Supply } from './supplies.ts'

type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks'> & Pick<AgentNeeds, 'market'>
type View = OutputOf<typeof getDelegation>

/** What was lent, the newest first. */
export async function delegationsView(tx: OrganisationTx, needs: Needs, asked: InputOf<typeof listDelegations>): Promise<OutputOf<typeof listDelegations>> {
  const { chain } = agentPlace(needs).network
  const { status, start_time: from, end_time: until, page_no: pageNo, page_size: pageSize } = asked
  let of = tx.selectFrom('tron_supply').where('org_id', '=', tx.orgId).where('chain', '=', chain)
  if (status !== undefined) of = of.where('state', '=', status)
  if (from !== undefined) of = of.where('created_at', '>=', BigInt(from))
  if (until !== undefined) of = of.where('created_at', '<', BigInt(until))
  const { count } = await of.select((row) => row.fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow()
  const rows = await of
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(pageSize)
    .offset((pageNo - 1) * pageSize)
    .execute()
  return { pageTotal: Number(count), list: await viewsOf(tx, needs, rows) }
}

/** One of them: by its id, or the newest of an address. Throws `tron_no_data` if there is none. */
export async function delegationView(tx: OrganisationTx, needs: Needs, { id, address }: InputOf<typeof getDelegation>): Promise<View> {
  if (id === undefined && address === undefined) throw new AppError(resourceErrors.tron_no_data)
  let of = tx.selectFrom('tron_supply').selectAll().where('org_id', '=', tx.orgId)
  if (id !== undefined) of = of.where('id', '=', id)
  if (address !== undefined) of = of.where('address', '=', address)
  const [view] = await viewsOf(tx, needs, await of.orderBy('created_at', 'desc').limit(1).execute())
  if (!view) throw new AppError(resourceErrors.tron_no_data)
  return view
}

async function viewsOf(tx: OrganisationTx, needs: Needs, rows: readonly Supply[]): Promise<View[]> {
  if (rows.length === 0) return []
  const { coin } = agentPlace(needs)
  const ids = rows.flatMap((each) => [each.lend_order_id, each.return_order_id, each.rent_order_id]).filter((id): id is OrderId => id !== null)
  const orders =
    ids.length === 0
      ? []
      : await tx.selectFrom('transfer_order').select(['id', 'txid', 'state', 'updated_at']).where('org_id', '=', tx.orgId).where('id', 'in', ids).execute()
  const addresses = await tx
    .selectFrom('address')
    .select(['address', 'chain', 'sub_wallet_id'])
    .where('org_id', '=', tx.orgId)
    .where('address', 'in', [...new Set(rows.map(({ address }) => address))])
    .execute()
  const names = await readNamedSubWallets(tx, [...new Set(addresses.map((each) => each.sub_wallet_id))])
  const shown = (value: bigint | null) => (value === null ? null : formatAmount(value, coin.decimals))
  const text = (value: bigint | null) => (value === null ? null : String(value))
  return rows.map((row) => {
    const place = addresses.find(({ address, chain }) => address === row.address && chain === row.chain)
    const named = place && names.get(place.sub_wallet_id)
    const [lent, returned, paid] = [row.lend_order_id, row.return_order_id, row.rent_order_id].map((id) => orders.find((each) => each.id === id))
    const doneAt = (order: typeof lent) => (order?.state === 'completed' ? Number(order.updated_at) : null)
    return {
      id: row.id,
      resource_type: 'energy' as const,
      status: row.state,
      reason: row.reason,
      address: row.address,
      sub_wallet_name: named ? subWalletPath(named) : null,
      order_id: row.order_id,
      energy_num: String(row.needed),
      lacked: String(row.lacked),
      lender: row.lender,
      stake_trx: shown(row.stake),
      energy_txid: lent?.txid ?? null,
      energy_time: doneAt(lent),
      reclaim_energy_txid: returned?.txid ?? null,
      reclaim_energy_time: doneAt(returned),
      energy_price: String(row.price),
      used: text(row.used),
      covered: text(row.covered),
      burned_trx: shown(row.burned),
      passed: row.passed,
      rent_order_id: row.rent_order_id,
      rent_txid: paid?.txid ?? null,
      rented: text(row.rented),
      rented_trx: shown(row.rent),
      saved_trx: row.covered === null ? null : shown(savedBy(row)),
      created_at: Number(row.created_at),
    }
  })
}

type Asked = { address_from: string; address_to?: string; contract_address?: string }

/** What a transfer of the smallest amount of a token would use. Throws `tron_no_data` if the address is no own one, or the token is not listed. */
async function tryAsked(needs: Needs, orgId: OrganisationId, { address_from: from, address_to: to, contract_address: contract }: Asked) {
  const place = agentPlace(needs)
  const { chain, codec } = place.network
  const own = await needs.db.asOrganisation(orgId, (tx) =>
    tx.selectFrom('address').select('address').where('org_id', '=', tx.orgId).where('chain', '=', chain).where('address', '=', from).executeTakeFirst(),
  )
  const asset = contract === undefined ? undefined : needs.networks.byContract(chain, contract)
  const receiver = to === undefined ? undefined : codec.canonicalAddress(to)
  if (!own) throw new AppError(resourceErrors.tron_no_data)
  if (!asset || asset.contract === null || receiver === undefined) return { place, wanted: undefined }
  const trial = () => tryTransfer(place, { from, to: receiver, asset: { chain, contract: asset.contract }, amount: 1n })
  const wanted = await fromNode(() =>
    trial().catch((cause: unknown) => {
      // The token refuses the trial: the address has none of it.
      if (cause instanceof BuildError) throw new AppError(resourceErrors.tron_no_data, { cause })
      throw cause
    }),
  )
  return { place, wanted }
}

/** What a transfer of a token would use and burn now. */
export async function estimateView(
  needs: Needs,
  orgId: OrganisationId,
  asked: InputOf<typeof estimateDelegation>,
): Promise<OutputOf<typeof estimateDelegation>> {
  const { place, wanted } = await tryAsked(needs, orgId, asked)
  if (!wanted) throw new AppError(resourceErrors.tron_no_data)
  const { coin, network } = place
  const lender = await needs.db.asOrganisation(orgId, async (tx) => {
    const agent = await readAgent(tx, network.chain)
    return agent && (await readLenders(tx, agent))[0]
  })
  const lack = wanted.needed > wanted.available ? wanted.needed - wanted.available : 0n
  const has = lender && (await fromNode(() => place.stake.resources(lender.address)))
  const offered = lack === 0n ? undefined : await priceOfRent(needs, { receiver: asked.address_from, energy: unitsToRent(lack) })
  const stake =
    has && stakeFor(lack, { limit: has.meters.energy.limit, stake: has.stakes.energy.own + has.stakes.energy.delegatedIn }, 10n ** BigInt(coin.decimals))
  return {
    energy: String(wanted.needed),
    net: String(wanted.net),
    available: String(wanted.available),
    fee_limit: String(wanted.feeLimit),
    burn_trx: formatAmount(lack * wanted.price, coin.decimals),
    rent_trx: offered === undefined ? null : formatAmount(offered.price, coin.decimals),
    stake_trx: stake === undefined || lack === 0n ? null : formatAmount(stake, coin.decimals),
    saving_pct: stake === undefined || lack === 0n ? 0 : 100,
  }
}

/**
 * Has energy lent to an own address. Throws `tron_duplicate_request` while something is lent to it that somebody asked for, `tron_insufficient_fee` if the
 * lender has no coin for the fee, and `tron_no_data` if nobody lends, or nothing says how much is wanted.
 */
export async function askFor(
  needs: Needs,
  orgId: OrganisationId,
  key: RequestKey,
  input: InputOf<typeof createDelegation>,
): Promise<OutputOf<typeof createDelegation>> {
  const { place, wanted } = await tryAsked(needs, orgId, input)
  const { chain } = place.network
  const needed = input.energy_num === undefined ? wanted?.needed : BigInt(input.energy_num)
  const lacked = input.energy_num === undefined ? wanted && wanted.needed - wanted.available : needed
  if (needed === undefined || lacked === undefined || lacked <= 0n) throw new AppError(resourceErrors.tron_no_data)
  const lenders = await needs.db.asOrganisation(orgId, async (tx) => {
    const agent = await readAgent(tx, chain)
    return agent?.is_on ? readLenders(tx, agent) : []
  })
  const lender = lenders.find(({ address }) => address !== input.address_from)
  if (!lender) throw new AppError(resourceErrors.tron_no_data)
  if (!(await mayPayFee(place, lender.address))) throw new AppError(resourceErrors.tron_insufficient_fee)
  const price = wanted?.price ?? (await fromNode(() => place.stake.energyPrice()))
  return needs.db.asOrganisation(orgId, async (tx) => {
    const nowMs = needs.ports.clock.nowMs()
    const { fresh, resultId } = await claimRequest(tx, { key, kind: 'tron_delegate', resultId: newId(nowMs, needs.ports.random), nowMs })
    if (!fresh) return { trans_id: resultId, idempotent: true }
    const open = await tx
      .selectFrom('tron_supply')
      .select('id')
      .where('org_id', '=', tx.orgId)
      .where('chain', '=', chain)
      .where('address', '=', input.address_from)
      .where('order_id', 'is', null)
      .where('state', '<>', 'over')
      .executeTakeFirst()
    if (open) throw new AppError(resourceErrors.tron_duplicate_request)
    await beginSupply(tx, needs, { chain, address: input.address_from, order_id: null, needed, lacked, price }, resultId)
    await announce(tx, needs.ports, 'tron.changed', {})
    return { trans_id: resultId, idempotent: false }
  })
}

/** Whether an address could pay for a delegation: out of bandwidth, or by burning coin. */
async function mayPayFee({ network, stake }: ReturnType<typeof agentPlace>, address: string): Promise<boolean> {
  const asked = () => Promise.all([network.node.balance(address, { chain: network.chain, contract: null }), stake.resources(address)])
  const [coin, { meters, free }] = await fromNode(asked)
  return coin > 0n || leftOf(meters.bandwidth) + leftOf(free) > 0n
}
