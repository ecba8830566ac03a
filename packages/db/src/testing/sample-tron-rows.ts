import type { OrganisationTx } from '../run-transaction.ts'

const NOW_MS = 1_750_000_000_000
type Ids = { orgId: string; personId: string; subWalletId: string; orderId: string }

/** An address that is watched on TRON, what was read of it, who is told, and what was lent to it. */
export async function insertTronRows(tx: OrganisationTx, ids: Ids) {
  const { orgId, personId, subWalletId, orderId } = ids
  const watched = { org_id: orgId, chain: 'tron:0xcd8690dc', address: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf' }
  const least = { energy_min: 65_000n, net_min: 345n, coin_min: 1n }
  await tx
    .insertInto('tron_target')
    .values({
      ...watched,
      id: orderId,
      sub_wallet_id: subWalletId,
      watched: true,
      ...least,
      receivers: [personId],
      low: ['energy'],
      low_since: NOW_MS,
      updated_at: NOW_MS,
    })
    .execute()
  await tx
    .insertInto('tron_sample')
    .values({ ...watched, slot: 7, at: NOW_MS, energy_limit: 9n, energy_used: 2n, net_limit: 600n, net_used: 0n, coin: 10n ** 30n })
    .execute()
  await tx.insertInto('tron_receiver').values({ org_id: orgId, person_id: personId, told: true, updated_at: NOW_MS }).execute()
  const agent = {
    sub_wallet_id: subWalletId as never,
    fallback: 'wait' as const,
    budget_day: 10n ** 30n,
    burn_max: 1n,
    payer_sub_wallet_id: null,
    updated_by: personId,
  }
  await tx
    .insertInto('tron_agent')
    .values({ org_id: orgId, chain: watched.chain, is_on: true, ...agent, updated_at: NOW_MS })
    .execute()
  await tx
    .insertInto('tron_account')
    .values({ ...watched, is_on: true, updated_at: NOW_MS })
    .execute()
  const supply = { order_id: orderId as never, state: 'ready' as const, reason: null, needed: 65_000n, lacked: 64_000n, price: 210n }
  const lent = { lender: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', stake: 10n ** 30n, lend_order_id: null, return_order_id: null }
  await tx
    .insertInto('tron_supply')
    .values({
      ...watched,
      id: orderId,
      ...supply,
      ...lent,
      rent_order_id: orderId as never,
      rental: 'abc',
      rented: 64_000n,
      rent: 10n ** 30n,
      used: 65_000n,
      covered: 64_000n,
      burned: 1n,
      created_at: NOW_MS,
      updated_at: NOW_MS,
    })
    .execute()
}
