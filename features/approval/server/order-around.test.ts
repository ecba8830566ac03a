import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { randomUUID } from 'node:crypto'
import { toHex } from '@holdfast/encoding'
import { ETH, fund, makeWallet, openWorld, pageCalls, requestWithdrawal, STRANGER, type Wallet, type World } from '../../testing/test-world.ts'
import { updateAlias } from '../../wallet/server/update-alias.ts'
import { saveBookEntry } from '../../address-book/book-contract.ts'
import { bookEndpoints } from '../../address-book/server/book/book-routes.ts'
import { callAs } from '../../testing/call-as.ts'
import type { OrderAround } from './order-around.ts'

let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld()
  wallet = await makeWallet(world, 'Treasury')
  await fund(world, wallet, 10n * ETH)
})
after(() => world?.close())

async function around(to: string): Promise<OrderAround> {
  const { order } = await requestWithdrawal(world, wallet, { to, amount: '0.1' })
  const shown = (await pageCalls(world)['order.get']!({ hash: toHex(order.row.intent_hash) })) as { around: OrderAround }
  return shown.around
}

it('tells the approval page what people call the payer, the network and the recipient, and from whom the name comes', async () => {
  const cold = await makeWallet(world, 'Cold')
  const [ann, ben] = world.members
  const nowMs = BigInt(world.context.ports.clock.nowMs())
  const [named, strange] = ['0x90F79bf6EB2c4f870365E785982E1f101E93b906', STRANGER]
  await world.db.asOrganisation(world.orgId, async (tx) => {
    for (const [person, address, name] of [
      [ann, named, 'Kraken deposit'],
      [ben, strange, 'A name that another person gave'],
    ] as const) {
      const id = randomUUID()
      const contact = { id, org_id: tx.orgId, person_id: person.id, chain: world.network.chain, address, name, memo: '', note: '' }
      await tx
        .insertInto('personal_address')
        .values({ ...contact, created_at: nowMs, updated_at: nowMs })
        .execute()
    }
  })
  assert.deepEqual(await around(named), {
    wallet: 'Treasury / Main',
    network: world.network.name,
    to: { name: 'Kraken deposit', by: 'requester' },
    worth: null,
  })
  assert.equal((await around(strange)).to, null, 'what another member calls an address stays theirs')
  assert.deepEqual((await around(cold.address)).to, { name: 'Cold / Main', by: 'own' })
  const session = { demandSecondFactorWhereSet: async () => {} }
  const entry = { request_id: 'name-the-place', name: 'Kraken of all', address: named, chains: [world.network.chain], memo: '7' }
  const add = (given: object) =>
    callAs(bookEndpoints(world.context, session), saveBookEntry, { ...entry, ...given } as never, { orgId: world.orgId, personId: ben.id })
  await add({})
  assert.equal((await around(named)).to!.by, 'requester', 'an entry with a memo is another place')
  await add({ request_id: 'name-the-very-place', memo: '' })
  assert.deepEqual((await around(named)).to, { name: 'Kraken of all', by: 'book' }, 'the book of the organisation comes before that of one person')
})

it('calls wallets and sub-wallets as the console does: by their alias where they have one', async () => {
  const savings = await makeWallet(world, 'Savings')
  const nowMs = world.context.ports.clock.nowMs()
  await world.db.asOrganisation(world.orgId, async (tx) => {
    await updateAlias(tx, { ...wallet, alias: 'Payroll', nowMs })
    await updateAlias(tx, { ...savings, subWalletId: undefined, alias: 'Reserve', nowMs })
    await updateAlias(tx, { ...savings, alias: 'Rainy days', nowMs })
  })
  const shown = await around(savings.address)
  assert.deepEqual([shown.wallet, shown.to], ['Treasury / Payroll', { name: 'Reserve / Rainy days', by: 'own' }])
})
