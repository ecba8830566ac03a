import { decode, EncodingError, equalBytes, type Infer, list, struct } from '@holdfast/encoding'
import { approvalShape, policyChangeIntentShape } from '@holdfast/intent'
import { countApprovals } from './count-approvals.ts'
import { lastingNetworks } from './one-network.ts'
import { checkPolicy, type Policy, policyHash, PolicyRefused, policyShape } from './policy.ts'

/** A policy change with the signatures that make it valid. */
export const policyChangeRecordShape = struct('holdfast/policy-change-record/v1', {
  intent: policyChangeIntentShape,
  /** By the people who govern the version in force. */
  approvals: list(approvalShape, 256),
  /** By the people who govern the new version, with the keys it names: needed where they are others than before. */
  newApprovals: list(approvalShape, 256),
})
export type PolicyChangeRecord = Infer<typeof policyChangeRecordShape>

/**
 * Checks that the record leads from `current` to its next version, and returns that version: version = current + 1,
 * hash chained, signed by the quorum of `current`; where the people who govern change, by the new quorum as well
 * (each with keys of its own version). Throws PolicyRefused or ApprovalRefused. Source of the rule: TUF root rotation.
 */
export function checkPolicyChange(record: PolicyChangeRecord, current: Policy, genesis: Uint8Array): Policy {
  const intent = { kind: 'policyChange' as const, ...record.intent }
  if (!equalBytes(intent.genesis, genesis)) throw new PolicyRefused('made for another organisation')
  if (intent.policyVersion !== current.version || !equalBytes(intent.policyHash, policyHash(current)))
    throw new PolicyRefused('does not follow the version in force')
  const next = decodePolicy(intent.newPolicy)
  if (next.version !== current.version + 1n) throw new PolicyRefused(`has version ${next.version} where ${current.version + 1n} comes next`)
  if (!equalBytes(next.previous, policyHash(current))) throw new PolicyRefused('names another version as the one before')
  if (!equalBytes(next.genesis, genesis)) throw new PolicyRefused('names another organisation')
  checkPolicy(next)
  const gone = lastingNetworks(current.assets.map(({ chain }) => chain)).find((chain) => !next.assets.some((asset) => asset.chain === chain))
  if (gone) throw new PolicyRefused(`no longer pins an asset of ${gone}: its keys may have signed there, so they must never serve another network of its kind`)
  const { approvers, threshold } = current.governance
  const tally = countApprovals({ policy: current, intent, approvals: record.approvals, eligible: approvers, threshold: Number(threshold) })
  if (!tally.met) throw new PolicyRefused(`lacks ${tally.missing} approval(s) of the version in force`)
  if (!samePeople(approvers, next.governance.approvers)) {
    const governors = { eligible: next.governance.approvers, threshold: Number(next.governance.threshold) }
    const newTally = countApprovals({ policy: current, directory: next, intent, approvals: record.newApprovals, ...governors })
    if (!newTally.met) throw new PolicyRefused(`lacks ${newTally.missing} approval(s) of the people who are to govern it`)
  }
  return next
}

function samePeople(a: Uint8Array[], b: Uint8Array[]): boolean {
  return a.length === b.length && a.every((id) => b.some((other) => equalBytes(id, other)))
}

function decodePolicy(bytes: Uint8Array): Policy {
  try {
    return decode(policyShape, bytes)
  } catch (cause) {
    if (cause instanceof EncodingError) throw new PolicyRefused(`is not a policy document: ${cause.message}`, { cause })
    throw cause
  }
}
