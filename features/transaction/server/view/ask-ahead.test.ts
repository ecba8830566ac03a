import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { HandledEndpoint } from '@holdfast/http'
import pg from 'pg'
import { callAs, openBookedWorld } from '../../../testing/booked-world.ts'
import { approve, ETH, fund, requestWithdrawal, type Wallet, type World } from '../../../testing/test-world.ts'
import { labelTransactions, listTransactions } from '../../contract.ts'
import { transactionEndpoints } from '../routes.ts'
import { accountingEndpoints } from '../../../accounting/server/routes.ts'

let world: World
let wallet: Wallet
let paidId: string
let openId: string
let endpoints: HandledEndpoint[]

before(async () => {
  ;({ world, wallet, paidId, openId } = await openBookedWorld())
  endpoints = [...transactionEndpoints(world.context), ...accountingEndpoints(world.context)]
})
after(() => world.close())

const list = (member = 0) => callAs({ world, endpoints, member }, listTransactions, {})
/** The same page by a filter that nobody used before, so that nothing of it is guessed. */
let fresh = 0
const unguessed = () => callAs({ world, endpoints }, listTransactions, { start_time: ++fresh })

/** How often `act` waited for the database, its begin, entry and end included. */
async function tripsOf(act: () => Promise<unknown>): Promise<number> {
  const { query } = pg.Client.prototype
  let trips = 0
  pg.Client.prototype.query = function (this: pg.Client, ...given: never[]) {
    trips++
    return Reflect.apply(query, this, given) as never
  } as typeof query
  await act().finally(() => {
    pg.Client.prototype.query = query
  })
  return trips
}

test('a page that stayed the same is asked for in one round trip, and the end of its transaction', async () => {
  const first = await tripsOf(list)
  await list()
  assert.equal(await tripsOf(list), 2)
  assert.ok(first > 2, `${first} round trips the first time`)
})

test('a page says what is so now, whatever changed since it was asked for last', async () => {
  const changes = [
    () => callAs({ world, endpoints }, labelTransactions, { ids: paidId, type: 'withdraw', category: 'Rent' }),
    () => approve(world, openId, world.members[2]),
    () => requestWithdrawal(world, wallet, { amount: '0.1' }),
    () => fund(world, wallet, ETH),
    () => world.db.asSystem((tx) => tx.updateTable('sub_wallet').set({ name: 'Renamed' }).where('id', '=', wallet.subWalletId).execute()),
  ]
  for (const change of changes) {
    // From the second time on it is guessed.
    for (let i = 0; i < 3; i++) await list()
    await change()
    assert.deepEqual(await list(), await unguessed())
    assert.deepEqual(await list(), await unguessed())
  }
})
