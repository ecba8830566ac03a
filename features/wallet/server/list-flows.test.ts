import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type CallInput, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import type { HandledEndpoint, MemberContext } from '@holdfast/http'
import fc from 'fast-check'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { CHAIN, TOKEN } from '../../testing/scripted-chain.ts'
import { approve, ETH, fund, makeWallet, openWorld, requestWithdrawal, scan, STRANGER, type Wallet, type World } from '../../testing/test-world.ts'
import { listFlows } from '../contract.ts'
import { withoutOwn } from './list-flows.ts'
import { walletEndpoints } from './routes.ts'

const DAY_MS = 86_400_000

const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)
const day = (came: bigint, went: bigint, fromOwn = 0n) => ({ in: came, out: went, fee: 0n, fromOwn })
const shown = (days: ReturnType<typeof withoutOwn>) => days.map((each) => [each.in, each.out])

describe('the flows of an organisation', () => {
  it('leave out what went from one of its wallets to another, also over midnight', () => {
    assert.deepEqual(shown(withoutOwn([day(12n, 7n, 7n)])), [[5n, 0n]])
    assert.deepEqual(shown(withoutOwn([day(0n, 7n), day(7n, 1n, 7n)])), [
      [0n, 1n],
      [0n, 0n],
    ])
    assert.deepEqual(shown(withoutOwn([day(7n, 0n, 7n), day(0n, 7n)])), [
      [0n, 0n],
      [0n, 0n],
    ])
    // It left so long ago that nobody sees it: then it came in.
    assert.deepEqual(shown(withoutOwn([day(0n, 7n), day(0n, 0n), day(7n, 0n, 7n)])), [
      [0n, 7n],
      [0n, 0n],
      [7n, 0n],
    ])
  })

  it('are never less than nothing, and differ by what the organisation has more', () => {
    const amount = fc.bigInt({ min: 0n, max: 50n })
    const anyDay = fc.tuple(amount, amount, amount).map(([came, went, own]) => day(came, went, own < came ? own : came))
    fc.assert(
      fc.property(fc.array(anyDay, { minLength: 1, maxLength: 12 }), (days) => {
        const left = withoutOwn(days)
        for (const each of left) assert.ok(each.in >= 0n && each.out >= 0n)
        assert.equal(sum(left.map((each) => each.in - each.out)), sum(days.map((each) => each.in - each.out)))
      }),
    )
  })
})

describe('the call for flows', () => {
  let world: World
  let wallet: Wallet
  let other: Wallet
  let endpoints: HandledEndpoint[]
  const call = async (input: CallInput<typeof listFlows>): Promise<OutputOf<typeof listFlows>> => {
    const { handler } = endpoints.find(({ endpoint }) => endpoint === listFlows)!
    const context = { orgId: world.orgId, personId: world.members[0]!.id, language: 'en_US' } as unknown as MemberContext
    return listFlows.output.parse(await handler(context, readInput(listFlows, parseForm(formEncode(input))) as never))
  }
  const pay = async (to: string, amount: string) => {
    const { row } = (await requestWithdrawal(world, wallet, { amount, to })).order
    await approve(world, row.id, world.members[1]!, world.members[2]!)
    await signOrder(world.context, world.orgId, row.id)
    await broadcastOrder(world.context, world.orgId, row.id)
    world.chain.mine(3)
    await scan(world)
  }
  const coin = async (input: CallInput<typeof listFlows>, symbol = 'ETH') => (await call(input)).coins.find((each) => each.symbol === symbol)

  before(async () => {
    world = await openWorld()
    endpoints = walletEndpoints(world.context)
    wallet = await makeWallet(world)
    other = await makeWallet(world, 'Other')
    await fund(world, wallet, 10n * ETH)
    await fund(world, wallet, 5_000_000n, TOKEN)
    await world.db.asSystem((tx) =>
      tx
        .insertInto('asset_price')
        .values({
          chain: CHAIN,
          contract: '',
          currency: 'usd',
          quoted_at: world.context.ports.clock.nowMs() - 1,
          price: 2_000n * 10n ** 24n,
          source: 'Test feed',
        })
        .execute(),
    )
    await pay(STRANGER, '2.5')
    await pay(other.address, '1')
  })
  after(() => world.close())

  it('counts a transfer between own wallets for each of them, and not for the organisation', async () => {
    const whole = await coin({})
    assert.deepEqual([whole!.in, whole!.out], ['10', '2.5'])
    const payer = await coin({ sub_wallet_id: wallet.subWalletId })
    assert.deepEqual([payer!.in, payer!.out, payer!.fee === whole!.fee], ['10', '3.5', true])
    const payee = await coin({ sub_wallet_id: other.subWalletId })
    assert.deepEqual([payee!.in, payee!.out, payee!.fee], ['1', '0', '0'])
    assert.match(whole!.fee, /^0\.\d*[1-9]$/)
  })

  it('leaves it out also where midnight lay between, at the beginning of the range', async () => {
    const flow = { org_id: world.orgId, chain: CHAIN, contract: '', amount_in: 0n, amount_out: 0n, fee: 0n, from_own: 0n }
    const firstDay = Math.floor(world.context.ports.clock.nowMs() / DAY_MS) - 6
    const before = await call({ range: '7d' })
    await world.db.asSystem((tx) =>
      tx
        .insertInto('daily_flow')
        .values([
          { ...flow, sub_wallet_id: wallet.subWalletId, day: firstDay - 1, amount_out: 7n * ETH },
          { ...flow, sub_wallet_id: other.subWalletId, day: firstDay, amount_in: 7n * ETH, from_own: 7n * ETH },
        ])
        .execute(),
    )
    assert.deepEqual(await call({ range: '7d' }), before)
    assert.deepEqual((await coin({ range: '7d', sub_wallet_id: other.subWalletId }))!.in, '8')
    await world.db.asSystem((tx) => tx.updateTable('daily_flow').set({ amount_in: 0n, amount_out: 0n, from_own: 0n }).where('day', '<=', firstDay).execute())
  })

  it('says what it is worth, and that of a coin without a price nobody knows', async () => {
    const { days, total, coins, price_source } = await call({ range: '7d' })
    assert.deepEqual([days.length, days.at(-1)!.day % DAY_MS, price_source], [7, 0, 'Test feed'])
    assert.deepEqual([total.in, total.out, total.partial], ['20000', '5000', true])
    assert.deepEqual([days.at(-1)!.in, days.at(-1)!.partial, days[0]!.in, days[0]!.partial], ['20000', true, '0', false])
    assert.deepEqual(
      coins.map(({ symbol, partial, in: came }) => [symbol, partial, came]),
      [
        ['ETH', false, '10'],
        ['USDC', true, '5'],
      ],
    )
    const unknown = await call({ range: '7d', fiat: 'GBP' })
    assert.deepEqual([unknown.total.in, unknown.days.at(-1)!.in, unknown.price_source], [null, null, null])
  })

  it('keeps its days to the range, and other organisations’ sub-wallets apart', async () => {
    world.clock.aheadMs += 8 * DAY_MS
    assert.deepEqual((await call({ range: '7d' })).coins, [])
    assert.equal((await coin({ range: '30d' }))!.days.length, 1)
    world.clock.aheadMs -= 8 * DAY_MS
    await assert.rejects(call({ sub_wallet_id: world.orgId }), { code: '200005' })
  })
})
