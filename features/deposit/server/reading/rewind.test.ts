import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { assertConserved, hold } from '@holdfast/ledger'
import { balanceOf, ETH, makeWallet, openWorld, scan, type Wallet, type World } from '../../../testing/test-world.ts'
import { openReaper } from '../testing/reaper.ts'
import { scanChain, type ScanMemory } from './scan.ts'

const FINALITY = 3
let world: World

before(async () => {
  world = await openWorld({ finalityBlocks: FINALITY })
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

const depositsOf = async ({ subWalletId }: Wallet) =>
  world.db.asOrganisation(world.orgId, async (tx) =>
    (await tx.selectFrom('deposit').selectAll().where('sub_wallet_id', '=', subWalletId).orderBy('height').execute()).map(
      ({ state, sub_status, confirmations }) => [state, sub_status, confirmations],
    ),
  )

/** Two wallets that one coin each was credited to, of which one has spent it, and the blocks that brought them. */
async function creditTwo() {
  const [rich, spent] = [await makeWallet(world), await makeWallet(world)]
  await scan(world)
  for (const each of [rich, spent]) world.chain.give(each.address, ETH)
  world.chain.mine(FINALITY + 1)
  await scan(world)
  const amounts = [{ asset: { chain: world.network.chain, contract: null }, amount: ETH }]
  const spending = { id: crypto.randomUUID(), reference: `spent ${spent.subWalletId}`, nowMs: 1, subWalletId: spent.subWalletId, amounts }
  await world.db.asOrganisation(world.orgId, (tx) => hold(tx, spending))
  return { rich, spent, blocks: world.chain.blocks.slice(-FINALITY - 1) }
}

async function staysCredited({ rich, spent }: { rich: Wallet; spent: Wallet }, moment: string): Promise<void> {
  const credited = [['credited', null, BigInt(FINALITY)]]
  assert.deepEqual([await depositsOf(rich), await depositsOf(spent)], [credited, credited], moment)
  assert.deepEqual(await balanceOf(world, rich), { available: ETH, held: 0n }, moment)
  assert.deepEqual(await balanceOf(world, spent), { available: 0n, held: ETH }, moment)
}

describe('a rewind that a server did not end', () => {
  it('is ended by the next one, at whatever moment the first one died: what old blocks brought that the chain has again is credited', async () => {
    const reaper = openReaper()
    const mortal = reaper.mortal(world.context)
    for (let moment = 1; reaper.deaths === moment - 1; moment++) {
      const credited = await creditTwo()
      world.chain.reorganise(FINALITY + 1, { dropGifts: true })
      world.chain.mine(FINALITY + 2)
      await reaper.run(moment, () => scanChain(mortal, world.network))
      world.chain.replaceFrom(credited.blocks)
      await scan(world)
      await staysCredited(credited, `killed at moment ${moment}`)
      // What comes later takes nothing of it back.
      world.chain.give(credited.spent.address, ETH)
      world.chain.mine(FINALITY + 1)
      await scan(world)
      assert.deepEqual(await balanceOf(world, credited.spent), { available: ETH, held: ETH }, `killed at moment ${moment}`)
    }
    assert.ok(reaper.deaths > 20)
  })

  it('is ended by the same server, whose database failed, without waiting for another block', async () => {
    const memory: ScanMemory = {}
    const credited = await creditTwo()
    while (await scanChain(world.context, world.network, memory)) continue
    world.chain.reorganise(FINALITY + 1, { dropGifts: true })
    world.chain.mine(FINALITY + 2)
    const { db } = world.context
    let left = 1
    const asOrganisation: typeof db.asOrganisation = (orgId, act) => {
      if (left-- > 0) return db.asOrganisation(orgId, act)
      throw new Error('the database is gone')
    }
    await assert.rejects(scanChain({ ...world.context, db: { ...db, asOrganisation } }, world.network, memory), /the database is gone/)
    world.chain.replaceFrom(credited.blocks)
    while (await scanChain(world.context, world.network, memory)) continue
    await staysCredited(credited, 'failed')
  })
})
