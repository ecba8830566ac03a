import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import devDollar from '@holdfast/chain-evm/artifacts/dev-dollar.json' with { type: 'json' }
import { DEPLOYER } from '@holdfast/chain-evm/collect'
import { codecFor, PAYOUTS } from '@holdfast/chain-evm/codec'
import { evmNode } from '@holdfast/chain-evm/node'
import { AppError, type Endpoint } from '@holdfast/contract'
import { createBatchAllowance, listAllowances, revokeBatchAllowance } from '@holdfast/features/contract-call/contract'
import { auditAll } from '@holdfast/features/deposit/server'
import { assertConserved } from '@holdfast/ledger'
import type { CallRule } from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import { verifyEvidence } from '@holdfast/protocol'
import { at, known, uuidToBytes } from '@holdfast/units'
import { type Abi, type Address, getAddress, type Hex, parseEther } from 'viem'
import { type Anvil, startAnvil } from '../../../packages/chains/evm/testing/anvil.ts'
import { contractCallEndpoints } from '../../contract-call/server/routes.ts'
import { evidenceOf } from '../../testing/evidence-of.ts'
import { callerOf } from '../../testing/request-key.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { approvalOn, approve, approveAs, balanceOf, ETH, makeWallet, openWorld, orderOf, scan, type Wallet, type World } from '../../testing/test-world.ts'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import * as contract from '../contract.ts'
import { batchOf, readBatchRow } from './move-batch.ts'
import { batchTransferEndpoints } from './routes.ts'
import { advance } from './run-batches.ts'

/* EVM networks: a contract pays many lines of a batch by one transaction. */

const THOUSAND = 1_000_000_000n
const APPROVE = 'approve(address,uint256)'
let world: World
let wallet: Wallet
let other: Wallet
let anvil: Anvil
let token: Address

const mined = (hash: Hex) => anvil.network.waitForTransactionReceipt({ hash })

before(async () => {
  anvil = await startAnvil()
  const { contractAddress } = await mined(
    await anvil.walletOf(0).deployContract({ abi: devDollar.abi as Abi, bytecode: devDollar.bytecode as Hex, args: ['PAYS'] }),
  )
  token = getAddress(contractAddress!)
  const calls = (everybody: Uint8Array[]): CallRule[] => {
    const allows: CallRule = {
      ...{ kind: 'boundedCall', id: 'allows', chain: CHAIN, payers: null, contracts: [token], functions: [APPROVE], maxValue: 0n, maxTokens: 10n ** 24n },
      ...{ window: null, unlimitedAllowances: false, unknownCallData: false, initiators: everybody, approvers: [everybody[1]!], threshold: 1n },
    }
    return [allows, { ...allows, id: 'deploys', contracts: [DEPLOYER], unknownCallData: true }]
  }
  const { fetch, timer } = nodePorts
  world = await openWorld({
    network: {
      assets: [
        { chain: CHAIN, contract: null, symbol: 'ETH', decimals: 18 },
        { chain: CHAIN, contract: token, symbol: 'PAYS', decimals: 6 },
      ],
      node: evmNode({ chain: CHAIN, rpcUrl: anvil.rpcUrl, tokens: [token], fetch, timer }),
    },
    rules: (members) => calls(members.map(({ id }) => uuidToBytes(id))),
  })
  wallet = await makeWallet(world)
  other = await makeWallet(world, 'Payroll')
  await mined(await anvil.walletOf(0).sendTransaction({ to: wallet.address as Hex, value: parseEther('5') }))
  await mined(await anvil.walletOf(0).writeContract({ address: token, abi: devDollar.abi as Abi, functionName: 'mint', args: [wallet.address, THOUSAND] }))
  await finalise()
})
after(async () => {
  await world?.close()
  await anvil?.stop()
})
// Empty blocks make fees fall, and a cap far above the fee is refused.
beforeEach(async () => {
  await anvil.network.setNextBlockBaseFeePerGas({ baseFeePerGas: 1_000_000_000n })
  await anvil.network.mine({ blocks: 1 })
})
afterEach(async () => {
  await world.db.asSystem(assertConserved)
  const ours = [wallet.address, other.address]
  assert.deepEqual(
    (await auditAll(world.context)).filter((each) => ours.some((address) => each.includes(address))),
    [],
    'the books are the chain',
  )
})

async function finalise() {
  await anvil.network.mine({ blocks: 3 })
  await scan(world)
}

type Asked = { trans_id: string; does: string; idempotent: boolean }
async function call<T>(endpoint: Endpoint, input: object): Promise<T> {
  const session = { demandSecondFactorWhereSet: async () => {} }
  const endpoints = [...batchTransferEndpoints(world.context, session), ...contractCallEndpoints(world.context, session)]
  const { handler } = known(
    endpoints.find((each) => each.endpoint === endpoint),
    endpoint.path,
  )
  return handler(callerOf(world.orgId, world.members[0].id, { request_id: 'none', ...input }) as never, input as never) as never
}

