import type { OrganisationTx } from '@holdfast/db'
import { decode } from '@holdfast/encoding'
import { type BatchIntent, type Intent, intentShape } from '@holdfast/intent'
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

/** A batch that people are asked about, with its order decoded and by which rule it is decided. */
export type AskedBatch = { intent: BatchIntent; row: { intent: Uint8Array; intent_hash: Uint8Array; policy_version: bigint; rule_id: string | null } }

/** A batch that waits for its approvals; undefined where there is none of this id, or it waits no more. */
export async function readAskedBatch(tx: OrganisationTx, id: string): Promise<AskedBatch | undefined> {
  const row = await tx
    .selectFrom('batch_transfer')
    .select(['intent', 'intent_hash', 'policy_version', 'rule_id'])
    .where('org_id', '=', tx.orgId)
    .where('id', '=', id)
    .where('state', '=', 'approving')
    .executeTakeFirst()
  if (!row) return undefined
  const bytes = new Uint8Array(known(row.intent ?? undefined, `the order of batch ${id}`))
  const intent: Intent = decode(intentShape, bytes)
  if (intent.kind !== 'batch') throw new Error(`batch ${id} does not hold an order of its kind: restore the database from a backup`)
  const of = { intent_hash: known(row.intent_hash ?? undefined, 'its hash'), policy_version: known(row.policy_version ?? undefined, 'its policy') }
  return { intent, row: { intent: bytes, rule_id: row.rule_id, ...of } }
}
