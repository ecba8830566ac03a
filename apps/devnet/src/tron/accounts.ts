import type { Resource } from '@holdfast/chain-core'
import { fromHex } from '@holdfast/encoding'
import type { Permission } from './messages.ts'

export type Amounts = Record<Resource, bigint>
/** What was used of a resource, and when: it comes back evenly within a day. */
type Use = { amount: bigint; atMs: number }

export type Account = {
  address: string
  createdMs: number
  /** Sun staked for oneself, lent to others, borrowed from others. */
  staked: Amounts
  lent: Amounts
  borrowed: Amounts
  unstaking: { resource: Resource; amount: bigint; untilMs: number }[]
  used: Record<Resource | 'free', Use>
  owner: Permission
  actives: Permission[]
}

/** Prices and limits, under the names in which nodes tell them; amounts in sun. */
export const PARAMETERS = {
  getTransactionFee: 1_000,
  getCreateAccountFee: 100_000,
  getCreateNewAccountFeeInSystemContract: 1_000_000,
  getEnergyFee: 100,
  getMultiSignFee: 1_000_000,
  getMemoFee: 1_000_000,
  getUpdateAccountPermissionFee: 100_000_000,
  getMaxFeeLimit: 15_000_000_000,
  getFreeNetLimit: 600,
  getTotalNetLimit: 43_200_000_000,
  getTotalEnergyCurrentLimit: 180_000_000_000,
} as const

const DAY_MS = 86_400_000n
export const TRX = 1_000_000n
/** TRX that others on the emulated network have staked: what there is of a resource is divided by shares of the whole. */
const STAKED_ELSEWHERE: Amounts = { bandwidth: 26_000_000_000n, energy: 19_000_000_000n }
const ALL_OPERATIONS = fromHex(`7fff1fc0033ec30f${'00'.repeat(24)}`)

export function newAccount(address: string, nowMs: number): Account {
  const none = () => ({ bandwidth: 0n, energy: 0n })
  const unused = { amount: 0n, atMs: 0 }
  const keys = [{ address: fromHex(address), weight: 1n }]
  const permission = (id: bigint, name: string, operations: Uint8Array) => ({
    type: id === 0n ? 0n : 2n,
    id,
    name: new TextEncoder().encode(name),
    threshold: 1n,
    operations,
    keys,
  })
  return {
    address,
    createdMs: nowMs,
    staked: none(),
    lent: none(),
    borrowed: none(),
    unstaking: [],
    used: { bandwidth: unused, energy: unused, free: unused },
    owner: permission(0n, 'owner', new Uint8Array()),
    actives: [permission(2n, 'active', ALL_OPERATIONS)],
  }
}

/** What an account may use of a resource in a day, by its share of all stakes. */
export function limitOf(account: Account, resource: Resource): bigint {
  const trx = (account.staked[resource] + account.borrowed[resource]) / TRX
  return (trx * totalOf(resource)) / (STAKED_ELSEWHERE[resource] + trx)
}

function totalOf(resource: Resource): bigint {
  return BigInt(resource === 'energy' ? PARAMETERS.getTotalEnergyCurrentLimit : PARAMETERS.getTotalNetLimit)
}

/**
 * Own stake whose resource is not used, and which can therefore be delegated. What others delegated here is used up first.
 * Source: java-tron, DelegateResourceActuator.
 */
export function delegatableOf(account: Account, resource: Resource, nowMs: number): bigint {
  const trx = (account.staked[resource] + account.borrowed[resource]) / TRX
  const behindUse = (usedOf(account, resource, nowMs) * (STAKED_ELSEWHERE[resource] + trx) * TRX) / totalOf(resource)
  const ownUse = behindUse > account.borrowed[resource] ? behindUse - account.borrowed[resource] : 0n
  return account.staked[resource] > ownUse ? account.staked[resource] - ownUse : 0n
}

export function usedOf({ used }: Account, what: Resource | 'free', nowMs: number): bigint {
  const { amount, atMs } = used[what]
  const passedMs = BigInt(Math.max(0, nowMs - atMs))
  return passedMs >= DAY_MS ? 0n : (amount * (DAY_MS - passedMs)) / DAY_MS
}

export function availableOf(account: Account, what: Resource | 'free', nowMs: number): bigint {
  const left = (what === 'free' ? BigInt(PARAMETERS.getFreeNetLimit) : limitOf(account, what)) - usedOf(account, what, nowMs)
  return left < 0n ? 0n : left
}

/** Counts a use; a negative one is taken off again. */
export function use(account: Account, what: Resource | 'free', amount: bigint, nowMs: number): void {
  account.used[what] = { amount: usedOf(account, what, nowMs) + amount, atMs: nowMs }
}
