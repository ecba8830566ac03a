import { bytes, digest, type Infer, struct, uint } from '@holdfast/encoding'
import { assertionShape } from './assertion.ts'

/** That somebody asks what waits for their decision. It names nobody: the key that signs it says who asks. */
const waitingStatementShape = struct('holdfast/waiting-statement/v1', { atMs: uint(), nonce: bytes(32) })

/** The question as it travels: the statement, and the person's signature over its challenge. */
export const waitingShape = struct('holdfast/waiting/v1', { statement: waitingStatementShape, assertion: assertionShape })

export type WaitingStatement = Infer<typeof waitingStatementShape>
export type Waiting = Infer<typeof waitingShape>

/** The challenge that the person signs. Its encoding has a tag of its own, so that no approval and no freeze ever has the same. */
export function waitingChallenge(statement: WaitingStatement): Uint8Array {
  return digest(waitingStatementShape, statement)
}
