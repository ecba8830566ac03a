import { RESOURCES } from '@holdfast/chain-core'
import { fromHex, toHex } from '@holdfast/encoding'
import { at, known } from '@holdfast/units'
import { type Account, type Amounts, limitOf, PARAMETERS, usedOf } from './accounts.ts'
import { type Block, WITNESS } from './chain.ts'
import type { Receipt } from './execute.ts'
import type { Permission, Sent } from './messages.ts'
import type { Delegation } from './stake.ts'

// How TRON's nodes write things in JSON: hexadecimal without 0x, amounts as numbers, and what is zero or empty left out.

export function tellBlock(block: Block | undefined, detail = true): object {
  if (!block) return {}
  const raw = {
    number: block.number,
    txTrieRoot: block.txRoot,
    witness_address: WITNESS,
    parentHash: block.parentId,
    version: 31,
    timestamp: block.timestampMs,
  }
  const header = { raw_data: block.number === 0 ? { ...raw, number: undefined } : raw, witness_signature: '00'.repeat(65) }
  const told = { blockID: block.id, block_header: header }
  return detail && block.sent.length > 0 ? { ...told, transactions: block.sent.map((sent, i) => tellSent(sent, block.receipts[i])) } : told
}

export function tellSent(sent: Sent, receipt?: Receipt): object {
  const { kind } = sent.order
  return {
    ...(receipt ? { ret: [{ contractRet: receipt.result }] } : {}),
    signature: sent.signatures.map((each) => toHex(each)),
    txID: sent.txid,
    raw_data: {
      contract: [
        { parameter: { value: tellOrder(sent), type_url: `type.googleapis.com/protocol.${kind}` }, type: kind, ...some({ Permission_id: sent.permissionId }) },
      ],
      ref_block_bytes: sent.refBlockBytes,
      ref_block_hash: sent.refBlockHash,
      expiration: sent.expirationMs,
      timestamp: sent.timestampMs,
      ...some({ fee_limit: Number(sent.feeLimit), data: toHex(sent.memo) }),
    },
    raw_data_hex: toHex(sent.rawData),
  }
}

const resourceName = (number: bigint) => (number === 1n ? { resource: 'ENERGY' } : {})

function tellOrder({ order }: Sent): object {
  const owner = { owner_address: toHex(order.owner) }
  switch (order.kind) {
    case 'TransferContract':
      return { ...owner, to_address: toHex(order.to), amount: Number(order.amount) }
    case 'TriggerSmartContract':
      return { ...owner, contract_address: toHex(order.contract), data: toHex(order.data), ...some({ call_value: Number(order.callValue) }) }
    case 'FreezeBalanceV2Contract':
      return { ...owner, frozen_balance: Number(order.amount), ...resourceName(order.resource) }
    case 'UnfreezeBalanceV2Contract':
      return { ...owner, unfreeze_balance: Number(order.amount), ...resourceName(order.resource) }
    case 'DelegateResourceContract':
    case 'UnDelegateResourceContract':
      return {
        ...owner,
        balance: Number(order.amount),
        receiver_address: toHex(order.receiver),
        ...resourceName(order.resource),
        ...('lock' in order && order.lock ? { lock: true, ...some({ lock_period: Number(order.lockPeriod) }) } : {}),
      }
    case 'AccountPermissionUpdateContract':
      return { ...owner, owner: tellPermission(known(order.ownerPermission, 'the permission of the owner')), actives: order.actives.map(tellPermission) }
    case 'CreateSmartContract': {
      const { bytecode, name } = known(order.created, 'the contract that was made')
      return { ...owner, new_contract: { bytecode: toHex(bytecode), name: text(name) } }
    }
    case 'WithdrawExpireUnfreezeContract':
    case 'CancelAllUnfreezeV2Contract':
      return owner
  }
}

export function tellPermission({ type, id, name, threshold, operations, keys }: Permission): object {
  return {
    ...some({ id: Number(id), operations: toHex(operations) }),
    ...(type === 2n ? { type: 'Active' } : {}),
    permission_name: text(name),
    threshold: Number(threshold),
    keys: keys.map(({ address, weight }) => ({ address: toHex(address), weight: Number(weight) })),
  }
}

