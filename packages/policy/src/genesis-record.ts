import { type Infer, list, struct, union } from '@holdfast/encoding'
import { acceptanceShape } from '@holdfast/intent'
import { last } from '@holdfast/units'
import { checkGenesis, type Genesis, genesisShape } from './genesis.ts'
import { checkPolicyChange, policyChangeRecordShape } from './change/policy-change.ts'
import type { Policy } from './policy.ts'
import { type SignerIdentity, signersOf } from './signers.ts'

const foundingFields = { genesis: genesisShape, acceptances: list(acceptanceShape, 256) }

/**
 * The genesis document with the founding members' signatures (`founding`), and, where a signer was replaced since, with every change of the policy up to a
 * version that names the signers there are now (`followed`): what a signer pins, and what tells a stranger whose keys to believe.
 */
export const genesisRecordShape = union({
  founding: struct('holdfast/genesis-record/v1', foundingFields),
  followed: struct('holdfast/genesis-record/v2', { ...foundingFields, policyChanges: list(policyChangeRecordShape, 1024) }),
})
export type GenesisRecord = Infer<typeof genesisRecordShape>

/** An organisation as its documents prove it: `policies` are all versions from the first on, `signers` those of the last. */
export type ProvenOrganisation = { genesis: Genesis; fingerprint: Uint8Array; policies: Policy[]; policy: Policy; signers: SignerIdentity[] }

/** Checks a genesis record whole, and every version of the policy that it leads to. Throws GenesisRefused, PolicyRefused or ApprovalRefused. */
export function checkRecord(record: GenesisRecord): ProvenOrganisation {
  const fingerprint = checkGenesis(record)
  const { genesis } = record
  const policies = [genesis.policy]
  for (const change of record.kind === 'followed' ? record.policyChanges : []) {
    policies.push(checkPolicyChange(change, last(policies), { genesis, fingerprint }))
  }
  const policy = last(policies)
  return { genesis, fingerprint, policies, policy, signers: signersOf(genesis, policy) }
}