let requests = 0
const allowance = (symbol: string, amount: string) => ({
  ...{ request_id: `allowance-request-${++requests}`, sub_wallet_id: wallet.subWalletId, chain: CHAIN, symbol },
  ...(amount !== '' && { amount }),
})

/** Has a call that was asked for approved, signed, sent and read until it is final. */
async function carryOut({ trans_id: id }: Asked) {
  await approve(world, id, world.members[1])
  assert.equal(await signOrder(world.context, world.orgId, id as never), 'signed')
  assert.equal(await broadcastOrder(world.context, world.orgId, id as never), true)
  await finalise()
  return (await orderOf(world, id)).state
}

type Info = {
  state: string
  is_final: boolean
  mode: string
  paid: string
  by_contract: { readiness: string; allowance: string | null; fees: { transactions: number } | null } | null
}
const info = (id: string) => call<Info>(contract.getBatch, { batch_id: id })

async function upload(symbol: string, lines: readonly [to: string, amount: string][]): Promise<string> {
  const file = new File([['address,amount', ...lines.map((line) => line.join(','))].join('\n')], 'payroll.csv')
  const { batch_id: id } = await call<{ batch_id: string }>(contract.uploadBatch, { sub_wallet_id: wallet.subWalletId, chain: CHAIN, symbol, file })
  return id
}

const submit = (id: string) =>
  call(contract.submitBatch, { batch_id: id, mode: 'contract', execution: 'strict', fee_tier: 'normal', max_fee: undefined, remark: '' })

/** Approves a batch, and has its orders signed, sent and in final blocks. */
async function pay(id: string) {
  const batch = await world.db.asOrganisation(world.orgId, async (tx) => known(batchOf(await readBatchRow(tx, id)), 'a batch'))
  for (const member of [1, 2] as const) await approveAs(world, approvalOn(world, batch.intent, world.members[member]))
  await advance(world.context, world.orgId, id)
  const orders = await world.db.asSystem((tx) => tx.selectFrom('transfer_order').select(['id']).where('batch_id', '=', id).orderBy('id').execute())
  for (const order of orders) {
    assert.equal(await signOrder(world.context, world.orgId, order.id), 'signed')
    assert.equal(await broadcastOrder(world.context, world.orgId, order.id), true)
  }
  await finalise()
  await advance(world.context, world.orgId, id)
  return Promise.all(orders.map((order) => orderOf(world, order.id)))
}

const stranger = (number: number) => getAddress(`0x${String(number).padStart(40, '1')}`)
const tokensOf = (owner: string) => anvil.network.readContract({ address: token, abi: devDollar.abi as Abi, functionName: 'balanceOf', args: [owner] })
const refusedWith =
  (code: string, reason = /./) =>
  (cause: unknown) =>
    cause instanceof AppError && cause.code === code && reason.test(String(cause.details.reason ?? '-'))

