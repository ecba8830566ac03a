import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import {
  commitInscription,
  draftTransfer,
  finishDraft,
  networkBytes,
  networkOf,
  requireScript,
  type SpentCoin,
  writeBrc20Transfer,
} from '@holdfast/chain-bitcoin/codec'
import { signTaproot, taprootFrom as STRANGER, taprootKey } from '@holdfast/chain-bitcoin/testing'
import { type Block, brc20Asset, type ChainNode } from '@holdfast/chain-core'
import type { CallInput } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import { auditAll } from '@holdfast/features/deposit/server'
import { sendInscription } from '@holdfast/features/withdrawal/contract'
import type { MemberContext } from '@holdfast/http'
import { assertConserved } from '@holdfast/ledger'
import { type BitcoinWorld, FINALITY, openBitcoinWorld } from '../../testing/bitcoin-world.ts'
import { approve, requestWithdrawal, balanceOf, makeWallet, orderOf, replace, type Wallet } from '../../testing/test-world.ts'
import * as contract from '../contract.ts'
import { utxoEndpoints } from './routes.ts'
import { inscribe } from './testing/inscribe.ts'
import { callAs } from '../../testing/call-as.ts'
import { withdrawalEndpoints } from '../../withdrawal/server/routes.ts'

const ONE = 10n ** 18n
const POSTAGE = 10_000n
let its: BitcoinWorld
let wallet: Wallet
let number = 0

async function sendAs(input: CallInput<typeof sendInscription>) {
  const { context, orgId, members } = its.world
  const { withdraw_id: id, idempotent } = await callAs(withdrawalEndpoints(context), sendInscription, input, { orgId, personId: members[0].id })
  return { order: await orderOf(its.world, id), fresh: !idempotent }
}
const json = (operation: object) => ({ contentType: 'text/plain', body: new TextEncoder().encode(JSON.stringify({ p: 'brc-20', ...operation })) })
async function call<T>(endpoint: { path: string }, input: object): Promise<T> {
  const { world } = its
  const { handler } = utxoEndpoints(world.context).find((each) => each.endpoint.path === endpoint.path)!
  const member = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US' } as MemberContext
  return handler(member, { sub_wallet_id: wallet.subWalletId, ...input } as never) as Promise<T>
}
type Tokens = { readings: { from_height: string; whole: boolean }[]; list: { tick: string; available: string; transferable: string; counted: boolean }[] }
const tokens = () => call<Tokens>(contract.listTokens, {})
const booked = (ticker: string) => balanceOf(its.world, wallet, brc20Asset(ticker))
const depositsOf = (ticker: string) =>
  its.world.db.asOrganisation(its.world.orgId, (tx) =>
    tx
      .selectFrom('deposit')
      .select(['state', 'amount', 'tx_index'])
      .where('org_id', '=', tx.orgId)
      .where('sub_wallet_id', '=', wallet.subWalletId)
      .where('contract', '=', brc20Asset(ticker))
      .orderBy('created_at')
      .execute(),
  )

/** Spends coins of the stranger, in this order, to an address and gives the rest to miners. */
async function strangerPays(to: string, coins: readonly SpentCoin[], amount = 5_000n): Promise<string> {
  const { chain, codec } = its.network
  const order = { chain, from: STRANGER, payments: [{ to, amount }], required: coins, coins: [], satPerKvb: 1_000n, feeCap: 10n ** 9n }
  const unsigned = finishDraft(draftTransfer(order), new Map())
  const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(signTaproot))
  await its.bitcoin.call('generateblock', STRANGER, [toHex(networkBytes(chain, raw))])
  return txid
}

const coinAt = (outpoint: string, amount = POSTAGE): SpentCoin => {
  const [txid, index] = outpoint.split(':')
  return { txid: txid!, index: Number(index), amount, script: requireScript(networkOf(its.network.chain), STRANGER) }
}

/** A transfer inscription of the stranger, for so many whole tokens. */
const strangerInscribes = async (ticker: string, amount: bigint) => inscribe(its, STRANGER, writeBrc20Transfer(ticker, amount * ONE), POSTAGE)

