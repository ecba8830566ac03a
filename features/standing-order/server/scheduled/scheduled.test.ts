import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import { decode } from '@holdfast/encoding'
import type { HandledEndpoint, MemberContext } from '@holdfast/http'
import { describeStandingChange, intentShape, type TransferIntent } from '@holdfast/intent'
import { assertConserved } from '@holdfast/ledger'
import { formatAmount } from '@holdfast/units'
import { keyOf } from '../../../testing/request-key.ts'
import { CHAIN, TOKEN } from '../../../testing/scripted-chain.ts'
import { approvalOn, approveAs, ETH, fund, makeWallet, openWorld, orderOf, resetScript, scan, type Wallet, type World } from '../../../testing/test-world.ts'
import { followSignerOrder } from '../../../policy/server/signer-order/follow-signer-order.ts'
import { followedStandingOrders } from '../../../policy/server/signer-order/standing-orders.ts'
import { broadcastOrder } from '../../../transfer/server/settlement/broadcast-order.ts'
import { moveOrder } from '../../../transfer/server/order/move.ts'
import { usedOf } from '../../../transfer/server/opening/outcome-by-limits.ts'
import { speedUp } from '../../../transfer/server/replacement/speed-up.ts'
import { signOrder } from '../../../transfer/server/signing/sign-order.ts'
import { dayOf, dayText } from '../../dates.ts'
import { getScheduleDraft, listScheduledPayments, proposeSchedule } from '../../contract.ts'
import { lookAt } from '../look.ts'
import { standingOrderEndpoints } from '../routes.ts'
import { standingOrdersInForce } from '../run-standing-orders.ts'
import { paymentsBetween } from './payments-between.ts'

const DAY_MS = 86_400_000
const PAYEE = '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB'

let world: World
let endpoints: HandledEndpoint[]
let payer: Wallet

