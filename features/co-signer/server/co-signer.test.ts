import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { AppError, CallInput, Endpoint, OutputOf } from '@holdfast/contract'
import { assertConserved } from '@holdfast/ledger'
import fc from 'fast-check'
import { CHAIN, TOKEN } from '../../testing/scripted-chain.ts'
import { ETH, fund, makeWallet, openWorld, orderOf, resetScript, type Wallet, type World } from '../../testing/test-world.ts'
import { codecFor } from '@holdfast/chain-evm/codec'
import { verifyEvidence } from '@holdfast/protocol'
import { evidenceOf } from '../../testing/evidence-of.ts'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import * as contract from '../contract.ts'
import { gasOf } from './gas.ts'
import { tellReceivers } from './notices.ts'
import { changePlan, readPlan, sweepNarrowing } from './plan.ts'
import { rulesWith } from './rules.ts'
import { scopeWith } from './setup-routes.ts'
import { collectingOf } from './testing/collecting-of.ts'

let world: World
let collecting: ReturnType<typeof collectingOf>
let deposits: Wallet
let treasury: Wallet

before(async () => {
  world = await openWorld()
  collecting = collectingOf(world)
})
beforeEach(async () => {
  resetScript(world)
  deposits = await makeWallet(world, 'Deposits')
  treasury = await makeWallet(world, 'Treasury')
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

const call = <E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<OutputOf<E>> => collecting.call(endpoint, input)
const approve = (pending: readonly { trade_no: string }[]) => collecting.approve(pending)
const look = () => collecting.look()
const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)
const refused = (name: string) => (cause: AppError) => cause.errorName === name
const of = () => ({ wallet_id: deposits.walletId })
const csv = (text: string) => new File([text], 'rules.csv')
const page = { page_no: 1, page_size: 20 }
const rule = { chain: CHAIN, symbol: 'ETH', collect_min: '0.5', collect_max: '100', max_fee: '0.01' }
const info = () => call(contract.getCollecting, of())
const funds = async () => (await call(contract.listCollectingFunds, { ...of(), ...page })).list

/** Everything but the approval. */
async function setUp() {
  await call(contract.saveCollectingSubWallets, { ...of(), collect_sub_wallet_id: treasury.subWalletId })
  await call(contract.setCollectingRule, { ...of(), ...rule })
}

const run = async (more: { transfers?: string } = {}) => (await call(contract.setCollectingStatus, { ...of(), status: 'run', ...more })).pending

const records = async () => (await call(contract.listCollectingRecords, { ...of(), ...page })).list

describe('the collection of a wallet', () => {
  it('says what is missing, and runs once people approved it', async () => {
    assert.equal((await info()).status, 'off')
    await assert.rejects(run(), refused('collecting_incomplete'))
    await setUp()
    const asked = await run()
    assert.deepEqual(
      asked.map(({ kind }) => kind),
      ['sweep'],
    )
    const waiting = await info()
    assert.equal(waiting.status, 'pending')
    assert.equal(waiting.progress, 80)
    assert.deepEqual((await run())[0]?.trade_no, asked[0]?.trade_no, 'what waits is not asked for again')
    await approve(asked)
    const running = await info()
    assert.deepEqual([running.status, running.progress, running.unapproved], ['running', 100, []])
    await fund(world, deposits, 2n * ETH)
    await look()
    const [record, ...more] = await records()
    assert.equal(more.length, 0)
    assert.deepEqual([record?.trans_type, record?.symbol, record?.address_to], [10, 'ETH', treasury.address])
    assert.deepEqual(await call(contract.getCollectingRecord, { ...of(), id: record?.id ?? '' }), record)
  })

  it('keeps what somebody else set while it is had to run', async () => {
    await setUp()
    const black = { ...of(), chain: CHAIN, address: deposits.address, reason: 'stolen' }
    const meanwhile = collectingOf(world, () => call(contract.saveBlackAddress, black))
    await meanwhile.call(contract.setCollectingStatus, { ...of(), status: 'run', transfers: '7' })
    assert.equal((await call(contract.listBlackAddresses, of())).list.length, 1)
    const { transfers, pending } = await info()
    assert.deepEqual([transfers, pending.length], [7, 1])
  })

  it('is narrowed at once and widened by an approval', async () => {
    await setUp()
    await approve(await run())
    await call(contract.setCollectingRule, { ...of(), ...rule, collect_min: '3' })
    assert.deepEqual((await info()).unapproved, [])
    await fund(world, deposits, 2n * ETH)
    await look()
    assert.deepEqual(
      (await funds()).map(({ reason, action, detail }) => [reason, action, detail]),
      [['below_threshold', 'collect_now', '3 ETH']],
    )
    await call(contract.setCollectingRule, { ...of(), ...rule, collect_min: '0.1' })
    assert.deepEqual((await info()).unapproved, [{ what: 'coin', name: 'ETH' }])
    const [shown] = (await call(contract.listCollectingRules, { ...of(), ...page })).list
    assert.equal(shown?.approved, false)
    await look()
    assert.equal((await records()).length, 1, 'within what is approved it goes on')
    const pending = await run()
    assert.equal(pending.length, 1)
    await approve(pending)
    assert.deepEqual((await info()).unapproved, [])
  })

  it('leaves everything while it is paused, a coin that is off, an address that is black, and a sub-wallet out of scope', async () => {
    await setUp()
    await approve(await run())
    await fund(world, deposits, 2n * ETH)
    const reasonAfter = async (act: () => Promise<unknown>) => {
      await act()
      await look()
      return (await funds())[0]?.reason
    }
    const coin = { symbols: [{ chain: CHAIN, symbol: 'ETH' }] }
    assert.equal(await reasonAfter(() => call(contract.setCollectingStatus, { ...of(), status: 'pause' })), 'paused')
    assert.equal((await info()).status, 'paused')
    await call(contract.operateCollectingRules, { ...of(), ...coin, op: 'off' })
    const isOff = async () => {
      await call(contract.operateCollectingRules, { ...of(), ...coin, op: 'on' })
      await run()
      await call(contract.operateCollectingRules, { ...of(), ...coin, op: 'off' })
    }
    assert.equal(await reasonAfter(isOff), 'switched_off')
    await call(contract.operateCollectingRules, { ...of(), ...coin, op: 'on' })
    const black = { ...of(), chain: CHAIN, address: deposits.address, reason: 'stolen' }
    assert.equal(await reasonAfter(() => call(contract.saveBlackAddress, black)), 'black_address')
    const [listed] = (await call(contract.listBlackAddresses, of())).list
    await call(contract.removeBlackAddresses, { ...of(), ids: [listed!.id] })
    const exclude = { ...of(), sub_wallet_ids: [deposits.subWalletId], op: 'exclude' as const }
    assert.equal(await reasonAfter(() => call(contract.operateCollectingScope, exclude)), 'out_of_scope')
    assert.equal((await records()).length, 0)
    await call(contract.operateCollectingScope, { ...exclude, op: 'include' })
    assert.equal((await call(contract.getCollectingScope, of())).mode, 'all')
    await look()
    assert.equal((await records()).length, 1)
  })

  it('collects an address at once if somebody asks, or leaves it; a cancelled transfer is not opened again', async () => {
    await setUp()
    await approve(await run())
    await call(contract.setCollectingRule, { ...of(), ...rule, collect_min: '50' })
    await fund(world, deposits, 2n * ETH)
    await look()
    const [held] = await funds()
    assert.deepEqual(await call(contract.collectNow, { ...of(), ids: [held!.id, 'eip155:1  0x0'] }), { asked: 1 })
    await look()
    const [record] = await records()
    assert.equal(record?.can_cancel, true)
    await call(contract.cancelCollectingRecord, { ...of(), id: record!.id, remark: 'not now' })
    assert.equal((await orderOf(world, record!.id as never)).state, 'cancelled')
    await look()
    assert.equal((await funds())[0]?.reason, 'left')
    assert.equal((await records()).length, 1)
  })

  it('is refused where what is sent for fees would be collected again, whichever of the two rules is set last', async () => {
    const coin = { ...rule, collect_min: '0.02' }
    const token = { chain: CHAIN, symbol: 'USDC', collect_min: '10', max_fee: '0.01' }
    const set = (...rules: object[]) => call(contract.setCollectingRules, { ...of(), rules } as never)
    const fuelled = (fueling_limit: string) => ({ ...token, fueling_limit })
    await set(fuelled('0.05'))
    await assert.rejects(set(coin), (cause: AppError) => {
      assert.deepEqual(cause.details, { symbol: 'USDC', coin: 'ETH', limit: '0.05', least: '0.02' })
      return cause.errorName === 'collecting_fuel_returns'
    })
    await assert.rejects(call(contract.setCollectingRule, { ...of(), ...coin, collect_min: '0.05' }), refused('collecting_fuel_returns'))
    await assert.rejects(set({ ...coin, collect_min: '5', single_min: '0.05' }), refused('collecting_fuel_returns'))
    await set({ ...coin, collect_min: '0.06', single_min: '0.051' })
    await assert.rejects(set(fuelled('0.051')), refused('collecting_fuel_returns'))
    await set({ ...coin, collect_min: '0.02' }, fuelled('0.019'))
    const { content } = await call(contract.exportCollecting, of())
    const { import_id, errors } = await call(contract.importCollecting, { ...of(), file: csv(content.replace('0.019', '0.02')) })
    assert.deepEqual(errors, [])
    await assert.rejects(call(contract.confirmCollectingImport, { import_id }), refused('collecting_fuel_returns'))
    await set(token, coin)
  })

  it('that was saved with such a pair of rules before leaves coins for fees where they are, and takes changes of other rules', async () => {
    await setUp()
    await call(contract.setCollectingRule, { ...of(), chain: CHAIN, symbol: 'USDC', collect_min: '10', max_fee: '0.01', fueling_limit: '0.4' })
    const { plan } = await inOrganisation((tx) => readPlan(tx, deposits.walletId))
    const old = { ...plan, rules: plan.rules.map((each) => (each.contract === '' ? { ...each, collectMin: String(ETH / 10n), singleMin: '1' } : each)) }
    const change = { walletId: deposits.walletId, requesterId: world.members[0].id as never, action: 'rules_set' as const }
    await inOrganisation((tx) => changePlan(tx, world.context, change, () => old))
    const [coin, token] = sweepNarrowing(old).assets
    assert.deepEqual([coin?.atLeast, coin?.single], [String((4n * ETH) / 10n + 1n), String((4n * ETH) / 10n + 1n)])
    assert.deepEqual([token?.atLeast, token?.single], ['10000000', null])
    const other = { ...old.rules[1]!, contract: '0x1', symbol: 'OTHER', fuelLimit: null }
    assert.equal(rulesWith(world.context.networks, old.rules, [other]).length, 3)
    assert.throws(() => rulesWith(world.context.networks, old.rules, [{ ...other, fuelLimit: String(ETH) }]), refused('collecting_fuel_returns'))
  })

  it('sends no coins for fees any more once no rule says so, or nobody pays them, and again once both do', async () => {
    const fees = await makeWallet(world, 'Fees')
    const places = { collect_sub_wallet_id: treasury.subWalletId, fueling_sub_wallet_id: fees.subWalletId }
    const token = { ...of(), chain: CHAIN, symbol: 'USDC', collect_min: '10', max_fee: '0.01' }
    await call(contract.saveCollectingSubWallets, { ...of(), ...places })
    await call(contract.setCollectingRule, { ...token, fueling_limit: '0.05' })
    await approve(await run())
    await fund(world, fees, ETH)
    await fund(world, deposits, 50_000_000n, TOKEN)
    const sentAfter = async (act: () => Promise<unknown>) => {
      await act()
      await look()
      assert.deepEqual(
        (await funds()).map(({ reason }) => reason),
        ['no_fee_coins'],
      )
      return (await records()).length
    }
    assert.equal(await sentAfter(() => call(contract.setCollectingRule, token)), 0)
    const unpaid = async () => {
      await call(contract.setCollectingRule, { ...token, fueling_limit: '0.05' })
      await call(contract.saveCollectingSubWallets, { ...of(), collect_sub_wallet_id: treasury.subWalletId })
    }
    assert.equal(await sentAfter(unpaid), 0)
    assert.equal(await sentAfter(() => call(contract.saveCollectingSubWallets, { ...of(), ...places })), 1)
    const [record] = await records()
    assert.deepEqual([record?.trans_type, record?.address_to], [11, deposits.address])
  })

  it('says beside a token what its address has of the own coin, which no rule collects', async () => {
    await call(contract.saveCollectingSubWallets, { ...of(), collect_sub_wallet_id: treasury.subWalletId })
    await call(contract.setCollectingRule, { ...of(), chain: CHAIN, symbol: 'USDC', collect_min: '10', max_fee: '0.01' })
    await approve(await run())
    await fund(world, deposits, ETH / 4n)
    await fund(world, deposits, 5_000_000n, TOKEN)
    await look()
    assert.deepEqual(
      (await funds()).map(({ symbol, reason, fee_coins }) => [symbol, reason, fee_coins]),
      [['USDC', 'below_threshold', { amount: '0.25', symbol: 'ETH' }]],
    )
  })

  it('keeps who changed what', async () => {
    await setUp()
    const { list } = await call(contract.listCollectingLog, { ...of(), ...page })
    assert.deepEqual(
      list.map(({ version, action, diff }) => [version, action, diff.map(({ what }) => what)]),
      [
        [2, 'rules_set', ['rules']],
        [1, 'sub_wallets', ['collect']],
      ],
    )
  })
})

describe('a transfer that waits for a block', () => {
  const send = async (id: string) => {
    await signOrder(world.context, world.orgId as never, id as never)
    await broadcastOrder(world.context, world.orgId as never, id as never)
    const { state, row, transactions } = await orderOf(world, id)
    assert.equal(state, 'pending')
    return { txid: row.txid, count: transactions.length }
  }
  const later = async () => {
    world.clock.aheadMs += 1_801_000
    await look()
  }

  it('has its fee raised after the time of its rule, as often as that says and within its cap, and its evidence names the standing order', async () => {
    await call(contract.saveCollectingSubWallets, { ...of(), collect_sub_wallet_id: treasury.subWalletId })
    await call(contract.setCollectingRule, { ...of(), ...rule, rbf_after_s: '1800', rbf_times: '2' })
    const [shown] = (await call(contract.listCollectingRules, { ...of(), ...page })).list
    assert.deepEqual([shown?.rbf_after_s, shown?.rbf_times], [1800, 2])
    await approve(await run())
    await fund(world, deposits, 2n * ETH)
    await look()
    const [record] = await records()
    assert.equal(record?.can_speed_up, false)
    const first = await send(record!.id)
    const { fee_cap: cap } = (await orderOf(world, record!.id)).row
    await look()
    assert.equal((await orderOf(world, record!.id)).transactions.length, 1, 'its time has not passed')
    await later()
    assert.equal((await orderOf(world, record!.id)).row.sub_status, 'speeding_up')
    const second = await send(record!.id)
    assert.notEqual(second.txid, first.txid)
    await later()
    const third = await send(record!.id)
    assert.deepEqual([second.count, third.count], [2, 3])
    await later()
    assert.equal((await orderOf(world, record!.id)).transactions.length, 3, 'no more often than the rule says')
    const { transactions } = await orderOf(world, record!.id)
    const fees = transactions.map(({ unsigned_tx: bytes }) => world.network.codec.decode(new Uint8Array(bytes!)).feeMax)
    assert.ok(fees[0]! < fees[1]! && fees[1]! < fees[2]! && fees[2]! <= cap, fees.join(' '))
    const bundles = await Promise.all([1, 2, 3].map((number) => evidenceOf(world, record!.id, number)))
    const reports = bundles.map((bundle) => verifyEvidence(bundle, { codecFor }))
    assert.deepEqual(
      reports.map(({ txid }) => txid),
      [first.txid, second.txid, third.txid],
    )
    for (const { standingOrder } of reports) assert.match(standingOrder?.name ?? '', /: collect$/)
  })

  it('has its fee raised at once if somebody asks, and not before it waits', async () => {
    await setUp()
    await approve(await run())
    await fund(world, deposits, 2n * ETH)
    await look()
    const [record] = await records()
    const ask = () => call(contract.speedUpCollectingRecord, { ...of(), id: record!.id })
    await assert.rejects(ask(), refused('collecting_not_raised'))
    const { txid } = await send(record!.id)
    const [stuck] = await records()
    assert.deepEqual([stuck?.can_speed_up, stuck?.sub_status], [true, 'mempool'], 'the page says why it stands still, and what helps')
    assert.equal((await ask()).sub_status, 'speeding_up')
    await assert.rejects(ask(), refused('collecting_not_raised'), 'it is being raised already')
    assert.notEqual((await send(record!.id)).txid, txid)
  })
})

describe('what the pages read', () => {
  it('is the plan as it was set, coin by coin and part by part', async () => {
    await setUp()
    const { collect_sub_wallet_id, fueling_sub_wallet_id } = await call(contract.getCollectingSubWallets, of())
    assert.deepEqual([collect_sub_wallet_id, fueling_sub_wallet_id], [treasury.subWalletId, null])
    const { items } = await call(contract.checkCollecting, of())
    assert.deepEqual(
      items.filter(({ ok }) => !ok).map(({ key }) => key),
      ['approval'],
    )
    const [network] = (await call(contract.listCollectingChains, of())).list
    assert.deepEqual([network?.chain, network?.open, network?.needs_fuel, network?.gas_balance], [CHAIN, true, false, null])
    const coin = { chain: CHAIN, symbol: 'ETH' }
    assert.equal((await call(contract.getCollectingRule, { ...of(), ...coin }))?.collect_min, '0.5')
    const { wallet_id: _, ...token } = { ...of(), ...rule, symbol: 'USDC', collect_min: '20' }
    await call(contract.setCollectingRules, { ...of(), rules: [{ ...token, schedule: '' }] })
    assert.equal((await call(contract.getCollectingRule, { ...of(), chain: CHAIN, symbol: 'USDC' }))?.collect_min, '20')
    await call(contract.removeCollectingRules, { ...of(), symbols: [coin] })
    assert.equal(await call(contract.getCollectingRule, { ...of(), ...coin }), null)
    await call(contract.saveCollectingScope, { ...of(), mode: 'part', sub_wallet_ids: [deposits.subWalletId] })
    const { list } = await call(contract.listCollectingScope, { ...of(), ...page })
    assert.deepEqual(list, [{ sub_wallet_id: deposits.subWalletId, sub_wallet_name: list[0]!.sub_wallet_name, included: true }])
    const { import_id } = await call(contract.importCollecting, { ...of(), file: csv((await call(contract.exportCollecting, of())).content) })
    assert.deepEqual(await call(contract.getCollectingImport, { import_id }), { state: 'checked', rows: 1, errors: [] })
    assert.equal((await call(contract.getCollectingNotices, of())).failed_times, 3)
  })

  it('is every deposit with what was said of it, every address with its reason, and every transfer with its day', async () => {
    await setUp()
    await call(contract.setCollectingRule, { ...of(), ...rule, collect_min: '3' })
    await approve(await run())
    await fund(world, deposits, ETH)
    await fund(world, deposits, ETH)
    const { task_id } = await call(contract.scanAll, of())
    await look()
    const { done, waiting, moving } = await call(contract.getScan, { ...of(), task_id })
    assert.deepEqual([done, waiting, moving], [true, 1, 0])
    const coin = { chain: CHAIN, symbol: 'ETH', address: deposits.address }
    assert.equal((await call(contract.getCollectingFunds, { ...of(), ...coin }))?.reason, 'below_threshold')
    const given = (await call(contract.listCollectingDeposits, { ...of(), ...page })).list
    assert.deepEqual(
      given.map(({ amount, said }) => [amount, said]),
      [
        ['1', 'rule'],
        ['1', 'rule'],
      ],
    )
    await call(contract.modifyDeposit, { ...of(), id: given[0]!.id, credit_status: 'leave' })
    assert.equal((await call(contract.listCollectingDeposits, { ...of(), ...page })).list[0]?.said, 'leave')
    assert.deepEqual(await call(contract.mergeDeposits, { ...of(), ids: given.map(({ id }) => id) }), { deposits: 2, amount: '2', symbol: 'ETH' })
    assert.equal((await call(contract.listCollectingDeposits, { ...of(), ...page })).list[0]?.said, 'now')
    const stat = await call(contract.getCollectingStatistics, { ...of(), period: '7' })
    assert.deepEqual([stat.count, stat.days.map((each) => each.fee_pct)], [0, Array.from({ length: 7 }, () => null)])
  })
})

describe('a scope', () => {
  it('has exactly the sub-wallets that were taken in, whatever was there before', () => {
    const ids = fc.subarray(['a', 'b', 'c', 'd'])
    const isIn = ({ mode, subWalletIds }: ReturnType<typeof scopeWith>, id: string) => mode === 'all' || subWalletIds.includes(id) === (mode === 'part')
    const scope = fc
      .record({ mode: fc.constantFrom('all', 'part', 'except'), subWalletIds: ids })
      .map((each) => (each.mode === 'all' ? { mode: 'all' as const, subWalletIds: [] } : each))
    fc.assert(
      fc.property(scope, ids, fc.constantFrom('include', 'exclude'), (before, changed, op) => {
        const next = scopeWith(before, changed, op)
        for (const id of ['a', 'b', 'c', 'd']) assert.equal(isIn(next, id), changed.includes(id) ? op === 'include' : isIn(before, id))
      }),
    )
  })
})

describe('who is told', () => {
  it('gets an e-mail once a day about what needs somebody, and only of what they asked for', async () => {
    await setUp()
    await approve(await run())
    const [, ben, cara] = world.members
    await call(contract.saveCollectingReceiver, { ...of(), user_id: ben.id, events: ['stuck', 'ending'] })
    await call(contract.saveCollectingReceiver, { ...of(), user_id: cara!.id, events: ['low_gas'] })
    await call(contract.saveCollectingNotices, { ...of(), fuel_days: 7, failed_times: 3, stuck_minutes: 5 })
    const mails = () =>
      inOrganisation((tx) =>
        tx.selectFrom('mail').select(['topic', 'person_id']).where('org_id', '=', tx.orgId).where('about_id', '=', deposits.walletId).execute(),
      )
    assert.equal(await tellReceivers(world.context, world.orgId as never), 0)
    await fund(world, deposits, 2n * ETH)
    await look()
    const { clock } = world.context.ports
    const later = { ...world.context, ports: { ...world.context.ports, clock: { ...clock, nowMs: () => clock.nowMs() + 600_000 } } }
    assert.equal(await tellReceivers(later, world.orgId as never), 1)
    assert.equal(await tellReceivers(later, world.orgId as never), 0, 'not twice in a day')
    assert.deepEqual(await mails(), [{ topic: 'collecting_stuck', person_id: ben.id }])
    await call(contract.removeCollectingReceivers, { ...of(), ids: [ben.id] })
    assert.deepEqual(
      (await call(contract.listCollectingReceivers, of())).list.map(({ id }) => id),
      [cara!.id],
    )
  })
})

describe('how long coins for fees last', () => {
  it('is what is left by what was spent in a week; nothing left is no day', () => {
    assert.deepEqual(gasOf(0n, 5n), { balance: 0n, daysLeft: 0 })
    assert.deepEqual(gasOf(10n, 0n), { balance: 10n, daysLeft: undefined })
    assert.deepEqual(gasOf(10n, 7n), { balance: 10n, daysLeft: 10 })
  })
})