describe('BRC-20', () => {
  before(async () => {
    its = await openBitcoinWorld({ tokens: ['ordi', 'sats'] })
    await inscribe(its, STRANGER, json({ op: 'deploy', tick: 'ORDI', max: '1000', lim: '100' }))
  })
  beforeEach(async () => {
    wallet = await makeWallet(its.world, `Tokens ${number++}`)
    await its.scan()
  })
  afterEach(async () => {
    assert.deepEqual(await auditAll(its.world.context), [])
    await its.world.db.asSystem(assertConserved)
  })
  after(() => its?.stop())

  it('sent to us is seen with its block, credited when that is final, once, and its coin is plain coin', async () => {
    await inscribe(its, STRANGER, json({ op: 'mint', tick: 'Ordi', amt: '100' }))
    const sent = await strangerInscribes('ordi', 60n)
    const tooMuch = await strangerInscribes('ordi', 41n)
    const txid = await strangerPays(wallet.address, [coinAt(sent.outpoint)])
    await strangerPays(wallet.address, [coinAt(tooMuch.outpoint)])
    await its.scan()
    assert.deepEqual(
      (await depositsOf('ordi')).map(({ state, amount }) => [state, amount]),
      [['confirmed', 60n * ONE]],
    )
    assert.equal((await booked('ordi')).available, 0n)
    await its.mine(FINALITY)
    assert.deepEqual(await booked('ordi'), { available: 60n * ONE, held: 0n })
    assert.deepEqual(await its.money(wallet), { available: 10_000n, held: 0n })
    const { readings, list } = await tokens()
    assert.deepEqual([readings.map(({ from_height, whole }) => [from_height, whole])], [[['1', true]]])
    assert.deepEqual(
      list.map(({ tick, available, transferable, counted }) => [tick, available, transferable, counted]),
      [['ordi', '60', '0', true]],
    )
    const coins = await call<{ list: { txid: string; state: string }[] }>(contract.listCoins, { chain: its.network.chain, page_no: 1, page_size: 20 })
    // The inscription above what was available never counts, and stays what it is: an inscription.
    assert.deepEqual(
      new Map(coins.list.map((each) => [each.txid === txid, each.state])),
      new Map([
        [true, 'free'],
        [false, 'inscription'],
      ]),
    )
  })

  it('is sent with its coin by an approved order, once, and nothing is lost: token, coin and fee', async () => {
    const { world } = its
    await its.deposit(wallet, 100_000n)
    await inscribe(its, wallet.address, json({ op: 'mint', tick: 'ordi', amt: '100' }))
    const { id } = await inscribe(its, wallet.address, writeBrc20Transfer('ordi', 30n * ONE))
    const send = (given: object = {}) =>
      sendAs({
        ...{ request_id: `send-inscribed-${number++}`, sub_wallet_id: wallet.subWalletId, chain: its.network.chain, symbol: 'ordi', inscription_ids: id },
        ...{ address_to: STRANGER, max_fee: '0.0001', remark: '', expire_hours: 24, ack: 'lookalike,first_seen' },
        ...given,
      })
    await its.scan()
    // The block of the inscription is not final yet.
    await assert.rejects(send(), { errorName: 'inscription_unavailable' })
    await its.mine(FINALITY)
    assert.deepEqual(
      (await tokens()).list.map(({ available, transferable }) => [available, transferable]),
      [['70', '30']],
    )
    await assert.rejects(requestWithdrawal(world, wallet, { symbol: 'ordi', to: STRANGER, amount: '30', maxFee: '0.0001' }), {
      errorName: 'inscription_needs_taproot',
    })
    await assert.rejects(send({ symbol: 'sats' }), { errorName: 'inscription_unavailable' })
    await assert.rejects(send({ address_to: wallet.address }), { errorName: 'transfer_to_self' })
    await assert.rejects(send({ ack: '' }), { errorName: 'address_look_alike' })
    const inscriptions = () =>
      call<{ list: { inscription_id: string; transferable: boolean; send_symbol: string | null; order_id: string | null }[] }>(contract.listInscriptions, {
        page_no: 1,
        page_size: 20,
      })
    const shown = async () => (await inscriptions()).list.find((each) => each.inscription_id === id)
    assert.deepEqual([(await shown())!.transferable, (await shown())!.send_symbol, (await shown())!.order_id], [true, 'ordi', null])
    const before = await its.money(wallet)
    const { order } = await send()
    assert.equal((await shown())!.order_id, order.row.id)
    assert.deepEqual(await booked('ordi'), { available: 70n * ONE, held: 30n * ONE })
    assert.equal((await its.money(wallet)).held, 10_000n + 546n)
    await assert.rejects(send(), { errorName: 'inscription_unavailable' })
    await approve(world, order.row.id, world.members[1], world.members[2])
    assert.equal(await its.sign(order.row.id), 'signed')
    assert.equal((await its.coinsOf(order.row.id))[0], `${id.slice(0, 64)}:0`)
    assert.equal(await its.send(order.row.id), true)
    await its.mine(FINALITY + 1)
    const { state, row } = await orderOf(world, order.row.id)
    assert.equal(state, 'completed')
    assert.equal(await shown(), undefined)
    assert.deepEqual(await booked('ordi'), { available: 70n * ONE, held: 0n })
    assert.deepEqual(await its.money(wallet), { available: before.available - 546n - row.fee_paid!, held: 0n })
    assert.deepEqual(
      (await tokens()).list.map(({ available, transferable }) => [available, transferable]),
      [['70', '0']],
    )
  })

  it('is sent by several inscriptions in one transaction, each with its own coin, once', async () => {
    const { world } = its
    await its.deposit(wallet, 100_000n)
    await inscribe(its, wallet.address, json({ op: 'mint', tick: 'ordi', amt: '100' }))
    const ids: string[] = []
    for (const amount of [30n, 20n, 6n]) ids.push((await inscribe(its, wallet.address, writeBrc20Transfer('ordi', amount * ONE))).id)
    await its.mine(FINALITY)
    const send = (inscription_ids: string, request_id = `send-inscribed-${number++}`) =>
      sendAs({
        ...{ request_id, sub_wallet_id: wallet.subWalletId, chain: its.network.chain, symbol: 'ordi', inscription_ids },
        ...{ address_to: STRANGER, max_fee: '0.0001', remark: '', expire_hours: 24, ack: 'lookalike,first_seen' },
      })
    const two = ids.slice(0, 2).join()
    await assert.rejects(send(`${ids[0]},${'ab'.repeat(32)}i0`), { errorName: 'inscription_unavailable' })
    const { order } = await send(two, 'send-two-at-once')
    const { payment, row } = order
    assert.deepEqual([payment.kind, row.amount, row.postage], ['brc20Batch', 50n * ONE, 1_092n])
    assert.equal((await send(two, 'send-two-at-once')).fresh, false)
    // An order has them both from now on; the third is still there.
    await assert.rejects(send(ids.slice(1).join()), { errorName: 'inscription_unavailable' })
    const before = await its.money(wallet)
    await approve(world, row.id, world.members[1], world.members[2])
    assert.equal(await its.sign(row.id), 'signed')
    assert.deepEqual(
      (await its.coinsOf(row.id)).slice(0, 2),
      ids.slice(0, 2).map((id) => `${id.slice(0, 64)}:0`),
    )
    assert.equal(await its.send(row.id), true)
    await its.mine(FINALITY + 1)
    const { state, row: ended } = await orderOf(world, row.id)
    assert.equal(state, 'completed')
    assert.deepEqual(await booked('ordi'), { available: 50n * ONE, held: 0n })
    assert.equal((await its.money(wallet)).available, before.available + before.held - 1_092n - ended.fee_paid!)
    assert.deepEqual(
      (await tokens()).list.map(({ available, transferable }) => [available, transferable]),
      [['44', '6']],
    )
  })

  it('that is sent and cancelled while it waits comes back as what it was before it was inscribed', async () => {
    const { world } = its
    await its.deposit(wallet, 100_000n)
    await inscribe(its, wallet.address, json({ op: 'mint', tick: 'ordi', amt: '100' }))
    const { id } = await inscribe(its, wallet.address, writeBrc20Transfer('ordi', 40n * ONE))
    await its.mine(FINALITY)
    const before = await its.money(wallet)
    const { order } = await sendAs({
      ...{ request_id: `send-inscribed-${number++}`, sub_wallet_id: wallet.subWalletId, chain: its.network.chain, symbol: 'ordi', inscription_ids: id },
      ...{ address_to: STRANGER, max_fee: '0.0001', remark: '', expire_hours: 24, ack: 'lookalike,first_seen' },
    })
    await approve(world, order.row.id, world.members[1], world.members[2])
    assert.equal(await its.sign(order.row.id), 'signed')
    assert.equal(await its.send(order.row.id), true)
    await its.scan()
    const { order: cancel } = await replace(world, order.row.id, { cancel: true, maxFee: '0.0002' })
    await approve(world, cancel.row.id, world.members[1], world.members[2])
    assert.equal(await its.sign(cancel.row.id), 'signed')
    assert.equal(await its.send(order.row.id), true)
    await its.mine(FINALITY + 1)
    const { state, row } = await orderOf(world, order.row.id)
    assert.equal(state, 'replaced')
    assert.deepEqual(await booked('ordi'), { available: 100n * ONE, held: 0n })
    assert.deepEqual(await its.money(wallet), { available: before.available - row.fee_paid!, held: 0n })
    assert.deepEqual(
      (await tokens()).list.map(({ available, transferable }) => [available, transferable]),
      [['100', '0']],
    )
    const coins = await call<{ list: { state: string }[] }>(contract.listCoins, { chain: its.network.chain, page_no: 1, page_size: 20 })
    assert.ok(coins.list.some((each) => each.state === 'free'))
  })

  it('minted to us is credited, and what another ticker or nobody deployed is not', async () => {
    await inscribe(its, STRANGER, json({ op: 'deploy', tick: 'sats', max: '50', lim: '50', dec: '2' }))
    await inscribe(its, wallet.address, json({ op: 'mint', tick: 'sats', amt: '0.001' }))
    await inscribe(its, wallet.address, json({ op: 'mint', tick: 'sats', amt: '40' }))
    await inscribe(its, wallet.address, json({ op: 'mint', tick: 'sats', amt: '40' }))
    await inscribe(its, wallet.address, json({ op: 'mint', tick: 'nope', amt: '1' }))
    await its.mine(FINALITY + 1)
    assert.deepEqual(
      (await depositsOf('sats')).map(({ state, amount }) => [state, amount]),
      [
        ['credited', 40n * ONE],
        ['credited', 10n * ONE],
      ],
    )
    assert.deepEqual(await booked('sats'), { available: 50n * ONE, held: 0n })
    assert.deepEqual(
      (await tokens()).list.map(({ tick, available }) => [tick, available]),
      [['sats', '50']],
    )
  })

  it('on a satoshi that carries an inscription already counts for nothing', async () => {
    // The commitment is paid with the very satoshi of an inscription, as its first one.
    const first = await inscribe(its, STRANGER, { contentType: 'text/plain', body: new TextEncoder().encode('a picture') }, POSTAGE)
    await inscribe(its, STRANGER, writeBrc20Transfer('ordi', 5n * ONE), POSTAGE, coinAt(first.outpoint))
    await its.scan()
    const rows = await its.world.db.asSystem((tx) =>
      tx.selectFrom('inscribed').select(['is_cursed']).where('gone_height', 'is', null).orderBy('height', 'desc').limit(2).execute(),
    )
    assert.deepEqual(rows.map(({ is_cursed }) => is_cursed).toSorted(), [false, true])
    const { rows: entries } = {
      rows: await its.world.db.asSystem((tx) =>
        tx
          .selectFrom('brc20_entry')
          .select('amount')
          .where('amount', '=', 5n * ONE)
          .execute(),
      ),
    }
    assert.deepEqual(entries, [])
  })

  it('is taken back with the block that brought it, and credited again with the next that has it', async () => {
    const sent = await strangerInscribes('ordi', 20n)
    await strangerPays(wallet.address, [coinAt(sent.outpoint)])
    await its.mine(FINALITY)
    assert.equal((await booked('ordi')).available, 20n * ONE)
    const head = Number(await its.bitcoin.call('getblockcount'))
    await its.bitcoin.call('invalidateblock', await its.bitcoin.call('getblockhash', head - FINALITY))
    for (let i = 0; i < 2; i++) await its.bitcoin.call('generateblock', STRANGER, [])
    await its.bitcoin.mine(FINALITY)
    await its.scan()
    assert.equal((await depositsOf('ordi')).filter(({ state }) => state === 'reversed').length, 1)
    await its.mine(FINALITY + 1)
    assert.equal((await booked('ordi')).available, 20n * ONE)
    assert.deepEqual(
      (await tokens()).list.map(({ tick, available }) => [tick, available]),
      [['ordi', '20']],
    )
  })
})

