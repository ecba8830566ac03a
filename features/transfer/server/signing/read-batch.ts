import type { OrganisationTx } from '@holdfast/db'
import { known } from '@holdfast/units'
import type { OrderRow } from '../order/read-order.ts'

/** The batch of which an order pays lines, as people approved it, and where it and each approval of it stand in the log. */
export type ApprovedBatch = { intent: Uint8Array; hash: Uint8Array; place: number; words: Readonly<Record<string, number>> }

/** The batch behind an order; undefined where people approved the order itself. */
export async function readBatch(tx: OrganisationTx, { batch_id: id }: Pick<OrderRow, 'batch_id'>): Promise<ApprovedBatch | undefined> {
  if (id === null) return undefined
  const row = await tx
    .selectFrom('batch_transfer')
    .select(['intent', 'intent_hash', 'places'])
    .where('org_id', '=', tx.orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  const { intent, intent_hash: hash, places } = known(row, `batch ${id}`)
  const { intent: place, words } = known(places ?? undefined, `the places in the log of batch ${id}`) as { intent: number; words: Record<string, number> }
  return {
    intent: new Uint8Array(known(intent ?? undefined, `the order of batch ${id}`)),
    hash: new Uint8Array(known(hash ?? undefined, `its hash`)),
    place,
    words,
  }
}
