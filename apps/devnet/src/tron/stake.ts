import { type Resource, RESOURCES } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { at, known } from '@holdfast/units'
import { type Account, type Amounts, delegatableOf, TRX, use, usedOf } from './accounts.ts'
import type { Order } from './messages.ts'

// Staking 2.0. Source of the rules: tronprotocol/java-tron, the actuators of these contracts.

/** How long a stake that was ended waits. The real network's is 14 days; nobody who tries things out waits so long. */
export const UNSTAKE_MS = 5 * 60_000
/** Stakes of an account that may wait at once. */
const UNSTAKES_MAX = 32
const LOCK_BLOCK_MS = 3_000n
/** What a lock lasts that says no time, and the longest: three days and a year of blocks. */
const LOCK_BLOCKS_DEFAULT = 86_400n
const LOCK_BLOCKS_MAX = 10_512_000n

/** What one account delegates to another: freely, and locked until a time. */
export type Delegation = { from: string; to: string; free: Amounts; locked: Record<Resource, { amount: bigint; untilMs: number }> }

const KINDS = [
  'FreezeBalanceV2Contract',
  'UnfreezeBalanceV2Contract',
  'WithdrawExpireUnfreezeContract',
  'CancelAllUnfreezeV2Contract',
  'DelegateResourceContract',
  'UnDelegateResourceContract',
] as const
type StakeOrder = Extract<Order, { kind: (typeof KINDS)[number] }>

export const isStakeOrder = (order: Order): order is StakeOrder => KINDS.some((kind) => kind === order.kind)

type Stakes = { accounts: Map<string, Account>; delegations: Map<string, Delegation>; contracts: Map<string, unknown> }

const isFree = (nowMs: number) => (each: Account['unstaking'][number]) => each.untilMs <= nowMs

/** How many more stakes an account may end now. */
export function unstakesLeft(account: Account, nowMs: number): number {
  return UNSTAKES_MAX - account.unstaking.filter((each) => !isFree(nowMs)(each)).length
}

/** Stake that was ended and can be taken back. */
export function withdrawableOf(account: Account, nowMs: number): bigint {
  return account.unstaking.filter(isFree(nowMs)).reduce((sum, { amount }) => sum + amount, 0n)
}

/** Why no block may hold an order about stake, in the words of the chain's nodes; undefined if one may. That the coin is there is looked at elsewhere. */
export function whyNoStake(stakes: Stakes, order: StakeOrder, payer: Account, nowMs: number): string | undefined {
  const resource = 'resource' in order ? RESOURCES[Number(order.resource)] : 'bandwidth'
  if (!resource) return 'Invalid ResourceCode'
  switch (order.kind) {
    case 'FreezeBalanceV2Contract':
      return order.amount < TRX ? 'frozenBalance must be greater than or equal to 1 TRX' : undefined
    case 'UnfreezeBalanceV2Contract':
      if (order.amount <= 0n || order.amount > payer.staked[resource]) return `Invalid unfreeze_balance, [${order.amount}] is invalid`
      return unstakesLeft(payer, nowMs) <= 0 ? 'Invalid unfreeze operation, unfreezing times is over limit' : undefined
    case 'WithdrawExpireUnfreezeContract':
      return withdrawableOf(payer, nowMs) > 0n ? undefined : 'no unFreeze balance to withdraw '
    case 'CancelAllUnfreezeV2Contract':
      return payer.unstaking.length === 0 ? 'No unfreezeV2 list to cancel' : undefined
    case 'DelegateResourceContract':
      return whyNoDelegation(stakes, order, payer, resource, nowMs)
    case 'UnDelegateResourceContract': {
      const found = stakes.delegations.get(keyOf(payer, order))
      if (!found) return `delegated Resource does not exist`
      const amount = found.free[resource] + (found.locked[resource].untilMs <= nowMs ? found.locked[resource].amount : 0n)
      return order.amount <= 0n || order.amount > amount
        ? `insufficient delegatedFrozenBalance(${resource}), request=${order.amount}, unlock_balance=${amount}`
        : undefined
    }
  }
}

type Delegate = Extract<StakeOrder, { kind: 'DelegateResourceContract' }>

function whyNoDelegation({ accounts, delegations, contracts }: Stakes, order: Delegate, payer: Account, resource: Resource, nowMs: number): string | undefined {
  const to = toHex(order.receiver)
  if (order.amount < TRX) return 'delegateBalance must be greater than or equal to 1 TRX'
  if (order.amount > delegatableOf(payer, resource, nowMs)) return `delegateBalance must be less than or equal to available Freeze${resource}V2 balance`
  if (to === payer.address) return 'receiverAddress must not be the same as ownerAddress'
  if (!accounts.has(to)) return `Account[${to}] not exists`
  if (contracts.has(to)) return 'Do not allow delegate resources to contract addresses'
  if (!order.lock) return undefined
  const lockMs = lockMsOf(order)
  if (order.lockPeriod > LOCK_BLOCKS_MAX) return `The lock period of delegate resource cannot be less than 0 and cannot exceed ${LOCK_BLOCKS_MAX}!`
  const { untilMs } = delegations.get(keyOf(payer, order))?.locked[resource] ?? { untilMs: 0 }
  return nowMs + lockMs < untilMs
    ? `The lock period for ${resource} this time cannot be less than the remaining time[${untilMs - nowMs}ms] of the last lock period`
    : undefined
}

