import { encode } from '@holdfast/encoding'
import { type PolicyChangeIntent } from '@holdfast/intent'
import { type Policy, policyChangeRecordShape, policyHash, policyShape } from '@holdfast/policy'
import { DAY_MS, NOW_MS, type TestOrganisation } from './organisation-of.ts'
import { approve, type Member } from './people.ts'

export type ChangeOptions = { newSigners?: Member[]; intent?: Partial<PolicyChangeIntent>; initiator: Member }
export type TestChange = { record: Uint8Array; intent: PolicyChangeIntent; next: Policy }

/** The version that follows `current`, signed by those given, with whatever a test twists. */
export function policyChangeOf(
  { fingerprint }: TestOrganisation,
  current: Policy,
  changes: Partial<Policy>,
  signers: Member[],
  { newSigners = [], intent: intentChanges = {}, initiator }: ChangeOptions,
): TestChange {
  const next = { ...current, genesis: fingerprint, version: current.version + 1n, previous: policyHash(current), ...changes } as Policy
  const intent: PolicyChangeIntent = {
    kind: 'policyChange',
    genesis: fingerprint,
    orderId: new Uint8Array(16),
    newPolicy: encode(policyShape, next),
    notBeforeMs: BigInt(NOW_MS - 1000),
    expiresAtMs: BigInt(NOW_MS + DAY_MS),
    policyVersion: current.version,
    policyHash: policyHash(current),
    initiator: initiator.person.id,
    nonce: new Uint8Array(32),
    ...intentChanges,
  }
  const { kind: _, ...body } = intent
  const record = encode(policyChangeRecordShape, {
    intent: body,
    approvals: signers.map((member) => approve(member, intent, current)),
    newApprovals: newSigners.map((member) => approve(member, intent, current)),
  })
  return { record, intent, next }
}
