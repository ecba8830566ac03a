import { ChainError } from '@holdfast/chain-core'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import type { Network } from '@holdfast/features/network/server'
import { readHoldings } from '@holdfast/features/standing-order/server'
import type { StandingOrderIntent } from '@holdfast/intent'
import { sql } from 'kysely'
import type { Allowing } from './choose.ts'
import type { Config, Token } from './configs.ts'

type Needs = Pick<ServerContext, 'db' | 'ports'>
type Of = { config: Config; network: Network; token: Token; sources: StandingOrderIntent['sources'] }

/** What a node said of an allowance is asked again after so long, and whenever an order could have changed it. */
const FRESH_MS = 15 * 60_000
/** So many allowances are asked about in one look, and so many of them at once. */
const ASKED_MAX = 400
const ASKED_AT_ONCE = 8

type Row = Omit<Allowing, 'allowance'> & { allowance: bigint | null; isStale: boolean }

/**
 * What the addresses of a collector have of a token and allow it to take, as the network says: those that have something to collect, and those that allow
 * something.
 */
export async function readAllowing(needs: Needs, orgId: string, of: Of): Promise<Allowing[]> {
  const { network, config, token } = of
  const rows = await needs.db.asOrganisation(orgId, (tx) => readRows(tx, of, needs.ports.clock.nowMs()))
  const asked = rows.filter(({ isStale, available, allowance }) => isStale && (available >= token.threshold || (allowance ?? 0n) > 0n)).slice(0, ASKED_MAX)
  const told = new Map<string, bigint>()
  for (let from = 0; from < asked.length; from += ASKED_AT_ONCE)
    await Promise.all(
      asked.slice(from, from + ASKED_AT_ONCE).map(async ({ address }) => {
        const allowance = await network.node.contracts?.allowance(address, config.contract_address, token.contract).catch(ignoreChainError)
        if (allowance !== undefined) told.set(address, allowance)
      }),
    )
  if (told.size > 0) await needs.db.asOrganisation(orgId, (tx) => keep(tx, of, rows, told, needs.ports.clock.nowMs()))
  return rows.map(({ isStale, allowance, ...row }) => ({ ...row, allowance: told.get(row.address) ?? (isStale ? undefined : (allowance ?? undefined)) }))
}

async function readRows(tx: OrganisationTx, { config, token, sources }: Of, nowMs: number): Promise<Row[]> {
  const asset = { chain: config.chain, contract: token.contract }
  const holdings = sources.length === 0 ? [] : await readHoldings(tx, { ...asset, places: sources, standingOrderId: config.allow_order_id ?? config.id })
  const { rows: kept } = await sql<{ address: string; sub_wallet_id: string; allowance: string | null; is_stale: boolean; coins: string }>`
    select kept.address, kept.sub_wallet_id, kept.allowance,
        kept.read_at < ${nowMs - FRESH_MS} or exists (select from transfer_order o left join order_part part on part.org_id = o.org_id and part.order_id = o.id
          where o.org_id = kept.org_id and o.standing_order_id in (${config.collect_order_id}::uuid, ${config.allow_order_id}::uuid)
            and o.updated_at >= kept.read_at and coalesce(part.address, o.address_from) = kept.address) as is_stale,
        coalesce((select held.available from address_balance held where held.org_id = kept.org_id and held.chain = ${config.chain}
          and held.address = kept.address and held.contract = ''), 0) as coins
      from collection_allowance kept
      where kept.org_id = ${tx.orgId} and kept.config_id = ${config.id} and kept.contract = ${token.contract}`.execute(tx)
  const { rows: busy } = await sql<{ address: string }>`
    select distinct coalesce(part.address, o.address_from) as address from transfer_order o
      left join order_part part on part.org_id = o.org_id and part.order_id = o.id
      where o.org_id = ${tx.orgId} and not o.is_final and o.standing_order_id in (${config.collect_order_id}::uuid, ${config.allow_order_id}::uuid)`.execute(tx)
  const [known, isBusy] = [new Map(kept.map((row) => [row.address, row])), new Set(busy.map(({ address }) => address))]
  const apart = holdings.flatMap(({ address, subWalletId, available, coins }): Row[] => {
    if (address === config.target_address) return []
    const row = known.get(address)
    known.delete(address)
    const allowance = row?.allowance == null ? null : BigInt(row.allowance)
    return [{ address, subWalletId, available, coins, allowance, isStale: row?.is_stale ?? true, isBusy: isBusy.has(address) }]
  })
  const empty = [...known.values()].map(
    ({ address, sub_wallet_id: subWalletId, allowance, coins, is_stale: isStale }): Row => ({
      ...{ address, subWalletId, available: 0n, coins: BigInt(coins), allowance: allowance === null ? null : BigInt(allowance) },
      ...{ isStale, isBusy: isBusy.has(address) },
    }),
  )
  return [...apart, ...empty]
}

async function keep(tx: OrganisationTx, { config, token }: Of, rows: readonly Row[], told: ReadonlyMap<string, bigint>, nowMs: number): Promise<void> {
  const found = rows.filter(({ address }) => told.has(address))
  const of = (read: (each: Row) => string) => found.map(read)
  await sql`
    insert into collection_allowance (org_id, config_id, contract, address, sub_wallet_id, allowance, read_at)
    select ${tx.orgId}::uuid, ${config.id}::uuid, ${token.contract}, told.address, told.sub_wallet_id, told.allowance, ${nowMs}::int8
      from unnest(${of(({ address }) => address)}::text[], ${of(({ subWalletId }) => subWalletId)}::uuid[],
        ${of(({ address }) => String(told.get(address)))}::numeric[]) as told (address, sub_wallet_id, allowance)
    on conflict (org_id, config_id, contract, address) do update set allowance = excluded.allowance, read_at = excluded.read_at`.execute(tx)
}

function ignoreChainError(cause: unknown): undefined {
  if (!(cause instanceof ChainError)) throw cause
  return undefined
}
