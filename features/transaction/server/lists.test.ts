import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { endOf } from '@holdfast/chain-core'
import { AppError, type Endpoint, type OutputOf } from '@holdfast/contract'
import { asOwner } from '@holdfast/db/test'
import type { HandledEndpoint } from '@holdfast/http'
import fc from 'fast-check'
import { sql } from 'kysely'
import { Client } from 'pg'
import * as contract from '../contract.ts'
import { baseUnits } from './filter-transactions.ts'
import { endsIn, paidAddresses } from '../../known-address/server/paid-addresses.ts'
import { transactionEndpoints } from './routes.ts'
import { accountingEndpoints } from '../../accounting/server/routes.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { callAs, openBookedWorld } from '../../testing/booked-world.ts'
import { requestWithdrawal, scan, STRANGER, type Wallet, type World } from '../../testing/test-world.ts'

// Begins and ends as STRANGER does.
const PLANTED = `0x3c44${'0'.repeat(32)}93bc`

let world: World
let wallet: Wallet
let endpoints: HandledEndpoint[]
let paidId: string
let openId: string
let depositId: string

const call = <E extends Endpoint>(endpoint: E, input: Record<string, unknown>, member = 0): Promise<OutputOf<E>> =>
  callAs({ world, endpoints, member }, endpoint, input)

const found = async (filter: Record<string, unknown>) => (await call(contract.listTransactions, filter)).list.map((each) => each.id)
const refused = (code: string) => (error: unknown) => error instanceof AppError && error.code === code

before(async () => {
  ;({ world, wallet, depositId, paidId, openId } = await openBookedWorld(5_000_000n))
  endpoints = [...transactionEndpoints(world.context), ...accountingEndpoints(world.context)]
})
after(() => world.close())

