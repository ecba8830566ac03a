import { GENESIS_RECORD_BYTES_MAX, loosens, type Policy, POLICY_CHANGES_MAX } from '@holdfast/policy'
import type { PolicyInForce } from '../current-policy.ts'
import type { PolicyWords } from '../policy-words.ts'

/** Room for the approvals of one change, of more people than sign any. */
const APPROVALS_BYTES = 1 << 17
/** A version with its approvals is one entry of the log. */
const VERSION_BYTES_MAX = (1 << 20) - APPROVALS_BYTES

/** How much of a record may be full before only versions follow that loosen nothing. */
const FULL = 9 / 10

type Room = { changes: number; bytes: number }

/** The room that every version so far takes in the record of an organisation, and the next one with it. */
function roomWith({ genesisRecord, policyChanges }: PolicyInForce, newPolicy: Uint8Array): Room {
  const bytes = policyChanges.reduce((sum, each) => sum + each.length, genesisRecord.length)
  return { changes: policyChanges.length + 1, bytes: bytes + newPolicy.length + APPROVALS_BYTES }
}

/**
 * Why a version cannot follow for its size, or for that of all versions together; undefined if it can. The record of all of them is what a signer pins in
 * the place of another and what a recovery kit holds. What is left of it near its end is for versions that must always be possible: one that replaces a
 * signer, that is valid for another while, or that takes a right or a key away.
 */
export function faultOfSize(next: Policy, newPolicy: Uint8Array, inForce: PolicyInForce, words: PolicyWords): string | undefined {
  if (newPolicy.length > VERSION_BYTES_MAX) return words.tooLong
  const { changes, bytes } = roomWith(inForce, newPolicy)
  const isWithin = (share: number) => changes <= POLICY_CHANGES_MAX * share && bytes <= GENESIS_RECORD_BYTES_MAX * share
  if (isWithin(FULL)) return undefined
  if (!isWithin(1)) return words.noRoom(String(inForce.policy.version))
  return loosens(inForce.policy, next) ? words.littleRoom(String(inForce.policy.version)) : undefined
}
