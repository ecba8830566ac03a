import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, afterEach, before, describe, it } from 'node:test'
import { tronCodec } from '@holdfast/chain-tron/codec'
import { tronNode, type TronNode } from '@holdfast/chain-tron/node'
import { AppError } from '@holdfast/contract'
import { startTron, TRON_CHAIN as chain, type TronNetwork } from '@holdfast/devnet/tron'
import { decode, toHex } from '@holdfast/encoding'
import { intentShape } from '@holdfast/intent'
import { assertConserved } from '@holdfast/ledger'
import { type StakeRule } from '@holdfast/policy'
import { nodePorts } from '@holdfast/ports/node'
import { newId, uuidToBytes } from '@holdfast/units'
import { proposeStandingOrder, followedStandingOrders } from '@holdfast/features/policy/server'
import { readTerms } from '@holdfast/features/standing-order/server'
import { followSignerOrder } from '../../../policy/server/signer-order/follow-signer-order.ts'
import { createStakeOrder } from '../../../resource/server/create-stake-order.ts'
import { broadcastOrder } from '../../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../../transfer/server/signing/sign-order.ts'
import { callerOf, keyOf } from '../../../testing/request-key.ts'
import {
  approvalOn,
  approve,
  approveAs,
  makeWallet,
  openWorld,
  orderOf,
  requestWithdrawal,
  scan,
  type Wallet,
  type World,
} from '../../../testing/test-world.ts'
import { accountsView, operateAccounts } from './accounts.ts'
import { askFor, delegationView, estimateView } from './delegations.ts'
import { attendAll } from './run-agent.ts'
import { agentView, keepAgent, turnAgent } from './settings.ts'

/* Energy is lent on the emulated network before a payment, with the real bytes of every order, and taken back after it. */

const TRX = 1_000_000n
const FINALITY = 2
const folder = mkdtempSync(`${tmpdir()}/holdfast-agent-`)
let tron: TronNetwork
let honest: TronNode
let world: World
let treasury: Wallet
let shop: Wallet

const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)
const isRefusedAs = (name: string) => (cause: unknown) => cause instanceof AppError && cause.errorName === name
const isNoData = isRefusedAs('tron_no_data')
const isOpenAlready = isRefusedAs('tron_duplicate_request')

async function mine(blocks: number): Promise<void> {
  await tron.mine(blocks)
  await scan(world)
}

/** Has an order that nobody waits for any more signed, sent, and read until it is final. */
async function carryOut(id: string): Promise<void> {
  assert.equal(await signOrder(world.context, world.orgId, id as never), 'signed')
  await broadcastOrder(world.context, world.orgId, id as never)
  await mine(FINALITY + 1)
  const { row, state } = await orderOf(world, id as never)
  assert.equal(state, 'completed', row.sub_status ?? '')
}

async function stake(wallet: Wallet, amount: string): Promise<void> {
  const input = {
    request_id: `request-${toHex(world.context.ports.random.bytes(8))}`,
    sub_wallet_id: wallet.subWalletId,
    chain,
    action: 'stake' as const,
    resource: 'energy' as const,
    amount,
    receiver: '',
    lock_blocks: 0,
    max_fee: '1',
    remark: '',
    expire_hours: 1,
  }
  const { order } = await createStakeOrder(world.context, callerOf(world.orgId, world.members[0].id, input), input)
  await approve(world, order.row.id, world.members[1], world.members[2])
  await carryOut(order.row.id)
}

/** Has people approve once that the treasury lends to the shop, and the signers follow that. */
async function stand(): Promise<void> {
  const draft = {
    id: null,
    kind: 'delegate' as const,
    name: 'Lend energy',
    sources: [{ wallet_id: treasury.walletId, sub_wallet_id: null }],
    targets: [{ kind: 'own' as const, wallet_id: shop.walletId, sub_wallet_id: null }],
    resources: ['energy' as const],
    assets: [{ chain, symbol: 'TRX', at_least: '1', at_most: '9000' }],
    fees: [{ chain, max: '1', max_share: 100 }],
    transfers: 200,
    never: [],
    days: 30,
  }
  const asked = await inOrganisation(async (tx) => {
    const terms = await readTerms(tx, world.context, draft)
    const [person] = world.members
    const key = keyOf('lend-energy', draft as never)
    return proposeStandingOrder(tx, world.context, {
      personId: person.id as never,
      language: 'en_US',
      key,
      remark: '',
      demandSecondFactor: async () => {},
      terms,
    })
  })
  const intent = decode(intentShape, new Uint8Array(asked.order.row.intent))
  for (const member of world.members.slice(1)) await approveAs(world, approvalOn(world, intent, member, 'approve'))
  assert.equal(await followSignerOrder(world.context, world.orgId, asked.order.row.id), 'followed')
  assert.equal((await inOrganisation(followedStandingOrders)).length, 1)
}

