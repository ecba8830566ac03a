import { type Infer, list, optional, struct, text, uint } from '@holdfast/encoding'

/** Over what a limit counts by itself: all orders under the rule together, or those of each asker, to each destination, from each paying address. */
export const LIMITS_EACH = ['rule', 'asker', 'destination', 'source'] as const
export type LimitEach = (typeof LIMITS_EACH)[number]

/**
 * What signers let through under a rule, or under a standing order, in any stretch of a length, counted by the signers themselves: base units of these assets,
 * and nothing of any other where one is named; tokens that calls move or let others take (`maxTokens`, of each contract); orders (`maxCount`); and what all of
 * it is worth together, in cents of a US dollar (`maxCents`).
 */
export const limitShape = struct('holdfast/rule/limit/v1', {
  each: text(16),
  lengthMs: uint(),
  amounts: list(struct('holdfast/rule/limit-amount/v1', { chain: text(64), asset: text(128), max: uint(256) }), 64),
  maxTokens: optional(uint(256)),
  maxCount: optional(uint(32)),
  maxCents: optional(uint(64)),
})

export type StoredLimit = Infer<typeof limitShape>
