import { bytes, digest, type Infer, list, struct, text, uint } from '@holdfast/encoding'
import { assertionShape } from './assertion.ts'

/** As many standing orders as a signer follows. */
export const STOPPED_MAX = 256

/** A standing order in one version. */
export const stoppedShape = struct('holdfast/stop-statement/order/v1', { id: bytes(16), version: uint(53) })

/** That one person stops standing orders, each in one version, and why. */
const stopStatementShape = struct('holdfast/stop-statement/v1', {
  genesis: bytes(32),
  person: bytes(16),
  orders: list(stoppedShape, STOPPED_MAX),
  atMs: uint(),
  nonce: bytes(32),
  reason: text(500),
})

/** A stop as it travels: the statement, and the person's signature over its hash. */
export const stopShape = struct('holdfast/stop/v1', { statement: stopStatementShape, assertion: assertionShape })

export type StopStatement = Infer<typeof stopStatementShape>
export type Stop = Infer<typeof stopShape>

/** The 32 bytes by which a stop is named, and the challenge that the person signs. */
export const stopHash = (statement: StopStatement): Uint8Array => digest(stopStatementShape, statement)
