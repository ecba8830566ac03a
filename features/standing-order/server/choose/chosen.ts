/** Why an address that has something is not moved. The page says what would change it. */
export const REASONS = [
  'below_threshold',
  'no_fee_coins',
  'fee_too_high',
  'fee_share',
  'in_progress',
  'excluded',
  'limit_used',
  'not_covered',
  'halted',
  'alarm',
  'no_funds',
  'no_target',
  'no_source',
  'failed',
  'black_address',
  'out_of_scope',
  'left',
  'paused',
  'switched_off',
  'scheduled',
  'not_allowed',
  'collected_otherwise',
  'unpublished',
  'price_unknown',
  'token_refuses',
  'not_authorized',
  'delegation_unread',
  'delegated_elsewhere',
  'coins_kept',
  'coins_small',
  'coins_dust',
] as const
export type Reason = (typeof REASONS)[number]

/** What an address has of the asset and of the network's own coin, in base units. `isBusy`: a move of it under the same standing order is under way. */
export type Holding = { address: string; subWalletId: string; available: bigint; coins: bigint; isBusy: boolean }

/**
 * What a transaction would cost now (slow, normal, fast), and the most that the standing order lets it cost; `maxShare` in hundredths of a percent of the amount.
 * `isRaised`: the fee of one that waits is raised, so its cap leaves room for that.
 */
export type FeeTerms = { estimates: readonly [bigint, bigint, bigint]; max: bigint; maxShare: bigint; isRaised?: boolean }

/** What a standing order says of one asset, and to where it goes. */
export type Terms = { atLeast: bigint; atMost: bigint; fee: FeeTerms; isCoin: boolean; target: string; never: ReadonlySet<string> }

/** What comes of one address: a move, or why not. `detail`: base units, of which the reason says what they are. */
export type Chosen = { holding: Holding } & (
  | { move: { amount: bigint; feeCap: bigint }; reason?: undefined; detail?: undefined }
  | { move?: undefined; reason: Reason; detail?: bigint }
)