describe('the list of transactions', () => {
  it('is narrowed by each filter by itself and by all together', async () => {
    const [paid] = (await call(contract.listTransactions, { status: '2000', type: 'withdraw' })).list
    assert.deepEqual(await found({ status: '2000', type: 'withdraw' }), [paidId])
    assert.deepEqual(await found({ status: '1000,1100,1200' }), [openId])
    assert.deepEqual(await found({ request_id: 'the-rent-of-march' }), [paidId])
    assert.deepEqual(await found({ request_id: 'nothing-of-the-kind' }), [])
    assert.deepEqual(await found({ txid: paid!.txid }), [paidId])
    assert.deepEqual(await found({ keyword: paid!.txid }), [paidId])
    assert.deepEqual(await found({ keyword: paidId }), [paidId])
    assert.deepEqual(await found({ address: STRANGER.toLowerCase() }), [openId, paidId])
    assert.equal((await found({ address: wallet.address })).length, 4)
    assert.deepEqual(await found({ initiator_id: world.members[1].id }), [openId])
    assert.deepEqual(await found({ sub_status: 'approving' }), [openId])
    assert.equal((await found({ chain: CHAIN })).length, 4)
    assert.deepEqual(await found({ chain: 'eip155:1' }), [])
    assert.equal((await found({ sub_wallet_ids: `${wallet.walletId},${wallet.subWalletId}` })).length, 4)
    assert.equal((await found({ source: 'chain' })).length, 2)
    assert.equal((await found({ source: 'web' })).length, 2)
    assert.deepEqual(await found({ amount_min: '2.5', amount_max: '5', symbol: 'ETH' }), [paidId])
    assert.deepEqual(await found({ amount_max: '0.0000000000000000011' }), [openId])
    assert.equal((await found({ amount_min: '5', amount_max: '5.0000001' })).length, 1)
    const all = { status: '2000', type: 'withdraw', symbol: 'ETH', chain: CHAIN, address: STRANGER, initiator_id: world.members[0].id, amount_min: '1' }
    assert.deepEqual(await found({ ...all, keyword: 'march', wallet_id: wallet.walletId, sub_wallet_id: wallet.subWalletId }), [paidId])
    await assert.rejects(found({ status: '2000,x' }), refused('100004'))
  })

  it('says of a payment that a program asked for that one did, and is narrowed by it', async () => {
    const machine = 'ffffffff-0000-0000-0000-000000000001'
    const askedBy = (id: string) =>
      asOwner(world.db, (owner) => owner.query('update transfer_order set initiator = $1 where org_id = $2 and id = $3', [id, world.orgId, openId]))
    await askedBy(machine)
    const rows = (await call(contract.listTransactions, { source: 'asked' })).list
    assert.deepEqual(
      rows.map(({ id, source }) => [id, source]),
      [
        [openId, 'api'],
        [paidId, 'web'],
      ],
    )
    assert.deepEqual([await found({ source: 'api' }), await found({ source: 'web' })], [[openId], [paidId]])
    assert.deepEqual(await found({ source: 'api', keyword: STRANGER }), [openId])
    await askedBy(world.members[1].id)
  })

  it('shows how the notifications of a transaction stand, the worst first, and is narrowed by it', async () => {
    const endpointId = await addEndpoint()
    await tell(endpointId, paidId, ['success', 'failed', 'success', 'stopped'])
    await tell(endpointId, depositId, ['success', 'retrying'])
    const [paid] = (await call(contract.listTransactions, { notify_status: 'failed' })).list
    assert.deepEqual([paid!.id, paid!.notify], [paidId, { status: 'failed', arrived: 2, count: 4, times: 4 }])
    assert.deepEqual(await found({ notify_status: 'retrying' }), [depositId])
    assert.deepEqual(await found({ notify_status: 'success' }), [])
    assert.equal((await call(contract.getWithdrawal, { id: openId })).notify, null)
    await world.context.db.asOrganisation(world.orgId, (tx) =>
      tx.updateTable('webhook_delivery').set({ state: 'success', next_at: null }).where('org_id', '=', tx.orgId).execute(),
    )
    assert.deepEqual(await found({ notify_status: 'success' }), [paidId, depositId])
  })

  it('can be read on from a transaction, each row once, while new ones arrive', async () => {
    const whole = await found({})
    const read: string[] = []
    for (let last: string | undefined; ; last = read.at(-1)) {
      const { list, has_more, next } = await call(contract.listTransactions, { page_size: 1, ...(last ? { max_id: last } : {}) })
      read.push(...list.map((each) => each.id))
      assert.equal(next, has_more ? read.at(-1) : null)
      if (read.length === 1) await requestWithdrawal(world, wallet, { amount: '0.1', remark: 'newer' })
      if (!has_more) break
    }
    assert.deepEqual(read, whole)
    assert.deepEqual(await found({ max_id: crypto.randomUUID() }), [])
  })

  it('compares amounts in the units of each coin, exactly', () => {
    const amounts = fc.record({
      whole: fc.bigInt({ min: 0n, max: 10n ** 40n }),
      fraction: fc.stringMatching(/^\d{0,30}$/),
      decimals: fc.integer({ min: 0, max: 24 }),
    })
    fc.assert(
      fc.property(amounts, ({ whole, fraction, decimals }) => {
        const text = fraction === '' ? String(whole) : `${whole}.${fraction}`
        const [down, up] = [baseUnits(text, decimals, 'down'), baseUnits(text, decimals, 'up')]
        // Both times 10^30, where every such text is whole.
        const exact = whole * 10n ** 30n + BigInt(fraction.padEnd(30, '0'))
        const scale = 10n ** BigInt(30 - decimals)
        assert.ok(down * scale <= exact && exact <= up * scale && up - down <= 1n)
      }),
    )
  })
})

