import { bytes, digest, type Infer, struct, text, uint } from '@holdfast/encoding'
import { assertionShape } from './assertion.ts'

/** That one person stops all signing of an organisation, and why. */
export const freezeStatementShape = struct('holdfast/freeze-statement/v1', {
  genesis: bytes(32),
  person: bytes(16),
  atMs: uint(),
  nonce: bytes(32),
  reason: text(500),
})

/** A freeze as it travels: the statement, and the person's signature over its hash. */
export const freezeShape = struct('holdfast/freeze/v1', { statement: freezeStatementShape, assertion: assertionShape })

export type FreezeStatement = Infer<typeof freezeStatementShape>
export type Freeze = Infer<typeof freezeShape>

/** The 32 bytes by which signers and orders name a freeze, and the challenge that the person signs. */
export function freezeHash(statement: FreezeStatement): Uint8Array {
  return digest(freezeStatementShape, statement)
}
