import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { recipient as one, second as two, third as three } from '@holdfast/chain-bitcoin/testing'
import { type OutputOf, readInput } from '@holdfast/contract'
import type { MemberContext } from '@holdfast/http'
import { parseAmount, readCsv } from '@holdfast/units'
import { exportTransactions } from '../../transaction/contract.ts'
import { type BitcoinWorld, FINALITY, openBitcoinWorld } from '../../testing/bitcoin-world.ts'
import { approve, makeWallet, orderOf, requestWithdrawal, type Wallet } from '../../testing/test-world.ts'
import { accountingEndpoints } from './routes.ts'

let its: BitcoinWorld
let wallet: Wallet

before(async () => {
  its = await openBitcoinWorld()
  wallet = await makeWallet(its.world)
})
after(() => its.stop())

async function exported(layout: string): Promise<Record<string, string>[]> {
  const { world } = its
  const { endpoint, handler } = accountingEndpoints(world.context).find((each) => each.endpoint === exportTransactions)!
  const caller = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US' } as unknown as MemberContext
  const { csv } = (await handler(caller, readInput(endpoint, { tz: 'UTC', layout }) as never)) as OutputOf<typeof exportTransactions>
  const [head = [], ...lines] = readCsv(csv)
  return lines.map((cells) => Object.fromEntries(head.map((name, i) => [name, cells[i]!])))
}

const units = (text: string | undefined) => (text ? parseAmount(text, 8) : 0n)

test('a payout on the chain has a line for each recipient, and every format adds up to what the ledger has', async () => {
  const { world } = its
  await its.deposit(wallet, 100_000n)
  const outputs = [one, two, three].map((to, i) => ({ address_to: to, amount: ['0.0001', '0.0002', '0.0003'][i]! }))
  const asked = { symbol: 'BTC', to: two, amount: '0.0006', maxFee: await its.roomyCap(wallet), outputs }
  const { id } = (await requestWithdrawal(world, wallet, asked)).order.row
  await approve(world, id, world.members[1], world.members[2])
  await its.sign(id)
  await its.send(id)
  await its.mine(FINALITY + 1)
  assert.equal((await orderOf(world, id)).state, 'completed')
  const { available, held } = await its.money(wallet)

  const all = await exported('all')
  const paid = all.filter((each) => each.Id === id)
  assert.deepEqual(
    paid.map((each) => [each.To, each['Amount out'], each.Wallet]),
    outputs.map(({ address_to, amount }) => [address_to, amount, 'Treasury']),
  )
  assert.deepEqual(
    paid.map((each) => each['Fee paid'] === ''),
    [false, true, true],
  )
  const sum = (lines: Record<string, string>[], added: string, ...taken: string[]) =>
    lines.reduce((total, each) => total + units(each[added]) - taken.reduce((gone, name) => gone + units(each[name]), 0n), 0n)
  assert.equal(sum(all, 'Amount in', 'Amount out', 'Fee paid'), available + held)
  assert.equal(sum(await exported('koinly'), 'Received Amount', 'Sent Amount', 'Fee Amount'), available + held)
})
