import { decode, encode } from '@holdfast/encoding'
import { type PolicyChangeIntent, approvalShape } from '@holdfast/intent'
import { type GenesisRecord, genesisRecordShape, type Policy, policyChangeRecordShape, policyHash, policyShape, withSigners } from '@holdfast/policy'
import { ed25519 } from '@noble/curves/ed25519.js'
import { makeApproval } from './make-evidence.ts'
import { type Organisation, seed } from './test-organisation.ts'

/** For tests: the organisation after its signer 3 was replaced by the quorum, and the signed change that says so. */
export function replaceSigner(organisation: Organisation, name = 'South'): { organisation: Organisation; change: Uint8Array } {
  const { genesis, policy, fingerprint, people } = organisation
  const secret = seed(`${name}/signer`)
  const signers = genesis.signers.with(2, { party: 3n, name, operator: `${name} Ltd`, signKey: ed25519.getPublicKey(secret) })
  const next: Policy = { ...withSigners(policy, signers), genesis: fingerprint, version: policy.version + 1n, previous: policyHash(policy) }
  const intent: PolicyChangeIntent = {
    kind: 'policyChange',
    genesis: fingerprint,
    orderId: seed('replace').slice(0, 16),
    newPolicy: encode(policyShape, next),
    notBeforeMs: 2_000n,
    expiresAtMs: 8_000_000n,
    policyVersion: policy.version,
    policyHash: policyHash(policy),
    initiator: people[0]!.id,
    nonce: seed('replace nonce'),
  }
  const { kind: _, ...body } = intent
  const approvals = [1, 2].map((i) => decode(approvalShape, makeApproval(organisation, intent, i)))
  const record = { intent: body, approvals, newApprovals: [] }
  const { acceptances } = decode(genesisRecordShape, organisation.genesisRecord)
  const followed: GenesisRecord = { kind: 'followed', genesis, acceptances, policyChanges: [record] }
  return {
    change: encode(policyChangeRecordShape, record),
    organisation: {
      ...organisation,
      // What makes kits and statements for tests looks up its signers here; the fingerprint stays that of the founding.
      genesis: { ...genesis, signers },
      policy: next,
      signerSecrets: organisation.signerSecrets.with(2, secret),
      genesisRecord: encode(genesisRecordShape, followed),
    },
  }
}
