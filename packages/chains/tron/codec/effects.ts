import { type Action, ChainError, type Effects, type Resource, RESOURCES, slotOf, type StakeOrder, type Transfer } from '@holdfast/chain-core'
import { equalBytes, toHex } from '@holdfast/encoding'
import { sha256 } from '@noble/hashes/sha2.js'
import { addressText } from './address.ts'
import { bandwidthOf, type Contract, type Transaction } from './transaction.ts'
import { decodeTransferCall } from './trc20-call.ts'

// Prices that the chain's witnesses have voted, in sun. A node whose chain asks for more refuses to prepare: the bound below would not hold.
/** For a byte of bandwidth that neither stake nor the free allowance covers. */
export const BANDWIDTH_PRICE = 1_000n
/** For making the account of an address that is paid for the first time: 1 TRX, and 0.1 TRX in place of the bandwidth. */
export const ACTIVATION_FEE = 1_100_000n
/** For changing the permissions of an account. */
export const PERMISSION_FEE = 100_000_000n
/** The most that the chain takes as fee limit. */
export const FEE_LIMIT_MAX = 15_000_000_000n

/** What a parsed transaction does. Throws ChainError for what is not one of the known templates. */
export function effectsOf(transaction: Transaction, unsigned: Uint8Array, chain: string): Effects {
  const { contract, permissionId, feeLimit, expirationMs, timestampMs } = transaction
  const isCall = contract.name === 'TriggerSmartContract'
  if (!isCall && feeLimit !== 0n) throw new ChainError('the transaction has a fee limit although it calls no contract')
  if (feeLimit > FEE_LIMIT_MAX) throw new ChainError(`the fee limit ${feeLimit} is more than the chain takes`)
  // A call without a fee limit ends without energy, and the message cut short before its limit would be another message.
  if (isCall && feeLimit === 0n) throw new ChainError('the transaction calls a contract without a fee limit')
  if (timestampMs === 0n) throw new ChainError('the transaction does not say when it was made')
  if (expirationMs <= timestampMs) throw new ChainError('the transaction expires before it is made')
  const bandwidth = bandwidthOf(unsigned)
  return {
    chain,
    from: addressText(contract.owner),
    transfers: transfersOf(contract, chain),
    ...stakeOf(contract),
    ...actionsOf(contract, permissionId),
    feeMax: feeMaxOf(contract, bandwidth) + feeLimit,
    feeParameters: isCall ? { bandwidth, feeLimit } : { bandwidth },
    slot: slotOf(toHex(sha256(unsigned))),
    validUntilMs: Number(expirationMs) <= MS_MAX ? expirationMs : tooLate(),
  }
}

// The latest time that a JavaScript date can hold.
const MS_MAX = 8_640_000_000_000_000

function tooLate(): never {
  throw new ChainError('the transaction expires after the end of any calendar')
}

/** What is burnt at most besides the fee limit, where neither stake nor the free allowance covers anything. */
function feeMaxOf(contract: Contract, bandwidth: bigint): bigint {
  const forBytes = bandwidth * BANDWIDTH_PRICE
  if (contract.name === 'TransferContract') return forBytes > ACTIVATION_FEE ? forBytes : ACTIVATION_FEE
  return contract.name === 'AccountPermissionUpdateContract' ? forBytes + PERMISSION_FEE : forBytes
}

function transfersOf(contract: Contract, chain: string): Transfer[] {
  if (contract.name === 'TransferContract') {
    if (contract.amount === 0n) throw new ChainError('the transaction moves nothing: the amount is zero')
    return [{ asset: { chain, contract: null }, to: addressText(contract.to), amount: contract.amount }]
  }
  if (contract.name === 'TriggerSmartContract') {
    const { to, amount } = decodeTransferCall(contract.data)
    if (amount === 0n) throw new ChainError('the transaction moves nothing: the amount of the TRC-20 transfer is zero')
    return [{ asset: { chain, contract: addressText(contract.contract) }, to: addressText(to), amount }]
  }
  return []
}

