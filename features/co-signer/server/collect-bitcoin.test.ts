import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { CallInput } from '@holdfast/contract'
import { assertConserved } from '@holdfast/ledger'
import { parseAmount } from '@holdfast/units'
import { type BitcoinWorld, FINALITY, openBitcoinWorld } from '../../testing/bitcoin-world.ts'
import { makeWallet, orderOf, type Wallet } from '../../testing/test-world.ts'
import { inscribe } from '../../utxo/server/testing/inscribe.ts'
import * as contract from '../contract.ts'
import { collectingOf } from './testing/collecting-of.ts'

/* Collection on a real Bitcoin of this machine: what is joined, what is left, and what the pages say of it. */

let its: BitcoinWorld
let collecting: ReturnType<typeof collectingOf>
let deposits: Wallet
let treasury: Wallet

before(async () => {
  its = await openBitcoinWorld()
  collecting = collectingOf(its.world)
})
beforeEach(async () => {
  its.world.signers.resetScript()
  deposits = await makeWallet(its.world, 'Deposits')
  treasury = await makeWallet(its.world, 'Treasury')
  await its.scan()
})
afterEach(() => its.world.db.asSystem(assertConserved))
after(() => its?.stop())

const page = { page_no: 1, page_size: 20 }
const of = () => ({ wallet_id: deposits.walletId })
const funds = async () => (await collecting.call(contract.listCollectingFunds, { ...of(), ...page })).list
const records = async () => (await collecting.call(contract.listCollectingRecords, { ...of(), ...page })).list
const satoshi = (text: string) => parseAmount(text, 8)

/** Has what arrives at the deposits' address collected, by a rule that people approved. */
async function collect(rule: Partial<CallInput<typeof contract.setCollectingRule>> = {}): Promise<void> {
  await collecting.call(contract.saveCollectingSubWallets, { ...of(), collect_sub_wallet_id: treasury.subWalletId })
  const given = { chain: its.network.chain, symbol: 'BTC', collect_min: '0.0005', max_fee: '0.0005', max_fee_pct: '20', ...rule }
  await collecting.call(contract.setCollectingRule, { ...of(), ...given })
  await collecting.approve((await collecting.call(contract.setCollectingStatus, { ...of(), status: 'run' })).pending)
}

/** A look; the order that it opened, carried out. */
async function sweep(): Promise<string> {
  await collecting.look()
  const [record] = await records()
  assert.ok(record, JSON.stringify(await funds()))
  assert.equal(await its.sign(record.id), 'signed', (await orderOf(its.world, record.id)).row.sub_status ?? '')
  assert.equal(await its.send(record.id), true)
  await its.mine(FINALITY + 1)
  assert.equal((await orderOf(its.world, record.id)).state, 'completed')
  return record.id
}

const parts = async () => (await funds()).map((each) => [each.reason, (each.parts ?? []).map(({ part, amount }) => [part, amount])])

