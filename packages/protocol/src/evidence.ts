import { bytes, type Infer, list, optional, struct, text, uint, union } from '@holdfast/encoding'
import { BOOK_ORDER_BYTES_MAX } from '@holdfast/intent'
import { GENESIS_RECORD_BYTES_MAX, POLICY_CHANGE_BYTES_MAX, POLICY_CHANGES_MAX } from '@holdfast/policy'
import { batchOrderShape, loggedShape, signedShape } from './session.ts'

/**
 * Everything a stranger needs to check one signature offline: who founded the organisation, how its policy came to be,
 * what was asked, who approved it, what was signed, and that all of it stood in the log before.
 */
const evidenceFields = {
  genesisRecord: bytes(undefined, GENESIS_RECORD_BYTES_MAX),
  policyChanges: list(bytes(undefined, POLICY_CHANGE_BYTES_MAX), POLICY_CHANGES_MAX),
  intent: bytes(undefined, 1 << 16),
  approvals: list(bytes(undefined, 1 << 16), 256),
  /** The signed transaction as broadcast. */
  raw: bytes(undefined, 1 << 18),
  /** Key statements of all three signers. */
  keyStatements: list(signedShape, 3),
  /** Signature statements of the signers that took part. */
  signatureStatements: list(signedShape, 3),
  checkpoint: text(4096),
  logged: list(loggedShape, 257),
}

/** An order that stands behind a signature, with its approvals and their entries in the log, under the same checkpoint. */
const approvedOrder = {
  intent: bytes(undefined, BOOK_ORDER_BYTES_MAX),
  approvals: list(bytes(undefined, 1 << 16), 256),
  logged: list(loggedShape, 257),
}

/**
 * `words`: of the signers, on the sessions in which this was signed, as far as the server has them. `absence`: where one was away, the order that says so, its
 * approvals, and their entries under the same checkpoint. Bundles in the first form have neither.
 */
const witnessedFields = {
  ...evidenceFields,
  words: list(signedShape, 3),
  absence: optional(struct('holdfast/evidence/absence/v1', { ...approvedOrder, intent: bytes(undefined, 1 << 16) })),
}

/**
 * `batch`: the batch of which the transaction pays a line; the approvals are those of the batch. `standing`: the standing order that covers the transfer, which then has no approvals of its own. Where the paid address is one of the organisation, `place` says
 * where it is, and `keyStatements` are those of its key if it is another one than pays.
 */
export const evidenceShape = union({
  batch: struct('holdfast/evidence/v4', { ...witnessedFields, batch: batchOrderShape }),
  standing: struct('holdfast/evidence/v3', {
    ...witnessedFields,
    standing: struct('holdfast/evidence/standing-order/v1', {
      ...approvedOrder,
      place: optional(struct('holdfast/evidence/standing-order/place/v1', { keyId: bytes(32), path: list(uint(31), 8) })),
      keyStatements: list(signedShape, 3),
    }),
  }),
  witnessed: struct('holdfast/evidence/v2', witnessedFields),
  alone: struct('holdfast/evidence/v1', evidenceFields),
})
export type Evidence = Infer<typeof evidenceShape>

/** A refusal as evidence: the signer's signed statement, and the request it speaks of. */
export const refusalEvidenceShape = struct('holdfast/refusal-evidence/v1', {
  genesisRecord: bytes(undefined, GENESIS_RECORD_BYTES_MAX),
  request: bytes(undefined, 1 << 21),
  statement: signedShape,
})
export type RefusalEvidence = Infer<typeof refusalEvidenceShape>
