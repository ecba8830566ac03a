import { bytes, type Infer, list, struct, text, uint } from '@holdfast/encoding'
import { freezeStatementShape } from './freeze.ts'

/** What orders to the signers themselves end with: why, who asks, when and under which policy. The order of fields is that of their bytes. */
const askedFields = {
  remark: text(800),
  notBeforeMs: uint(),
  expiresAtMs: uint(),
  policyVersion: uint(),
  policyHash: bytes(32),
  initiator: bytes(16),
  nonce: bytes(32),
}

/** The longest that a signer may be said to be away by one order: 30 days. */
export const ABSENCE_MAX_MS = 30n * 86_400_000n

/**
 * An order that says that a signer is away until a time: until then the two others sign without its word. It ends earlier where that signer speaks again, and
 * is never renewed but by another order (`absenceFault`).
 */
export const absenceIntentShape = struct('holdfast/intent/absence/v1', {
  genesis: bytes(32),
  orderId: bytes(16),
  party: uint(8),
  untilMs: uint(),
  ...askedFields,
})

/** More freezes at once nobody reads through before they lift them. */
export const FREEZES_MAX = 16

/** An order to lift freezes, each named whole, so that those who approve read who froze and why. A freeze that is not named stays. */
export const liftFreezeIntentShape = struct('holdfast/intent/lift-freeze/v1', {
  genesis: bytes(32),
  orderId: bytes(16),
  freezes: list(freezeStatementShape, FREEZES_MAX),
  ...askedFields,
})

export type AbsenceIntent = { kind: 'absence' } & Infer<typeof absenceIntentShape>
export type LiftFreezeIntent = { kind: 'liftFreeze' } & Infer<typeof liftFreezeIntentShape>

/** Why an order that a signer is away makes no sense in itself; undefined where it does. */
export function absenceFault({ party, untilMs, notBeforeMs, expiresAtMs }: AbsenceIntent): string | undefined {
  if (party < 1n || party > 3n) return `there is no signer ${party}`
  if (untilMs <= notBeforeMs) return 'the signer would be away at no time'
  if (untilMs > notBeforeMs + ABSENCE_MAX_MS) return 'a signer is said to be away for 30 days at most'
  return expiresAtMs <= notBeforeMs ? 'the order is open at no time at which it may be followed' : undefined
}

/** Why an order to lift freezes makes no sense in itself; undefined where it does. */
export function liftFreezeFault({ genesis, freezes }: LiftFreezeIntent): string | undefined {
  if (freezes.length === 0) return 'the order names no freeze'
  const isOwn = freezes.every((freeze) => freeze.genesis.every((byte, i) => byte === genesis[i]))
  return isOwn ? undefined : 'the order names a freeze of another organisation'
}
