import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { organisationOfKeyChange, readKeyChangeByIntent } from '@holdfast/features/key-recovery/server'
import { organisationOfChange, organisationOfSignerOrder, readPolicyChangeByIntent, readSignerOrderByIntent } from '@holdfast/features/strategy/server'
import { readOrderByIntent } from '@holdfast/features/transfer/server'

type Needs = Pick<ServerContext, 'db'>

/** The organisation whose order to pay has this intent. The hash is the only name the approval page has for it. */
async function organisationOfOrder({ db }: Needs, intentHash: Uint8Array): Promise<string> {
  const row = await db.asSystem((tx) => tx.selectFrom('transfer_order').select('org_id').where('intent_hash', '=', intentHash).executeTakeFirst())
  if (!row) throw new AppError('order_not_found')
  return row.org_id
}

/** The organisation of whatever is decided under this hash. Throws AppError `order_not_found`. */
export async function organisationOf(needs: Needs, hash: Uint8Array): Promise<string> {
  const other = (await organisationOfChange(needs, hash)) ?? (await organisationOfKeyChange(needs, hash)) ?? (await organisationOfSignerOrder(needs, hash))
  return other ?? organisationOfOrder(needs, hash)
}

/** What is decided under this hash: a change of the policy, an order about a key, to the signers, or to pay. Throws AppError `order_not_found`. */
export async function readDecided(tx: OrganisationTx, hash: Uint8Array) {
  const change = await readPolicyChangeByIntent(tx, hash)
  if (change) return { kind: 'change' as const, intent: change.intent, row: change.row }
  const other = (await readKeyChangeByIntent(tx, hash)) ?? (await readSignerOrderByIntent(tx, hash))
  if (other) return { kind: 'other' as const, intent: other.intent, row: other.row }
  const order = await readOrderByIntent(tx, hash)
  if (!order) throw new AppError('order_not_found')
  return { kind: 'order' as const, intent: order.intent, row: order.row }
}
