import type { OrganisationTx, Schema } from '@holdfast/db'
import { decode, equalBytes } from '@holdfast/encoding'
import { governedTable, type Places } from '@holdfast/features/proposal/server'
import { intentHash, intentShape, isSignerOrder, type SignerOrderIntent } from '@holdfast/intent'
import type { Selectable } from 'kysely'

export type SignerOrderRow = Selectable<Schema['signer_order']>
/** An order to the signers themselves as it stands, decoded from the bytes that were hashed. `followed` are the signers that follow it. */
export type SignerOrder = { row: SignerOrderRow; intent: SignerOrderIntent; places: Places; followed: number[] }

/** What people find some of these orders under, and what of the pages is stale with them. */
const KINDS: Partial<Record<SignerOrderIntent['kind'], 'address_book' | 'standing_order'>> = { addressBook: 'address_book', standingOrder: 'standing_order' }
const TOPICS: Partial<Record<SignerOrderRow['kind'], 'book.changed' | 'standing.changed'>> = {
  address_book: 'book.changed',
  standing_order: 'standing.changed',
}

/** The life of orders to the signers: once one has its quorum, the signers are told. Rejected as long as none of them said that it would follow. */
export const signerOrders = governedTable<SignerOrder>({
  table: 'signer_order',
  events: { table: 'signer_order_event', key: 'order_id' },
  kindOf: ({ kind }) => KINDS[kind] ?? 'signer_order',
  noun: 'an order to the signers',
  afterQuorum: { approved: ['followed', 'rejected', 'refused', 'expired', 'superseded'] },
  right: 'policy.propose',
  subjectOf: signerOrderOf,
  announcements: ({ id, kind }) => [
    { topic: TOPICS[kind] ?? 'policy.changed', ids: { signer_order_id: id } },
    { topic: 'todo.changed', ids: { signer_order_id: id } },
  ],
})

/** The order whose intent has this hash. */
export async function readSignerOrderByIntent(tx: OrganisationTx, hash: Uint8Array): Promise<SignerOrder | undefined> {
  const row = await tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('intent_hash', '=', hash).executeTakeFirst()
  return row && signerOrderOf(row)
}

/** Whether an order of a kind waits for people or for signers. */
export async function hasOpenSignerOrder(tx: OrganisationTx, kind: SignerOrderRow['kind']): Promise<boolean> {
  const open = tx.selectFrom('signer_order').select('id').where('org_id', '=', tx.orgId).where('kind', '=', kind).where('is_final', '=', false)
  return (await open.executeTakeFirst()) !== undefined
}

export function signerOrderOf(row: SignerOrderRow): SignerOrder {
  const intent = decode(intentShape, new Uint8Array(row.intent))
  if (!isSignerOrder(intent) || !equalBytes(intentHash(intent), row.intent_hash))
    throw new Error(`signer order ${row.id} does not hold the intent it names: restore the database from a backup`)
  return { row, intent, places: row.places as Places, followed: row.followed as number[] }
}

/** Writes which signers follow an order. */
export async function writeSignerOrderFollowed(tx: OrganisationTx, { row }: SignerOrder, followed: readonly number[]): Promise<void> {
  await tx
    .updateTable('signer_order')
    .set({ followed: JSON.stringify(followed) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .execute()
}
