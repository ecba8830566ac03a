import type { OrganisationTx } from '@holdfast/db'
import { decode, encode, equalBytes, list, struct, toHex } from '@holdfast/encoding'
import { type Genesis, genesisRecordShape, namedIn, type Policy, policyChangeRecordShape, policyShape, type SignerIdentity, signersOf } from '@holdfast/policy'
import { type Signed, signedShape } from '@holdfast/protocol'
import { RecentMap } from '@holdfast/units'

/** The policy of an organisation with everything that proves it. */
export type PolicyInForce = {
  policy: Policy
  hash: Uint8Array
  /** The organisation's fingerprint. */
  fingerprint: Uint8Array
  genesis: Genesis
  /** The genesis document as it was accepted. */
  genesisRecord: Uint8Array
  /** The three signers by this policy. */
  signers: SignerIdentity[]
  /** The signed changes that lead from version 1 to this one, in order. */
  policyChanges: Uint8Array[]
  /** The words of the signers that they would follow each of these, where they were kept. */
  endorsements: (Signed[] | null)[]
}

/** The words of signers that they would follow something, as the database keeps them. */
export const endorsementsShape = struct('holdfast/endorsements/v1', { words: list(signedShape, 3) })

/** The policy in force of the transaction's organisation. Throws where the organisation has not been founded. */
export async function currentPolicy(tx: OrganisationTx): Promise<PolicyInForce> {
  return readPolicy(tx, undefined)
}

/** The policy of one version: what an order of that time was judged by. */
export async function policyAt(tx: OrganisationTx, version: bigint): Promise<PolicyInForce> {
  return readPolicy(tx, version)
}

/** A version of an organisation's policy is never changed. */
const remembered = new RecentMap<string, Policy>(500)

/** The policy of one version, without what proves it. */
export async function policyOf(tx: OrganisationTx, version: bigint): Promise<Policy> {
  const key = `${tx.orgId} ${version}`
  const known = remembered.get(key)
  if (known) return known
  const row = await tx
    .selectFrom('policy_version')
    .select(['bytes', 'hash'])
    .where('org_id', '=', tx.orgId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  const policy = policies.read(row)
  remembered.set(key, policy)
  return policy
}

async function readPolicy(tx: OrganisationTx, version: bigint | undefined): Promise<PolicyInForce> {
  const foundedRow = tx.selectFrom('genesis').select(['bytes', 'hash']).where('org_id', '=', tx.orgId).executeTakeFirstOrThrow()
  const versionRows = tx
    .selectFrom('policy_version')
    .select(['version', 'bytes', 'hash', 'change', 'endorsements'])
    .where('org_id', '=', tx.orgId)
    .orderBy('version')
    .execute()
  const [founded, all] = await Promise.all([foundedRow, versionRows])
  const versions = version === undefined ? all : all.filter((each) => each.version <= version)
  const last = versions.at(-1)
  if (!last) throw new Error('the organisation has no policy')
  const genesisRecord = new Uint8Array(founded.bytes)
  const { genesis } = records.read(founded)
  const policy = policies.read(last)
  return {
    policy,
    hash: new Uint8Array(last.hash),
    fingerprint: new Uint8Array(founded.hash),
    genesis,
    signers: signersOf(genesis, policy),
    genesisRecord,
    policyChanges: versions.flatMap((each) => (each.change ? [new Uint8Array(each.change)] : [])),
    endorsements: versions.flatMap((each) => (each.change ? [wordsOf(each.endorsements)] : [])),
  }
}

/** Documents that were read, by their hash, with the bytes they were read from: every call goes by the same few. Nobody changes what was read. */
function documents<T>(decoded: (bytes: Uint8Array) => T) {
  const known = new RecentMap<string, { bytes: Uint8Array; document: T }>(DOCUMENTS_MAX)
  return {
    read: (row: { bytes: Uint8Array; hash: Uint8Array }): T => {
      const name = toHex(row.hash)
      const found = known.get(name)
      if (found && equalBytes(found.bytes, row.bytes)) return found.document
      const bytes = new Uint8Array(row.bytes)
      const document = decoded(bytes)
      known.set(name, { bytes, document })
      return document
    },
  }
}

const DOCUMENTS_MAX = 100
const records = documents((bytes) => decode(genesisRecordShape, bytes))
const policies = documents((bytes) => decode(policyShape, bytes))

const wordsOf = (kept: Uint8Array | null | undefined): Signed[] | null => (kept ? decode(endorsementsShape, new Uint8Array(kept)).words : null)

/**
 * The document by which a stranger knows whose keys to believe: the genesis record, and once a signer was replaced every version since as well. It is what a
 * signer pins that has not pinned the organisation yet.
 */
export function recordInForce({ policy, genesisRecord, policyChanges }: PolicyInForce): Uint8Array {
  if (!namedIn(policy)) return genesisRecord
  const { genesis, acceptances } = decode(genesisRecordShape, genesisRecord)
  return encode(genesisRecordShape, {
    kind: 'followed',
    genesis,
    acceptances,
    policyChanges: policyChanges.map((each) => decode(policyChangeRecordShape, each)),
  })
}
