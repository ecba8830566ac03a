import { AppError } from '@holdfast/contract'
import type { Database, OrganisationTx } from '@holdfast/db'
import { openApiErrors } from '../errors.ts'
import { fromHex } from '@holdfast/encoding'
import type { Names } from '../open-contract.ts'

type Named = {
  sub_wallet_id?: unknown
  sub_wallet_ids?: unknown
  id?: unknown
  withdraw_id?: unknown
  trans_id?: unknown
  batch_id?: unknown
  order_hash?: unknown
}

/**
 * Throws AppError `key_not_for_wallet` unless everything that a call names is of sub-wallets that the key may name; null are all of them. What names none of
 * them by itself would tell of all, and is refused to a key that may name some.
 */
export async function demandScope(db: Database, orgId: string, wallets: readonly string[] | null, names: Names, input: unknown): Promise<void> {
  if (wallets === null || names === 'key') return
  const named = names === 'organisation' ? [] : await subWalletsOf(db, orgId, names, (input ?? {}) as Named)
  if (named.length === 0 || named.some((each) => !wallets.includes(each))) throw new AppError(openApiErrors.key_not_for_wallet)
}

async function subWalletsOf(
  db: Database,
  orgId: string,
  names: 'sub_wallets' | 'order' | 'batch' | 'order_hash',
  { sub_wallet_id: one, sub_wallet_ids: some, id, trans_id = id, withdraw_id: orderId = trans_id, batch_id: batchId = id, order_hash: hash }: Named,
): Promise<string[]> {
  if (names === 'order') return db.readOrganisation(orgId, (tx) => subWalletOfOrder(tx, String(orderId)))
  if (names === 'batch') return db.readOrganisation(orgId, (tx) => subWalletOfBatch(tx, String(batchId)))
  if (names === 'order_hash') return db.readOrganisation(orgId, (tx) => subWalletOfHash(tx, fromHex(String(hash))))
  return [...idsIn(one, (text) => [text]), ...idsIn(some, (text) => text.split(','))]
}

/** The ids that a field names, in a text or in the list that was read of it. Throws AppError `key_not_for_wallet` for anything else. */
function idsIn(given: unknown, read: (text: string) => string[]): string[] {
  if (given === undefined) return []
  if (typeof given === 'string') return read(given)
  if (Array.isArray(given) && given.every((each) => typeof each === 'string')) return given
  throw new AppError(openApiErrors.key_not_for_wallet)
}

async function subWalletOfOrder(tx: OrganisationTx, id: string): Promise<string[]> {
  const row = await tx.selectFrom('transfer_order').select('sub_wallet_id').where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirst()
  return row ? [row.sub_wallet_id] : []
}

async function subWalletOfBatch(tx: OrganisationTx, id: string): Promise<string[]> {
  const row = await tx.selectFrom('batch_transfer').select('sub_wallet_id').where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirst()
  return row ? [row.sub_wallet_id] : []
}

/** Of an order or a batch by its hash; of none where there is no such, so that a key that may name some hears nothing of it. */
async function subWalletOfHash(tx: OrganisationTx, hash: Uint8Array): Promise<string[]> {
  const order = tx.selectFrom('transfer_order').select('sub_wallet_id').where('org_id', '=', tx.orgId).where('intent_hash', '=', hash)
  const batch = tx.selectFrom('batch_transfer').select('sub_wallet_id').where('org_id', '=', tx.orgId).where('intent_hash', '=', hash)
  const row = (await order.executeTakeFirst()) ?? (await batch.executeTakeFirst())
  return row ? [row.sub_wallet_id] : []
}
