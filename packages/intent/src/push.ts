import { bool, bytes, digest, type Infer, struct, text, uint } from '@holdfast/encoding'
import { assertionShape } from './assertion.ts'

/** As long as the address of a push service may be. */
export const PUSH_ENDPOINT_MAX = 2048

/**
 * That somebody wants to be told on one device, or no longer, that something waits for their decision. It names nobody: the key that signs it says whom. `serverKey`
 * is the one that the browser takes pushes of, an uncompressed P-256 point.
 */
const pushStatementShape = struct('holdfast/push-statement/v1', {
  endpoint: text(PUSH_ENDPOINT_MAX),
  on: bool(),
  serverKey: bytes(65),
  atMs: uint(),
  nonce: bytes(32),
})

/** The wish as it travels: the statement, and the person's signature over its challenge. */
export const pushShape = struct('holdfast/push/v1', { statement: pushStatementShape, assertion: assertionShape })

export type PushStatement = Infer<typeof pushStatementShape>
export type Push = Infer<typeof pushShape>

/** The challenge that the person signs. Its encoding has a tag of its own, so that no approval, no freeze and no question what waits ever has the same. */
export function pushChallenge(statement: PushStatement): Uint8Array {
  return digest(pushStatementShape, statement)
}
