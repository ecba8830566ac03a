import type { OrganisationTx } from '@holdfast/db'
import { LedgerError } from './ledger-error.ts'
import { post, type Posted } from './post.ts'
import { readTransfer } from './read-transfer.ts'

/**
 * Reverses a credit or a settlement once, entry by entry: the chain no longer has what it stands for. The reversal
 * of a settlement is a new hold, to be settled or released. Throws InsufficientBalanceError if a credit has been spent since.
 */
export async function reverse(tx: OrganisationTx, order: { id: string; transferId: string; nowMs: number }): Promise<Posted> {
  const { id, transferId, nowMs } = order
  const { entries, address, ...reverses } = await readTransfer(tx, transferId)
  if (reverses.kind !== 'credit' && reverses.kind !== 'settle') throw new LedgerError(`a ${reverses.kind} cannot be reversed`)
  const negated = entries.map(({ account, amount }) => ({ account, amount: -amount }))
  return post(tx, { id, kind: 'reversal', reference: transferId, closes: transferId, reverses, nowMs, address, entries: negated })
}
