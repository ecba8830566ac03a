import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Endpoint, OutputOf } from '@holdfast/contract'
import { getNetworkStatus } from '@holdfast/features/network/contract'
import { accountingEndpoints } from '../../../accounting/server/routes.ts'
import { networkEndpoints } from '@holdfast/features/network/server'
import { exportTransactions, getAllowanceSpend, getReceipt, listTransactions, labelTransactions } from '../../../transaction/contract.ts'
import { transactionEndpoints } from '@holdfast/features/transaction/server'
import type { HandledEndpoint, MemberContext } from '@holdfast/http'
import { readCsv } from '@holdfast/units'
import { CHAIN, TOKEN } from '../../../testing/scripted-chain.ts'
import { balanceOf, fund, makeWallet, openWorld, scan, STRANGER, type Wallet, type World } from '../../../testing/test-world.ts'
import { acknowledgeAllowanceSpend } from '../../contract.ts'
import { depositEndpoints } from '../routes.ts'

const TAKER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'

let world: World
let wallet: Wallet
let endpoints: HandledEndpoint[]

async function call<E extends Endpoint>(endpoint: E, input: Record<string, unknown>, member = 0): Promise<OutputOf<E>> {
  const handled = endpoints.find((each) => each.endpoint === endpoint)!
  const context = { orgId: world.orgId, personId: world.members[member]!.id, language: 'en_US', ports: world.context.ports } as unknown as MemberContext
  return endpoint.output.parse(await handled.handler(context, endpoint.input.parse(input) as never)) as OutputOf<E>
}

/** Has the next block say that somebody took tokens. */
function take(amount: bigint): void {
  const { node } = world.chain
  const height = world.chain.tip.height + 1n
  const taken = { txid: `0x${'ab'.repeat(32)}`, index: 3, asset: { chain: CHAIN, contract: TOKEN }, from: wallet.address, to: STRANGER, amount, takenBy: TAKER }
  const withTaken = async (at: bigint) => {
    const block = await node.readBlock(at)
    return block && at === height ? { ...block, transfers: [...block.transfers, taken] } : block
  }
  world.network.node = { ...node, readBlock: withTaken }
  world.chain.mine(1)
}

const listed = async (filter: Record<string, unknown>) => (await call(listTransactions, { ...filter, page_no: '1', page_size: '20' })).list

before(async () => {
  world = await openWorld()
  endpoints = [depositEndpoints, transactionEndpoints, accountingEndpoints, networkEndpoints].flatMap((of) => of(world.context))
  wallet = await makeWallet(world)
  await fund(world, wallet, 5_000_000n, TOKEN)
})
after(() => world.close())

it('an allowance spend stands among the transactions: found by any filter, exported, labelled, and its alarm ends when a person acknowledges it', async () => {
  take(2_000_000n)
  await scan(world)
  const [waiting] = await listed({ type: 'pull' })
  assert.deepEqual([waiting!.status, waiting!.sub_status, waiting!.confirmations], [1100, 'confirming', 0])
  await assert.rejects(call(acknowledgeAllowanceSpend, { id: waiting!.id }), { code: '300013' }, 'the chain may still take it back')
  world.chain.mine(3)
  await scan(world)
  assert.deepEqual(await balanceOf(world, wallet, TOKEN), { available: 3_000_000n, held: 0n })
  const [row] = await listed({})
  const { id } = row!
  assert.deepEqual(
    [row!.type, row!.symbol, row!.amount, row!.address_from, row!.address_to, row!.taken_by, row!.status, row!.sub_status],
    ['pull', 'USDC', '2', wallet.address, STRANGER, TAKER, 2000, 'unacknowledged'],
  )
  const finds = [
    { type: 'pull' },
    { symbol: 'USDC', type: 'pull', amount_min: '2', amount_max: '2' },
    { address: TAKER },
    { address: STRANGER },
    { txid: row!.txid },
    { keyword: row!.txid },
    { status: '2000', type: 'pull' },
    { sub_status: 'unacknowledged' },
    { type: 'pull', spam: '0' },
    { wallet_id: wallet.walletId, source: 'chain', type: 'pull', chain: CHAIN },
  ]
  for (const filter of finds)
    assert.deepEqual(
      (await listed(filter)).map((each) => each.id),
      [id],
      JSON.stringify(filter),
    )
  for (const filter of [
    { type: 'pull', symbol: 'ETH' },
    { type: 'pull', status: '1100' },
    { type: 'pull', source: 'web' },
    { type: 'pull', amount_min: '2.1' },
  ])
    assert.deepEqual(await listed(filter), [], JSON.stringify(filter))
  assert.ok((await listed({ type: 'withdraw' })).length === 0 && (await listed({ type: 'deposit' })).every(({ type }) => type === 'deposit'))
  assert.deepEqual(
    (await listed({ max_id: id })).map(({ type }) => type),
    ['deposit'],
  )

  await call(labelTransactions, { ids: id, type: 'pull', category: 'Loss' })
  assert.deepEqual(
    (await listed({ category: 'Loss' })).map((each) => each.id),
    [id],
  )
  const { csv } = await call(exportTransactions, { type: 'pull', tz: 'UTC' })
  const [head, cells] = readCsv(csv)
  const cell = (name: string) => cells![head!.indexOf(name)]
  assert.deepEqual(['Type', 'State', 'Amount in', 'Amount out', 'Spent by', 'Category'].map(cell), ['Allowance spend', 'Spent', '', '2', TAKER, 'Loss'])
  assert.ok((await call(getReceipt, { id, type: 'pull', tz: 'UTC' })).pdf.length > 1000)

  const alarms = async () => (await call(getNetworkStatus, {})).alarms.map(({ cause, pull_id }) => [cause, pull_id])
  assert.deepEqual(await alarms(), [['pulled', id]])
  const { at } = await call(acknowledgeAllowanceSpend, { id }, 1)
  assert.equal((await call(acknowledgeAllowanceSpend, { id }, 2)).at, at, 'the first word is kept')
  assert.deepEqual(await alarms(), [])
  const { acknowledged, timeline, told, sub_status, updated_at: booked } = await call(getAllowanceSpend, { id })
  assert.equal(booked, row!.updated_at, 'accounts date it by this, and have dated it already')
  assert.deepEqual([acknowledged, sub_status], [{ by: 'Ben', at }, 'ok'])
  assert.match(told!, /took 2 USDC for .*; what it may still take is not known/)
  assert.deepEqual(
    timeline.map(({ state, actor }) => [state, actor]),
    [
      ['unconfirmed', 'chain'],
      ['booked', 'chain'],
      ['acknowledged', 'Ben'],
    ],
  )
})

it('an allowance spend is reversed with its block, and is shown as reversed', async () => {
  // From now on no block has it.
  world.network.node = world.chain.node
  world.chain.reorganise(4)
  world.chain.mine(5)
  await scan(world)
  const [row] = await listed({ type: 'pull' })
  assert.deepEqual([row!.status, row!.sub_status], [3000, 'reorged'])
  assert.deepEqual(await balanceOf(world, wallet, TOKEN), { available: 5_000_000n, held: 0n })
  await assert.rejects(call(getAllowanceSpend, { id: wallet.walletId }), { code: '210003' })
})
