import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { recipient as STRANGER, second, third } from '@holdfast/chain-bitcoin/testing'
import { type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import type { MemberContext } from '@holdfast/http'
import { type BitcoinWorld, openBitcoinWorld } from '../../../testing/bitcoin-world.ts'
import { keyOf } from '../../../testing/request-key.ts'
import { approve, makeWallet, requestWithdrawal, type Wallet } from '../../../testing/test-world.ts'
import * as contract from '../../book-contract.ts'
import { bookEndpoints } from './book-routes.ts'

let its: BitcoinWorld
let wallet: Wallet
before(async () => {
  its = await openBitcoinWorld()
  wallet = await makeWallet(its.world, 'Payroll')
  await its.deposit(wallet, 70_000n, 30_000n)
})
after(() => its?.stop())

async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<OutputOf<E>> {
  const { context, orgId, members } = its.world
  const handled = bookEndpoints(context, { demandSecondFactorWhereSet: async () => {} }).find((each) => each.endpoint === endpoint)!
  const fields = readInput(endpoint, parseForm(formEncode(input), endpoint.maxBodyBytes)) as Record<string, unknown>
  const request = typeof fields.request_id === 'string' ? keyOf(fields.request_id, fields) : undefined
  const caller = { orgId, personId: members[0].id, language: 'en_US', request } as unknown as MemberContext
  return endpoint.output.parse(await handled.handler(caller, fields as never)) as OutputOf<E>
}
const add = async (name: string, address: string) =>
  (await call(contract.saveBookEntry, { request_id: `add-${name}`, name, address, chains: [its.network.chain] } as never)).id
const paymentsOf = async (id: string) => {
  const { pageTotal, list } = await call(contract.listBookPayments, { id } as never)
  assert.equal(pageTotal, list.length)
  return list.map(({ order_id: order, amount, recipients }) => [order, amount, recipients])
}
const usesOf = async (id: string) => (await call(contract.getBookEntry, { id })).use_count

it('each recipient of an order that pays several has it among its payments, with its own part, and counts as used once it is signed', async () => {
  const { world } = its
  const [first, other, stranger] = [await add('First', second), await add('Other', third), await add('Stranger', STRANGER)]
  const outputs = [second, third].map((to, i) => ({ address_to: to, amount: ['0.0001', '0.0002'][i]! }))
  const asked = { symbol: 'BTC', to: third, amount: '0.0003', maxFee: await its.roomyCap(wallet) }
  const { row } = (await requestWithdrawal(world, wallet, { ...asked, outputs })).order
  const { id } = row
  // The order itself names the first of its recipients, and the sum.
  assert.deepEqual(await paymentsOf(first), [[id, '0.0001', 2]])
  assert.deepEqual(await paymentsOf(other), [[id, '0.0002', 2]])
  assert.deepEqual(await paymentsOf(stranger), [])
  assert.deepEqual([await usesOf(first), await usesOf(other)], [0, 0], 'nothing is paid yet')
  await approve(world, id, world.members[1], world.members[2])
  assert.equal(await its.sign(id), 'signed')
  assert.deepEqual([await usesOf(first), await usesOf(other), await usesOf(stranger)], [1, 1, 0])
  const alone = (await requestWithdrawal(world, wallet, { symbol: 'BTC', to: third, amount: '0.00015', maxFee: await its.roomyCap(wallet) })).order.row.id
  assert.deepEqual(await paymentsOf(other), [
    [alone, '0.00015', 1],
    [id, '0.0002', 2],
  ])
  const word = {
    machine: 'lists',
    screened_at: 5_000,
    provider: 'deny list',
    level: 'low' as const,
    bytes: new Uint8Array(64),
    sequence: 1n,
    created_at: 5_000,
  }
  const hash = new Uint8Array(row.intent_hash)
  await world.db.asOrganisation(world.orgId, (tx) =>
    tx
      .insertInto('screening_word')
      .values({ org_id: tx.orgId, intent_hash: hash, ...word })
      .execute(),
  )
  const screened = async (entry: string) => (await call(contract.getBookEntry, { id: entry })).kyt?.level
  assert.deepEqual([await screened(first), await screened(other), await screened(stranger)], ['low', 'low', undefined], 'it is screened as a whole')
})
