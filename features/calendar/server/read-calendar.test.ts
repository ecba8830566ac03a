import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { ETH, fund, makeWallet, openWorld, type Wallet, type World } from '../../testing/test-world.ts'
import { openTransfer } from '../../transfer/server/index.ts'
import { keyOf } from '../../testing/request-key.ts'
import { readCalendar } from './read-calendar.ts'

let world: World
let payer: Wallet
before(async () => {
  world = await openWorld()
  payer = await makeWallet(world, 'Operations')
  await fund(world, payer, 2n * ETH)
})
after(() => world.close())

const HOUR_MS = 3_600_000
const span = (aroundMs: number) => ({ fromMs: aroundMs - HOUR_MS, untilMs: aroundMs + HOUR_MS })
const read = (aroundMs: number) => world.db.asOrganisation(world.orgId, (tx) => readCalendar(tx, world.context, span(aroundMs)))

describe('the calendar', () => {
  it('has an order that waits for approval on the day until which it can be approved, and on no other', async () => {
    const nowMs = world.context.ports.clock.nowMs()
    const asset = world.context.networks.byContract(CHAIN, '')!
    const { order } = await world.db.asOrganisation(world.orgId, (tx) =>
      openTransfer(tx, world.context, {
        key: keyOf('calendar-1', {}),
        kind: 'withdraw',
        subject: { kind: 'transfer', to: '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB', paid: { asset, amount: ETH / 2n }, memo: null },
        subWalletId: payer.subWalletId as never,
        network: world.network,
        feeCap: { asset, amount: ETH / 100n },
        remark: '',
        lifeMs: 30 * HOUR_MS,
        initiator: world.members[0].id as never,
        language: 'en_US',
      }),
    )
    const at = Number(order.row.expires_at)
    assert.deepEqual(await read(at), [
      { kind: 'approval', at, date: new Date(at).toISOString().slice(0, 10), amount: '0.5', symbol: 'ETH', order_id: order.row.id },
    ])
    assert.deepEqual(await read(nowMs + 60 * HOUR_MS), [])
  })
})
