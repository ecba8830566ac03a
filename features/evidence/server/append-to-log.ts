import { askAlong, nextNumber, type OrganisationTx } from '@holdfast/db'
import { encode } from '@holdfast/encoding'
import { entryShape, leafHash } from '@holdfast/log'
import { factRow, factsOf } from './log-facts.ts'

export type LogEntryKind =
  | 'genesis'
  | 'policy'
  | 'key'
  | 'drill'
  | 'intent'
  | 'approval'
  | 'cancellation'
  | 'signature'
  | 'refusal'
  | 'slot-loss'
  | 'coin-lock'
  | 'deposit-claim'

/**
 * Appends to the organisation's log inside the caller's transaction: the entry exists exactly if what it tells of does.
 * Returns its sequence, which is its leaf index. Appending takes a row lock, so entries of one organisation are in the
 * order of their commits and have no gap.
 */
export async function appendToLog(tx: OrganisationTx, input: { genesis: Uint8Array; type: LogEntryKind; body: Uint8Array; atMs: number }): Promise<number> {
  const sequence = (await nextNumber(tx, 'log')) - 1n
  const bytes = encode(entryShape, { genesis: input.genesis, sequence, atMs: BigInt(input.atMs), type: input.type, body: input.body })
  askAlong(tx, tx.insertInto('log_entry').values({ org_id: tx.orgId, sequence, bytes, leaf_hash: leafHash(bytes) }))
  askAlong(tx, tx.insertInto('log_fact').values(factRow(tx.orgId, sequence, factsOf(input.type, input.body, input.atMs))))
  return Number(sequence)
}
