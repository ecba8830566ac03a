import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { codecFor, draftTransfer, finishDraft, networkBytes, type SpentCoin } from '@holdfast/chain-bitcoin/codec'
import { codec, signTaproot, taprootFrom, third } from '@holdfast/chain-bitcoin/testing'
import { type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import { auditAll, noMemory, readPending, type PendingMemory } from '@holdfast/features/deposit/server'
import type { MemberContext } from '@holdfast/http'
import { assertConserved } from '@holdfast/ledger'
import { FROST_TAPROOT, PROTOCOL } from '@holdfast/mpc'
import { verifyEvidence } from '@holdfast/protocol'
import { parseAmount } from '@holdfast/units'
import { getDeposit, listTransactions } from '../../../transaction/contract.ts'
import { getSpeedUp, speedUp } from '../../contract.ts'
import { transactionEndpoints } from '../../../transaction/server/routes.ts'
import { transferEndpoints } from '../routes.ts'
import { evidenceOf } from '../../../testing/evidence-of.ts'
import { type BitcoinWorld, FINALITY, openBitcoinWorld } from '../../../testing/bitcoin-world.ts'
import { approve, bytesOf, makeWallet, orderOf, type Wallet, type World } from '../../../testing/test-world.ts'

const HELD = 150_000n
let its: BitcoinWorld
let world: World
let wallet: Wallet
let memory: PendingMemory

before(async () => {
  its = await openBitcoinWorld()
  world = its.world
})
beforeEach(async () => {
  world.signers.resetScript()
  memory = noMemory()
  wallet = await makeWallet(world, 'Stuck', { protocols: [PROTOCOL] })
  await its.scan()
})
afterEach(async () => {
  await world.db.asSystem(assertConserved)
  assert.deepEqual(await auditAll(world.context), [])
})
after(() => its?.stop())

const look = () => readPending(world.context, its.network, memory)

async function call<E extends Endpoint>(endpoint: E, input: Record<string, unknown>): Promise<OutputOf<E>> {
  const { handler } = [...transactionEndpoints(world.context), ...transferEndpoints(world.context)].find((each) => each.endpoint === endpoint)!
  const member = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US' } as MemberContext
  return endpoint.output.parse(await handler(member, readInput(endpoint, parseForm(formEncode(input))) as never)) as OutputOf<E>
}

/** A stranger's coin that is in a block. */
async function strangersCoin(): Promise<SpentCoin> {
  const { txid } = await its.bitcoin.fund(taprootFrom, 400_000n)
  const coin = (await its.looking.listCoins(taprootFrom)).find((each) => each.txid === txid)!
  return { txid, index: coin.index, amount: coin.amount, script: coin.script }
}

/** Broadcasts a payment of a stranger's coin, which stays pending; returns its id. */
async function strangerPays(coin: SpentCoin, { to = wallet.address, amount = HELD, satPerKvb = 1_000n } = {}): Promise<string> {
  const order = { chain: its.network.chain, from: taprootFrom, payments: [{ to, amount }], coins: [coin] }
  const unsigned = finishDraft(draftTransfer({ ...order, satPerKvb, feeCap: 10n ** 12n }), new Map())
  const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(signTaproot))
  await its.bitcoin.call('sendrawtransaction', toHex(networkBytes(its.network.chain, raw)))
  await look()
  return txid
}

/** The one deposit of the wallet that a transaction made, as the list shows it. */
async function shown(txid: string) {
  const { list } = await call(listTransactions, { type: 'deposit', sub_wallet_id: wallet.subWalletId, txid, page_no: 1, page_size: 20 })
  assert.equal(list.length, 1)
  return list[0]!
}
const standing = async (txid: string) => {
  const { status, sub_status } = await shown(txid)
  return [status, sub_status]
}

/** Requests a CPFP of a pending deposit, and gives two approvals. */
async function cpfpOrder(txid: string, requestId = `cpfp-${toHex(world.context.ports.random.bytes(8))}`, maxFee?: string): Promise<string> {
  const { id } = await shown(txid)
  const { can, method, tiers } = await call(getSpeedUp, { trans_id: id })
  assert.deepEqual([can, method, tiers.every(({ needs_approval }) => needs_approval)], [true, 'CPFP', true])
  const asked = await call(speedUp, { request_id: requestId, trans_id: id, tier: 'fast', max_fee: maxFee ?? tiers.at(-1)!.fee })
  assert.equal(asked.needs_approval, true)
  await approve(world, asked.new_trans_id, world.members[1], world.members[2])
  return asked.new_trans_id
}

