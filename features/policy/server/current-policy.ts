import { type OrganisationTx, writtenOnce } from '@holdfast/db'
import { decode, encode, equalBytes, list, struct, toHex } from '@holdfast/encoding'
import {
  FIRST_VERSION,
  type Genesis,
  genesisRecordShape,
  namedIn,
  type Policy,
  policyChangeRecordShape,
  policyShape,
  type SignerIdentity,
  signersOf,
} from '@holdfast/policy'
import { type Signed, signedShape } from '@holdfast/protocol'
import { type OrganisationId, RecentMap } from '@holdfast/units'
import { sql } from 'kysely'

/** Organisations whose policy is remembered. */
const ORGANISATIONS_MAX = 200

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

/** What was read of organisations. Versions are only ever added, and nobody changes what was read. */
const inForce = new RecentMap<OrganisationId, PolicyInForce>(ORGANISATIONS_MAX)

/**
 * The policy in force of the transaction's organisation. The database is always asked which one that is, and hands the documents over only where it is another
 * one than was read before. Throws where the organisation has not been founded.
 */
export async function currentPolicy(tx: OrganisationTx): Promise<PolicyInForce> {
  const known = inForce.get(tx.orgId)
  const rows = await versionRows(tx, known)
  if (known && rows[0]?.version === null) return known
  const read = policyFrom(rows)
  inForce.set(tx.orgId, read)
  return read
}

/** The policy of one version, with the signers of its time: what an order of then was judged by. Other versions are not read for it. */
export async function policyAt(tx: OrganisationTx, version: bigint): Promise<Pick<PolicyInForce, 'policy' | 'genesis' | 'signers'>> {
  const [policy, { genesis }] = await Promise.all([policyOf(tx, version), currentPolicy(tx)])
  return { policy, genesis, signers: signersOf(genesis, policy) }
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

type VersionRow = {
  founded: Uint8Array | null
  fingerprint: Uint8Array
  version: bigint
  bytes: Uint8Array | null
  hash: Uint8Array
  change: Uint8Array | null
  endorsements: Uint8Array | null
}
/** The one row where what is known is in force. */
type Unchanged = { version: null }

/**
 * Every version of the policy, the first one first; one row without any where `known` is in force. The change that made a version holds it whole, so that only the
 * last is handed over besides, with the genesis document. One question.
 */
async function versionRows(tx: OrganisationTx, known?: Pick<PolicyInForce, 'hash' | 'fingerprint'>): Promise<(VersionRow | Unchanged)[]> {
  return askVersions(tx, { orgId: tx.orgId, hash: known?.hash ?? null, fingerprint: known?.fingerprint ?? null })
}

type Asked = { orgId: string; hash: Uint8Array | null; fingerprint: Uint8Array | null }

const askVersions = writtenOnce(
  (_, { orgId, hash, fingerprint }: Asked) => sql<VersionRow | Unchanged>`
    with last as (select version, hash from policy_version where org_id = ${orgId} order by version desc limit 1)
    select case when each.version = last.version then genesis.bytes end as founded, genesis.hash as fingerprint,
      each.version, case when each.version = last.version then each.bytes end as bytes, each.hash, each.change, each.endorsements
    from genesis cross join last
      left join policy_version each on each.org_id = genesis.org_id
        and (last.hash is distinct from ${hash}::bytea or genesis.hash is distinct from ${fingerprint}::bytea)
    where genesis.org_id = ${orgId} order by each.version`,
)

function policyFrom(rows: readonly (VersionRow | Unchanged)[]): PolicyInForce {
  const versions = rows.filter((each) => each.version !== null)
  const last = versions.at(-1)
  if (!last?.founded || !last.bytes) throw new Error('the organisation has no policy')
  const { genesis } = records.read({ bytes: last.founded, hash: last.fingerprint })
  const policy = policies.read({ bytes: last.bytes, hash: last.hash })
  return {
    policy,
    hash: new Uint8Array(last.hash),
    fingerprint: new Uint8Array(last.fingerprint),
    genesis,
    signers: signersOf(genesis, policy),
    genesisRecord: new Uint8Array(last.founded),
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

/** The documents that prove an organisation, up to a version of its policy. */
type Proof = Pick<PolicyInForce, 'policy' | 'genesisRecord' | 'policyChanges'>

/**
 * The document by which a stranger knows whose keys to believe: the genesis record, and once a signer was replaced every version since as well. It is what kits
 * and refusals hold.
 */
export function recordInForce({ policy, genesisRecord, policyChanges }: Proof): Uint8Array {
  if (!namedIn(policy)) return genesisRecord
  return recordToPin({ genesisRecord, policyChanges })
}

/**
 * The genesis record with every version since. It is what a signer pins that has not pinned the organisation yet: one by one it would take no version any more
 * whose order has expired.
 */
export function recordToPin({ genesisRecord, policyChanges }: Omit<Proof, 'policy'>): Uint8Array {
  if (policyChanges.length === 0) return genesisRecord
  const { genesis, acceptances } = decode(genesisRecordShape, genesisRecord)
  return encode(genesisRecordShape, {
    kind: 'followed',
    genesis,
    acceptances,
    policyChanges: policyChanges.map((each) => decode(policyChangeRecordShape, each)),
  })
}

/** The record as it was when a version was in force. */
export async function recordAt(tx: OrganisationTx, version: bigint): Promise<Uint8Array> {
  const [policy, { genesisRecord, policyChanges }] = await Promise.all([policyOf(tx, version), currentPolicy(tx)])
  return recordInForce({ policy, genesisRecord, policyChanges: policyChanges.slice(0, Number(version - FIRST_VERSION)) })
}
