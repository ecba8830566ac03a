import type { OrganisationTx } from '@holdfast/db'
import { toHex } from '@holdfast/encoding'
import { protocolFor } from '@holdfast/features/network/server'
import type { StandingOrderIntent } from '@holdfast/intent'
import { sql } from 'kysely'
import type { Holding } from './choose/chosen.ts'

type Place = StandingOrderIntent['sources'][number]

/** So many addresses of one asset are looked at in one round; those that have the most come first. */
const HOLDINGS_MAX = 20_000

/** Own addresses of a network beneath some places, as the end of a query: an address belongs to the key that signs for it there. */
export function beneath(chain: string, places: readonly Place[]) {
  const keys = places.map(({ keyId }) => keyId)
  const paths = places.map(({ path }) => `{${path.join(',')}}`)
  return sql`
    join address own on own.org_id = held.org_id and own.chain = held.chain and own.address = held.address
    join sub_wallet on sub_wallet.org_id = own.org_id and sub_wallet.id = own.sub_wallet_id
    join key_of_wallet signs on signs.org_id = own.org_id and signs.wallet_id = sub_wallet.wallet_id and signs.retired_at is null
    join unnest(${keys}::bytea[], ${paths}::text[]) as place (key_id, path)
      on place.key_id = signs.key_id and own.path[1:cardinality(place.path::int[])] = place.path::int[]
    where held.org_id = own.org_id and held.chain = ${chain}`
}

/**
 * What the addresses beneath some places have of an asset, the most first; `contract` is empty for the network's own coin. Keys that do not sign on the network
 * have no addresses there.
 */
export async function readHoldings(
  tx: OrganisationTx,
  { chain, contract, places, standingOrderId }: { chain: string; contract: string; places: readonly Place[]; standingOrderId: string },
): Promise<Holding[]> {
  const signing = await keysOn(tx, chain, places)
  if (signing.length === 0) return []
  const { rows } = await sql<Omit<Holding, 'isBusy'> & { is_busy: boolean }>`
    select distinct on (held.available, held.address) held.address, held.sub_wallet_id as "subWalletId", held.available,
        coalesce((select coin.available from address_balance coin
          where coin.org_id = held.org_id and coin.chain = held.chain and coin.address = held.address and coin.contract = ''), 0) as coins,
        exists (select from transfer_order moving where moving.org_id = held.org_id and moving.standing_order_id = ${standingOrderId}::uuid
          and not moving.is_final and moving.chain = held.chain and moving.address_from = held.address and moving.contract = held.contract) as is_busy
      from address_balance held ${beneath(chain, signing)} and held.org_id = ${tx.orgId} and held.contract = ${contract} and held.available > 0
      order by held.available desc, held.address limit ${HOLDINGS_MAX}`.execute(tx)
  return rows.map(({ is_busy: isBusy, ...row }) => ({ ...row, available: BigInt(row.available), coins: BigInt(row.coins), isBusy }))
}

/** Those of the places whose key signs on a network. */
async function keysOn(tx: OrganisationTx, chain: string, places: readonly Place[]): Promise<Place[]> {
  const rows = await tx
    .selectFrom('key_of_wallet')
    .select(['key_id', 'protocol'])
    .where('org_id', '=', tx.orgId)
    .where(
      'key_id',
      'in',
      places.map(({ keyId }) => keyId),
    )
    .where('retired_at', 'is', null)
    .execute()
  const signing = rows.filter(({ protocol }) => protocolFor(chain, [protocol]) === protocol).map(({ key_id: keyId }) => toHex(keyId))
  return places.filter(({ keyId }) => signing.includes(toHex(keyId)))
}

/** The address that a place leads to on a network; undefined if this server knows none there. */
export async function addressAtPlace(tx: OrganisationTx, chain: string, { keyId, path }: Pick<Place, 'keyId' | 'path'>): Promise<string | undefined> {
  const { rows } = await sql<{ address: string }>`
    select address.address from address
      join sub_wallet on sub_wallet.org_id = address.org_id and sub_wallet.id = address.sub_wallet_id
      join key_of_wallet signs on signs.org_id = address.org_id and signs.wallet_id = sub_wallet.wallet_id and signs.key_id = ${keyId}
      where address.org_id = ${tx.orgId} and address.chain = ${chain} and address.path = ${`{${path.join(',')}}`}::int[]`.execute(tx)
  return rows[0]?.address
}
