import { toHex } from '@holdfast/encoding'
import { known } from '@holdfast/units'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type Account, type Amounts, availableOf, newAccount, PARAMETERS, use } from './accounts.ts'
import { TransactionRefused } from './transaction-refused.ts'
import type { Order, Sent } from './messages.ts'
import { carryOutStake, type Delegation, isStakeOrder, whyNoStake } from './stake.ts'
import type { Log, Run, Tvm } from './tvm.ts'

export type Contract = { address: string; origin: string; name: string; bytecode: string }
export type World = { tvm: Tvm; accounts: Map<string, Account>; delegations: Map<string, Delegation>; contracts: Map<string, Contract> }

/** What became of a transaction, as nodes tell it. */
export type Receipt = {
  txid: string
  result: 'SUCCESS' | 'REVERT' | 'OUT_OF_ENERGY' | 'UNKNOWN'
  isCall: boolean
  fee: bigint
  netUsage: bigint
  netFee: bigint
  energyUsage: bigint
  energyFee: bigint
  energyTotal: bigint
  returned: string
  logs: Log[]
  contract: string | null
  /** What TRX stakes that ended gave back, and what of those that waited is staked again. */
  withdrawn: bigint
  restaked: Amounts
}

/** Carries a transaction out. Throws TransactionRefused, before anything has changed, where no block may hold it. */
export async function execute(world: World, sent: Sent, nowMs: number): Promise<Receipt> {
  const { order } = sent
  const payer = accountOf(world, toHex(order.owner))
  const receipt: Receipt = {
    txid: sent.txid,
    result: 'SUCCESS',
    isCall: order.kind === 'TriggerSmartContract' || order.kind === 'CreateSmartContract',
    fee: 0n,
    netUsage: 0n,
    netFee: 0n,
    energyUsage: 0n,
    energyFee: 0n,
    energyTotal: 0n,
    returned: '',
    logs: [],
    contract: null,
    withdrawn: 0n,
    restaked: { bandwidth: 0n, energy: 0n },
  }
  const isNew = order.kind === 'TransferContract' && !world.accounts.has(toHex(order.to))
  const bandwidth = bandwidthPlan(payer, sent.size, isNew, nowMs)
  const fees = bandwidth.fee + feesOf(order, sent, isNew)
  await assertValid(world, sent, payer, fees, nowMs)
  if (bandwidth.from) use(payer, bandwidth.from, sent.size, nowMs)
  receipt.netUsage = bandwidth.from ? sent.size : 0n
  receipt.netFee = bandwidth.fee
  receipt.fee = fees
  await world.tvm.add(payer.address, -fees)
  await carryOut(world, sent, payer, receipt, nowMs)
  return receipt
}

function accountOf({ accounts }: World, address: string): Account {
  const account = accounts.get(address)
  if (!account) throw new TransactionRefused('CONTRACT_VALIDATE_ERROR', `Contract validate error : account [${address}] does not exist`)
  return account
}

/** Where the bytes of a transaction are taken from: own stake, the free allowance, or burnt coin. A new account costs a fee in place of the last two. */
function bandwidthPlan(payer: Account, size: bigint, isNew: boolean, nowMs: number): { from: 'bandwidth' | 'free' | null; fee: bigint } {
  if (availableOf(payer, 'bandwidth', nowMs) >= size) return { from: 'bandwidth', fee: 0n }
  if (isNew) return { from: null, fee: BigInt(PARAMETERS.getCreateAccountFee) }
  if (availableOf(payer, 'free', nowMs) >= size) return { from: 'free', fee: 0n }
  return { from: null, fee: size * BigInt(PARAMETERS.getTransactionFee) }
}

function feesOf(order: Order, sent: Sent, isNew: boolean): bigint {
  const { getCreateNewAccountFeeInSystemContract, getMultiSignFee, getMemoFee, getUpdateAccountPermissionFee } = PARAMETERS
  const fees = [
    isNew ? getCreateNewAccountFeeInSystemContract : 0,
    sent.signatures.length > 1 ? getMultiSignFee : 0,
    sent.memo.length > 0 ? getMemoFee : 0,
    order.kind === 'AccountPermissionUpdateContract' ? getUpdateAccountPermissionFee : 0,
  ]
  return BigInt(fees.reduce((sum, fee) => sum + fee, 0))
}

