import type { SystemTx } from '@holdfast/db'
import type { Network } from '@holdfast/features/network/server'
import { readComments } from '@holdfast/features/deposit-address/server'
import type { Match } from './match-deposits.ts'

/** Why each payment is held, if it is: it came to an address that payers share, and carries none of the comments by which they are told apart. */
export async function holdUncommented(tx: SystemTx, { chain, codec }: Network, matches: readonly Match[]): Promise<Match[]> {
  if (codec.memoMax === undefined || matches.length === 0) return [...matches]
  const payments = matches.map(({ orgId, address, transfer }) => ({ orgId, address, memo: transfer.memo }))
  const whyHeld = await readComments(tx, chain, payments)
  return matches.map((match, i) => ({ ...match, heldFor: whyHeld(payments[i]!) }))
}
