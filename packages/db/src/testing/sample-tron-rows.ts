import type { OrganisationTx } from '../run-transaction.ts'

const NOW_MS = 1_750_000_000_000

/** An address that is watched on TRON, what was read of it, and who is told. */
export async function insertTronRows(tx: OrganisationTx, { orgId, personId, subWalletId }: { orgId: string; personId: string; subWalletId: string }) {
  const watched = { org_id: orgId, chain: 'tron:0xcd8690dc', address: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf' }
  const least = { energy_min: 65_000n, net_min: 345n, coin_min: 1n }
  await tx
    .insertInto('tron_target')
    .values({
      ...watched,
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
}
