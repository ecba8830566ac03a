import { EncodingFault, equalBytes, type Infer, list, struct } from '@holdfast/encoding'
import { approvalShape, policyChangeIntentShape } from '@holdfast/intent'
import { countApprovals } from './count-approvals.ts'
import type { Genesis } from './genesis.ts'
import { lastingNetworks } from './one-network.ts'
import { faultOfOrigins } from './origins.ts'
import { checkPolicy } from './check-policy.ts'
import { hasThirdForm, type Policy, policyHash, PolicyRefused, readPolicy } from './policy.ts'
import { faultOfReplacement, namedIn, replacedSigners, signersOf } from './signers.ts'
import { quorumsOfChange } from './change/change-quorums.ts'
import { loosens } from './change/loosens.ts'

/** The most that one change has as a record: its version whole, and every approval. */
export const POLICY_CHANGE_BYTES_MAX = 1 << 21

/** A policy change with the signatures that make it valid. */
export const policyChangeRecordShape = struct('holdfast/policy-change-record/v1', {
  intent: policyChangeIntentShape,
  /** By the people who govern the version in force, or approve changes of the parts that it touches. */
  approvals: list(approvalShape, 256),
  /** By the people who govern the new version, with the keys it names: needed where they are others than before. */
  newApprovals: list(approvalShape, 256),
})
export type PolicyChangeRecord = Infer<typeof policyChangeRecordShape>

/** What every version of an organisation's policy follows from: its genesis document, and that document's hash. */
export type Founding = { genesis: Genesis; fingerprint: Uint8Array }

/**
 * Checks that the record leads from `current` to its next version, and returns that version: version = current + 1, hash chained, signed by the quorum of every part
 * that it touches (`quorumsOfChange`); where the people who govern change, by the new quorum as well (each with keys of its own version). One signer at most is
 * replaced. Throws PolicyRefused or ApprovalRefused. Source of the rule: TUF root rotation.
 */
export function checkPolicyChange(record: PolicyChangeRecord, current: Policy, { genesis, fingerprint }: Founding): Policy {
  const intent = { kind: 'policyChange' as const, ...record.intent }
  if (!equalBytes(intent.genesis, fingerprint)) throw new PolicyRefused('made for another organisation')
  if (intent.policyVersion !== current.version || !equalBytes(intent.policyHash, policyHash(current)))
    throw new PolicyRefused('does not follow the version in force')
  const next = decodePolicy(intent.newPolicy)
  checkNextPolicy(next, current, { genesis, fingerprint })
  // What a version lasts is measured from when it says it begins.
  if (hasThirdForm(current) && next.issuedAtMs > intent.notBeforeMs + BEGINS_WITHIN_MS) throw new PolicyRefused('begins later than the order that makes it')
  for (const { of, directory, steps, mayStop } of quorumsOfChange(current, next, intent.initiator)) {
    const approvals = of === 'next' ? record.newApprovals : record.approvals
    const tally = countApprovals({ policy: current, directory, intent, approvals, steps, mayStop })
    if (!tally.met) throw new PolicyRefused(`lacks ${tally.missing} approval(s) of ${WHOSE[of] ?? `those who approve changes of ${of}`}`)
  }
  return next
}

const WHOSE: Record<string, string> = { current: 'the version in force', next: 'the people who are to govern it' }

/** A version begins when it is proposed; the order may be open from a little earlier on, for clocks that are behind. */
const BEGINS_WITHIN_MS = 3_600_000n

/** How long each signer waits before it follows a version: as the present one says, where the next loosens it, and otherwise not at all. */
export const waitOfChange = (current: Policy, next: Policy): bigint =>
  hasThirdForm(current) && current.looseningDelayMs > 0n && loosens(current, next) ? current.looseningDelayMs : 0n

/** Checks what a version must be to follow `current`, whoever signs it. Throws PolicyRefused. */
export function checkNextPolicy(next: Policy, current: Policy, { genesis, fingerprint }: Founding): void {
  if (next.version !== current.version + 1n) throw new PolicyRefused(`has version ${next.version} where ${current.version + 1n} comes next`)
  if (!equalBytes(next.previous, policyHash(current))) throw new PolicyRefused('names another version as the one before')
  if (!equalBytes(next.genesis, fingerprint)) throw new PolicyRefused('names another organisation')
  checkPolicy(next)
  checkSigners(current, next, genesis)
  const fault = faultOfOrigins(next.origins, current.origins)
  if (fault) throw new PolicyRefused(fault)
  const gone = lastingNetworks(current.assets.map(({ chain }) => chain)).find((chain) => !next.assets.some((asset) => asset.chain === chain))
  if (gone) throw new PolicyRefused(`no longer pins an asset of ${gone}: its keys may have signed there, so they must never serve another network of its kind`)
}

/** A replaced signer never comes back by a version that names none. */
function checkSigners(current: Policy, next: Policy, genesis: Genesis): void {
  const [before, after] = [signersOf(genesis, current), signersOf(genesis, next)]
  if (namedIn(current) && !namedIn(next)) throw new PolicyRefused('no longer names the signers, one of which was replaced')
  if (!namedIn(current) && namedIn(next) && replacedSigners(before, after).length === 0) throw new PolicyRefused('names the signers, none of which is replaced')
  const fault = faultOfReplacement(before, after)
  if (fault) throw new PolicyRefused(fault)
}

function decodePolicy(bytes: Uint8Array): Policy {
  try {
    return readPolicy(bytes)
  } catch (cause) {
    if (cause instanceof EncodingFault) throw new PolicyRefused(`is not a policy document: ${cause.message}`, { cause })
    throw cause
  }
}
