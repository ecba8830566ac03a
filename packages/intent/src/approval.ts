import { bytes, digest, type Infer, struct, text, uint } from '@holdfast/encoding'
import { assertionShape } from './assertion.ts'

/** A person's word on one intent. What it binds is in `approvalChallenge`; it serves once, for that intent only. */
export const approvalShape = struct('holdfast/approval/v1', {
  genesis: bytes(32),
  intentHash: bytes(32),
  policyHash: bytes(32),
  person: bytes(16),
  decision: text(8),
  locale: text(8),
  renderHash: bytes(32),
  signedAtMs: uint(),
  assertion: assertionShape,
})

const { assertion: _, ...statement } = approvalShape.fields
const challengeShape = struct('holdfast/approve/v1', statement)

/** What every word of a person on an order binds. */
export const voteFields = statement

export type Decision = 'approve' | 'reject'
export type Approval = Infer<typeof approvalShape>

/** The 32-byte challenge an approver signs: it binds intent, policy, person, decision, and the very words shown. */
export function approvalChallenge(approval: Omit<Approval, 'assertion'>): Uint8Array {
  const { genesis, intentHash, policyHash, person, decision, locale, renderHash, signedAtMs } = approval
  return digest(challengeShape, { genesis, intentHash, policyHash, person, decision, locale, renderHash, signedAtMs })
}
