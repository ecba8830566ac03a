import { readComments } from '@holdfast/features/deposit-address/server'
import type { Arrival, Hold } from './hold.ts'

/** It came to an address that payers share, and carries none of the comments that tell them apart. */
export const comment: Hold = async (tx, { chain, codec }, arrivals) => {
  if (codec.memoMax === undefined || arrivals.length === 0) return () => null
  const paid = ({ orgId, address, transfer }: Arrival) => ({ orgId, address, memo: transfer.memo })
  const whyHeld = await readComments(tx, chain, arrivals.map(paid))
  return (arrival) => whyHeld(paid(arrival))
}
