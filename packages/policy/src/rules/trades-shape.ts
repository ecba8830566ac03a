import { type Infer, list, optional, struct, text, uint } from '@holdfast/encoding'

/**
 * Trades at one venue: a router of a form that signers can read (`TRADE_FORMS`), at a network. What may be given for what: each of `gives` for each other of
 * `gets`, by contract, empty text for the network's own coin. A rule that lets trades through bounds them: `atMost` base units are given with one order; what is
 * got at least is worth no more than `slippageBps` hundredths of a percent less than what is given at most, by the table of the policy; and if `deadlineMs` is
 * not absent, the call has a deadline that is no further away than that from when it is signed. One that refuses has none of these bounds.
 */
export const coversTradesShape = struct('holdfast/rule/covers-trades/v1', {
  chain: text(64),
  form: text(32),
  router: text(128),
  gives: list(struct('holdfast/rule/given/v1', { asset: text(128), atMost: optional(uint(256)) }), 64),
  gets: list(text(128), 64),
  slippageBps: optional(uint(16)),
  deadlineMs: optional(uint(53)),
})

/** What a rule for trades lets through. */
export type TradeBounds = Infer<typeof coversTradesShape>
