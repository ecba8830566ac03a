import { decode, EncodingFault, equalBytes, toHex } from '@holdfast/encoding'
import { intentHash, type PolicyChangeIntent } from '@holdfast/intent'
import {
  ApprovalRefused,
  checkPolicyChange,
  type Policy,
  policyChangeRecordShape,
  policyHash,
  PolicyRefused,
  policyShape,
  quorumsOfChange,
  replacedSigners,
  signersOf,
  waitOfChange,
} from '@holdfast/policy'
import type { Signed } from '@holdfast/protocol'
import { checkEndorsements } from '../state/endorsements.ts'
import type { Organisation } from '../state/organisation.ts'
import { checkPeers } from './pin-genesis.ts'
import { Refused } from '../checks/refused.ts'
import type { Signer } from '../signer.ts'

/** A change of the policy that this signer would follow, or follows: then `next` is null. `replaced` are the signers in whose place it puts others. */
export type PolicyChange = { intent: PolicyChangeIntent; next: Policy | null; replaced: bigint[] }

/**
 * Accepts the next version of the policy: signed by those who decide such a change, open by our own clock, and with the word of the other signers. Where it
 * loosens the present one, not before its time; but where both others say that they would follow it, each has waited itself, and one that was away does not
 * wait anew.
 */
export async function applyPolicy(signer: Signer, organisation: Organisation, record: Uint8Array, endorsements: readonly Signed[]): Promise<bigint> {
  const { intent, next, replaced } = verifyPolicyChange(signer, organisation, record)
  const { policy } = organisation
  if (!next && intent.policyVersion + 1n === policy.version) return policy.version
  if (!next) throw new Refused('c3', 'the policy change: does not follow the version in force')
  const saying = checkEndorsements(organisation, intent, endorsements, { nowMs: signer.options.ports.clock.nowMs(), without: replaced })
  // Nothing comes between the check and what is written where nothing waits: a replaced signer is a stranger from then on.
  if (saying < OTHERS && waitOfChange(policy, next) > 0n) checkWaited(signer, await hearPolicyChange(signer, organisation, { intent, next }))
  const written = organisation.journal.write([{ kind: 'policyAccepted', record }])
  // From here on a replaced signer is a stranger, also where a session with it is under way.
  if (replaced.length > 0) await signer.sessions.endAll('a signer was replaced', organisation)
  await written
  return next.version
}

/** The signers beside this one. */
const OTHERS = 2

/**
 * Notes that a change which loosens the policy was brought here, and answers from when on this signer follows it, by its own clock; null for one that need not
 * wait.
 * The time is counted from the first time that it is heard of, whatever approvals come along then, and from no earlier one than the journal has seen.
 */
export async function hearPolicyChange(
  signer: Signer,
  organisation: Organisation,
  { intent, next }: Pick<PolicyChange, 'intent' | 'next'>,
): Promise<number | null> {
  const { register, journal, policy } = organisation
  const wait = next ? waitOfChange(policy, next) : 0n
  if (wait === 0n) return null
  const change = intentHash(intent)
  const known = register.loosenings.get(toHex(change))
  if (known !== undefined) return known
  const untilMs = Math.max(Math.floor(signer.options.ports.clock.nowMs()), register.latestMs) + Number(wait)
  await journal.write([{ kind: 'looseningHeard', change, untilMs: BigInt(untilMs) }])
  return untilMs
}

/** c6: a change that loosens the policy is followed once its time has come. Throws Refused. */
export function checkWaited(signer: Signer, untilMs: number | null): void {
  if (untilMs === null || signer.options.ports.clock.nowMs() >= untilMs) return
  throw new Refused('c6', `the policy change: loosens the policy, and waits here until ${new Date(untilMs).toISOString()}`)
}

/** Whether this signer follows a change of the policy, or would now. Throws Refused. Changes nothing. */
export function verifyPolicyChange(signer: Signer, organisation: Organisation, record: Uint8Array): PolicyChange {
  const { policy, fingerprint, genesis, signers: before } = organisation
  try {
    const change = decode(policyChangeRecordShape, record)
    const intent = { kind: 'policyChange' as const, ...change.intent }
    const { notBeforeMs, expiresAtMs, newPolicy, policyVersion } = intent
    if (policyVersion < policy.version && organisation.acceptedPolicy(policyHash(decode(policyShape, newPolicy)))) return { intent, next: null, replaced: [] }
    const next = checkPolicyChange(change, policy, { genesis, fingerprint })
    const nowMs = BigInt(signer.options.ports.clock.nowMs())
    if (nowMs < notBeforeMs || nowMs > expiresAtMs) throw new PolicyRefused('its order is not open at this time')
    checkNoVeto(organisation, intent, next)
    const after = signersOf(genesis, next)
    const replaced = replacedSigners(before, after)
    if (replaced.length > 0) checkPeers(signer, after)
    return { intent, next, replaced: replaced.map(({ party }) => party) }
  } catch (cause) {
    const known = [EncodingFault, PolicyRefused, ApprovalRefused].some((kind) => cause instanceof kind)
    if (known) throw new Refused('c3', `the policy change: ${(cause as Error).message}`, { cause })
    throw cause
  }
}

/**
 * c6: one no of somebody who governs now, or is to govern, or who approves changes of a part that it touches, is enough, given at this signer's own page: a
 * server could leave it out.
 */
function checkNoVeto({ policy, register }: Organisation, intent: PolicyChangeIntent, next: Policy): void {
  const vetoes = register.vetoes.get(toHex(intentHash(intent))) ?? []
  const ofQuorums = quorumsOfChange(policy, next, intent.initiator).flatMap(({ mayStop }) => mayStop)
  const stopping = [...policy.governance.approvers, ...next.governance.approvers, ...ofQuorums].filter((id) => !equalBytes(id, intent.initiator))
  if (vetoes.some((person) => stopping.some((id) => equalBytes(id, person)))) {
    throw new Refused('c6', "the policy change: rejected at a signer's approval page")
  }
}