async function sent(id: string): Promise<string> {
  assert.equal(await its.sign(id), 'signed')
  assert.equal(await its.send(id), true)
  return id
}

/** Has the chain give up a block, and the ones after it, for empty ones. */
async function giveUp(height: bigint): Promise<void> {
  await its.bitcoin.call('invalidateblock', await its.bitcoin.call('getblockhash', Number(height)))
  for (let i = 0; i < FINALITY + 2; i++) await its.bitcoin.call('generateblock', third, [])
  await its.scan()
}

describe('a pending deposit', () => {
  it('is shown as pending, is no money, and becomes the deposit of its block', async () => {
    const txid = await strangerPays(await strangersCoin())
    const { id, amount, address_from, tx_height, next_action } = await shown(txid)
    assert.deepEqual([await standing(txid), amount, address_from, tx_height], [[1000, 'mempool'], '0.0015', taprootFrom, null])
    assert.match(next_action.text, /waiting for a block/)
    assert.deepEqual(await its.money(wallet), { available: 0n, held: 0n })
    assert.deepEqual(await its.network.node.coins.unspent(wallet.address), [])
    await look()
    await its.mine(1)
    await look()
    const details = await call(getDeposit, { id })
    assert.deepEqual([details.status, details.txid, (await shown(txid)).id], [1000, txid, details.id])
    await its.mine(FINALITY)
    assert.deepEqual(await standing(txid), [2000, 'ok'])
    assert.deepEqual(await its.money(wallet), { available: HELD, held: 0n })
  })

  it('ends if another transaction replaces it, which is named, whether that is pending, in a block or pending again', async () => {
    const coin = await strangersCoin()
    const first = await strangerPays(coin)
    const second = await strangerPays(coin, { to: third, satPerKvb: 9_000n })
    const told = async () => (await call(getDeposit, { id: (await shown(first)).id })).timeline.map(({ state, reason }) => [state, reason])
    const replaced = [
      ['waiting', null],
      ['replaced', second],
    ]
    assert.deepEqual([await standing(first), await told()], [[3000, 'replaced'], replaced])
    await its.mine(FINALITY + 1)
    assert.deepEqual([await standing(first), await told()], [[3000, 'replaced'], replaced])
    await giveUp((await its.looking.head()).height - BigInt(FINALITY))
    assert.deepEqual(await standing(first), [1000, 'mempool'])
    await look()
    assert.deepEqual([await standing(first), await told()], [[3000, 'replaced'], replaced])
    assert.deepEqual(await its.money(wallet), { available: 0n, held: 0n })
  })

  it('ends if the network forgets it, and is pending again if somebody sends it again', async () => {
    const txid = await strangerPays(await strangersCoin())
    const present = its.network.node
    its.network.node = {
      ...present,
      transaction: async () => ({ state: 'unknown' }),
      coins: {
        ...present.coins,
        pending: async () => ({ txids: new Set(), looked: [], payments: [] }),
        pendingSpender: async () => undefined,
      },
    }
    await look()
    its.network.node = present
    assert.deepEqual(await standing(txid), [3000, 'dropped'])
    await look()
    assert.deepEqual(await standing(txid), [1000, 'mempool'])
    await its.mine(FINALITY + 1)
    assert.deepEqual(await standing(txid), [2000, 'ok'])
  })
})