type Settings = { by?: Wallet; fallback?: 'burn' | 'wait' | 'stop'; budget?: string; most?: string }
async function set({ by = treasury, fallback = 'wait', budget = '0', most = '0' }: Settings): Promise<void> {
  const { id } = world.members[0]
  await inOrganisation(async (tx) => {
    await keepAgent(tx, world.context, id as never, { auth_sub_wallet_id: by.subWalletId, fallback, budget_day: budget, max_trx: most })
    await turnAgent(tx, world.context, id as never, true)
  })
}
const turn = (op: 'on' | 'off') => inOrganisation((tx) => operateAccounts(tx, world.context, { addresses: [shop.address], op }))

async function pay(): Promise<string> {
  const { order } = await requestWithdrawal(world, shop, { to: treasury.address, symbol: tron.token.symbol, amount: '5', maxFee: '40' })
  await approve(world, order.row.id, world.members[1], world.members[2])
  return order.row.id
}
const attend = async () => assert.deepEqual(await attendAll(world.context), [])
const supplyOf = (orderId: string) =>
  inOrganisation((tx) =>
    tx
      .selectFrom('tron_supply')
      .selectAll()
      .where('org_id', '=', tx.orgId)
      .where('order_id', '=', orderId as never)
      .executeTakeFirstOrThrow(),
  )
const delegations = async () => (await honest.stake.resources(treasury.address)).delegations