describe('a batch by contract', () => {
  it('is refused with the reason until the contract stands and may take what it pays, which ordinary orders ask for', async () => {
    const id = await upload('PAYS', [
      [stranger(1), '1'],
      [stranger(2), '2'],
    ])
    assert.deepEqual((await info(id)).by_contract, { address: PAYOUTS, readiness: 'not_deployed', allowance: '0', fees: null })
    await assert.rejects(submit(id), refusedWith('300193', /stand/))
    const asked = allowance('PAYS', '3')
    const deployment = await call<Asked>(createBatchAllowance, asked)
    assert.deepEqual([deployment.does, deployment.idempotent], ['deploy', false])
    assert.deepEqual(await call<Asked>(createBatchAllowance, asked), { ...deployment, idempotent: true })
    assert.equal(await carryOut(deployment), 'completed')
    assert.equal((await info(id)).by_contract?.readiness, 'allowance_low')
    await assert.rejects(submit(id), refusedWith('300193', /less/))
    await assert.rejects(call(createBatchAllowance, allowance('PAYS', '-1')), refusedWith('300194'))
    await assert.rejects(call(createBatchAllowance, allowance('PAYS', '0')), refusedWith('110005'))
    const allowed = await call<Asked>(createBatchAllowance, allowance('PAYS', '3'))
    assert.equal(allowed.does, 'allow')
    assert.equal(await carryOut(allowed), 'completed')
    const ready = (await info(id)).by_contract
    assert.deepEqual([ready?.readiness, ready?.allowance, ready?.fees?.transactions], ['ready', '3', 1])
  })

  it('of a token is paid by one transaction, each line once, by exactly what was allowed, and own addresses are credited once', async () => {
    const lines = Array.from({ length: 8 }, (_, i): [string, string] => [stranger(i + 10), `${i + 1}.5`])
    await carryOut(await call<Asked>(createBatchAllowance, allowance('PAYS', '50')))
    const id = await upload('PAYS', [...lines, [other.address, '10']])
    await submit(id)
    const second = await upload('PAYS', lines)
    await assert.rejects(submit(second), refusedWith('300193', /another batch/))
    const orders = await pay(id)
    assert.deepEqual(
      orders.map(({ state }) => state),
      ['completed'],
    )
    const done = await info(id)
    assert.deepEqual([done.state, done.mode, done.paid], ['finished', 'contract', '50'])
    for (const [to, amount] of lines) assert.equal(await tokensOf(to), BigInt(Number(amount) * 1_000_000))
    assert.deepEqual(await balanceOf(world, wallet, token), { available: THOUSAND - 50_000_000n, held: 0n })
    assert.deepEqual(await balanceOf(world, other, token), { available: 10_000_000n, held: 0n })
    const report = verifyEvidence(await evidenceOf(world, at(orders, 0).row.id), { codecFor })
    assert.deepEqual(report.batch?.lines, [1, 9])
    await assert.rejects(submit(second), refusedWith('300193', /less/), 'the allowance is used up')
  })

  it('of coin sends the sum along, and what inside the transaction goes to an own address is credited once', async () => {
    const had = await balanceOf(world, wallet)
    const id = await upload('ETH', [
      [stranger(30), '0.1'],
      [other.address, '0.2'],
      [stranger(31), '0.3'],
    ])
    await submit(id)
    const [order] = await pay(id)
    assert.equal(order?.state, 'completed')
    assert.equal(await anvil.network.getBalance({ address: stranger(31) }), (ETH * 3n) / 10n)
    assert.equal(await anvil.network.getBalance({ address: PAYOUTS }), 0n)
    const fee = known(order?.row.fee_paid ?? undefined, 'a fee')
    assert.deepEqual(await balanceOf(world, wallet), { available: had.available - (ETH * 6n) / 10n - fee, held: 0n })
    assert.deepEqual(await balanceOf(world, other), { available: ETH / 5n, held: 0n })
  })

  it('that the chain reverts pays nobody, costs its fee, and can be asked for again', async () => {
    const had = await balanceOf(world, wallet)
    // The token takes no coin: it only comes out when the chain runs it.
    const code = await anvil.network.getCode({ address: token })
    const taker = stranger(40)
    const id = await upload('ETH', [
      [taker, '0.1'],
      [stranger(41), '0.1'],
    ])
    await submit(id)
    const batch = await world.db.asOrganisation(world.orgId, async (tx) => known(batchOf(await readBatchRow(tx, id)), 'a batch'))
    for (const member of [1, 2] as const) await approveAs(world, approvalOn(world, batch.intent, world.members[member]))
    await advance(world.context, world.orgId, id)
    const [order] = await world.db.asSystem((tx) => tx.selectFrom('transfer_order').select(['id']).where('batch_id', '=', id).execute())
    assert.equal(await signOrder(world.context, world.orgId, order!.id), 'signed')
    await anvil.network.setCode({ address: taker, bytecode: code! })
    assert.equal(await broadcastOrder(world.context, world.orgId, order!.id), true)
    await finalise()
    await advance(world.context, world.orgId, id)
    const { state, row } = await orderOf(world, order!.id)
    assert.equal(state, 'failed')
    assert.deepEqual(await balanceOf(world, wallet), { available: had.available - row.fee_paid!, held: 0n })
    assert.equal(await anvil.network.getBalance({ address: stranger(41) }), 0n)
    const { batch_id: again } = await call<{ batch_id: string }>(contract.retryBatch, { batch_id: id, lines: [1, 2] })
    assert.equal((await info(again)).state, 'checked')
  })

  it('may take nothing more once the allowance was taken back', async () => {
    await carryOut(await call<Asked>(createBatchAllowance, allowance('PAYS', '7')))
    const listed = await call<{ list: { spender: string; of_batches: boolean; allowance: string }[] }>(listAllowances, {
      sub_wallet_id: wallet.subWalletId,
      fiat: 'USD',
    })
    assert.deepEqual(
      listed.list.map(({ spender, of_batches, allowance: may }) => [spender, of_batches, may]),
      [[PAYOUTS, true, '7']],
    )
    const revocation = await call<Asked>(revokeBatchAllowance, allowance('PAYS', ''))
    assert.equal(revocation.does, 'revoke')
    assert.equal(await carryOut(revocation), 'completed')
    const id = await upload('PAYS', [
      [stranger(50), '1'],
      [stranger(51), '2'],
    ])
    assert.deepEqual((await info(id)).by_contract?.allowance, '0')
  })
})
