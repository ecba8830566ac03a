import { type AssetRef, ChainError, type Resource, RESOURCES, type StakeOrder } from '@holdfast/chain-core'
import { addressBytes } from './address.ts'
import { effectsOf } from './effects.ts'
import { parseTransaction, type RefBlock, serializeTransaction } from './transaction.ts'
import { encodeTransferCall } from './trc20-call.ts'

/** What every transaction says besides its order. */
export type Frame = { refBlock: RefBlock; timestampMs: bigint; expirationMs: bigint }
export type TransferTransaction = Frame & {
  from: string
  to: string
  asset: AssetRef
  amount: bigint /** For energy, in sun; 0 for the chain's own coin. */
  feeLimit: bigint
}
export type StakeTransaction = Frame & StakeOrder & { owner: string }

type Order = Parameters<typeof serializeTransaction>[0]['contract']

/** The unsigned bytes of a transfer of TRX or of a TRC-20 token. Throws ChainError for what `decode` would refuse. */
export function buildTransfer({ from, to, asset, amount, feeLimit, ...frame }: TransferTransaction): Uint8Array {
  const owner = addressBytes(from)
  const { contract: token } = asset
  if (token === null) return built(frame, { name: 'TransferContract', owner, to: addressBytes(to), amount }, feeLimit)
  return built(frame, { name: 'TriggerSmartContract', owner, contract: addressBytes(token), data: encodeTransferCall(addressBytes(to), amount) }, feeLimit)
}

/** The unsigned bytes of an order about the stake of an account. Throws ChainError for what `decode` would refuse. */
export function buildStake({ owner, action, resource, amount, receiver, lockBlocks, ...frame }: StakeTransaction): Uint8Array {
  return built(frame, stakeContract({ owner: addressBytes(owner), action, resource, amount, receiver, lockBlocks }))
}

function stakeContract({ owner, action, resource, amount, receiver, lockBlocks }: StakeOrder & { owner: Uint8Array }): Order {
  const staked = () => ({ owner, amount, resource: numberOf(resource) })
  const delegated = () => ({ ...staked(), receiver: addressBytes(receiver ?? '') })
  switch (action) {
    case 'stake':
      return { name: 'FreezeBalanceV2Contract', ...staked() }
    case 'unstake':
      return { name: 'UnfreezeBalanceV2Contract', ...staked() }
    case 'withdraw':
      return { name: 'WithdrawExpireUnfreezeContract', owner }
    case 'cancel-unstake':
      return { name: 'CancelAllUnfreezeV2Contract', owner }
    case 'delegate':
      return { name: 'DelegateResourceContract', ...delegated(), lock: lockBlocks > 0n, lockPeriod: lockBlocks }
    case 'undelegate':
      return { name: 'UnDelegateResourceContract', ...delegated() }
  }
}

function built(frame: Frame, contract: Order, feeLimit = 0n): Uint8Array {
  const unsigned = serializeTransaction({ ...frame, contract, feeLimit })
  effectsOf(parseTransaction(unsigned), unsigned, 'tron')
  return unsigned
}

function numberOf(resource: Resource | null): bigint {
  const number = resource === null ? -1 : RESOURCES.indexOf(resource)
  if (number < 0) throw new ChainError(`there is no resource ${resource}`)
  return BigInt(number)
}
