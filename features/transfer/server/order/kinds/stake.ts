import type { StakeOrder } from '@holdfast/chain-core'
import { type StakeIntent, stakeOrderOf } from '@holdfast/intent'
import type { OrderKind, Paid, SubjectKind } from './order-kind.ts'

/** What is ordered about the stake of the sub-wallet's address; `to` is that address, or who is delegated to. */
export type Stake = Paid & { kind: 'stake' } & Pick<StakeOrder, 'action' | 'resource' | 'lockBlocks'>

export const staking: SubjectKind<Stake, StakeIntent> = {
  intent: ({ action, resource, lockBlocks }, order) => ({ kind: 'stake', ...order, action, resource, lockBlocks }),
  asked: (intent) => ({ stake: stakeOrderOf(intent) }),
  proof: 'success',
}

/** Coin is put into stake, where it stays the sub-wallet's. */
export const stake = { subjects: ['stake'], holds: 'amount and fee', goes: 'staked' } satisfies OrderKind

/** What is in stake already, or comes out of it. */
export const stakeChange = { subjects: ['stake'], holds: 'fee', goes: 'nowhere' } satisfies OrderKind