describe('labelling transactions', () => {
  it('adds category, tags and a note, keeps what is not given, and finds them by it', async () => {
    await call(contract.labelTransactions, { ids: paidId, type: 'withdraw', category: 'Rent', tags: ['monthly', 'office'], note: 'paid late' })
    await call(contract.labelTransactions, { ids: paidId, type: 'withdraw', note: 'paid in time' })
    await call(contract.labelTransactions, { ids: depositId, type: 'deposit', tags: ['monthly'] })
    const detail = await call(contract.getWithdrawal, { id: paidId })
    assert.deepEqual([detail.category, detail.tags, detail.note], ['Rent', ['monthly', 'office'], 'paid in time'])
    assert.deepEqual(await found({ category: 'Rent' }), [paidId])
    assert.deepEqual(await found({ tag: 'monthly' }), [paidId, depositId])
    assert.deepEqual(await found({ keyword: 'IN TIME' }), [paidId])
    const labels = await call(contract.listLabels, {})
    assert.deepEqual([labels.categories, labels.tags, labels.initiators.map((each) => each.name)], [['Rent'], ['monthly', 'office'], ['Ann', 'Ben']])
    await call(contract.labelTransactions, { ids: paidId, type: 'withdraw', category: '' })
    assert.deepEqual(await found({ category: 'Rent' }), [])
  })

  it('refuses ids that name nothing, and then files none', async () => {
    const ids = `${paidId},${crypto.randomUUID()}`
    await assert.rejects(call(contract.labelTransactions, { ids, type: 'withdraw', note: 'x' }), refused('210003'))
    await assert.rejects(call(contract.labelTransactions, { ids: depositId, type: 'withdraw', note: 'x' }), refused('210003'))
    await assert.rejects(call(contract.labelTransactions, { ids: paidId, type: 'withdraw', tags: ['a,b'] }), refused('100004'))
    assert.equal((await call(contract.getWithdrawal, { id: paidId })).note, 'paid in time')
  })

  it("keeps a person's filters for that person alone, under names", async () => {
    await call(contract.saveView, { name: 'Rent', query: 'category=Rent' })
    await call(contract.saveView, { name: 'Open', query: 'status=open' })
    assert.deepEqual(await call(contract.saveView, { name: 'Rent', query: 'tag=monthly' }), [
      { name: 'Rent', query: 'tag=monthly' },
      { name: 'Open', query: 'status=open' },
    ])
    assert.deepEqual(await call(contract.listSavedViews, {}, 1), [])
    assert.deepEqual(await call(contract.saveView, { name: 'Rent', query: '' }), [{ name: 'Open', query: 'status=open' }])
    for (let i = 1; i < 20; i++) await call(contract.saveView, { name: `View ${i}`, query: 'type=deposit' })
    await assert.rejects(call(contract.saveView, { name: 'One more', query: 'x' }), refused('100004'))
  })
})

describe('who was paid before', () => {
  // An index by what a function makes of a column would not be used under row level security, and each page would read every order.
  it('is found by an index, whatever the organisation has, and also where it was written before there was one', async () => {
    // Nobody but the database's owner can write past the signers, or change a row that stands.
    const owner = new Client({ connectionString: world.db.url })
    await owner.connect()
    await owner.query(`insert into address (org_id, chain, address, address_end, sub_wallet_id, path, number, attestations, created_at)
      select org_id, chain, 'further-' || i, lpad(i::text, 4, '0'), sub_wallet_id, array[0, i], i, '[]', created_at from address, generate_series(1, 900) i where number = 0`)
    await owner.query('analyze address')
    for (const [table, column, index] of [
      ['transfer_order', 'address_to', 'transfer_order_by_end'],
      ['order_output', 'address', 'order_output_by_end'],
      ['address', 'address', 'address_by_end'],
    ] as const) {
      const plan = await world.db.asOrganisation(world.orgId, async (tx) => {
        await sql`set local enable_seqscan = off`.execute(tx)
        // What few rows have is asked for by whichever index; here it is said that there are many.
        await sql`set local enable_indexscan = off`.execute(tx)
        const isSigned = sql.raw(table === 'transfer_order' ? 'and txid is not null' : '')
        return sql`explain select 1 from ${sql.table(table)} where org_id = ${world.orgId} and ${endsIn(column, ['79c8'])} ${isSigned}`.execute(tx)
      })
      assert.match(JSON.stringify(plan.rows), new RegExp(index), table)
    }
    const known = async () => (await world.db.asOrganisation(world.orgId, (tx) => paidAddresses(tx, [endOf(STRANGER)]))).map(({ address }) => address)
    assert.deepEqual(await known(), [STRANGER])
    assert.ok(((await owner.query('update transfer_order set address_to_end = null')).rowCount ?? 0) > 0)
    await owner.end()
    assert.deepEqual(await known(), [STRANGER])
  })
})

