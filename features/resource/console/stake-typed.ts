import type { CallInput } from '@holdfast/contract'
import type { checkStakeOrder } from '../contract.ts'
import type { StakeAction, StakeTarget } from './open-stake-drawer.tsx'

type Order = CallInput<typeof checkStakeOrder>

export const RESOURCES = ['energy', 'bandwidth'] as const

/** An order about stake, as it is typed. */
export type StakeTyped = { resource: (typeof RESOURCES)[number]; amount: string; receiver: string; lock: string; remark: string }

const AMOUNT = /^\d{1,30}(\.\d{1,36})?$/
const BLOCKS = /^\d{1,8}$/

/** Whether an action is about everything there is, so that nothing of it is typed. */
export const isAboutAllOf = (action: StakeAction): boolean => action === 'withdraw' || action === 'cancel-unstake'
export const isDelegationOf = (action: StakeAction): boolean => action === 'delegate' || action === 'undelegate'

/** What is typed of an order about stake, or undefined while something is missing. */
export function orderOf({ subWallet, chain, action }: Pick<StakeTarget, 'subWallet' | 'chain' | 'action'>, typed: StakeTyped): Order | undefined {
  const order = { sub_wallet_id: subWallet.id, chain, action, amount: '0', receiver: '', lock_blocks: 0 }
  if (isAboutAllOf(action)) return order
  const amount = typed.amount.trim()
  const receiver = typed.receiver.trim()
  const lock = typed.lock.trim()
  const isDelegation = isDelegationOf(action)
  if (!AMOUNT.test(amount) || (isDelegation && receiver === '') || (action === 'delegate' && !BLOCKS.test(lock))) return undefined
  return { ...order, resource: typed.resource, amount, receiver: isDelegation ? receiver : '', lock_blocks: action === 'delegate' ? Number(lock) : 0 }
}

/** Which fields are wrong. An amount that is empty is missing, which the shut button says; a lock has a 0 that says there is none. */
export function wrongIn(typed: Pick<StakeTyped, 'amount' | 'lock'>): { amount: boolean; lock: boolean } {
  const amount = typed.amount.trim()
  return { amount: amount !== '' && !AMOUNT.test(amount), lock: !BLOCKS.test(typed.lock.trim()) }
}
