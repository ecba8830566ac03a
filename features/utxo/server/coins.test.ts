import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { draftTransfer, finishDraft, networkBytes, writeBrc20Transfer } from '@holdfast/chain-bitcoin/codec'
import { signTaproot, taprootFrom, third } from '@holdfast/chain-bitcoin/testing'
import type { MemberContext } from '@holdfast/http'
import { assertConserved } from '@holdfast/ledger'
import { decode, toHex } from '@holdfast/encoding'
import { entryShape } from '@holdfast/log'
import fc from 'fast-check'
import { type BitcoinWorld, FINALITY, openBitcoinWorld } from '../../testing/bitcoin-world.ts'
import { approve, makeWallet, orderOf, type Wallet, type World } from '../../testing/test-world.ts'
import * as contract from '../contract.ts'
import { coinLockShape } from './lock-coin.ts'
import { utxoEndpoints } from './routes.ts'
import { inscribe } from './testing/inscribe.ts'

const page = { page_no: 1, page_size: 100 }
let its: BitcoinWorld
let world: World
let wallet: Wallet

before(async () => {
  its = await openBitcoinWorld()
  world = its.world
})
beforeEach(async () => {
  world.signers.resetScript()
  wallet = await makeWallet(world, 'Coins')
  await its.scan()
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => its?.stop())

const at = () => ({ sub_wallet_id: wallet.subWalletId, chain: its.network.chain })
const named = (outpoint: string) => ({ ...at(), txid: outpoint.split(':')[0]!, vout: Number(outpoint.split(':')[1]) })

/** Calls an endpoint as Ann, past the parser. */
async function call<T>(endpoint: { path: string }, input: object): Promise<T> {
  const { handler } = utxoEndpoints(world.context).find((each) => each.endpoint.path === endpoint.path)!
  const member = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US' } as MemberContext
  return handler(member, input as never) as Promise<T>
}

type Listed = {
  txid: string
  vout: number
  amount: string
  state: string
  inscription_ids: string[]
  order_id: string | null
  lock: { by: string; reason: string } | null
}
const list = async () => (await call<{ list: Listed[] }>(contract.listCoins, { ...at(), ...page })).list
const nameOf = ({ txid, vout }: Listed) => `${txid}:${vout}`
const settings = () =>
  call<{
    totals: Record<string, string>
    count: number
    inscriptions_locked: number
    consolidate_hint: number
    consolidation: { coins: number; amount: string; fee: string } | null
  }>(contract.getCoinSettings, at())
const stateOf = async (outpoint: string) => (await list()).find((each) => nameOf(each) === outpoint)!.state
const largest = async () => nameOf((await list())[0]!)
const toSatoshi = (text: string) => BigInt(Math.round(Number(text) * 1e8))

async function consolidate(maxFee = '0.001', requestId = `join-${toHex(world.context.ports.random.bytes(8))}`) {
  const request = { request_id: requestId, ...at(), max_fee: maxFee, remark: '', expire_hours: 24 }
  return (await call<{ withdraw_id: string; idempotent: boolean }>(contract.consolidateCoins, request)) satisfies object
}

async function finish(id: string): Promise<void> {
  assert.equal(await its.sign(id), 'signed')
  assert.equal(await its.send(id), true)
  await its.mine(FINALITY + 1)
  assert.equal((await orderOf(world, id)).state, 'completed')
}

describe('locks that people put on coins', () => {
  it('keep a coin out of every payment until they are taken off, and who did it stands in the log', async () => {
    await its.deposit(wallet, 100_000n, 50_000n)
    const kept = await largest()
    await call(contract.lockCoin, { ...named(kept), reason: 'for the auditors' })
    assert.deepEqual(
      (await list()).map(({ state, lock }) => [state, lock?.by, lock?.reason]),
      [
        ['person', 'Ann', 'for the auditors'],
        ['free', undefined, undefined],
      ],
    )
    await assert.rejects(its.approvedOrder(wallet, '0.0006'), { errorName: 'coins_locked' })
    const paid = await its.approvedOrder(wallet, '0.0003')
    await finish(paid)
    assert.ok(!(await its.coinsOf(paid)).includes(kept))
    await call(contract.unlockCoin, { ...named(kept), reason: '' })
    const next = await its.approvedOrder(wallet, '0.0006')
    await finish(next)
    assert.ok((await its.coinsOf(next)).includes(kept))
    const entries = await world.db.asOrganisation(world.orgId, (tx) =>
      tx.selectFrom('log_entry').select('bytes').where('org_id', '=', tx.orgId).orderBy('sequence').execute(),
    )
    const told = entries.map(({ bytes }) => decode(entryShape, bytes)).filter(({ type }) => type === 'coin-lock')
    assert.deepEqual(
      told
        .map(({ body }) => decode(coinLockShape, body))
        .filter(({ outpoint }) => outpoint === kept)
        .map(({ locked }) => locked),
      [true, false],
    )
  })

  it('are refused where an order has the coin, and where there is none to take off', async () => {
    await its.deposit(wallet, 70_000n)
    const coin = await largest()
    await assert.rejects(call(contract.unlockCoin, { ...named(coin), reason: '' }), { errorName: 'coin_unavailable' })
    const id = await its.approvedOrder(wallet, '0.0002')
    world.signers.online = new Set([1])
    assert.equal(await its.sign(id), 'wait')
    assert.equal(await stateOf(coin), 'order')
    await assert.rejects(call(contract.lockCoin, { ...named(coin), reason: 'late' }), { errorName: 'coin_unavailable' })
    await assert.rejects(call(contract.lockCoin, { ...named(`${'ab'.repeat(32)}:0`), reason: 'nowhere' }), { errorName: 'coin_unavailable' })
  })
})

describe('joining coins', () => {
  it('leaves one coin at the same address and costs the fee alone, in the ledger as on the chain', async () => {
    await its.deposit(wallet, 30_000n, 20_000n, 10_000n)
    const { withdraw_id: id } = await consolidate()
    assert.deepEqual(
      (await list()).map(({ state, order_id }) => [state, order_id]),
      Array.from({ length: 3 }, () => ['order', id]),
    )
    await approve(world, id, world.members[1], world.members[2])
    await finish(id)
    const { fee_paid: fee } = (await orderOf(world, id)).row
    const coins = await list()
    assert.deepEqual(
      coins.map(({ amount, state }) => [toSatoshi(amount), state]),
      [[60_000n - fee!, 'free']],
    )
    assert.deepEqual(await its.money(wallet), { available: 60_000n - fee!, held: 0n })
    assert.equal((await its.looking.coins.unspent(wallet.address)).length, 1)
  })

  it('takes fewer coins where large transactions made them, and the page says beforehand which amount and fee that is', async () => {
    // Each coin comes with some forty kilobytes of payments to others, which prove what it holds; seven of them are more than signers read.
    const { chain } = its.network
    const others = Array.from({ length: 1_200 }, () => ({ to: third, amount: 330n }))
    for (let i = 0; i < 7; i++) {
      const { txid } = await its.bitcoin.fund(taprootFrom, 2_000_000n)
      const coin = (await its.looking.listCoins(taprootFrom)).find((each) => each.txid === txid)!
      const payments = [{ to: wallet.address, amount: 10_000n + BigInt(i) }, ...others]
      const unsigned = finishDraft(draftTransfer({ chain, from: taprootFrom, payments, coins: [coin], satPerKvb: 1_000n, feeCap: 10n ** 9n }), new Map())
      const { raw } = its.network.codec.attach(unsigned, its.network.codec.sighashes(unsigned).map(signTaproot))
      await its.bitcoin.call('sendrawtransaction', toHex(networkBytes(chain, raw)))
    }
    await its.mine(FINALITY + 1)
    const { count, consolidation, consolidate_hint: hint } = await settings()
    assert.deepEqual([count, hint, consolidation!.coins], [7, 30, 3])
    const { withdraw_id: id } = await consolidate()
    const { row } = await orderOf(world, id)
    assert.equal(row.amount, toSatoshi(consolidation!.amount))
    await approve(world, id, world.members[1], world.members[2])
    await finish(id)
    const { fee_paid: fee } = (await orderOf(world, id)).row
    assert.equal(fee, toSatoshi(consolidation!.fee))
    assert.equal((await its.coinsOf(id)).length, 3)
    assert.equal((await list()).length, 5)
  })

  it('answers the same request with the order it made, leaves locked coins alone, and asks for two at least', async () => {
    await its.deposit(wallet, 30_000n, 20_000n, 10_000n)
    const kept = await largest()
    await call(contract.lockCoin, { ...named(kept), reason: 'kept' })
    const first = await consolidate('0.001', 'join-once')
    const again = await consolidate('0.001', 'join-once')
    assert.deepEqual([again.withdraw_id, again.idempotent], [first.withdraw_id, true])
    assert.equal(await stateOf(kept), 'person')
    await assert.rejects(consolidate(), { errorName: 'nothing_to_join' })
  })

  it('is taken back by a reorganisation and made again, without a satoshi lost', async () => {
    await its.deposit(wallet, 30_000n, 20_000n)
    const { withdraw_id: id } = await consolidate()
    await approve(world, id, world.members[1], world.members[2])
    await finish(id)
    const before = await its.money(wallet)
    const { block_height: height } = (await orderOf(world, id)).row
    await its.bitcoin.call('invalidateblock', await its.bitcoin.call('getblockhash', Number(height)))
    await its.bitcoin.call('generateblock', wallet.address, [])
    await its.mine(FINALITY + 3)
    assert.equal(await its.send(id), true)
    await its.mine(FINALITY + 1)
    assert.equal((await orderOf(world, id)).state, 'completed')
    assert.deepEqual(await its.money(wallet), before)
  })
})

describe('coins that carry inscriptions', () => {
  const HOSTILE = '<script>alert(1)</script>\u202e\0'

  it('are recognised in the block that reveals them, never spent as plain coin, and counted in the balance', async () => {
    await its.deposit(wallet, 40_000n)
    const { id, outpoint } = await inscribe(its, wallet.address, { contentType: 'text/html', body: new TextEncoder().encode(HOSTILE) })
    await its.mine(FINALITY)
    assert.equal(await stateOf(outpoint), 'inscription')
    assert.deepEqual(await its.money(wallet), { available: 40_546n, held: 0n })
    const { totals, inscriptions_locked: locked } = await settings()
    assert.deepEqual([totals.all, totals.free, totals.kept, locked], ['0.00040546', '0.0004', '0.00000546', 1])
    const shown = await call<{ list: Record<string, unknown>[] }>(contract.listInscriptions, { sub_wallet_id: wallet.subWalletId, ...page })
    assert.deepEqual(
      shown.list.map((each) => [each.inscription_id, each.kind, each.content_type, each.preview, each.preview_url, each.value]),
      [[id, 'ordinal', 'text/html', HOSTILE, null, '0.00000546']],
    )
    const paid = await its.approvedOrder(wallet, '0.0003')
    await finish(paid)
    assert.ok(!(await its.coinsOf(paid)).includes(outpoint))
    assert.equal(await stateOf(outpoint), 'inscription')
  })

  it('are forgotten with the block that revealed them, and found again where it comes back', async () => {
    const { outpoint } = await inscribe(its, wallet.address, writeBrc20Transfer('ordi', 25n * 10n ** 17n))
    await its.scan()
    const shown = async () => (await call<{ list: Record<string, unknown>[] }>(contract.listInscriptions, { sub_wallet_id: wallet.subWalletId, ...page })).list
    assert.deepEqual(
      (await shown()).map((each) => [each.kind, each.operation, each.tick, each.amount, each.transferable]),
      [['brc20', 'transfer', 'ordi', '2.5', false]],
    )
    const raw = await its.bitcoin.call('getrawtransaction', outpoint.split(':')[0])
    const tip = await its.bitcoin.call('getbestblockhash')
    await its.bitcoin.call('invalidateblock', tip)
    for (let i = 0; i < 2; i++) await its.bitcoin.call('generateblock', wallet.address, [])
    await its.scan()
    assert.deepEqual(await shown(), [])
    // Not every node takes what it reveals into its pool again.
    await its.bitcoin.call('generateblock', wallet.address, [raw])
    await its.mine(FINALITY)
    const back = await shown()
    assert.deepEqual(
      back.map((each) => `${String(each.txid)}:${String(each.vout)}`),
      [outpoint],
    )
  })
})

describe('whatever happens to coins', () => {
  it('no locked coin is spent, no coin twice, and the states add up to what chain and ledger have', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('deposit' as const), amount: fc.integer({ min: 5_000, max: 90_000 }) }),
      fc.record({ kind: fc.constant('lock' as const), pick: fc.nat(50) }),
      fc.record({ kind: fc.constant('unlock' as const), pick: fc.nat(50) }),
      fc.record({ kind: fc.constant('pay' as const), amount: fc.integer({ min: 1_000, max: 60_000 }) }),
      fc.record({ kind: fc.constant('join' as const) }),
      fc.record({ kind: fc.constant('mine' as const) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 12 }), async (steps) => {
        wallet = await makeWallet(world, 'Coins')
        await its.deposit(wallet, 60_000n, 40_000n, 20_000n)
        const spent = new Set<string>()
        const refused = (cause: unknown) => assert.ok(cause instanceof Error && 'code' in cause, String(cause))
        const carryOut = async (id: string) => {
          const locked = (await list()).filter(({ lock, inscription_ids }) => lock || inscription_ids.length > 0).map(nameOf)
          if ((await its.sign(id)) !== 'signed') return
          const coins = await its.coinsOf(id)
          for (const coin of coins) {
            assert.ok(!locked.includes(coin), `${coin} is locked and was spent`)
            assert.ok(!spent.has(coin), `${coin} was spent twice`)
            spent.add(coin)
          }
          await its.send(id)
        }
        for (const each of steps) {
          const coins = each.kind === 'lock' || each.kind === 'unlock' ? await list() : []
          const coin = 'pick' in each && coins.length > 0 ? coins[each.pick % coins.length]! : undefined
          if (each.kind === 'deposit') await its.deposit(wallet, BigInt(each.amount))
          if (each.kind === 'mine') await its.mine(1)
          if (each.kind === 'lock' && coin) await call(contract.lockCoin, { ...named(nameOf(coin)), reason: 'why not' }).catch(refused)
          if (each.kind === 'unlock' && coin) await call(contract.unlockCoin, { ...named(nameOf(coin)), reason: '' }).catch(refused)
          if (each.kind === 'pay') await its.approvedOrder(wallet, (each.amount / 1e8).toFixed(8)).then(carryOut, refused)
          if (each.kind === 'join') {
            await consolidate().then(async ({ withdraw_id: id }) => {
              await approve(world, id, world.members[1], world.members[2])
              await carryOut(id)
            }, refused)
          }
          const sum = (await list()).reduce((total, { amount }) => total + toSatoshi(amount), 0n)
          const { totals } = await settings()
          assert.equal(
            ['free', 'kept', 'under_way'].reduce((total, key) => total + toSatoshi(totals[key]!), 0n),
            sum,
          )
          assert.equal(toSatoshi(totals.all!), sum)
        }
        await its.mine(FINALITY + 1)
        const { available, held } = await its.money(wallet)
        const chain = (await its.looking.coins.unspent(wallet.address)).reduce((total, { amount }) => total + amount, 0n)
        assert.equal(available + held, chain)
        await world.db.asSystem(assertConserved)
      }),
      { numRuns: 3 },
    )
  })
})