describe('a planted address', () => {
  it('is shown as what it imitates, until a person says otherwise', async () => {
    world.chain.give(wallet.address, 10n ** 12n, null, PLANTED)
    world.chain.mine(3)
    await scan(world)
    const [planted] = (await call(contract.listTransactions, { address: PLANTED })).list
    assert.deepEqual(planted!.imitates, { address: STRANGER, label: null, kind: 'paid' })
    assert.equal(planted!.suspicious, true)
    assert.equal(planted!.to_label, 'Treasury / Main')
    const others = (await call(contract.listTransactions, {})).list.filter((each) => each.id !== planted!.id)
    assert.deepEqual(
      others.filter((each) => each.suspicious),
      [],
    )
    const ordinary = others.map((each) => each.id)
    assert.deepEqual(await found({ spam: '1' }), [planted!.id])
    assert.deepEqual(await found({ spam: '0' }), ordinary)
    await call(contract.labelTransactions, { ids: planted!.id, type: 'deposit', suspicious: false })
    assert.equal((await call(contract.getDeposit, { id: planted!.id })).suspicious, false)
    assert.deepEqual(await found({ spam: '1' }), [])
    await call(contract.labelTransactions, { ids: openId, type: 'withdraw', suspicious: true })
    assert.deepEqual(await found({ spam: '1' }), [openId])
    assert.deepEqual(
      await found({ spam: '0', type: 'withdraw' }),
      (await found({ type: 'withdraw' })).filter((id) => id !== openId),
    )
    await call(contract.labelTransactions, { ids: openId, type: 'withdraw', suspicious: false })
  })

  it('is shown so where it only begins like an address that is known', async () => {
    const begins = `${STRANGER.slice(0, 8)}${'7'.repeat(34)}`.toLowerCase()
    world.chain.give(wallet.address, 10n ** 12n, null, begins)
    world.chain.mine(3)
    await scan(world)
    const [planted] = (await call(contract.listTransactions, { address: begins })).list
    assert.deepEqual(planted!.imitates, { address: STRANGER, label: null, kind: 'paid' })
    assert.deepEqual(await found({ spam: '1' }), [planted!.id])
  })
})

async function addEndpoint(): Promise<string> {
  const { orgId, context } = world
  const [id, nowMs] = [crypto.randomUUID(), context.ports.clock.nowMs()]
  const settings = { url: 'https://93.184.215.14/hook', sides: JSON.stringify({}), confirmations_step: 0, pause_after: 20, failures: 0 }
  const row = { org_id: orgId, id, ...settings, created_at: nowMs, updated_at: nowMs }
  await context.db.asOrganisation(orgId, (tx) => tx.insertInto('webhook_endpoint').values(row).execute())
  return id
}

/** Notifications of one record, each tried once. */
async function tell(endpointId: string, recordId: string, states: readonly ('success' | 'failed' | 'retrying' | 'stopped')[]): Promise<void> {
  const { orgId, context } = world
  const at = context.ports.clock.nowMs()
  const rows = states.map((state, i) => ({
    org_id: orgId,
    id: crypto.randomUUID(),
    endpoint_id: endpointId,
    record_id: recordId,
    side: 'withdraw',
    event: 'withdraw.completed',
    seq: BigInt(i + 1),
    body: '{}',
    state,
    attempts: 1,
    tries_left: 1,
    tries_max: 16,
    created_at: at,
    updated_at: at,
  }))
  await context.db.asOrganisation(orgId, (tx) => tx.insertInto('webhook_delivery').values(rows).execute())
}
