import { decode, equalBytes, toHex } from '@holdfast/encoding'
import { type AddressBookIntent, approvalShape, type Intent, intentHash, type StandingOrderIntent } from '@holdfast/intent'
import { bookFault, bookStanding, countApprovals, decidersOf, listingCoolingMs, oneStep, policyHash, stoppersOf } from '@holdfast/policy'
import { Refused } from './refused.ts'
import { followsStandingOrder } from '../state/keep-standing-order.ts'
import { readOr } from './read-or.ts'
import { checkNotFrozen, checkOwnVetoes, type SignerView } from './verify.ts'
import { checkUndecided } from './voted.ts'

/*
 * Orders that change the whitelist form one sequence, which every signer follows whole. A signer that was not there, was put back or took the place of another
 * follows it later from where it is: then an order counts beyond its time and its version of the policy, by the word of a signer that followed it in time
 * (`checkEndorsements`).
 */

type View = Pick<SignerView, 'register' | 'nowMs'>

/** An order of which signers keep what it says for as long as nothing takes its place, so that one that was not there follows it later. */
export type KeptIntent = AddressBookIntent | StandingOrderIntent
export const isKept = (intent: Intent): intent is KeptIntent => intent.kind === 'addressBook' || intent.kind === 'standingOrder'

/** Whether an order is followed after its time, or after the policy under which it was approved. */
export function isLate(intent: Intent, { register, nowMs }: View): boolean {
  return isKept(intent) && (BigInt(nowMs) > intent.expiresAtMs || intent.policyVersion < register.policy.version)
}

/** Whether what an order says is kept here. */
const isFollowed = (intent: Intent, register: View['register']): boolean =>
  register.book.orders.has(toHex(intentHash(intent))) || followsStandingOrder(intent, register)

/** c4: of an order that is over only a signer that follows it gives its word, so that the others can count on it. Throws Refused. */
export function checkFollowedInTime(intent: Intent, view: View): void {
  if (isLate(intent, view) && !isFollowed(intent, view.register)) throw new Refused('c4', 'the order is over, and this signer does not follow it')
}

/** c4, c10 and c12: the order follows the version of the whitelist that is known here, or is part of it; and its entries fit into it. Throws Refused. */
export function checkBook(intent: AddressBookIntent, { register, nowMs, codecFor }: SignerView): void {
  const { book } = register
  const standing = bookStanding(book, intentHash(intent), intent)
  if (standing === 'followed') return
  if (standing === 'early')
    throw new Refused('c12', `this signer is at version ${book.version} of the whitelist: bring it the ones before version ${intent.version}`)
  if (standing === 'taken') throw new Refused('c10', `this signer is at version ${book.version} of the whitelist, which this order does not follow`)
  const fault = bookFault(book, intent) ?? faultOfAddresses(intent, codecFor)
  if (fault !== undefined) throw new Refused('c10', fault)
  // It was followed by another signer in its time, whatever is going on now; and what is taken off is taken off also while nothing is signed.
  if (isLate(intent, { register, nowMs }) || !intent.changes.some(({ kind }) => kind === 'add')) return
  checkNotFrozen(register)
  checkUndecided(register)
}

/**
 * How long an address that the order puts on waits here: as long as the version of the policy says under which people approved it, or as the one in force says,
 * whichever is longer. So nothing that is told late counts sooner than those who approved it were told.
 */
export function coolingHere({ policyVersion }: AddressBookIntent, { policy, formerPolicies }: View['register']): number {
  const approvedUnder = formerPolicies.filter(({ version }) => version === policyVersion)
  return Math.max(...[policy, ...approvedUnder].map(listingCoolingMs))
}

/** Addresses are compared as texts with those that transactions pay: each has to be in its chain's own spelling. */
function faultOfAddresses({ changes }: AddressBookIntent, codecFor: SignerView['codecFor']): string | undefined {
  for (const change of changes) {
    if (change.kind !== 'add') continue
    for (const chain of change.chains) {
      const codec = codecFor(chain)
      if (!codec) return `this signer cannot read addresses of ${chain}`
      if (codec.canonicalAddress(change.address) !== change.address) return `${change.address} is no address of ${chain} in the network's own spelling`
    }
  }
  return undefined
}

/**
 * c3, c5 and c6 of an order that is followed late: approved by those who decided under its own version of the policy, which was in force here. What their keys
 * have counted since says nothing of what they signed before.
 */
export function checkLateApprovals({ approvals: encoded }: { approvals: readonly Uint8Array[] }, intent: KeptIntent, { register }: View): void {
  const versions = [register.policy, ...register.formerPolicies]
  const policy = versions.find((each) => each.version === intent.policyVersion && equalBytes(policyHash(each), intent.policyHash))
  if (!policy) throw new Refused('c3', `made under a version ${intent.policyVersion} of the policy that was never in force here`)
  const { approvers, threshold } = decidersOf(policy, intent)
  const mayStop = stoppersOf(policy, intent)
  const approvals = encoded.map((each) => readOr('c5', 'an approval', () => decode(approvalShape, each)))
  const counted = { policy, intent, approvals, steps: oneStep(approvers, threshold), mayStop }
  const tally = readOr('c5', 'an approval', () => countApprovals(counted))
  const [rejecting] = tally.rejectedBy
  if (rejecting) throw new Refused('c6', `rejected by ${rejecting.name}`)
  if (!tally.met) throw new Refused('c5', `${tally.missing} approval(s) missing of the ${threshold} by those who govern the policy`)
  checkOwnVetoes(intent, mayStop, register)
}
