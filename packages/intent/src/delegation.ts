import { bytes, digest, type Infer, struct, uint } from '@holdfast/encoding'
import { type Approval, approvalChallenge, approvalShape, voteFields } from './approval.ts'
import { assertionShape } from './assertion.ts'

/** A statement lasts so long at most. */
export const DELEGATION_MAX_MS = 30 * 86_400_000

/**
 * That one person lets another decide in her place for a while. `sequence`: a higher one of the same person ends every lower one. With `untilMs` 0 the statement
 * only ends those before it, and names nobody who counts.
 */
export const delegationStatementShape = struct('holdfast/delegation-statement/v1', {
  genesis: bytes(32),
  delegator: bytes(16),
  delegate: bytes(16),
  fromMs: uint(53),
  untilMs: uint(53),
  sequence: uint(53),
  nonce: bytes(32),
})

/** A statement as it travels, with the delegator's signature over its hash. */
export const delegationShape = struct('holdfast/delegation/v1', { statement: delegationStatementShape, assertion: assertionShape })

/** A delegate's word on one intent, for the person who signed the statement that it carries. `person` is the delegate, whose key makes `assertion`. */
export const delegatedApprovalShape = struct('holdfast/delegated-approval/v1', { ...approvalShape.fields, delegation: delegationShape })

const challengeShape = struct('holdfast/approve-for/v1', { ...voteFields, delegation: bytes(32) })

export type DelegationStatement = Infer<typeof delegationStatementShape>
export type Delegation = Infer<typeof delegationShape>
export type DelegatedApproval = Infer<typeof delegatedApprovalShape>

/** The 32 bytes by which a delegated word names a statement, and the challenge that the delegator signs. */
export function delegationHash(statement: DelegationStatement): Uint8Array {
  return digest(delegationStatementShape, statement)
}

/** Whether a statement only ends those before it. */
export const onlyEnds = ({ untilMs }: DelegationStatement): boolean => untilMs === 0n

/** The 32-byte challenge a delegate signs: what an approver does (`approvalChallenge`), and the statement by which the word counts. */
function delegatedChallenge(approval: Omit<DelegatedApproval, 'assertion'>): Uint8Array {
  const { genesis, intentHash, policyHash, person, decision, locale, renderHash, signedAtMs, delegation } = approval
  const hash = delegationHash(delegation.statement)
  return digest(challengeShape, { genesis, intentHash, policyHash, person, decision, locale, renderHash, signedAtMs, delegation: hash })
}

/** What one person said of one order: for herself, or for the one other who signed the statement that it carries. */
export type Vote = Approval | DelegatedApproval

/** The statement under which somebody speaks for another; undefined where they speak for themselves. */
export const delegationOf = (vote: Vote): Delegation | undefined => ('delegation' in vote ? vote.delegation : undefined)

/** What of these votes people said in the place of others. */
export const delegatedIn = (votes: readonly Vote[]): DelegatedApproval[] => votes.filter((vote): vote is DelegatedApproval => 'delegation' in vote)

/** Whose word counts by a vote: that of whoever signed it, or of whom they speak for. */
export const seatOf = (vote: Vote): Uint8Array => delegationOf(vote)?.statement.delegator ?? vote.person

/** The 32-byte challenge that whoever gives the vote signs. */
export const voteChallenge = (vote: Omit<Approval, 'assertion'> | Omit<DelegatedApproval, 'assertion'>): Uint8Array =>
  'delegation' in vote ? delegatedChallenge(vote) : approvalChallenge(vote)
