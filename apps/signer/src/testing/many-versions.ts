import { decode, encode } from '@holdfast/encoding'
import { genesisRecordShape, type Policy, policyChangeRecordShape, signersOf } from '@holdfast/policy'
import { DAY_MS, type TestOrganisation } from './organisation-of.ts'
import { policyChangeOf } from './policy-change-of.ts'
import { ann, ben, cleo } from './world-of.ts'

/** A recipient as long as one may be: versions get large by it, and take no longer to check. */
const LONG = 'age1'.padEnd(4_000, 'q')

/**
 * What a newcomer pins after many versions of the policy, of which the last puts it in the place of signer 3: each version is valid for a day longer, and has
 * as many bytes as one of an organisation with dozens of people.
 */
export function recordOfMany(organisation: TestOrganisation, count: number, signKey: Uint8Array): { record: Uint8Array; policy: Policy } {
  const { genesis, acceptances } = decode(genesisRecordShape, organisation.record)
  const recovery = organisation.policy.recovery.map(({ party }) => ({ kind: 'single' as const, party, recipients: [LONG] }))
  const signers = signersOf(genesis, genesis.policy).map((each) => (each.party === 3n ? { ...each, name: 'new signer 3', signKey } : each))
  const changes = []
  let policy = organisation.policy
  for (let i = 1; i <= count; i++) {
    const later = { recovery, expiresAtMs: policy.expiresAtMs + BigInt(DAY_MS) }
    const said = i < count ? later : { ...later, kind: 'namedSigners' as const, signers }
    const { record, next } = policyChangeOf(organisation, policy, said, [ben, cleo], { initiator: ann })
    changes.push(decode(policyChangeRecordShape, record))
    policy = next
  }
  return { record: encode(genesisRecordShape, { kind: 'followed', genesis, acceptances, policyChanges: changes }), policy }
}
