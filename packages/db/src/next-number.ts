import { sql } from 'kysely'
import type { OrganisationTx } from './run-transaction.ts'

/**
 * The next number of an organisation's series: 1, 2, 3, without gaps. The series stays locked until the transaction ends,
 * so the order of the numbers is the order of the commits; take it late in a transaction. `count` takes that many at once
 * and returns the first.
 */
export async function nextNumber(tx: OrganisationTx, series: string, count = 1): Promise<bigint> {
  const { rows } = await sql<{ value: bigint }>`
    insert into counter (org_id, name, value) values (${tx.orgId}, ${series}, ${count})
    on conflict (org_id, name) do update set value = counter.value + excluded.value
    returning value`.execute(tx)
  return rows[0]!.value - BigInt(count) + 1n
}