describe('collection on Bitcoin', () => {
  it('joins all the coins of an address for what joining them costs, and leaves nothing behind', async () => {
    await collect()
    await its.deposit(deposits, 90_000n, 60_000n, 30_000n, 20_000n, 15_000n)
    const id = await sweep()
    const [record] = await records()
    assert.deepEqual([record?.joined, record?.stays, record?.address_to], [5, null, treasury.address])
    assert.equal((await its.coinsOf(id)).length, 5)
    const { available, held } = await its.money(deposits)
    assert.deepEqual([available, held], [0n, 0n])
    assert.equal((await its.money(treasury)).available, 215_000n - satoshi(record!.fee!))
    assert.deepEqual(await funds(), [])
  })

  it('asks each address what its own coins cost, so that one with many is collected beside one with few', async () => {
    const many = await makeWallet(its.world, 'Deposits')
    await its.deposit(deposits, 900_000n)
    await its.deposit(many, ...Array.from({ length: 9 }, () => 30_000n))
    for (const [wallet, coins] of [
      [deposits, 1],
      [many, 9],
    ] as const) {
      deposits = wallet
      await collect()
      const id = await sweep()
      assert.equal((await its.coinsOf(id)).length, coins)
    }
  })

  it('never joins an inscription, nor a coin so small that it may carry one, nor one that a person locked, and says what each is', async () => {
    await collect()
    await its.deposit(deposits, 90_000n, 9_000n, 600n)
    const carried = await inscribe(its, deposits.address, { contentType: 'text/plain', body: new TextEncoder().encode('art') }, 20_000n)
    await its.mine(FINALITY)
    const id = await sweep()
    const [spent, ...more] = await its.coinsOf(id)
    assert.ok(spent && more.length === 0 && spent !== carried.outpoint)
    await collecting.look()
    assert.deepEqual(await parts(), [
      [
        'below_threshold',
        [
          ['kept', '0.0002'],
          ['small', '0.00009'],
          ['dust', '0.000006'],
        ],
      ],
    ])
    // As much as the rule asks for is there, and none of it can be moved.
    await inscribe(its, deposits.address, { contentType: 'text/plain', body: new TextEncoder().encode('more art') }, 80_000n)
    await its.mine(FINALITY)
    await collecting.look()
    assert.deepEqual(
      (await funds()).map(({ reason, detail, action }) => [reason, detail, action]),
      [['coins_kept', '0.001 BTC', 'none']],
    )
    assert.equal((await records()).length, 1)
  })

  it('says of an address that small coins, or dust, are all that it has', async () => {
    await collect({ collect_min: '0.00001' })
    await its.deposit(deposits, 9_000n, 600n)
    await collecting.look()
    const [small] = await funds()
    assert.deepEqual([small?.reason, small?.detail], ['coins_small', '0.00009 BTC'])
  })

  it('keeps room for a higher fee where it may be raised, and says what came back as change', async () => {
    await collect({ rbf_after_s: '60' })
    await its.deposit(deposits, 400_000n, 300_000n)
    const id = await sweep()
    const [record] = await records()
    const { available } = await its.money(deposits)
    assert.ok(available > 0n)
    assert.deepEqual([record?.joined, record?.stays?.what, satoshi(record!.stays!.amount)], [2, 'change', available])
    assert.equal((await its.coinsOf(id)).length, 2)
    await collecting.look()
    const [held] = await funds()
    assert.equal(held?.reason, 'below_threshold')
    assert.deepEqual(
      held?.parts?.map(({ part, amount }) => [part, satoshi(amount)]),
      [['change', available]],
    )
  })

  it('tells what lies in which coins of a page of addresses without a question to the node, and each row adds up to what the books have', async () => {
    await collect({ collect_min: '0.01' })
    await its.deposit(deposits, 90_000n, 9_000n, 600n)
    await collecting.look()
    const { coins, head } = its.network.node
    let questions = 0
    Object.assign(its.network.node, {
      head: () => (questions++, head()),
      coins: { ...coins, unspent: (address: string) => (questions++, coins.unspent(address)) },
    })
    try {
      const [held] = await funds()
      assert.deepEqual(
        held?.parts?.map(({ part, amount }) => [part, satoshi(amount)]),
        [
          ['deposited', 90_000n],
          ['small', 9_000n],
          ['dust', 600n],
        ],
      )
      assert.equal(satoshi(held!.balance), 99_600n)
      assert.equal(questions, 0)
    } finally {
      Object.assign(its.network.node, { head, coins })
    }
  })

  it('waits while fees are above what people approved, and goes on once they are not', async () => {
    await collect({ max_fee: '0.00000001' })
    await its.deposit(deposits, 90_000n)
    await collecting.look()
    assert.equal((await funds())[0]?.reason, 'fee_too_high')
    await collecting.call(contract.setCollectingRule, { ...of(), chain: its.network.chain, symbol: 'BTC', collect_min: '0.0005', max_fee: '0.0005' })
    await collecting.approve((await collecting.call(contract.setCollectingStatus, { ...of(), status: 'run' })).pending)
    await sweep()
  })
})
