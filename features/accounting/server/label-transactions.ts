import { AppError, type InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { sql } from 'kysely'
import { currentPolicy } from '@holdfast/features/policy/server'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import type { labelTransactions as endpoint } from '@holdfast/features/transaction/contract'
import type { ViewContext } from '@holdfast/features/transaction/server'

type Given = InputOf<typeof endpoint>

const TABLES = { deposit: 'deposit', withdraw: 'transfer_order', pull: 'token_pull' } as const

/**
 * Files transactions: what is given replaces what was, the rest stays. An order itself never changes by it. Throws
 * `order_not_found` where one of the ids names nothing of the organisation; then none is labelled.
 */
export async function labelTransactions(tx: OrganisationTx, given: Given, by: { personId: string; nowMs: number }): Promise<number> {
  const ids = [...new Set(given.ids.split(','))]
  const known = await tx.selectFrom(TABLES[given.type]).select('id').where('org_id', '=', tx.orgId).where('id', 'in', ids).execute()
  if (known.length < ids.length) throw new AppError(proposalErrors.order_not_found)
  const tags = given.tags && [...new Set(given.tags)]
  const category = given.category === '' ? null : given.category
  const author = { updated_by: by.personId, updated_at: by.nowMs }
  const changes = {
    ...author,
    ...(category === undefined ? {} : { category }),
    ...(tags === undefined ? {} : { tags }),
    ...(given.note === undefined ? {} : { note: given.note }),
    ...(given.suspicious === undefined ? {} : { suspicious: given.suspicious }),
  }
  await tx
    .insertInto('transaction_mark')
    .values(
      ids.map((id) => ({
        org_id: tx.orgId,
        kind: given.type,
        transaction_id: id,
        category: category ?? null,
        tags: tags ?? [],
        note: given.note ?? '',
        suspicious: given.suspicious ?? null,
        ...author,
      })),
    )
    .onConflict((conflict) => conflict.columns(['org_id', 'transaction_id']).doUpdateSet(changes))
    .execute()
  return ids.length
}

const MOST_OFFERED = 200

/** Every category and tag in use, and everybody who has asked for a payment. */
export async function listLabels({ tx, personName, nameMachines }: ViewContext) {
  const categoryRows = tx
    .selectFrom('transaction_mark')
    .select('category')
    .distinct()
    .where('org_id', '=', tx.orgId)
    .where('category', 'is not', null)
    .orderBy('category')
    .limit(MOST_OFFERED)
    .execute()
  const tagRows = sql<{ tag: string }>`select distinct unnest(tags) as tag from transaction_mark where org_id = ${tx.orgId}
    order by 1 limit ${MOST_OFFERED}`.execute(tx)
  // From one person to the next in the index, however many orders each asked for.
  const first = sql`select initiator from transfer_order where org_id = ${tx.orgId}`
  const peopleRows = sql<{ id: string }>`with recursive asked (id) as ((${first} order by initiator limit 1)
    union all select (${first} and initiator > asked.id order by initiator limit 1) from asked where asked.id is not null)
    select id from asked where id is not null`.execute(tx)
  const [categories, tags, people, { policy }] = await Promise.all([categoryRows, tagRows, peopleRows, currentPolicy(tx)])
  nameMachines(policy)
  return {
    categories: categories.flatMap((each) => each.category ?? []),
    tags: tags.rows.map((each) => each.tag),
    initiators: people.rows.map(({ id }) => ({ person_id: id, name: personName(id) })).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  }
}
