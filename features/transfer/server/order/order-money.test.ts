import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertConserved, hold, release } from '@holdfast/ledger'
import { newId } from '@holdfast/units'
import { releaseOrder } from './order-money.ts'
import { requestWithdrawal, balanceOf, ETH, fund, makeWallet, openWorld, type World } from '../../../testing/test-world.ts'

let world: World
before(async () => {
  world = await openWorld()
})
after(() => world.close())

test('an order whose hold was begun anew any number of times gives back the last one, and nothing is left open', async () => {
  const { ports } = world.context
  const wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  for (const again of [0, 1, 3, 4, 8]) {
    const { row } = (await requestWithdrawal(world, wallet)).order
    const held = (await balanceOf(world, wallet)).held
    await world.db.asOrganisation(world.orgId, async (tx) => {
      const made = () => ({ id: newId(ports.clock.nowMs(), ports.random), nowMs: ports.clock.nowMs() })
      const first = await tx.selectFrom('ledger_transfer').select('id').where('reference', '=', `order:${row.id}:0`).executeTakeFirstOrThrow()
      let holdId = first.id
      for (let number = 1; number <= again; number++) {
        await release(tx, { ...made(), holdId })
        const amounts = [{ asset: { chain: row.chain, contract: null }, amount: held }]
        holdId = (await hold(tx, { ...made(), reference: `order:${row.id}:${number}`, subWalletId: row.sub_wallet_id, amounts })).id
      }
    })
    assert.equal((await balanceOf(world, wallet)).held, held)
    await world.db.asOrganisation(world.orgId, (tx) => releaseOrder(tx, ports, row))
    assert.equal((await balanceOf(world, wallet)).held, 0n)
    await assert.rejects(
      world.db.asOrganisation(world.orgId, (tx) => releaseOrder(tx, ports, row)),
      /is closed by release/,
    )
  }
  await world.db.asSystem(assertConserved)
})
