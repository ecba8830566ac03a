import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { assertConserved } from '@holdfast/ledger'
import { newId } from '@holdfast/units'
import { balanceOf, ETH, makeWallet, openWorld, scan, type World } from '../../../testing/test-world.ts'

const ADDED = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
let world: World

before(async () => {
  world = await openWorld()
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

describe('a deposit of an added token in an old block', () => {
  it('that cannot be credited when it is found is credited once it can', async () => {
    const { chain, network, ports } = { ...world, ...world.context }
    const wallet = await makeWallet(world)
    await scan(world)
    chain.give(wallet.address, 3n * ETH, ADDED)
    const { height } = chain.mine()
    chain.mine(network.finalityBlocks + 2)
    await scan(world)
    // As if it had been read so long ago that the block is forgotten.
    await world.db.asSystem((tx) => tx.deleteFrom('chain_block').where('chain', '=', network.chain).where('height', '=', height).execute())
    const nowMs = ports.clock.nowMs()
    const place = { org_id: world.orgId, chain: network.chain, contract: ADDED }
    const times = { created_at: nowMs, opened_at: nowMs }
    const token = { ...place, ...times, id: newId(nowMs, ports.random), symbol: 'ADD', decimals: 18, name: '', reason: '', from_height: height }
    const alarm = { ...place, cause: 'books' as const, place: '', reason: 'broken by a test', since_at: 1 }
    await world.db.asOrganisation(world.orgId, async (tx) => {
      await tx
        .insertInto('added_token')
        .values({ ...token, state: 'open', requested_by: world.members[0].id })
        .execute()
      await tx.insertInto('asset_alarm').values(alarm).execute()
    })
    const more = async () => {
      chain.mine()
      await scan(world)
    }
    const deposits = () => world.db.asOrganisation(world.orgId, (tx) => tx.selectFrom('deposit').select(['state', 'sub_status', 'height']).execute())
    for (let i = 0; i < 3; i++) await more()
    assert.deepEqual(
      (await deposits()).map(({ sub_status, ...each }) => [sub_status, each.height]),
      [['books_broken', height]],
    )
    await world.db.asOrganisation(world.orgId, (tx) => tx.updateTable('asset_alarm').set({ over_at: 1 }).where('cause', '=', 'books').execute())
    await more()
    assert.deepEqual(await deposits(), [{ state: 'credited', sub_status: null, height }])
    assert.deepEqual(await balanceOf(world, wallet, ADDED), { available: 3n * ETH, held: 0n })
  })
})
