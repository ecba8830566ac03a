import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import {
  codecFor,
  draftTransfer,
  finishDraft,
  networkBytes,
  networkOf,
  networkTransactions,
  requireScript,
  writeBrc20Transfer,
} from '@holdfast/chain-bitcoin/codec'
import { codec, signTaproot, taprootFrom as STRANGER, third } from '@holdfast/chain-bitcoin/testing'
import { brc20Asset } from '@holdfast/chain-core'
import type { OutputOf } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import { auditAll } from '@holdfast/features/deposit/server'
import { sendInscription } from '@holdfast/features/withdrawal/server'
import type { MemberContext } from '@holdfast/http'
import { assertConserved } from '@holdfast/ledger'
import { FROST_TAPROOT } from '@holdfast/mpc'
import { verifyEvidence } from '@holdfast/protocol'
import { speedUpInfo } from '../../transfer/server/replacement/speed-up.ts'
import { evidenceOf } from '../../testing/evidence-of.ts'
import { type BitcoinWorld, FINALITY, openBitcoinWorld } from '../../testing/bitcoin-world.ts'
import { approve, requestWithdrawal, balanceOf, bytesOf, makeWallet, orderOf, type Wallet } from '../../testing/test-world.ts'
import { listInscriptions, listTokens } from '../contract.ts'
import { utxoEndpoints } from './routes.ts'
import { inscribe } from './testing/inscribe.ts'
import { callerOf } from '../../testing/request-key.ts'

const ONE = 10n ** 18n
let its: BitcoinWorld
let wallet: Wallet
let number = 0

const json = (operation: object) => ({ contentType: 'text/plain', body: new TextEncoder().encode(JSON.stringify({ p: 'brc-20', ...operation })) })
const booked = (ticker: string) => balanceOf(its.world, wallet, brc20Asset(ticker))

/** A stranger sends so many whole tokens on a coin of 10,000 satoshi, so that the inscription that did it lies on a coin of ours. */
async function strangerSends(amount: bigint): Promise<void> {
  const { chain } = its.network
  const { outpoint } = await inscribe(its, STRANGER, writeBrc20Transfer('ordi', amount * ONE), 10_000n)
  const coin = { txid: outpoint.slice(0, 64), index: 0, amount: 10_000n, script: requireScript(networkOf(chain), STRANGER) }
  const payments = [{ to: wallet.address, amount: 9_000n }]
  const unsigned = finishDraft(draftTransfer({ chain, from: STRANGER, payments, required: [coin], coins: [], satPerKvb: 1_000n, feeCap: 10n ** 9n }), new Map())
  const { raw } = codec.attach(unsigned, codec.sighashes(unsigned).map(signTaproot))
  await its.bitcoin.call('generateblock', STRANGER, [toHex(networkBytes(chain, raw))])
  await its.mine(FINALITY)
}

