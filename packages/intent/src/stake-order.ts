import { RESOURCES, STAKE_ACTIONS, type StakeOrder } from '@holdfast/chain-core'
import type { StakeIntent } from './intent.ts'

type Ordered = Pick<StakeIntent, 'action' | 'resource' | 'amount' | 'from' | 'to' | 'lockBlocks' | 'asset'>

/** Orders that another account is in: it is given a resource, or loses it. */
export const isDelegation = (action: string): boolean => action === 'delegate' || action === 'undelegate'
const isAboutAll = (action: string): boolean => action === 'withdraw' || action === 'cancel-unstake'

/** Why the parts of an order about stake do not fit together, or undefined where they do: what one action has no use for says nothing, so it must be absent. */
export function stakeFault({ action, resource, amount, from, to, lockBlocks, asset }: Ordered): string | undefined {
  if (!STAKE_ACTIONS.some((each) => each === action)) return `the order is to ${action}, which is nothing known of stake`
  if (asset.contract !== null) return "only the chain's own coin is staked"
  if (isAboutAll(action) ? resource !== null || amount !== 0n : amount <= 0n)
    return 'the order names an amount where it is about all that waits, or none where it needs one'
  if (!isAboutAll(action) && !RESOURCES.some((each) => each === resource)) return `the order is about the resource ${resource}, which is none`
  if (isDelegation(action) === (to === from)) return 'the order delegates to the one who delegates, or names another account without delegating'
  return lockBlocks > 0n && action !== 'delegate' ? 'the order locks something else than a delegation' : undefined
}

/** An order about stake as codecs and nodes know it. Throws where its parts do not fit together (`stakeFault`). */
export function stakeOrderOf(intent: Ordered): StakeOrder {
  const fault = stakeFault(intent)
  if (fault !== undefined) throw new Error(fault)
  const { action, resource, amount, to, lockBlocks } = intent as Ordered & Pick<StakeOrder, 'action' | 'resource'>
  return { action, resource, amount, receiver: isDelegation(action) ? to : null, lockBlocks }
}
