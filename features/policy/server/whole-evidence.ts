import type { OrganisationTx } from '@holdfast/db'
import { decode, encode } from '@holdfast/encoding'
import { intentShape } from '@holdfast/intent'
import { FIRST_VERSION } from '@holdfast/policy'
import { evidenceShape, refusalEvidenceShape } from '@holdfast/protocol'
import { currentPolicy, recordAt } from './current-policy.ts'

// Evidence is kept without the versions of the policy, which are the same in every bundle and may be thousands: it gets them where it is handed out.

/** A bundle with the founding document, and every change of the policy up to the version of its order. Those of earlier releases have both already. */
export async function wholeEvidence(tx: OrganisationTx, kept: Uint8Array): Promise<Uint8Array> {
  const evidence = decode(evidenceShape, kept)
  if (evidence.genesisRecord.length > 0) return kept
  const { policyVersion } = decode(intentShape, evidence.intent)
  const { genesisRecord, policyChanges } = await currentPolicy(tx)
  // Those after the order's own prove nothing about it.
  return encode(evidenceShape, { ...evidence, genesisRecord, policyChanges: policyChanges.slice(0, Number(policyVersion - FIRST_VERSION)) })
}

/** The bundle of a refusal with the record of the version by which the signer was one. Those of earlier releases have theirs already. */
export async function wholeRefusal(tx: OrganisationTx, { bundle, policyVersion }: { bundle: string; policyVersion?: number }): Promise<Uint8Array> {
  const kept = new Uint8Array(Buffer.from(bundle, 'base64'))
  if (policyVersion === undefined) return kept
  return encode(refusalEvidenceShape, { ...decode(refusalEvidenceShape, kept), genesisRecord: await recordAt(tx, BigInt(policyVersion)) })
}
