import { bytes, type Infer, list, optional, struct, text, union } from '@holdfast/encoding'
import { loggedShape, signedShape } from './session.ts'

/**
 * Everything a stranger needs to check one signature offline: who founded the organisation, how its policy came to be,
 * what was asked, who approved it, what was signed, and that all of it stood in the log before.
 */
const evidenceFields = {
  genesisRecord: bytes(undefined, 1 << 21),
  policyChanges: list(bytes(undefined, 1 << 21), 1024),
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

/**
 * `words`: of the signers, on the sessions in which this was signed, as far as the server has them. `absence`: where one was away, the order that says so, its
 * approvals, and their entries under the same checkpoint. Bundles in the first form have neither.
 */
export const evidenceShape = union({
  witnessed: struct('holdfast/evidence/v2', {
    ...evidenceFields,
    words: list(signedShape, 3),
    absence: optional(
      struct('holdfast/evidence/absence/v1', {
        intent: bytes(undefined, 1 << 16),
        approvals: list(bytes(undefined, 1 << 16), 256),
        logged: list(loggedShape, 257),
      }),
    ),
  }),
  alone: struct('holdfast/evidence/v1', evidenceFields),
})
export type Evidence = Infer<typeof evidenceShape>

/** A refusal as evidence: the signer's signed statement, and the request it speaks of. */
export const refusalEvidenceShape = struct('holdfast/refusal-evidence/v1', {
  genesisRecord: bytes(undefined, 1 << 21),
  request: bytes(undefined, 1 << 21),
  statement: signedShape,
})
export type RefusalEvidence = Infer<typeof refusalEvidenceShape>
