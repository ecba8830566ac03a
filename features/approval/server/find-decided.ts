import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { readKeyChangeByIntent } from '@holdfast/features/key-recovery/server'
import { readPolicyChangeByIntent, readSignerOrderByIntent } from '@holdfast/features/policy/server'
import { readOrderByIntent } from '@holdfast/features/transfer/server'
import { sql } from 'kysely'

type Needs = Pick<ServerContext, 'db'>

/** What is decided on the approval page, by the table that keeps it. */
const DECIDED = ['transfer_order', 'policy_change', 'key_change', 'signer_order'] as const
/** Where what is decided under a hash belongs. */
export type Place = { orgId: string; table: (typeof DECIDED)[number] }

/**
 * The organisation of whatever is decided under this hash, and what it is, in one question: the hash is the only name the approval page has for it. Throws
 * AppError `order_not_found`.
 */
export async function placeOf({ db }: Needs, hash: Uint8Array): Promise<Place> {
  const wanted = DECIDED.map((table) => sql`select org_id as "orgId", ${sql.lit(table)} as "table" from ${sql.table(table)} where intent_hash = ${hash}`)
  const { rows } = await db.asSystem((tx) => sql<Place>`${sql.join(wanted, sql` union all `)} limit 1`.execute(tx))
  if (!rows[0]) throw new AppError('order_not_found')
  return rows[0]
}

/** What is decided under this hash: a change of the policy, an order about a key, to the signers, or to pay. Throws AppError `order_not_found`. */
export async function readDecided(tx: OrganisationTx, hash: Uint8Array, table: Place['table']) {
  const found = await readFrom(tx, hash, table)
  if (!found) throw new AppError('order_not_found')
  return found
}

async function readFrom(tx: OrganisationTx, hash: Uint8Array, table: Place['table']) {
  if (table === 'transfer_order') {
    const order = await readOrderByIntent(tx, hash)
    return order && { kind: 'order' as const, intent: order.intent, row: order.row }
  }
  if (table === 'policy_change') {
    const change = await readPolicyChangeByIntent(tx, hash)
    return change && { kind: 'change' as const, intent: change.intent, row: change.row }
  }
  const other = table === 'key_change' ? await readKeyChangeByIntent(tx, hash) : await readSignerOrderByIntent(tx, hash)
  return other && { kind: 'other' as const, intent: other.intent, row: other.row }
}