before(async () => {
  world = await openWorld()
  endpoints = standingOrderEndpoints(world.context, { demandSecondFactorWhereSet: async () => {} })
})
beforeEach(async () => {
  resetScript(world)
  world.clock.aheadMs = 0
  payer = await makeWallet(world, 'Operations')
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

let requests = 0
async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<OutputOf<E>> {
  const handled = endpoints.find((each) => each.endpoint === endpoint)!
  const fields = readInput(endpoint, parseForm(formEncode(input), endpoint.maxBodyBytes)) as Record<string, unknown>
  const request = typeof fields.request_id === 'string' ? keyOf(fields.request_id, fields) : undefined
  const context = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US', request } as unknown as MemberContext
  return endpoint.output.parse(await handled.handler(context, fields as never)) as OutputOf<E>
}
const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)

type Schedule = CallInput<typeof proposeSchedule>['schedule']
/** A day counted from today. */
const dayIn = (days: number) => dayText(dayOf(world.context.ports.clock.nowMs()) + days)
const scheduleOf = (changes: Partial<Schedule> = {}): Schedule => ({
  id: null,
  name: 'Rent',
  sub_wallet_id: payer.subWalletId,
  chain: CHAIN,
  symbol: 'ETH',
  amount: '0.5',
  address: PAYEE,
  memo: '',
  fee_max: '0.01',
  dates: [dayIn(1), dayIn(2)],
  time: '00:00',
  late_days: 1,
  ...changes,
})
const ask = (changes: Partial<Schedule> = {}) => call(proposeSchedule, { request_id: `schedule-${requests++}`, schedule: scheduleOf(changes), remark: '' })

/** Has payments on dates approved and followed by the signers. */
async function stand(changes: Partial<Schedule> = {}) {
  const asked = await ask(changes)
  const row = await inOrganisation((tx) =>
    tx.selectFrom('signer_order').selectAll().where('org_id', '=', tx.orgId).where('id', '=', asked.id).executeTakeFirstOrThrow(),
  )
  const intent = decode(intentShape, new Uint8Array(row.intent))
  for (const member of world.members.slice(1)) await approveAs(world, approvalOn(world, intent, member, 'approve'))
  assert.equal(await followSignerOrder(world.context, world.orgId, asked.id), 'followed')
  const all = await inOrganisation(followedStandingOrders)
  const standing = all.find(({ order }) => order.row.id === asked.id)!
  const id = [...standing.intent.id].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { standing, id: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') }
}
type Stood = Awaited<ReturnType<typeof stand>>

/** So many days after midnight of today, and a minute. */
const at = (days: number) => {
  world.clock.aheadMs = 0
  const nowMs = world.context.ports.clock.nowMs()
  world.clock.aheadMs = (dayOf(nowMs) + days) * DAY_MS + 60_000 - nowMs
}
const look = ({ standing }: Stood) => lookAt(world.context, world.orgId as never, standing)
const payments = async ({ id }: Stood) => (await call(listScheduledPayments, { id })).list
const states = async (stood: Stood) => (await payments(stood)).map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`))

async function settle(id: string) {
  await signOrder(world.context, world.orgId as never, id as never)
  await broadcastOrder(world.context, world.orgId as never, id as never)
  world.chain.mine(world.network.finalityBlocks + 1)
  await scan(world)
  assert.equal((await orderOf(world, id)).state, 'completed')
}

/** How many orders the limit of an order's date counts, of which it lets one through. */
async function countedWith(id: string) {
  const { row } = await orderOf(world, id)
  const within = { rule: row.rule_id!, each: 'rule', of: '', asset: row, sinceMs: 0n } as const
  return (await inOrganisation((tx) => usedOf(tx, within))).order
}

describe('payments on dates that people approved', () => {
  it('names who pays whatever the name is written in, as far as what is signed holds it', async () => {
    payer = await makeWallet(world, '总部日常运营支出钱包（上海及深圳各分部）')
    const { standing } = await stand()
    assert.deepEqual(
      standing.intent.sources.map(({ name }) => name),
      ['总部日常运营支出钱包（上海及深圳各分部） / M'],
    )
    await assert.rejects(stand({ name: '租金'.repeat(34) }), /too long to be signed/)
  })

  it('are made once on each date, by orders that say which date they pay', async () => {
    const stood = await stand()
    await fund(world, payer, 2n * ETH)
    assert.equal(await look(stood), 0)
    assert.deepEqual(await states(stood), ['planned', 'planned'])
    at(1)
    assert.equal(await look(stood), 1)
    assert.equal(await look(stood), 0, 'nothing is paid twice')
    const [first] = await payments(stood)
    assert.ok(first?.order_id)
    const { row } = await orderOf(world, first.order_id)
    const intent = decode(intentShape, new Uint8Array(row.intent)) as TransferIntent
    assert.deepEqual([row.kind, row.address_to, row.amount, intent.to], ['withdraw', PAYEE, ETH / 2n, PAYEE])
    assert.equal(Number(intent.notBeforeMs), first.due_at)
    assert.ok(Number(intent.expiresAtMs) <= first.late_until)
    await settle(first.order_id)
    assert.deepEqual(await states(stood), ['paid', 'planned'])
    assert.equal(await look(stood), 0)
    at(2)
    assert.equal(await look(stood), 1)
    assert.deepEqual(await states(stood), ['paid', 'under_way'])
  })

  it('wait for what is missing as long as people said, are skipped after that, and say why', async () => {
    const stood = await stand()
    at(1)
    assert.equal(await look(stood), 0)
    assert.deepEqual(await states(stood), ['late: no_funds', 'planned'])
    at(2)
    assert.equal(await look(stood), 0)
    assert.deepEqual(await states(stood), ['skipped: no_funds', 'late: no_funds'])
    await fund(world, payer, 2n * ETH)
    assert.equal(await look(stood), 1)
    assert.deepEqual(await states(stood), ['skipped: no_funds', 'under_way'])
  })

  it('of a token say whether the token or the coins for the fee are missing', async () => {
    const stood = await stand({ symbol: 'USDC', amount: '5' })
    at(1)
    await look(stood)
    assert.equal((await payments(stood))[0]?.detail, '5 USDC')
    await fund(world, payer, 5_000_000n, TOKEN)
    await look(stood)
    const [first] = await payments(stood)
    assert.equal(first?.reason, 'no_fee_coins')
    assert.match(first?.detail ?? '', /ETH$/)
  })

  it('are not made for a fee above the cap, and are as soon as fees are lower', async () => {
    const stood = await stand()
    await fund(world, payer, 2n * ETH)
    at(1)
    const { node } = world.network
    world.network.node = { ...node, estimateFee: async () => [1n, 2n, 3n].map((factor) => ({ feeMax: factor * ETH, parameters: {} })) as never }
    assert.equal(await look(stood), 0)
    assert.deepEqual(await states(stood), ['late: fee_too_high', 'planned'])
    world.network.node = node
    assert.equal(await look(stood), 1)
  })

  it('have their fee raised while no block takes them, within what people let them cost, and pay once', async () => {
    const stood = await stand({ fee_max: '1' })
    await fund(world, payer, 3n * ETH)
    at(1)
    await look(stood)
    const id = (await payments(stood))[0]?.order_id ?? ''
    const send = async () => {
      await signOrder(world.context, world.orgId as never, id as never)
      await broadcastOrder(world.context, world.orgId as never, id as never)
    }
    await send()
    await look(stood)
    assert.equal((await orderOf(world, id)).transactions.length, 1, 'its time has not passed')
    for (let tries = 1; tries <= 4; tries++) {
      world.clock.aheadMs += 601_000
      assert.equal(await look(stood), 0, 'the date has its payment')
      if (tries <= 3) await send()
    }
    const { transactions, row } = await orderOf(world, id)
    const fees = transactions.map(({ unsigned_tx: bytes }) => world.network.codec.decode(new Uint8Array(bytes!)).feeMax)
    assert.equal(fees.length, 4, 'three raises and no more')
    assert.ok(
      fees.every((fee, i) => fee <= row.fee_cap && (i === 0 || fee > fees[i - 1]!)),
      `${fees.join(' ')} of ${row.fee_cap}`,
    )
    assert.ok(row.fee_cap <= ETH)
    assert.deepEqual(await states(stood), ['under_way: fee_stays', 'planned'])
    assert.equal((await payments(stood))[0]?.detail, `${formatAmount(row.fee_cap, 18)} ETH`)
    world.chain.mine(world.network.finalityBlocks + 1)
    await scan(world)
    assert.deepEqual(await states(stood), ['paid', 'planned'])
    assert.equal(await look(stood), 0)
  })

  it('whose cap leaves no room for a higher fee say so once they wait, and no more while people are asked for a higher one', async () => {
    await fund(world, payer, 2n * ETH)
    const asset = { chain: CHAIN, contract: null }
    const [{ feeMax }] = await world.network.node.estimateFee({ from: payer.address, to: PAYEE, asset, amount: ETH / 2n })
    const stood = await stand({ fee_max: formatAmount(feeMax, 18) })
    at(1)
    await look(stood)
    const id = (await payments(stood))[0]?.order_id ?? ''
    await signOrder(world.context, world.orgId as never, id as never)
    await broadcastOrder(world.context, world.orgId as never, id as never)
    assert.deepEqual(await states(stood), ['under_way', 'planned'])
    world.clock.aheadMs += 601_000
    await look(stood)
    assert.equal((await orderOf(world, id)).transactions.length, 1, 'nothing above the cap is tried')
    assert.deepEqual(await states(stood), ['under_way: fee_stays', 'planned'])
    const caller = { orgId: world.orgId, requesterId: world.members[0].id, isMachine: false, language: 'en_US' as const, request: keyOf(`raise-${id}`, {}) }
    const asked = { trans_id: id, max_fee: formatAmount(10n * feeMax, 18), cancel: '0', tier: 'fast', remark: '' }
    assert.ok((await speedUp(world.context, caller as never, asked as never)).needsApproval)
    assert.deepEqual(await states(stood), ['under_way', 'planned'], 'while people are asked')
  })

  it('are tried again as long as people said where two signers were away until the order of the date had ended', async () => {
    const stood = await stand({ late_days: 5 })
    await fund(world, payer, 2n * ETH)
    at(1)
    assert.equal(await look(stood), 1)
    const first = (await payments(stood))[0]?.order_id ?? ''
    world.signers.setOnline(3)
    await signOrder(world.context, world.orgId as never, first as never)
    const waiting = await orderOf(world, first)
    assert.deepEqual([waiting.state, waiting.row.sub_status, waiting.row.slot], ['signing', 'waiting_co_signer', 0n])
    assert.equal(await countedWith(first), 1n)
    world.clock.aheadMs += 2 * 3_600_000 + 1
    await signOrder(world.context, world.orgId as never, first as never)
    assert.deepEqual([(await orderOf(world, first)).state, await countedWith(first)], ['timed_out', 0n])
    assert.deepEqual(await states(stood), ['late', 'planned'])
    world.signers.setOnline(1, 2, 3)
    assert.equal(await look(stood), 1)
    const next = (await payments(stood))[0]?.order_id ?? ''
    assert.notEqual(next, first)
    await settle(next)
    assert.deepEqual(await states(stood), ['paid', 'planned'])
    assert.equal(await look(stood), 0, 'the date is paid once')
  })

  for (const event of ['supersede', 'lose_slot'] as const)
    it(`are tried again ten minutes later where their order met ${event} before any signer was told to begin`, async () => {
      const stood = await stand()
      await fund(world, payer, 2n * ETH)
      at(1)
      await look(stood)
      const id = (await payments(stood))[0]?.order_id ?? ''
      world.signers.setOnline(3)
      await signOrder(world.context, world.orgId as never, id as never)
      const order = await orderOf(world, id)
      assert.equal(order.state, 'signing')
      await inOrganisation((tx) => moveOrder(tx, world.context, order, { event, actor: 'server' }))
      assert.equal(await look(stood), 0)
      assert.deepEqual(await states(stood), ['late: failed', 'planned'])
      world.clock.aheadMs += 600_000
      assert.equal(await look(stood), 1)
      assert.deepEqual(await states(stood), ['under_way', 'planned'])
    })

  it('are given up once signers were told to begin, or one of them says that it does not sign what is asked for', async () => {
    for (const [check, state] of [
      ['c12', 'timed_out'],
      ['c9', 'refused'],
    ] as const) {
      resetScript(world)
      world.clock.aheadMs = 0
      payer = await makeWallet(world, `Operations ${check}`)
      const stood = await stand()
      await fund(world, payer, 2n * ETH)
      at(1)
      await look(stood)
      const id = (await payments(stood))[0]?.order_id ?? ''
      const refuse = (request: Parameters<typeof world.signers.beforeSession>[0]) => {
        if (request.kind === 'sign') throw world.signers.refusal(request, 2, check, 'a test says so')
      }
      world.signers[check === 'c9' ? 'beforeSession' : 'afterSession'] = refuse
      await signOrder(world.context, world.orgId as never, id as never)
      world.clock.aheadMs += 2 * 3_600_000 + 1
      await signOrder(world.context, world.orgId as never, id as never)
      assert.deepEqual([(await orderOf(world, id)).state, await countedWith(id)], [state, 1n])
      assert.deepEqual(await states(stood), ['failed', 'planned'])
      assert.equal(await look(stood), 0)
    }
  })

  it('of a newer version leave out what the one before it paid', async () => {
    const stood = await stand()
    await fund(world, payer, 3n * ETH)
    at(1)
    await look(stood)
    const [first] = await payments(stood)
    await settle(first?.order_id ?? '')
    const next = await stand({ id: stood.id, dates: [dayIn(1)], amount: '0.25' })
    assert.equal(next.standing.intent.version, 2n)
    assert.deepEqual(await states(next), ['paid', 'planned'])
    assert.equal(await look(next), 0)
  })
})

describe('the next version of payments on dates', () => {
  it('begins from what stands and the dates to come, and ends the one before it, so that each date is paid once', async () => {
    const days = [dayIn(1), dayIn(2), dayIn(3)]
    const stood = await stand({ dates: days })
    await fund(world, payer, 3n * ETH)
    at(1)
    assert.equal(await look(stood), 1)
    const [first] = await payments(stood)
    await settle(first?.order_id ?? '')
    const { draft, unpaid } = await call(getScheduleDraft, { id: stood.id })
    assert.deepEqual([draft, unpaid], [{ ...scheduleOf({ dates: days.slice(1) }), id: stood.id, wallet_id: payer.walletId }, []])
    const { wallet_id: _, ...again } = draft!
    const next = await stand({ ...again, amount: '0.25' })
    const inForce = await inOrganisation((tx) => standingOrdersInForce(tx, world.context.ports.clock.nowMs()))
    assert.deepEqual(
      inForce.filter(({ intent }) => Buffer.from(intent.id).equals(Buffer.from(stood.standing.intent.id))).map(({ intent }) => intent.version),
      [2n],
    )
    assert.deepEqual(await states(next), ['paid', 'planned', 'planned'])
    at(2)
    assert.equal(await look(next), 1)
    const second = (await payments(next))[1]
    assert.equal((await orderOf(world, second?.order_id ?? '')).row.amount, ETH / 4n)
    const span = { fromMs: 0, untilMs: Number.MAX_SAFE_INTEGER }
    const dated = (await inOrganisation((tx) => paymentsBetween(tx, world.context, span))).filter(({ standingOrderId }) => standingOrderId === stood.id)
    assert.deepEqual(
      dated.map(({ state, amount }) => [state, amount]),
      [
        ['paid', '0.5'],
        ['under_way', '0.25'],
        ['planned', '0.25'],
      ],
      'what was paid is shown as it was paid',
    )
    const changes = describeStandingChange(stood.standing.intent, next.standing.intent, 'en-US')
    assert.ok(
      changes.some((line) => line.endsWith('exactly 0.25 ETH each time. Before: exactly 0.5 ETH each time.')),
      changes.join('\n'),
    )
  })

  it('is told which dates have come and would not be paid by it, and of nothing else than a schedule', async () => {
    const days = [dayIn(1), dayIn(2)]
    const stood = await stand({ dates: days })
    at(1)
    await look(stood)
    const { draft, unpaid } = await call(getScheduleDraft, { id: stood.id })
    assert.deepEqual([draft?.dates, unpaid], [[days[1]], [days[0]]])
    assert.deepEqual(await call(getScheduleDraft, { id: payer.walletId }), { draft: null, unpaid: [] })
  })
})

describe('asking for payments on dates', () => {
  it('finds out whether an address is own, on the whitelist, or only written there', async () => {
    const treasury = await makeWallet(world, 'Treasury')
    assert.equal((await ask()).payee, 'written')
    assert.equal((await ask({ address: treasury.address })).payee, 'own')
  })

  it('is refused where a date has passed, the address pays itself, or a coin, an address or a memo is none', async () => {
    await assert.rejects(ask({ dates: [dayIn(0)] }), /before it was asked for/)
    await assert.rejects(ask({ dates: [dayIn(1), dayIn(370)] }), /366 days/)
    await assert.rejects(ask({ address: payer.address }), /come from/)
    await assert.rejects(ask({ symbol: 'NONE' }))
    await assert.rejects(ask({ address: '0xab' }), { code: '110055' })
    await assert.rejects(ask({ memo: '7' }), /memo/)
    await assert.rejects(ask({ dates: ['2026-02-30'] }))
  })
})
