import type { OrganisationTx } from '@holdfast/db'
import type { Order } from '../order/read-order.ts'

/**
 * Whether an approved payment of a token waits until its address was lent the energy that it uses: the organisation wants that of the address, and it is
 * neither there nor given up yet (features/tron-tools).
 */
export async function awaitsResources(tx: OrganisationTx, { row, payment }: Order): Promise<boolean> {
  if (payment.kind !== 'transfer' || payment.asset.contract === null) return false
  const wanted = await tx
    .selectFrom('tron_agent')
    .innerJoin('tron_account', (join) =>
      join.onRef('tron_account.org_id', '=', 'tron_agent.org_id').onRef('tron_account.chain', '=', 'tron_agent.chain').on('tron_account.is_on', '=', true),
    )
    .leftJoin('tron_supply', (join) => join.onRef('tron_supply.org_id', '=', 'tron_agent.org_id').on('tron_supply.order_id', '=', row.id))
    .select('tron_supply.state')
    .where('tron_agent.org_id', '=', tx.orgId)
    .where('tron_agent.chain', '=', row.chain)
    .where('tron_agent.is_on', '=', true)
    .where('tron_account.address', '=', row.address_from)
    .executeTakeFirst()
  return wanted !== undefined && wanted.state !== 'ready' && wanted.state !== 'burning'
}