describe('BRC-20 on a chain with two sources', () => {
  before(async () => {
    its = await openBitcoinWorld({ tokens: ['ordi'] })
    await inscribe(its, STRANGER, json({ op: 'deploy', tick: 'ordi', max: '1000', lim: '100' }))
    await inscribe(its, STRANGER, json({ op: 'mint', tick: 'ordi', amt: '100' }))
  })
  beforeEach(async () => {
    wallet = await makeWallet(its.world, `Two sources ${number++}`)
    await its.scan()
  })
  afterEach(async () => {
    assert.deepEqual(await auditAll(its.world.context), [])
    await its.world.db.asSystem(assertConserved)
  })
  after(() => its?.stop())

  type Transactions = NonNullable<Block['transactions']>
  /** A second source, which tells of the transactions of blocks in its own way. */
  const witness = (tell: (transactions: Transactions) => Transactions): ChainNode => ({
    ...its.looking,
    readBlock: async (height) => {
      const block = await its.looking.readBlock(height)
      return block && { ...block, transactions: tell(block.transactions!) }
    },
  })
  const honest = () => witness((all) => all)

  it('is credited where both show the inscription and the payment, and to nobody while one tells otherwise', async () => {
    its.network.witnesses = [honest()]
    const first = await strangerInscribes('ordi', 10n)
    await strangerPays(wallet.address, [coinAt(first.outpoint)])
    await its.mine(FINALITY)
    assert.deepEqual(await booked('ordi'), { available: 10n * ONE, held: 0n })

    const { id, outpoint } = await strangerInscribes('ordi', 20n)
    const reveal = id.slice(0, 64)
    const paid = await strangerPays(wallet.address, [coinAt(outpoint)])
    const inscribing = (amount: bigint): Uint8Array => {
      const { contentType, body } = writeBrc20Transfer('ordi', amount * ONE)
      return commitInscription(taprootKey, contentType, body).leaf
    }
    const changed = (txid: string, change: (of: Transactions[number]) => Transactions[number]) =>
      witness((all) => all.map((each) => (each.txid === txid ? change(each) : each)))
    const revealing = (leaf: Uint8Array) =>
      changed(reveal, (each) => ({ ...each, inputs: each.inputs.map((input) => ({ ...input, witness: input.witness.with(1, leaf) })) }))
    const lies: [string, ChainNode][] = [
      ['another amount', revealing(inscribing(21n))],
      ['no inscription', revealing(Uint8Array.of(0x51))],
      ['no such inscription in the block', witness((all) => all.filter(({ txid }) => txid !== reveal))],
      ['no such payment', witness((all) => all.filter(({ txid }) => txid !== paid))],
      ['another coin that was sent', changed(paid, (each) => ({ ...each, inputs: each.inputs.map((input) => ({ ...input, outpoint: `${paid}:7` })) }))],
      ['another recipient', changed(paid, (each) => ({ ...each, outputs: each.outputs.map((output) => ({ ...output, address: STRANGER })) }))],
    ]
    await its.bitcoin.mine(FINALITY)
    for (const [what, lying] of lies) {
      its.network.witnesses = [lying]
      await its.mine(1)
      assert.deepEqual(await booked('ordi'), { available: 10n * ONE, held: 0n }, what)
    }
    its.network.witnesses = [honest()]
    await its.mine(1)
    assert.deepEqual(await booked('ordi'), { available: 30n * ONE, held: 0n })
    its.network.witnesses = []
  })
})

