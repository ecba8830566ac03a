import type { StakeOrder } from '@holdfast/chain-core'
import { type StakeIntent, stakeOrderOf } from '@holdfast/intent'
import type { OrderKind, Paid, SubjectKind } from './order-kind.ts'

/** What is ordered about the stake of the sub-wallet's address; `to` is that address, or the receiver of a delegation. */
export type Stake = Paid & { kind: 'stake' } & Pick<StakeOrder, 'action' | 'resource' | 'lockBlocks'>

export const staking: SubjectKind<Stake, StakeIntent> = {
  intent: ({ action, resource, lockBlocks }, order) => ({ kind: 'stake', ...order, action, resource, lockBlocks }),
  asked: (intent) => ({ stake: stakeOrderOf(intent) }),
  proof: 'success',
}

/** Coin is staked, and stays the sub-wallet's. */
export const stake = { subjects: ['stake'], holds: 'amount and fee', goes: 'staked' } satisfies OrderKind

/** Coin that is staked already, or is unstaked. */
export const stakeChange = { subjects: ['stake'], holds: 'fee', goes: 'nowhere' } satisfies OrderKind