function stakeOf(contract: Contract): { stake?: StakeOrder } {
  const about = (order: Partial<StakeOrder> & Pick<StakeOrder, 'action'>): { stake: StakeOrder } => ({
    stake: { resource: null, amount: 0n, receiver: null, lockBlocks: 0n, ...order },
  })
  switch (contract.name) {
    case 'FreezeBalanceV2Contract':
      return about({ action: 'stake', resource: resourceOf(contract.resource), amount: positive(contract.amount) })
    case 'UnfreezeBalanceV2Contract':
      return about({ action: 'unstake', resource: resourceOf(contract.resource), amount: positive(contract.amount) })
    case 'WithdrawExpireUnfreezeContract':
      return about({ action: 'withdraw' })
    case 'CancelAllUnfreezeV2Contract':
      return about({ action: 'cancel-unstake' })
    case 'DelegateResourceContract': {
      const { lock, lockPeriod } = contract
      // Without a time the chain takes one of its own.
      if (lock !== lockPeriod > 0n) throw new ChainError('the transaction locks without saying for how long, or gives a time of locking without locking')
      return about({ action: 'delegate', ...delegationOf(contract), lockBlocks: lockPeriod })
    }
    case 'UnDelegateResourceContract':
      return about({ action: 'undelegate', ...delegationOf(contract) })
    default:
      return {}
  }
}

/** What a signer never signs, named so that its refusal says what was tried: who may sign from then on, and that others are to sign. */
function actionsOf(contract: Contract, permissionId: bigint): { actions?: Action[] } {
  const signedUnder = permissionId === 0n ? [] : [{ kind: 'signed-under', facts: { permissionId } }]
  const permissions = contract.name === 'AccountPermissionUpdateContract' ? [{ kind: 'permissions', facts: permissionFacts(contract) }] : []
  return signedUnder.length + permissions.length === 0 ? {} : { actions: [...signedUnder, ...permissions] }
}

type Delegation = { owner: Uint8Array; receiver: Uint8Array; resource: bigint; amount: bigint }

function delegationOf({ owner, receiver, resource, amount }: Delegation) {
  if (equalBytes(owner, receiver)) throw new ChainError('the transaction delegates to the one who delegates')
  return { resource: resourceOf(resource), amount: positive(amount), receiver: addressText(receiver) }
}

function resourceOf(number: bigint): Resource {
  const resource = number < 2n ? RESOURCES[Number(number)] : undefined
  if (!resource) throw new ChainError(`the transaction is about the resource ${number}; there are bandwidth (0) and energy (1)`)
  return resource
}

function positive(amount: bigint): bigint {
  if (amount === 0n) throw new ChainError('the transaction is about nothing: the amount is zero')
  return amount
}

type Permissions = Extract<Contract, { name: 'AccountPermissionUpdateContract' }>
type Permission = Permissions['actives'][number]

/** Who may sign for an account from then on, as facts: for the owner and each active permission its threshold, keys and operations. */
function permissionFacts({ ownerPermission, actives }: Permissions): Record<string, string | bigint> {
  if (!ownerPermission) throw new ChainError('the transaction leaves the account without an owner')
  const named = [['owner', ownerPermission] as const, ...actives.map((each, i) => [`active${i + 1}`, each] as const)]
  return Object.fromEntries(named.flatMap(([name, each]) => factsOf(name, each)))
}

function factsOf(name: string, { type, id, name: label, threshold, operations, keys }: Permission): [string, string | bigint][] {
  const weights = keys.map(({ address, weight }) => ({ address: addressText(address), weight }))
  if (new Set(weights.map(({ address }) => address)).size !== weights.length) throw new ChainError(`the permission ${name} names a key twice`)
  const reach = weights.reduce((sum, { weight }) => sum + weight, 0n)
  if (threshold === 0n || threshold > reach) throw new ChainError(`the permission ${name} asks for ${threshold} where its keys have ${reach}`)
  return [
    [`${name}.threshold`, threshold],
    [`${name}.keys`, weights.map(({ address, weight }) => `${address}=${weight}`).join(',')],
    [`${name}.type`, type],
    [`${name}.id`, id],
    [`${name}.name`, toHex(label)],
    [`${name}.operations`, toHex(operations)],
  ]
}