describe('a chain that was not read from its first inscription on', () => {
  before(async () => (its = await openBitcoinWorld({ tokens: ['ordi'], readFrom: 100n })))
  beforeEach(async () => {
    wallet = await makeWallet(its.world, 'Late')
    await its.scan()
  })
  after(() => its?.stop())

  it('has no balances of tokens, and keeps small coins of strangers until somebody has looked', async () => {
    await inscribe(its, STRANGER, json({ op: 'deploy', tick: 'ordi', max: '1000', lim: '100' }))
    await inscribe(its, wallet.address, json({ op: 'mint', tick: 'ordi', amt: '100' }))
    await its.deposit(wallet, 10_000n, 10_001n)
    assert.deepEqual([await depositsOf('ordi'), (await tokens()).list, (await tokens()).readings[0]!.whole], [[], [], false])
    type Coin = { txid: string; vout: number; amount: string; state: string }
    const list = async () => (await call<{ list: Coin[] }>(contract.listCoins, { chain: its.network.chain, page_no: 1, page_size: 20 })).list
    const states = async () => new Map((await list()).map(({ amount, state }) => [amount, state]))
    assert.deepEqual(
      await states(),
      new Map([
        ['0.00010001', 'free'],
        ['0.0001', 'unchecked'],
        ['0.00000546', 'inscription'],
      ]),
    )
    await assert.rejects(its.approvedOrder(wallet, '0.000102', '0.0001'), { errorName: 'coins_locked' })
    const { txid, vout } = (await list()).find(({ state }) => state === 'unchecked')!
    await call(contract.unlockCoin, { chain: its.network.chain, txid, vout, reason: '' })
    assert.equal((await states()).get('0.0001'), 'free')
    await assert.doesNotReject(its.approvedOrder(wallet, '0.000102', '0.0001'))
  })
})
