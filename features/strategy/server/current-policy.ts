import type { OrganisationTx } from '@holdfast/db'
import { decode } from '@holdfast/encoding'
import { type Genesis, genesisRecordShape, type Policy, policyShape } from '@holdfast/policy'

/** The policy of an organisation with everything that proves it. */
export type PolicyInForce = {
  policy: Policy
  hash: Uint8Array
  /** The organisation's fingerprint. */
  fingerprint: Uint8Array
  genesis: Genesis
  genesisRecord: Uint8Array
  /** The signed changes that lead from version 1 to this one, in order. */
  policyChanges: Uint8Array[]
}

/** The policy in force of the transaction's organisation. Throws where the organisation has not been founded. */
export async function currentPolicy(tx: OrganisationTx): Promise<PolicyInForce> {
  return readPolicy(tx, undefined)
}

/** The policy of one version: what an order of that time was judged by. */
export async function policyAt(tx: OrganisationTx, version: bigint): Promise<PolicyInForce> {
  return readPolicy(tx, version)
}

async function readPolicy(tx: OrganisationTx, version: bigint | undefined): Promise<PolicyInForce> {
  const founded = await tx.selectFrom('genesis').select(['bytes', 'hash']).where('org_id', '=', tx.orgId).executeTakeFirstOrThrow()
  const all = await tx.selectFrom('policy_version').select(['version', 'bytes', 'hash', 'change']).where('org_id', '=', tx.orgId).orderBy('version').execute()
  const versions = version === undefined ? all : all.filter((each) => each.version <= version)
  const last = versions.at(-1)
  if (!last) throw new Error('the organisation has no policy')
  const genesisRecord = new Uint8Array(founded.bytes)
  return {
    policy: decode(policyShape, new Uint8Array(last.bytes)),
    hash: new Uint8Array(last.hash),
    fingerprint: new Uint8Array(founded.hash),
    genesis: decode(genesisRecordShape, genesisRecord).genesis,
    genesisRecord,
    policyChanges: versions.flatMap((each) => (each.change ? [new Uint8Array(each.change)] : [])),
  }
}
