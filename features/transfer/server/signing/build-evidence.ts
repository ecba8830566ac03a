import { encode } from '@holdfast/encoding'
import type { Logged } from '@holdfast/features/evidence/server'
import { type Evidence, evidenceShape, refusalEvidenceShape, type Signed, type SignRequest } from '@holdfast/protocol'
import type { Order } from '../order/read-order.ts'

/** The standing order behind a transfer that nobody approved by itself. */
export type Covering = Extract<Evidence, { kind: 'standing' }>['standing']

type Parts = {
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
  /** Absent where people approved the order itself: the standing order, or the batch, that they approved instead. */
  covering: Covering | undefined
  batch: NonNullable<SignRequest['batch']> | undefined
}

const NOTHING = new Uint8Array(0)

/**
 * The bundle that lets anybody check a signature offline: the request, the approvers, what was signed, and that the log had it before. It is kept without the
 * founding document and the versions of the policy, which `wholeEvidence` adds where it is handed out.
 */
export function buildEvidence({ order, covering, batch, ...parts }: Parts): Uint8Array {
  const fields = { genesisRecord: NOTHING, policyChanges: [], intent: order.row.intent, ...parts }
  if (batch) return encode(evidenceShape, { kind: 'batch', ...fields, batch })
  return encode(evidenceShape, covering ? { kind: 'standing', ...fields, standing: covering } : { kind: 'witnessed', ...fields })
}

/** The bundle that lets anybody check a refusal: the signer's words, and the request they are about. `wholeRefusal` adds what says who the signers are. */
export function buildRefusalEvidence({ request, statement }: { request: Uint8Array; statement: Signed }): Uint8Array {
  return encode(refusalEvidenceShape, { genesisRecord: NOTHING, request, statement })
}