async function assertValid(world: World, { order, feeLimit }: Sent, payer: Account, fees: bigint, nowMs: number): Promise<void> {
  const refuse = (reason: string) => new TransactionRefused('CONTRACT_VALIDATE_ERROR', `Contract validate error : ${reason}`)
  const needs = (amount: bigint, reason: string) => {
    if (amount < 0n) throw refuse(reason)
  }
  const balance = await world.tvm.balance(payer.address)
  const spent = spentBy(order)
  if (balance < fees) throw new TransactionRefused('BANDWITH_ERROR', 'Account resource insufficient error.')
  needs(balance - fees - spent, `Validate ${order.kind} error, balance is not sufficient.`)
  if (isStakeOrder(order)) {
    const reason = whyNoStake(world, order, payer, nowMs)
    if (reason !== undefined) throw refuse(reason)
    return
  }
  switch (order.kind) {
    case 'TransferContract':
      if (order.amount === 0n) throw refuse('Amount must be greater than 0.')
      if (toHex(order.to) === payer.address) throw refuse('Cannot transfer TRX to yourself.')
      if (world.contracts.has(toHex(order.to))) throw refuse('Cannot transfer TRX to a smartContract.')
      return
    case 'TriggerSmartContract':
      if (!world.contracts.has(toHex(order.contract))) throw refuse('No contract or not a valid smart contract')
      if (feeLimit > BigInt(PARAMETERS.getMaxFeeLimit)) throw refuse('feeLimit must be >= 0 and <= max')
      return
    default:
  }
}

function spentBy(order: Order): bigint {
  if (order.kind === 'TransferContract' || order.kind === 'FreezeBalanceV2Contract') return order.amount
  return order.kind === 'TriggerSmartContract' ? order.callValue : 0n
}

async function carryOut(world: World, sent: Sent, payer: Account, receipt: Receipt, nowMs: number): Promise<void> {
  const { order } = sent
  const { tvm, accounts } = world
  if (isStakeOrder(order)) {
    const { withdrawn, restaked } = carryOutStake(world, order, payer, nowMs)
    Object.assign(receipt, { withdrawn, restaked })
    return tvm.add(payer.address, withdrawn - spentBy(order))
  }
  switch (order.kind) {
    case 'TransferContract': {
      const to = toHex(order.to)
      if (!accounts.has(to)) accounts.set(to, newAccount(to, nowMs))
      await tvm.add(payer.address, -order.amount)
      return tvm.add(to, order.amount)
    }
    case 'AccountPermissionUpdateContract':
      payer.owner = known(order.ownerPermission, 'the permission of the owner')
      payer.actives = order.actives.map((each, i) => ({ ...each, id: BigInt(i + 2) }))
      return
    case 'TriggerSmartContract':
    case 'CreateSmartContract':
      return runContract(world, sent, payer, receipt, nowMs)
  }
}

/** Runs a contract. Energy is taken from stake first and then burnt; in all not more than the fee limit buys. Source: java-tron, VMActuator. */
async function runContract(world: World, sent: Sent, payer: Account, receipt: Receipt, nowMs: number): Promise<void> {
  const { order, feeLimit } = sent
  const price = BigInt(PARAMETERS.getEnergyFee)
  const staked = availableOf(payer, 'energy', nowMs)
  const affordable = staked + ((await world.tvm.balance(payer.address)) - spentBy(order)) / price
  const energy = affordable < feeLimit / price ? affordable : feeLimit / price
  const run = await runOf(world, sent, payer.address, energy, receipt, nowMs)
  const fromStake = run.energy < staked ? run.energy : staked
  use(payer, 'energy', fromStake, nowMs)
  receipt.energyTotal = run.energy
  receipt.energyUsage = fromStake
  receipt.energyFee = (run.energy - fromStake) * price
  receipt.fee += receipt.energyFee
  receipt.returned = toHex(run.returned)
  receipt.logs = run.logs
  receipt.result = resultOf(run)
  await world.tvm.add(payer.address, -receipt.energyFee)
}

async function runOf(world: World, { order, txid }: Sent, from: string, energy: bigint, receipt: Receipt, nowMs: number): Promise<Run> {
  if (order.kind === 'TriggerSmartContract') {
    receipt.contract = toHex(order.contract)
    return world.tvm.call({ from, to: receipt.contract, data: order.data, value: order.callValue, energy })
  }
  if (order.kind !== 'CreateSmartContract') throw new Error(`${order.kind} runs no contract`)
  const { bytecode = new Uint8Array(), name = new Uint8Array() } = order.created ?? {}
  const at = `41${toHex(keccak_256(Uint8Array.from([...Buffer.from(txid, 'hex'), ...order.owner]))).slice(-40)}`
  const run = await world.tvm.create({ from, at, code: bytecode, energy })
  receipt.contract = at
  if (run.failure === null) {
    world.contracts.set(at, { address: at, origin: from, name: new TextDecoder().decode(name), bytecode: toHex(bytecode) })
    world.accounts.set(at, newAccount(at, nowMs))
  }
  return run
}

function resultOf({ failure }: Run): Receipt['result'] {
  if (failure === null) return 'SUCCESS'
  if (failure === 'revert') return 'REVERT'
  return failure === 'out of gas' ? 'OUT_OF_ENERGY' : 'UNKNOWN'
}
