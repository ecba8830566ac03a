import { type Infer, list, struct, union } from '@holdfast/encoding'
import { acceptanceShape } from '@holdfast/intent'
import { last } from '@holdfast/units'
import { checkGenesis, type Genesis, genesisHash, genesisShape } from './genesis.ts'
import { checkPolicyChange, policyChangeRecordShape } from './policy-change.ts'
import { type Policy, readPolicy } from './policy.ts'
import { type SignerIdentity, signersOf } from './signers.ts'

/**
 * How many changes of a policy a record holds, and how large it is with them: what an organisation makes in decades. Whatever hands a record on, or keeps
 * it, has room for that, so that a signer can be replaced and a recovery kit be read however many versions there are; and nobody proposes a version that
 * goes beyond.
 */
export const POLICY_CHANGES_MAX = 4096
export const GENESIS_RECORD_BYTES_MAX = 1 << 25

const foundingFields = { genesis: genesisShape, acceptances: list(acceptanceShape, 256) }

/**
 * The genesis document with the founding members' signatures (`founding`), and, where a signer was replaced since, with every change of the policy up to a
 * version that names the signers there are now (`followed`): what a signer pins, and what tells a stranger whose keys to believe.
 */
export const genesisRecordShape = union({
  founding: struct('holdfast/genesis-record/v1', foundingFields),
  followed: struct('holdfast/genesis-record/v2', { ...foundingFields, policyChanges: list(policyChangeRecordShape, POLICY_CHANGES_MAX) }),
})
export type GenesisRecord = Infer<typeof genesisRecordShape>

/** An organisation as its documents prove it: `policies` are all versions from the first on, `signers` those of the last. */
export type ProvenOrganisation = { genesis: Genesis; fingerprint: Uint8Array; policies: Policy[]; policy: Policy; signers: SignerIdentity[] }

/** An organisation as a record says it is, for whoever wrote the record or has checked it. Whether it says the truth, `checkRecord` finds. */
export function readRecord(record: GenesisRecord): Pick<ProvenOrganisation, 'genesis' | 'fingerprint' | 'policy' | 'signers'> {
  const { genesis } = record
  const latest = record.kind === 'followed' ? record.policyChanges.at(-1) : undefined
  const policy = latest ? readPolicy(latest.intent.newPolicy) : genesis.policy
  return { genesis, fingerprint: genesisHash(genesis), policy, signers: signersOf(genesis, policy) }
}

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
