import { at } from '@holdfast/units'
import { type RawBuilder, sql } from 'kysely'
import type { OrganisationTx } from '../run-transaction.ts'

/**
 * The statement that takes the next `count` numbers of an organisation's series, as part of a longer one: `value` is the last of them. It locks the series
 * as `nextNumber` does.
 */
export const takeNumbers = ({ orgId }: { orgId: string }, series: string, count: number): RawBuilder<{ value: bigint }> => sql<{ value: bigint }>`
    insert into counter (org_id, name, value) values (${orgId}::uuid, ${series}::text, ${count}::int8)
    on conflict (org_id, name) do update set value = counter.value + excluded.value
    returning value`

/**
 * The next number of an organisation's series: 1, 2, 3, without gaps. The series stays locked until the transaction ends,
 * so the order of the numbers is the order of the commits; take it late in a transaction.
 */
export async function nextNumber(tx: OrganisationTx, series: string): Promise<bigint> {
  const { rows } = await takeNumbers(tx, series, 1).execute(tx)
  return at(rows, 0).value
}
