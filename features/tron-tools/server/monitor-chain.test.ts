import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, it } from 'node:test'
import { tronCodec } from '@holdfast/chain-tron/codec'
import { ChainError } from '@holdfast/chain-core'
import { tronNode } from '@holdfast/chain-tron/node'
import { AppError } from '@holdfast/contract'
import { startTron, TRON_CHAIN as chain, type TronNetwork } from '@holdfast/devnet/tron'
import { nodePorts } from '@holdfast/ports/node'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { approve, makeWallet, openWorld, orderOf, requestWithdrawal, scan, type Wallet, type World } from '../../testing/test-world.ts'
import { feeUsage } from './fee-usage.ts'
import { monitored, unwatch, watch } from './monitor.ts'
import { setReceivers } from './receivers.ts'
import { sampleAll } from './sample.ts'

/* What is watched on the emulated network: its node says what an address has, and its blocks burn the fees. */

const TRX = 1_000_000n
const folder = mkdtempSync(`${tmpdir()}/holdfast-monitor-`)
let tron: TronNetwork
let world: World
let treasury: Wallet

const isNoData = (cause: unknown) => cause instanceof AppError && cause.errorName === 'tron_no_data'
const list = () => world.db.asOrganisation(world.orgId, (tx) => monitored(tx, world.context, undefined))
const mails = () => world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('mail').select(['person_id', 'topic']).where('org_id', '=', tx.orgId).execute())
const save = (address: string, given: { energy_min?: string; trx_min?: string } = {}) =>
  world.db.asOrganisation(world.orgId, (tx) => watch(tx, world.context, { chain, address, energy_min: '0', net_min: '0', trx_min: '0', ...given }))
const usage = (group: 'day' | 'sub_wallet' | 'kind', end_time: number) =>
  world.db.asOrganisation(world.orgId, (tx) => feeUsage(tx, world.context, { start_time: 0, end_time, group }))

before(async () => {
  tron = await startTron(nodePorts, { port: 0, dataFolder: folder, blockTimeMs: 60_000, mining: false, solidBlocks: 2 })
  const { contract, symbol, decimals } = tron.token
  const { fetch, timer } = nodePorts
  const node = tronNode({ chain, rpcUrl: tron.url, tokens: [contract], fetch, timer, validForMs: 20 * 60_000 })
  const assets = [
    { chain, contract: null, symbol: 'TRX', decimals: 6 },
    { chain, contract, symbol, decimals },
  ]
  world = await openWorld({ network: { chain, name: 'TRON', family: 'tron', codec: tronCodec({ chain }), node, assets, finalityBlocks: 2 } })
  treasury = await makeWallet(world, 'Treasury')
  await tron.pay(null, treasury.address, 100n * TRX)
  await tron.pay(contract, treasury.address, 50n * TRX)
  await tron.mine(3)
  await scan(world)
})
after(async () => {
  await world?.close()
  await tron?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('the monitor of resources', () => {
  it('watches own addresses alone', async () => {
    await assert.rejects(save('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'), isNoData)
    await assert.rejects(
      world.db.asOrganisation(world.orgId, (tx) => unwatch(tx, world.context, { chain, address: treasury.address })),
      { errorName: 'resource_not_found' },
    )
    assert.deepEqual(await list(), [])
  })

  it('keeps what the node says, and tells once of what is below its threshold, until it was not', async () => {
    const [first] = world.members
    await world.db.asOrganisation(world.orgId, (tx) => setReceivers(tx, world.context, [first.id], true))
    await save(treasury.address, { trx_min: '100.000001' })
    assert.deepEqual(
      (await list()).map(({ looked_at: at, trx, alert }) => [at, trx, alert]),
      [[null, null, []]],
    )
    assert.deepEqual(await sampleAll(world.context), [])
    assert.deepEqual(await sampleAll(world.context), [])
    const [row] = await list()
    assert.deepEqual([row?.trx, row?.alert, row?.samples.length, row?.forecast_h, row?.forecast_of], ['100', ['trx'], 1, null, null])
    assert.deepEqual(await mails(), [{ person_id: first.id, topic: 'resource_low' }])
    await save(treasury.address, { trx_min: '1' })
    await sampleAll(world.context)
    assert.deepEqual((await list())[0]?.alert, [])
    await save(treasury.address, { trx_min: '200' })
    await sampleAll(world.context)
    assert.equal((await mails()).length, 2)
  })

  it('leaves a gap while the node does not answer, and alarms nobody', async () => {
    const { node } = world.network
    const before = await list()
    world.network.node = { ...node, balance: () => Promise.reject(new ChainError('the node is away')) }
    assert.deepEqual(await sampleAll(world.context), [])
    world.network.node = node
    assert.deepEqual(await list(), before)
  })

  it('has no data of fees before one is paid, and then what the ledger says, by kind and by wallet', async () => {
    const end = nodePorts.clock.nowMs() + 3_600_000
    await assert.rejects(usage('day', end), isNoData)
    const { order } = await requestWithdrawal(world, treasury, {
      to: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
      symbol: tron.token.symbol,
      amount: '5',
      maxFee: '40',
    })
    await approve(world, order.row.id, world.members[1], world.members[2])
    assert.equal(await signOrder(world.context, world.orgId, order.row.id), 'signed')
    await broadcastOrder(world.context, world.orgId, order.row.id)
    await tron.mine(3)
    await scan(world)
    const { row, state } = await orderOf(world, order.row.id)
    assert.equal(state, 'completed')
    const paid = row.fee_paid ?? 0n
    assert.ok(paid > 0n)
    const byKind = await usage('kind', end)
    assert.deepEqual(
      byKind.list.map(({ key, count }) => [key, count]),
      [['withdraw', 1]],
    )
    assert.equal(BigInt(Math.round(Number(byKind.burned_trx) * 1e6)), paid)
    assert.deepEqual(
      (await usage('sub_wallet', end)).list.map(({ key }) => key),
      [treasury.subWalletId],
    )
    assert.equal((await usage('day', end)).burned_trx, byKind.burned_trx)
    await assert.rejects(usage('day', 1), isNoData)
  })
})