describe('a BRC-20 token that no inscription transfers yet', () => {
  before(async () => {
    its = await openBitcoinWorld({ tokens: ['ordi', 'cats'] })
    await inscribe(its, STRANGER, json({ op: 'deploy', tick: 'ordi', max: '1000', lim: '100' }))
  })
  const asking = (amount: string) => requestWithdrawal(its.world, wallet, { symbol: 'ordi', to: third, amount, maxFee: '0.0001' })
  const approved = async (amount: string) => {
    const { id } = (await asking(amount)).order.row
    await approve(its.world, id, its.world.members[1], its.world.members[2])
    return id
  }
  const call = async <T>({ path }: { path: string }): Promise<T> => {
    const { world } = its
    const { handler } = utxoEndpoints(world.context).find((each) => each.endpoint.path === path)!
    const member = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US' } as MemberContext
    return handler(member, { sub_wallet_id: wallet.subWalletId, page_no: 1, page_size: 20 } as never) as Promise<T>
  }
  const listed = async () => {
    const { list } = await call<OutputOf<typeof listTokens>>(listTokens)
    return list.map(({ available, transferable }) => [available, transferable])
  }
  const hexOf = async (id: string) => {
    const { transactions } = await orderOf(its.world, id)
    return networkTransactions(its.network.chain, transactions[0]!.raw_tx!).map(({ bytes }) => toHex(bytes))
  }
  // Nodes may keep inscriptions out of their pool and still take blocks with them: then an order is not known to wait, and loses nothing by it.
  const WAITING = ['pending', 'broadcasting']
  const send = async (id: string) => assert.ok((await its.send(id)) || !its.bitcoin.isEmulator)
  afterEach(async () => {
    assert.deepEqual(await auditAll(its.world.context), [])
    await its.world.db.asSystem(assertConserved)
  })
  after(() => its?.stop())
  beforeEach(async () => {
    wallet = await makeWallet(its.world, `Taproot ${number++}`, { protocols: [FROST_TAPROOT] })
    await its.deposit(wallet, 60_000n)
    await inscribe(its, wallet.address, json({ op: 'mint', tick: 'ordi', amt: '100' }))
    await its.mine(FINALITY)
  })

  it('is inscribed and sent by one approved order, wherever its transactions stand between blocks, and nothing is lost', async () => {
    // A coin that carries an inscription which means nothing any more is plain coin, but not under a new inscription.
    await inscribe(its, STRANGER, json({ op: 'mint', tick: 'ordi', amt: '1' }))
    await strangerSends(1n)
    await assert.rejects(asking('101.5'), { errorName: 'insufficient_balance' })
    const id = await approved('30.5')
    await assert.rejects(asking('70.6'), { errorName: 'insufficient_balance' })
    const { row, payment } = await orderOf(its.world, id)
    assert.deepEqual([payment.kind, row.amount, row.postage], ['brc20Inscribe', 305n * 10n ** 17n, 546n])
    assert.deepEqual(await booked('ordi'), { available: 705n * 10n ** 17n, held: 305n * 10n ** 17n })
    const before = await its.money(wallet)
    assert.equal(await its.sign(id), 'signed')
    const coins = await its.coinsOf(id)
    assert.equal(coins.length, 1)
    await send(id)
    await its.scan()
    assert.ok(WAITING.includes((await orderOf(its.world, id)).state))
    const info = await speedUpInfo(its.world.context, { orgId: its.world.orgId }, id)
    assert.deepEqual([info.can, info.reason, info.cancel_supported], [false, 'inscribes', false])
    // Blocks take them one by one, and each of them becomes final before the next one comes.
    const [commit, reveal] = await hexOf(id)
    for (const [hex, has] of [
      [commit!, ['101', '0']],
      [reveal!, ['70.5', '30.5']],
    ] as const) {
      await its.bitcoin.call('generateblock', STRANGER, [hex])
      for (let i = 0; i < FINALITY; i++) await its.bitcoin.call('generateblock', STRANGER, [])
      await its.scan()
      assert.ok(WAITING.includes((await orderOf(its.world, id)).state))
      assert.deepEqual(await listed(), [has])
      assert.deepEqual(await auditAll(its.world.context), [])
    }
    // What is on its way takes nothing that another order could have, and another takes nothing of it.
    const asked = {
      ...{ request_id: `send-${number++}`, sub_wallet_id: wallet.subWalletId, chain: its.network.chain, symbol: 'ordi', address_to: third },
      ...{ max_fee: '0.0001', remark: '', expire_hours: 24, ack: 'lookalike,first_seen' },
    }
    const { list: inscriptions } = await call<OutputOf<typeof listInscriptions>>(listInscriptions)
    const { inscribes, feeMax } = its.network.codec.decode(bytesOf(await orderOf(its.world, id)))
    assert.equal(inscriptions.find((each) => each.inscription_id === inscribes)!.order_id, id)
    await assert.rejects(
      sendInscription(its.world.context, callerOf(its.world.orgId, its.world.members[0].id, asked), { ...asked, inscription_ids: inscribes! }),
      { errorName: 'inscription_unavailable' },
    )
    assert.equal(await its.send(id), true)
    await its.mine(FINALITY + 1)
    const { state, row: ended } = await orderOf(its.world, id)
    assert.equal(state, 'completed')
    assert.equal(ended.fee_paid, feeMax)
    assert.deepEqual(await booked('ordi'), { available: 705n * 10n ** 17n, held: 0n })
    assert.deepEqual(await its.money(wallet), { available: before.available + before.held - 546n - ended.fee_paid!, held: 0n })
    assert.deepEqual(await listed(), [['70.5', '0']])
    const { txid, approvedBy } = verifyEvidence(await evidenceOf(its.world, id), { codecFor })
    assert.deepEqual([txid, approvedBy.toSorted()], [ended.txid, ['Ben', 'Cleo']])
    // The change of it pays the next one.
    const again = await approved('70.5')
    assert.equal(await its.sign(again), 'signed')
    await send(again)
    await its.bitcoin.call('generateblock', STRANGER, await hexOf(again))
    await its.mine(FINALITY + 1)
    assert.equal((await orderOf(its.world, again)).state, 'completed')
    assert.deepEqual(await booked('ordi'), { available: 0n, held: 0n })
  })

  it('is not spent while inscriptions of strangers have set it aside, and comes back where one did before ours was in a block', async () => {
    const first = await approved('40')
    // A coin for another order, so that the two do not wait for each other.
    await its.deposit(wallet, 50_000n)
    const late = await approved('20')
    assert.equal(await its.sign(first), 'signed')
    const money = await its.money(wallet)
    await inscribe(its, wallet.address, writeBrc20Transfer('ordi', 90n * ONE))
    await its.scan()
    assert.deepEqual(await listed(), [['10', '90']])
    assert.equal(await its.sign(late), 'wait')
    assert.equal((await orderOf(its.world, late)).row.sub_status, 'build_failed')
    await assert.rejects(asking('11'), { errorName: 'token_not_available' })
    await send(first)
    await its.bitcoin.call('generateblock', STRANGER, await hexOf(first))
    await its.mine(FINALITY + 1)
    const { state, row } = await orderOf(its.world, first)
    assert.deepEqual([state, row.sub_status], ['failed', 'no_effect'])
    assert.deepEqual(await booked('ordi'), { available: 80n * ONE, held: 20n * ONE })
    // The coin under the stranger's inscription is a deposit; ours went along with what counted for nothing.
    assert.equal((await its.money(wallet)).available, money.available + 546n + row.fee_cap - row.fee_paid!)
  })

  it('is refused in smaller parts than it has, before anything is held', async () => {
    await its.mine(1)
    await inscribe(its, STRANGER, json({ op: 'deploy', tick: 'cats', max: '50', lim: '50', dec: '2' }))
    await inscribe(its, wallet.address, json({ op: 'mint', tick: 'cats', amt: '50' }))
    await its.mine(FINALITY)
    await assert.rejects(requestWithdrawal(its.world, wallet, { symbol: 'cats', to: third, amount: '1.001', maxFee: '0.0001' }), {
      errorName: 'exceeds_precision',
    })
    assert.equal((await requestWithdrawal(its.world, wallet, { symbol: 'cats', to: third, amount: '1.01', maxFee: '0.0001' })).fresh, true)
  })
})
