import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { assertConserved } from '@holdfast/ledger'
import { newId } from '@holdfast/units'
import { signOrder } from '../../../transfer/server/signing/sign-order.ts'
import { keyOf } from '../../../testing/request-key.ts'
import { orderOf } from '../../../testing/test-world.ts'
import {
  attend,
  carryOut,
  closeAgentWorld,
  delegations,
  honest,
  inOrganisation,
  isRefusedAs,
  toLend,
  needs,
  openAgentWorld,
  pay,
  set,
  type Settings,
  shop,
  stand,
  supplyOf,
  treasury,
  tron,
  turn,
  world,
} from '../testing/agent-world.ts'
import { accountsView, operateAccounts } from './accounts.ts'
import { askFor, delegationView, estimateView } from './delegations.ts'
import { agentView, turnAgent } from './settings.ts'

/* Energy is lent on the emulated network before a payment, and taken back after it. */

const TRX = 1_000_000n
const isNoData = isRefusedAs('tron_no_data')
const isOpenAlready = isRefusedAs('tron_duplicate_request')

before(openAgentWorld)
afterEach(() => world.db.asSystem(assertConserved))
after(closeAgentWorld)

describe('the agent on the emulated network', () => {
  it('has no data before anybody said who lends, and takes own addresses alone', async () => {
    await assert.rejects(
      inOrganisation((tx) => turnAgent(tx, needs(), world.members[0].id as never, true)),
      isNoData,
    )
    await assert.rejects(
      inOrganisation((tx) => operateAccounts(tx, world.context, { addresses: ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'], op: 'on' })),
      isNoData,
    )
    await assert.rejects(
      inOrganisation((tx) => delegationView(tx, needs(), { id: newId(1, world.context.ports.random) })),
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
    await stand(toLend())
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
    const view = await agentView(needs(), world.orgId as never, 'en_US')
    assert.deepEqual([view.permission_ok, view.today.payments, view.today.burned_trx, view.standing?.name], [true, 1, '0', 'Lend energy'])
    assert.ok(Number(view.today.saved_trx) > 1)
    const told = await inOrganisation((tx) => delegationView(tx, needs(), { address: shop.address }))
    assert.ok(told.energy_txid && told.reclaim_energy_txid && told.saved_trx === view.today.saved_trx)
  })

  it('lends what somebody asks for, once at a time, and says before what a transfer would use', async () => {
    const asked = { address_from: shop.address, address_to: treasury.address, contract_address: tron.token.contract }
    const estimate = await estimateView(needs(), world.orgId as never, asked)
    assert.ok(Number(estimate.energy) > 0 && estimate.stake_trx !== null)
    const input = { request_id: 'ask-once', resource_type: 'energy' as const, energy_num: 30_000, ...asked }
    const ask = (id: string) => askFor(needs(), world.orgId as never, keyOf(id, input as never), { ...input, request_id: id })
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

  it('passes over who cannot lend, with the reason, and lends from the next', async () => {
    await turn('on')
    await set({ by: shop, further: [treasury] })
    const id = await pay()
    await attend()
    const lending = await supplyOf(id)
    assert.deepEqual([lending.state, lending.lender, lending.passed], ['lending', treasury.address, [{ by: 'lend', who: shop.address, reason: 'own_address' }]])
    const view = await agentView(needs(), world.orgId as never, 'en_US')
    assert.deepEqual(
      view.lenders.map(({ address }) => address),
      [shop.address, treasury.address],
    )
    await carryOut(lending.lend_order_id ?? '')
    await attend()
    await carryOut(id)
    await attend()
    await carryOut((await supplyOf(id)).return_order_id ?? '')
    await attend()
    assert.equal((await supplyOf(id)).state, 'over')
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
