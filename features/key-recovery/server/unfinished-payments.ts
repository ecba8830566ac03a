import type { OrganisationTx } from '@holdfast/db'

/** How many orders to pay from a wallet have not ended yet. */
export async function unfinishedPayments(tx: OrganisationTx, walletId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('transfer_order')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('org_id', '=', tx.orgId)
    .where('wallet_id', '=', walletId)
    .where('is_final', '=', false)
    .executeTakeFirstOrThrow()
  return Number(count)
}
