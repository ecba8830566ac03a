import type { Action, ChainCodec } from '@holdfast/chain-core'
import { faultOfOwnPath } from '@holdfast/chain-core'
import { decode, equalBytes } from '@holdfast/encoding'
import {
  approvalShape,
  type Intent,
  intentHash,
  intentShape,
  originalOf,
  type SpendingIntent,
  standingOrderFault,
  type StandingOrderIntent,
} from '@holdfast/intent'
import { derivePublicKey } from '@holdfast/mpc'
import {
  carriedIn,
  countApprovals,
  decidersOf,
  faultUnderStanding,
  type Founding,
  oneStep,
  type OwnPlace,
  type Policy,
  policyHash,
  stoppersOf,
  type Tally,
} from '@holdfast/policy'
import type { Evidence } from './evidence.ts'
import type { KeyStatement } from './statements.ts'

/** The standing order of a bundle, as people approved it. */
export type ProvenStanding = { order: StandingOrderIntent; hash: Uint8Array; tally: Tally; threshold: bigint; policy: Policy; place: OwnPlace | undefined }

/**
 * The standing order that a bundle says covers its transfer: it makes sense, and the quorum of its part approved it under the version of the policy that it
 * names, which is one of those that lead to the transfer's. Undefined in bundles of transfers that people approved. Throws Error.
 */
export function readStandingOrder(evidence: Evidence, { founding, policies }: { founding: Founding; policies: readonly Policy[] }): ProvenStanding | undefined {
  if (evidence.kind !== 'standing') return undefined
  if (evidence.approvals.length > 0) throw new Error('a transfer under a standing order has no approvals of its own')
  const { standing } = evidence
  const order: Intent = decode(intentShape, standing.intent)
  if (order.kind !== 'standingOrder' || !equalBytes(order.genesis, founding.fingerprint)) throw new Error('not a standing order of this organisation')
  const fault = standingOrderFault(order)
  if (fault !== undefined) throw new Error(fault)
  const policy = policies.find(({ version }) => version === order.policyVersion)
  if (!policy || !equalBytes(policyHash(policy), order.policyHash)) throw new Error('the standing order names another policy')
  const { approvers, threshold } = decidersOf(policy, order)
  const approvals = standing.approvals.map((each) => decode(approvalShape, each))
  const tally = countApprovals({ policy, intent: order, approvals, steps: oneStep(approvers, threshold), mayStop: stoppersOf(policy, order) })
  if (!tally.met) throw new Error(`${tally.missing} approval(s) missing of the standing order, ${tally.rejectedBy.length} rejection(s)`)
  return { order, hash: intentHash(order), tally, threshold, policy, place: standing.place ?? undefined }
}

/**
 * Checks that a standing order covers a transfer, at the times at which signers say that they signed it. `keys` are the keys that the bundle proves. How much of
 * the limits was used, what the whitelist said, and whose accounts the authorizations are that the bytes carry (`actions`), only the signers know; the address is
 * the one that people read in the standing order. Throws Error.
 */
export function checkCovered(
  { order, place }: ProvenStanding,
  intent: SpendingIntent,
  { keys, codec, actions, signedAtMs }: { keys: readonly KeyStatement[]; codec: ChainCodec; actions: readonly Action[]; signedAtMs: readonly bigint[] },
): void {
  const addressAt = ({ keyId, path }: OwnPlace): string | undefined => {
    const key = keys.find((each) => equalBytes(each.keyId, keyId))
    if (!key || faultOfOwnPath([...path]) !== undefined) return undefined
    return codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, path.map(Number)))
  }
  if (place && addressAt(place) !== originalOf(intent).to) throw new Error('the place that is shown is not that of the paid address')
  // Signatures that were made in time are given again at any time, so that only those before the time say something.
  // Whose accounts they are, only the signers know: each of them signed for itself, under a standing order of its own.
  const carried = carriedIn(actions, () => true)
  const fault = faultUnderStanding(order, intent, { paidPlace: place, addressAt, listing: { isListed: true }, carried }, null)
  if (fault !== undefined) throw new Error(fault)
  if (signedAtMs.some((atMs) => atMs < order.notBeforeMs)) throw new Error('signed before the standing order was in force')
  if (signedAtMs.some((atMs) => atMs < originalOf(intent).notBeforeMs)) throw new Error('signed before the transfer was due')
}
