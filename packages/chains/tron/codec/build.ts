import { type AssetRef, ChainError, type Resource, RESOURCES } from '@holdfast/chain-core'
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
export type StakeTransaction = Frame & { owner: string; resource: Resource /** In sun. */; amount: bigint }
export type DelegateTransaction = StakeTransaction & {
  receiver: string /** Blocks that the delegation cannot be taken back; 0 for none. */
  lockBlocks?: bigint
}

type Order = Parameters<typeof serializeTransaction>[0]['contract']

/** The unsigned bytes of a transfer of TRX or of a TRC-20 token. Throws ChainError for what `decode` would refuse. */
export function buildTransfer({ from, to, asset, amount, feeLimit, ...frame }: TransferTransaction): Uint8Array {
  const owner = addressBytes(from)
  const { contract: token } = asset
  if (token === null) return built(frame, { name: 'TransferContract', owner, to: addressBytes(to), amount }, feeLimit)
  return built(frame, { name: 'TriggerSmartContract', owner, contract: addressBytes(token), data: encodeTransferCall(addressBytes(to), amount) }, feeLimit)
}

/** Stakes TRX for a resource. */
export function buildStake({ owner, resource, amount, ...frame }: StakeTransaction): Uint8Array {
  return built(frame, { name: 'FreezeBalanceV2Contract', owner: addressBytes(owner), amount, resource: numberOf(resource) })
}

/** Ends a stake; the chain gives the coin back after its time of waiting. */
export function buildUnstake({ owner, resource, amount, ...frame }: StakeTransaction): Uint8Array {
  return built(frame, { name: 'UnfreezeBalanceV2Contract', owner: addressBytes(owner), amount, resource: numberOf(resource) })
}

/** Lends the resource of a stake to another account. */
export function buildDelegate({ owner, resource, amount, receiver, lockBlocks = 0n, ...frame }: DelegateTransaction): Uint8Array {
  const shared = { owner: addressBytes(owner), resource: numberOf(resource), amount, receiver: addressBytes(receiver) }
  return built(frame, { name: 'DelegateResourceContract', ...shared, lock: lockBlocks > 0n, lockPeriod: lockBlocks })
}

/** Takes a lent resource back. */
export function buildUndelegate({ owner, resource, amount, receiver, ...frame }: Omit<DelegateTransaction, 'lockBlocks'>): Uint8Array {
  return built(frame, {
    name: 'UnDelegateResourceContract',
    owner: addressBytes(owner),
    resource: numberOf(resource),
    amount,
    receiver: addressBytes(receiver),
  })
}

function built(frame: Frame, contract: Order, feeLimit = 0n): Uint8Array {
  const unsigned = serializeTransaction({ ...frame, contract, feeLimit })
  effectsOf(parseTransaction(unsigned), unsigned, 'tron')
  return unsigned
}

function numberOf(resource: Resource): bigint {
  const number = RESOURCES.indexOf(resource)
  if (number < 0) throw new ChainError(`there is no resource ${resource}`)
  return BigInt(number)
}
