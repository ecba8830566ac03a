import type { OrganisationTx } from '@holdfast/db'
import { sql } from 'kysely'
import { type Narrowing, narrowingShape } from './choose/narrowing.ts'

/** How a standing order is narrowed; undefined if it is followed as people approved it. */
export async function readNarrowing(tx: OrganisationTx, standingOrderId: string): Promise<Narrowing | undefined> {
  const row = await tx
    .selectFrom('standing_narrowing')
    .select('document')
    .where('org_id', '=', tx.orgId)
    .where('standing_order_id', '=', standingOrderId)
    .executeTakeFirst()
  return row && narrowingShape.parse(row.document)
}

/** Narrows a standing order, from the next look on. */
export async function writeNarrowing(tx: OrganisationTx, standingOrderId: string, narrowing: Narrowing, nowMs: number): Promise<void> {
  const document = JSON.stringify(narrowingShape.parse(narrowing))
  await tx
    .insertInto('standing_narrowing')
    .values({ org_id: tx.orgId, standing_order_id: standingOrderId, document, updated_at: nowMs })
    .onConflict((conflict) => conflict.columns(['org_id', 'standing_order_id']).doUpdateSet({ document, updated_at: nowMs }))
    .execute()
}

/** The addresses at which a credited deposit of at least so much arrived since they last paid under a standing order. `least` in base units. */
export async function addressesWithSingle(
  tx: OrganisationTx,
  { chain, contract, least, standingOrderId }: { chain: string; contract: string; least: bigint; standingOrderId: string },
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ address: string }>`
    select distinct d.address from deposit d
      where d.org_id = ${tx.orgId} and d.chain = ${chain} and d.contract = ${contract} and d.state = 'credited' and d.amount >= ${least}
        and not exists (select from transfer_order o where o.org_id = d.org_id and o.standing_order_id = ${standingOrderId}::uuid and o.chain = d.chain
          and o.contract = d.contract and o.address_from = d.address and o.state = 'completed' and o.created_at >= d.credited_at)`.execute(tx)
  return new Set(rows.map(({ address }) => address))
}
