/** What transactions use up on chains that give it for coin that is staked, in the order of their numbers in TRON's protocol. */
export const RESOURCES = ['bandwidth', 'energy'] as const
export type Resource = (typeof RESOURCES)[number]

/**
 * What an account can order about its stake: put coin in, end that, take back what has waited, call off every end that waits, and
 * delegate a resource or take it back.
 */
export const STAKE_ACTIONS = ['stake', 'unstake', 'withdraw', 'cancel-unstake', 'delegate', 'undelegate'] as const
export type StakeAction = (typeof STAKE_ACTIONS)[number]

/** An order about stake. `resource` is null and `amount` 0 if it is about all that waits; `receiver` is null if nobody else is in it. */
export type StakeOrder = {
  action: StakeAction
  resource: Resource | null
  /** Coin staked, in base units. */
  amount: bigint
  receiver: string | null
  /** Blocks that a delegation cannot be taken back; 0 for none. */
  lockBlocks: bigint
}

/** What may be used in a day, and what of it is used; it comes back by itself. Bandwidth in bytes. */
export type Meter = { limit: bigint; used: bigint }

/** Coin behind a resource, in base units: one's own, what of one's own is delegated to others, what others delegated here, and what could be delegated now. */
export type Stake = { own: bigint; delegatedOut: bigint; delegatedIn: bigint; delegatable: bigint }

/** Stake whose resource another account has. It cannot be taken back before `lockedUntilMs`; null if at any time. */
export type Delegation = { to: string; resource: Resource; amount: bigint; lockedUntilMs: bigint | null }

/** What an account has of what transactions use up, and of what coin that comes. What was delegated still belongs to it, and is no part of `own`. */
export type AccountResources = {
  /** False if the chain has no such account yet: it has nothing, and nothing can be delegated to it. */
  isActive: boolean
  /** Bandwidth that every account is given. */
  free: Meter
  /** By own stake and what others delegated. */
  meters: Record<Resource, Meter>
  stakes: Record<Resource, Stake>
  /** Stake that was ended and is not free yet. */
  unstaking: { resource: Resource; amount: bigint; freeAtMs: bigint }[]
  /** Stake that was ended and can be taken into the balance now. */
  withdrawable: bigint
  /** How many stakes may still be ended before one of those that wait is free. */
  unstakesLeft: bigint
  delegations: Delegation[]
}

/** What is left of a meter. */
export const leftOf = ({ limit, used }: Meter): bigint => (limit > used ? limit - used : 0n)