export function tellReceipt(block: Block, index: number): object {
  const receipt = at(block.receipts, index)
  const { isCall, result, logs, contract } = receipt
  const failed = result !== 'SUCCESS'
  return {
    id: receipt.txid,
    blockNumber: block.number,
    blockTimeStamp: block.timestampMs,
    contractResult: [receipt.returned],
    receipt: {
      ...some({
        net_usage: Number(receipt.netUsage),
        net_fee: Number(receipt.netFee),
        energy_usage: Number(receipt.energyUsage),
        energy_fee: Number(receipt.energyFee),
        energy_usage_total: Number(receipt.energyTotal),
      }),
      ...(isCall ? { result } : {}),
    },
    ...some({ fee: Number(receipt.fee), withdraw_expire_amount: Number(receipt.withdrawn) }),
    ...(at(block.sent, index).order.kind === 'CancelAllUnfreezeV2Contract'
      ? { cancel_unfreezeV2_amount: RESOURCES.map((each) => ({ key: each.toUpperCase(), value: Number(receipt.restaked[each]) })) }
      : {}),
    ...(contract ? { contract_address: contract } : {}),
    ...(failed ? { result: 'FAILED', resMessage: toHex(new TextEncoder().encode(result === 'REVERT' ? 'REVERT opcode executed' : result)) } : {}),
    ...(logs.length > 0 ? { log: logs } : {}),
  }
}

export function tellAccount(account: Account, balance: bigint): object {
  const { staked, lent, borrowed } = account
  return {
    address: account.address,
    ...some({ balance: Number(balance) }),
    create_time: account.createdMs,
    owner_permission: tellPermission(account.owner),
    active_permission: account.actives.map(tellPermission),
    frozenV2: [some({ amount: Number(staked.bandwidth) }), { type: 'ENERGY', ...some({ amount: Number(staked.energy) }) }, { type: 'TRON_POWER' }],
    unfrozenV2: account.unstaking.map(({ resource, amount, untilMs }) => ({
      ...(resource === 'energy' ? { type: 'ENERGY' } : {}),
      unfreeze_amount: Number(amount),
      unfreeze_expire_time: untilMs,
    })),
    ...some({
      delegated_frozenV2_balance_for_bandwidth: Number(lent.bandwidth),
      acquired_delegated_frozenV2_balance_for_bandwidth: Number(borrowed.bandwidth),
    }),
    account_resource: some({
      delegated_frozenV2_balance_for_energy: Number(lent.energy),
      acquired_delegated_frozenV2_balance_for_energy: Number(borrowed.energy),
    }),
  }
}

export function tellResources(account: Account, nowMs: number): object {
  return some({
    freeNetUsed: Number(usedOf(account, 'free', nowMs)),
    freeNetLimit: PARAMETERS.getFreeNetLimit,
    NetUsed: Number(usedOf(account, 'bandwidth', nowMs)),
    NetLimit: Number(limitOf(account, 'bandwidth')),
    EnergyUsed: Number(usedOf(account, 'energy', nowMs)),
    EnergyLimit: Number(limitOf(account, 'energy')),
    TotalNetLimit: PARAMETERS.getTotalNetLimit,
    TotalEnergyLimit: PARAMETERS.getTotalEnergyCurrentLimit,
  })
}

/** What is delegated freely and what is locked are told apart, as nodes keep them. */
export function tellDelegation({ from, to, free, locked }: Delegation): object[] {
  const amounts = (of: Amounts) => ({ frozen_balance_for_bandwidth: Number(of.bandwidth), frozen_balance_for_energy: Number(of.energy) })
  const times = { expire_time_for_bandwidth: locked.bandwidth.untilMs, expire_time_for_energy: locked.energy.untilMs }
  const parts = [some(amounts(free)), { ...some(amounts({ bandwidth: locked.bandwidth.amount, energy: locked.energy.amount })), ...some(times) }]
  return parts.filter((part) => Object.keys(part).length > 0).map((part) => ({ from, to, ...part }))
}

function some<T extends Record<string, number | string>>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== 0 && value !== '')) as Partial<T>
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

export const messageHex = (message: string): string => toHex(new TextEncoder().encode(message))
export const bytesOfHex = (text: unknown): Uint8Array =>
  fromHex(
    String(text ?? '')
      .replace(/^0x/, '')
      .toLowerCase(),
  )
