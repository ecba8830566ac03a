import { bytes, type Infer, list, optional, struct, text, uint, union } from '@holdfast/encoding'

/** So much of an asset that the limits count. */
const countedShape = struct('holdfast/co-signer/counted/v1', { chain: text(64), contract: optional(text(128)), amount: uint(256) })

/** What a co-signer writes down before anybody hears of it. */
export const journalEventShape = union({
  /** It goes by this version of the policy, and by no older one. */
  followed: struct('holdfast/co-signer/event/followed/v1', { version: uint(), hash: bytes(32) }),
  /** It begins to decide an order, which counts against the limits from here on. */
  reserved: struct('holdfast/co-signer/event/reserved/v1', {
    intentHash: bytes(32),
    orderId: bytes(16),
    expiresAtMs: uint(53),
    counted: list(countedShape, 4),
  }),
  /** It has decided an order for good; `spoken` is what it signed. */
  decided: struct('holdfast/co-signer/event/decided/v1', {
    intentHash: bytes(32),
    decision: text(8),
    reason: text(1000),
    spoken: bytes(undefined, 1 << 14),
  }),
  /** The callback took word that the order was sent. */
  told: struct('holdfast/co-signer/event/told/v1', { intentHash: bytes(32) }),
  /** Its folder was put back on purpose: what was written up to `past` elsewhere is not known here. */
  resumed: struct('holdfast/co-signer/event/resumed/v1', { past: uint(53) }),
})

export type JournalEvent = Infer<typeof journalEventShape>
export type Counted = Infer<typeof countedShape>
