import type { OrganisationTx } from '@holdfast/db'
import { LedgerError } from './ledger-error.ts'
import { post, type Posted } from './post.ts'
import { readTransfer } from './read-transfer.ts'

/**
 * Takes a credit or a settlement back, entry by entry, once: what happened on the chain has happened no more. The reversal
 * of a settlement is a hold anew, to be settled or released. Throws InsufficientBalanceError where a credit was spent since.
 */
export async function reverse(tx: OrganisationTx, order: { id: string; transferId: string; nowMs: number }): Promise<Posted> {
  const { id, transferId, nowMs } = order
  const { kind, entries } = await readTransfer(tx, transferId)
  if (kind !== 'credit' && kind !== 'settle') throw new LedgerError(`a ${kind} cannot be reversed`)
  const negated = entries.map(({ account, amount }) => ({ account, amount: -amount }))
  return post(tx, { id, kind: 'reversal', reference: transferId, closes: transferId, nowMs, entries: negated })
}