for (const [name, protocol] of [
  ['P2WPKH', PROTOCOL],
  ['P2TR', FROST_TAPROOT],
] as const) {
  describe(`speeding a pending deposit up (${name})`, () => {
    beforeEach(async () => {
      wallet = await makeWallet(world, `Stuck ${name}`, { protocols: [protocol] })
      await its.scan()
    })

    it('pays its fee from the deposit: both come into a block, and the ledger is that of the chain', async () => {
      const txid = await strangerPays(await strangersCoin())
      const id = await cpfpOrder(txid)
      assert.deepEqual(await its.money(wallet), { available: 0n, held: 0n })
      await sent(id)
      await look()
      // The child is no deposit of its own, and nothing of it may be spent before it is final.
      assert.deepEqual(await standing(txid), [1000, 'mempool'])
      await its.mine(1)
      assert.deepEqual(await its.money(wallet), { available: 0n, held: 0n })
      await its.mine(FINALITY)
      const { state, row } = await orderOf(world, id)
      assert.deepEqual([state, await standing(txid)], ['completed', [2000, 'ok']])
      const report = verifyEvidence(await evidenceOf(world, id), { codecFor })
      assert.deepEqual([report.txid, report.approvedBy.toSorted()], [row.txid, ['Ben', 'Cleo']])
      assert.deepEqual(await its.money(wallet), { available: HELD - row.fee_paid!, held: 0n })
      assert.equal(await its.looking.balance(wallet.address, { chain: its.network.chain, contract: null }), HELD - row.fee_paid!)
      const paid = await its.approvedOrder(wallet, '0.001')
      await sent(paid)
      await its.mine(FINALITY + 1)
      assert.equal((await orderOf(world, paid)).state, 'completed')
    })
  })
}

