import type { OrganisationTx } from '@holdfast/db'
import { boundParties } from './choose-parties.ts'
import { readAttempts } from './read-attempts.ts'
import type { Order } from '../order/read-order.ts'

/** For an order that died because its bytes ended by themselves, as the chain showed. No signer keeps a slot for it. */
export const BYTES_EXPIRED = 'bytes_expired'

/** Signers that may have bound this order's slot to an earlier order that died in it. */
export async function partiesBoundElsewhere(tx: OrganisationTx, { row }: Order): Promise<Set<number>> {
  const earlier = await tx
    .selectFrom('transfer_order')
    .select('id')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', row.chain)
    .where('address_from', '=', row.address_from)
    .where('slot', '=', row.slot)
    .where('id', '<>', row.id)
    .where((each) => each.or([each('state', '<>', 'dropped'), each('sub_status', 'is distinct from', BYTES_EXPIRED)]))
    .execute()
  const attempts: Awaited<ReturnType<typeof readAttempts>> = []
  for (const { id } of earlier) attempts.push(...(await readAttempts(tx, id)))
  return boundParties(attempts)
}
