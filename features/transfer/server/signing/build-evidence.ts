import { encode } from '@holdfast/encoding'
import type { Logged } from '@holdfast/features/evidence/server'
import { type PolicyInForce, recordInForce } from '@holdfast/features/policy/server'
import { type Evidence, evidenceShape, refusalEvidenceShape, type Signed } from '@holdfast/protocol'
import type { Order } from '../order/read-order.ts'

type Parts = {
  inForce: PolicyInForce
  order: Order
  approvals: Uint8Array[]
  raw: Uint8Array
  keyStatements: Signed[]
  signatureStatements: Signed[]
  /** The statement in place of the signer that took no part. */
  words: Signed[]
  absence: Extract<Evidence, { kind: 'witnessed' }>['absence']
  checkpoint: string
  logged: Logged[]
}

/** The bundle that lets anybody check a signature offline: the request, the approvers, what was signed, and that the log had it before. */
export function buildEvidence({ inForce, order, approvals, raw, keyStatements, signatureStatements, words, absence, checkpoint, logged }: Parts): Uint8Array {
  const { genesisRecord } = inForce
  // Each change makes the next version, beginning with 2; those after the order's own prove nothing about it.
  const policyChanges = inForce.policyChanges.slice(0, Number(order.row.policy_version) - 1)
  return encode(evidenceShape, {
    kind: 'witnessed',
    genesisRecord,
    policyChanges,
    intent: order.row.intent,
    approvals,
    raw,
    keyStatements,
    signatureStatements,
    checkpoint,
    logged,
    words,
    absence,
  })
}

/** The bundle that lets anybody check a refusal: the signer's words, and the request they are about. */
export function buildRefusalEvidence({ inForce, request, statement }: { inForce: PolicyInForce; request: Uint8Array; statement: Signed }): Uint8Array {
  return encode(refusalEvidenceShape, { genesisRecord: recordInForce(inForce), request, statement })
}