before(async () => {
  tron = await startTron(nodePorts, { port: 0, dataFolder: folder, blockTimeMs: 60_000, mining: false, solidBlocks: FINALITY })
  const { contract, symbol, decimals } = tron.token
  const { fetch, timer } = nodePorts
  honest = tronNode({ chain, rpcUrl: tron.url, tokens: [contract], fetch, timer, validForMs: 20 * 60_000 })
  const assets = [
    { chain, contract: null, symbol: 'TRX', decimals: 6 },
    { chain, contract, symbol, decimals },
  ]
  const stakes = (everybody: Uint8Array[]): StakeRule => ({
    kind: 'stake',
    id: 'stakes',
    chain,
    payers: null,
    actions: ['stake'],
    receivers: null,
    maxAmount: 100_000n * TRX,
    maxLockBlocks: 0n,
    window: null,
    initiators: everybody,
    approvers: everybody,
    threshold: 2n,
  })
  world = await openWorld({
    network: { chain, name: 'TRON', family: 'tron', codec: tronCodec({ chain }), node: honest, assets, finalityBlocks: FINALITY },
    rules: (members) => [stakes(members.map(({ id }) => uuidToBytes(id)))],
  })
  treasury = await makeWallet(world, 'Treasury')
  shop = await makeWallet(world, 'Shop')
  await tron.pay(null, treasury.address, 20_000n * TRX)
  await tron.pay(null, shop.address, 200n * TRX)
  await tron.pay(contract, shop.address, 500n * TRX)
  await tron.pay(contract, treasury.address, TRX)
  await mine(FINALITY + 1)
  await stake(treasury, '10000')
})
afterEach(() => world.db.asSystem(assertConserved))
after(async () => {
  await world?.close()
  await tron?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe('the agent on the emulated network', () => {
  it('has no data before anybody said who lends, and takes own addresses alone', async () => {
    await assert.rejects(
      inOrganisation((tx) => turnAgent(tx, world.context, world.members[0].id as never, true)),
      isNoData,
    )
    await assert.rejects(
      inOrganisation((tx) => operateAccounts(tx, world.context, { addresses: ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'], op: 'on' })),
      isNoData,
    )
    await assert.rejects(
      inOrganisation((tx) => delegationView(tx, world.context, { id: newId(1, world.context.ports.random) })),
      isNoData,
    )
  })

  it('leaves a payment waiting, with the reason, while nothing that people approved lets it lend', async () => {
    await set({})
    await turn('on')
    const id = await pay()
    assert.equal(await signOrder(world.context, world.orgId, id as never), 'wait')
    assert.equal((await orderOf(world, id as never)).row.sub_status, 'waiting_resources')
    await attend()
    const { state, reason, lacked } = await supplyOf(id)
    assert.deepEqual([state, reason, lacked > 0n], ['waiting', 'no_standing_order', true])
    assert.equal(await signOrder(world.context, world.orgId, id as never), 'wait')
  })

  it('lends exactly what that payment lacks once people approved it, and takes it back: nothing is burned for energy', async () => {
    await stand()
    await attend()
    const { list } = await accountsView(world.context, world.orgId as never, { page_no: 1, page_size: 20 })
    assert.deepEqual(
      list.map(({ address, auto }) => [address, auto]).toSorted(),
      [
        [shop.address, true],
        [treasury.address, false],
      ].toSorted(),
    )
    const [{ order_id: id }] = (await inOrganisation((tx) => tx.selectFrom('tron_supply').select('order_id').where('org_id', '=', tx.orgId).execute())) as [
      { order_id: string },
    ]
    const lending = await supplyOf(id)
    assert.equal(lending.state, 'lending')
    assert.equal(await signOrder(world.context, world.orgId, id as never), 'wait')
    await carryOut(lending.lend_order_id!)
    const { energy } = (await honest.stake.resources(shop.address)).meters
    assert.ok(energy.limit >= lending.needed && energy.limit < lending.needed + lending.needed / 10n, `${energy.limit} for ${lending.needed}`)
    await attend()
    assert.equal((await supplyOf(id)).state, 'ready')
    await carryOut(id)
    assert.ok((await orderOf(world, id as never)).row.fee_paid! < TRX, 'bandwidth at the most')
    await attend()
    const returning = await supplyOf(id)
    assert.deepEqual([returning.state, returning.used, returning.covered, returning.burned], ['returning', returning.needed, returning.needed, 0n])
    await carryOut(returning.return_order_id!)
    await attend()
    assert.equal((await supplyOf(id)).state, 'over')
    assert.deepEqual(await delegations(), [])
    const view = await agentView(world.context, world.orgId as never)
    assert.deepEqual([view.permission_ok, view.today.payments, view.today.burned_trx, view.standing?.name], [true, 1, '0', 'Lend energy'])
    assert.ok(Number(view.today.saved_trx) > 1)
    const told = await inOrganisation((tx) => delegationView(tx, world.context, { address: shop.address }))
    assert.ok(told.energy_txid && told.reclaim_energy_txid && told.saved_trx === view.today.saved_trx)
  })

  it('lends what somebody asks for, once at a time, and says before what a transfer would use', async () => {
    const asked = { address_from: shop.address, address_to: treasury.address, contract_address: tron.token.contract }
    const estimate = await estimateView(world.context, world.orgId as never, asked)
    assert.ok(Number(estimate.energy) > 0 && estimate.stake_trx !== null)
    const input = { request_id: 'ask-once', resource_type: 'energy' as const, energy_num: 30_000, ...asked }
    const ask = (id: string) => askFor(world.context, world.orgId as never, keyOf(id, input as never), { ...input, request_id: id })
    const { trans_id: id } = await ask('ask-once')
    await assert.rejects(ask('ask-twice'), isOpenAlready)
    assert.deepEqual(await ask('ask-once'), { trans_id: id, idempotent: true })
    await attend()
    const read = () =>
      inOrganisation((tx) => tx.selectFrom('tron_supply').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirstOrThrow())
    await carryOut((await read()).lend_order_id!)
    await attend()
    assert.equal((await read()).state, 'ready')
    assert.equal((await delegations()).length, 1)
    await inOrganisation((tx) => tx.updateTable('tron_supply').set({ state: 'stopped' }).where('org_id', '=', tx.orgId).where('id', '=', id).execute())
    await attend()
    await carryOut((await read()).return_order_id!)
    await attend()
    assert.deepEqual([(await read()).state, await delegations()], ['over', []])
  })

  it('burns within its two bounds where it may and nothing can be lent, and else waits', async () => {
    const reasonWith = async (settings: Settings) => {
      await set({ by: shop, fallback: 'burn', ...settings })
      const id = await pay()
      await attend()
      const { state, reason } = await supplyOf(id)
      return { id, said: [state, reason] }
    }
    assert.deepEqual((await reasonWith({ budget: '100', most: '0.5' })).said, ['waiting', 'over_burn_max'])
    assert.deepEqual((await reasonWith({ budget: '1', most: '50' })).said, ['waiting', 'budget_used'])
    await turn('off')
    const off = await pay()
    assert.equal(await signOrder(world.context, world.orgId, off as never), 'signed', 'nothing waits at an address that is switched off')
  })

  it('stops an account that somebody else may sign for, whatever was chosen', async () => {
    await turn('on')
    await set({ fallback: 'burn', budget: '1000', most: '1000' })
    const owner = { id: 0n, name: 'owner', threshold: 1n, keys: [{ address: shop.address, weight: 1n }] }
    world.network.node = { ...honest, control: async () => ({ isOwn: false, permissions: [owner] }) }
    const { order } = await inOrganisation(async (tx) => {
      const [row] = await tx.selectFrom('transfer_order').select('id').where('org_id', '=', tx.orgId).where('state', '=', 'approved').execute()
      return { order: row! }
    })
    await attend()
    world.network.node = honest
    const { state, reason } = await supplyOf(order.id)
    assert.deepEqual([state, reason], ['stopped', 'permission_changed'])
    assert.equal(await signOrder(world.context, world.orgId, order.id), 'wait')
  })
})