const lockMsOf = ({ lockPeriod }: Delegate): number => Number((lockPeriod === 0n ? LOCK_BLOCKS_DEFAULT : lockPeriod) * LOCK_BLOCK_MS)
const keyOf = ({ address }: Account, { receiver }: { receiver: Uint8Array }): string => `${address}>${toHex(receiver)}`

/** Changes stakes as a valid order says. Answers what comes back into the balance, and what of stakes that waited is staked again. */
export function carryOutStake(stakes: Stakes, order: StakeOrder, payer: Account, nowMs: number): { withdrawn: bigint; restaked: Amounts } {
  const resource = 'resource' in order ? at(RESOURCES, Number(order.resource)) : 'bandwidth'
  const restaked: Amounts = { bandwidth: 0n, energy: 0n }
  switch (order.kind) {
    case 'FreezeBalanceV2Contract':
      payer.staked[resource] += order.amount
      return { withdrawn: 0n, restaked }
    case 'UnfreezeBalanceV2Contract': {
      // What has waited long enough comes back with the next stake that is ended.
      const withdrawn = takeFree(payer, nowMs)
      payer.staked[resource] -= order.amount
      payer.unstaking.push({ resource, amount: order.amount, untilMs: nowMs + UNSTAKE_MS })
      return { withdrawn, restaked }
    }
    case 'WithdrawExpireUnfreezeContract':
      return { withdrawn: takeFree(payer, nowMs), restaked }
    case 'CancelAllUnfreezeV2Contract': {
      const withdrawn = takeFree(payer, nowMs)
      for (const each of payer.unstaking) {
        payer.staked[each.resource] += each.amount
        restaked[each.resource] += each.amount
      }
      payer.unstaking = []
      return { withdrawn, restaked }
    }
    case 'DelegateResourceContract': {
      const delegation = unlocked(stakes, payer, order, nowMs)
      moveStake(stakes, payer, order, resource, order.amount)
      const { locked, free } = delegation
      if (order.lock) locked[resource] = { amount: locked[resource].amount + order.amount, untilMs: nowMs + lockMsOf(order) }
      else free[resource] += order.amount
      return { withdrawn: 0n, restaked }
    }
    case 'UnDelegateResourceContract': {
      const delegation = unlocked(stakes, payer, order, nowMs)
      giveBackUse(stakes, payer, order, resource, nowMs)
      moveStake(stakes, payer, order, resource, -order.amount)
      delegation.free[resource] -= order.amount
      if (RESOURCES.every((each) => delegation.free[each] === 0n && delegation.locked[each].amount === 0n)) stakes.delegations.delete(keyOf(payer, order))
      return { withdrawn: 0n, restaked }
    }
  }
}

function takeFree(payer: Account, nowMs: number): bigint {
  const withdrawn = withdrawableOf(payer, nowMs)
  payer.unstaking = payer.unstaking.filter((each) => !isFree(nowMs)(each))
  return withdrawn
}

/** What one account delegates to another, with what is locked no more among what is free. */
function unlocked({ delegations }: Stakes, payer: Account, order: { receiver: Uint8Array }, nowMs: number): Delegation {
  const none = () => ({ amount: 0n, untilMs: 0 })
  const fresh = () => ({ from: payer.address, to: toHex(order.receiver), free: { bandwidth: 0n, energy: 0n }, locked: { bandwidth: none(), energy: none() } })
  const delegation = delegations.get(keyOf(payer, order)) ?? fresh()
  for (const each of RESOURCES) {
    if (delegation.locked[each].untilMs > nowMs) continue
    delegation.free[each] += delegation.locked[each].amount
    delegation.locked[each] = none()
  }
  delegations.set(keyOf(payer, order), delegation)
  return delegation
}

function moveStake({ accounts }: Stakes, payer: Account, { receiver }: { receiver: Uint8Array }, resource: Resource, amount: bigint): void {
  payer.staked[resource] -= amount
  payer.lent[resource] += amount
  known(accounts.get(toHex(receiver)), 'the account of the receiver').borrowed[resource] += amount
}

/** What the receiver has used of what is taken back counts as used by the one who takes it, by the share that it was of all the receiver had. */
function giveBackUse({ accounts }: Stakes, payer: Account, order: { receiver: Uint8Array; amount: bigint }, resource: Resource, nowMs: number): void {
  const receiver = known(accounts.get(toHex(order.receiver)), 'the account of the receiver')
  const used = (usedOf(receiver, resource, nowMs) * order.amount) / (receiver.staked[resource] + receiver.borrowed[resource])
  use(receiver, resource, -used, nowMs)
  use(payer, resource, used, nowMs)
}