describe('an order to speed a deposit up', () => {
  it('holds its fee from the moment the deposit is credited, so that nobody else can take that part', async () => {
    const txid = await strangerPays(await strangersCoin())
    const id = await sent(await cpfpOrder(txid))
    const waiting = (await its.bitcoin.call('getrawmempool')) as string[]
    assert.equal(waiting.length, 2)
    // A block has the deposit alone, and it becomes final before its CPFP comes into one.
    for (const each of [[txid], [], []]) await its.bitcoin.call('generateblock', third, each)
    await its.scan()
    const { fee_cap: cap } = (await orderOf(world, id)).row
    assert.deepEqual(await its.money(wallet), { available: HELD - cap, held: cap })
    await its.mine(FINALITY + 1)
    const { state, row } = await orderOf(world, id)
    assert.equal(state, 'completed')
    assert.deepEqual(await its.money(wallet), { available: HELD - row.fee_paid!, held: 0n })
  })

  it('is reversed by a reorganisation with the deposit, and made again', async () => {
    const txid = await strangerPays(await strangersCoin())
    const id = await sent(await cpfpOrder(txid))
    await its.mine(FINALITY + 1)
    const { row } = await orderOf(world, id)
    const before = await its.money(wallet)
    assert.equal(before.available, HELD - row.fee_paid!)
    await giveUp(row.block_height!)
    assert.deepEqual(await its.money(wallet), { available: 0n, held: 0n })
    assert.deepEqual((await orderOf(world, id)).state, 'pending')
    await its.mine(FINALITY + 1)
    assert.equal((await orderOf(world, id)).state, 'completed')
    assert.deepEqual(await its.money(wallet), before)
  })

  it('pays a higher fee within its cap at once and beyond it once people approve, before the deposit is credited or after', async () => {
    for (const isCreditedBefore of [false, true]) {
      wallet = await makeWallet(world, 'Stuck', { protocols: [PROTOCOL] })
      const txid = await strangerPays(await strangersCoin())
      const id = await sent(await cpfpOrder(txid, `cpfp-${txid.slice(0, 16)}`, '0.00005'))
      const atFirst = (await orderOf(world, id)).row.txid
      const within = await call(speedUp, { request_id: `within-${id}`, trans_id: id, tier: 'fast', max_fee: '0.00005' })
      assert.equal(within.needs_approval, false)
      await sent(id)
      const [first, coins] = [(await orderOf(world, id)).row, await its.coinsOf(id)]
      assert.notEqual(first.txid, atFirst)
      if (isCreditedBefore) {
        // A block has the deposit alone; its CPFP stays pending.
        for (const each of [[txid], [], []]) await its.bitcoin.call('generateblock', third, each)
        await its.scan()
        assert.deepEqual(await its.money(wallet), { available: HELD - first.fee_cap, held: first.fee_cap })
      }
      const { can, method, tiers, min } = await call(getSpeedUp, { trans_id: id })
      assert.deepEqual([can, method, tiers.length], [true, 'RBF', 3])
      const asked = await call(speedUp, { request_id: `more-${id}`, trans_id: id, tier: 'fast', max_fee: '0.0001' })
      assert.equal(asked.needs_approval, true)
      const held = isCreditedBefore ? 10_000n : 0n
      assert.equal((await its.money(wallet)).held, held)
      await approve(world, asked.new_trans_id, world.members[1], world.members[2])
      assert.equal(await its.sign(asked.new_trans_id), 'signed')
      assert.equal(await its.send(id), true)
      const { row } = await orderOf(world, id)
      const { feeMax } = its.network.codec.decode(bytesOf(await orderOf(world, id)))
      assert.ok(row.txid !== first.txid && feeMax >= parseAmount(min!, 8) && feeMax <= 10_000n)
      assert.deepEqual([row.slot, await its.coinsOf(id)], [first.slot, coins])
      const waiting = (await its.bitcoin.call('getrawmempool')) as string[]
      assert.deepEqual([waiting.includes(first.txid!), waiting.includes(row.txid!)], [false, true])
      await its.mine(FINALITY + 1)
      const after = await orderOf(world, id)
      assert.deepEqual([after.state, after.row.fee_paid], ['completed', feeMax])
      assert.deepEqual(await its.money(wallet), { available: HELD - feeMax, held: 0n })
      await giveUp(after.row.block_height!)
      await its.mine(FINALITY + 1)
      assert.deepEqual(await its.money(wallet), { available: HELD - feeMax, held: 0n })
    }
  })

  it('ends with nothing moved if the deposit is replaced for good, and before it is signed as soon as that is known', async () => {
    const [coin, other] = [await strangersCoin(), await strangersCoin()]
    const id = await sent(await cpfpOrder(await strangerPays(coin)))
    const unsigned = await cpfpOrder(await strangerPays(other))
    // It must pay for both transactions that it replaces.
    await strangerPays(coin, { to: third, satPerKvb: 60_000n })
    await strangerPays(other, { to: third, satPerKvb: 9_000n })
    assert.equal(await its.sign(unsigned), 'ended')
    const ended = await orderOf(world, unsigned)
    assert.deepEqual([ended.state, ended.row.sub_status], ['cancelled', 'deposit_not_waiting'])
    await its.mine(FINALITY + 2)
    const { state, row } = await orderOf(world, id)
    assert.deepEqual([state, row.sub_status], ['dropped', 'nonce_taken'])
    assert.deepEqual(await its.money(wallet), { available: 0n, held: 0n })
  })

  it('is requested once, refused if it makes no sense, and not cancelled', async () => {
    const txid = await strangerPays(await strangersCoin())
    const { id } = await shown(txid)
    const ask = (change: object) =>
      call(speedUp, { request_id: `ask-${toHex(world.context.ports.random.bytes(8))}`, trans_id: id, max_fee: '0.0001', ...change })
    await assert.rejects(ask({ cancel: '1' }), { errorName: 'btc_acceleration_error' })
    await assert.rejects(ask({ max_fee: '0.0015' }), { errorName: 'btc_acceleration_error' })
    const order = await cpfpOrder(txid, 'cpfp-once')
    assert.equal((await call(getSpeedUp, { trans_id: id })).reason, 'being_replaced')
    await assert.rejects(ask({}), { errorName: 'replacement_open' })
    await sent(order)
    await its.scan()
    const { can, cancel_supported, cancel_fee } = await call(getSpeedUp, { trans_id: order })
    assert.deepEqual([can, cancel_supported, cancel_fee], [true, false, null])
    await assert.rejects(ask({ trans_id: order, cancel: '1' }), { errorName: 'btc_acceleration_error' })
    const [again] = (await call(listTransactions, { type: 'withdraw', sub_wallet_id: wallet.subWalletId, page_no: 1, page_size: 20 })).list
    assert.match(again!.lifts!, new RegExp(`^${txid}:`))
    const small = await strangerPays(await strangersCoin(), { amount: 9_000n })
    assert.equal((await call(getSpeedUp, { trans_id: (await shown(small)).id })).reason, 'too_small')
    const rich = await strangerPays(await strangersCoin(), { satPerKvb: 50_000n })
    assert.equal((await call(getSpeedUp, { trans_id: (await shown(rich)).id })).reason, 'pays_enough')
    await its.mine(FINALITY + 1)
    assert.equal((await call(getSpeedUp, { trans_id: id })).reason, 'in_block')
  })
})
