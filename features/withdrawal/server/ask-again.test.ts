import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Endpoint, InputOf, OutputOf } from '@holdfast/contract'
import type { MemberContext } from '@holdfast/http'
import { assertConserved } from '@holdfast/ledger'
import { known, type OrderId } from '@holdfast/units'
import * as batches from '../../batch-transfer/contract.ts'
import { batchOf, readBatchRow } from '../../batch-transfer/server/move-batch.ts'
import { batchTransferEndpoints } from '../../batch-transfer/server/routes.ts'
import { advance } from '../../batch-transfer/server/run-batches.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { moveOrder, readOrder } from '../../transfer/server/index.ts'
import {
  approvalOn,
  approveAs,
  balanceOf,
  ETH,
  fund,
  makeWallet,
  type Member,
  openWorld,
  orderOf,
  requestWithdrawal,
  resetScript,
  STRANGER,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import * as contract from '../contract.ts'
import { withdrawalEndpoints } from './routes.ts'

let world: World
let wallet: Wallet

before(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

async function call<T>(endpoint: { path: string }, member: Member, input: { after?: string } = {}, language: 'en_US' | 'zh_CN' = 'en_US'): Promise<T> {
  const { handler } = withdrawalEndpoints(world.context).find((each) => each.endpoint.path === endpoint.path)!
  return handler({ orgId: world.orgId, personId: member.id, language } as MemberContext, input as never) as Promise<T>
}
const listed = (member: Member) => call<OutputOf<typeof contract.listClosedByPolicy>>(contract.listClosedByPolicy, member)
const closedOf = async (member: Member) => (await listed(member)).list
const again = (member: Member, input: { after?: string } = {}, language?: 'en_US' | 'zh_CN') =>
  call<OutputOf<typeof contract.askAgain>>(contract.askAgain, member, input, language)

/** Closes an order as a change of the policy does. */
async function close(id: string): Promise<void> {
  await world.db.asOrganisation(world.orgId, async (tx) => {
    const order = (await readOrder(tx, id as OrderId, true))!
    await moveOrder(tx, world.context, order, { event: 'supersede', actor: 'server', reason: 'version 2 of the policy took effect' })
  })
}

async function callBatch<E extends Endpoint>(endpoint: E, input: object): Promise<OutputOf<E>> {
  const { handler } = batchTransferEndpoints(world.context, { demandSecondFactorWhereSet: async () => {} }).find((each) => each.endpoint === endpoint)!
  return handler({ orgId: world.orgId, personId: world.members[0].id, language: 'en_US' } as never, input as InputOf<E> as never) as Promise<OutputOf<E>>
}

/** A batch of one line, approved and begun: its line has an order. */
async function begunBatch(to: string): Promise<{ batch: string; order: string }> {
  const file = new File([`address,amount,memo\n${to},0.5`], 'payroll.csv')
  const { batch_id: batch } = await callBatch(batches.uploadBatch, { sub_wallet_id: wallet.subWalletId, chain: CHAIN, symbol: 'ETH', file })
  await callBatch(batches.submitBatch, { batch_id: batch, mode: 'single', execution: 'partial', fee_tier: 'normal', remark: 'March' })
  const { intent } = await world.db.asOrganisation(world.orgId, async (tx) => known(batchOf(await readBatchRow(tx, batch)), 'a batch'))
  for (const member of world.members.slice(1, 3)) await approveAs(world, approvalOn(world, intent, member))
  await advance(world.context, world.orgId as never, batch)
  return { batch, order: known((await linesOf(batch))[0]?.order_id ?? undefined, 'the order of the line') }
}
const linesOf = async (batch: string) => (await callBatch(batches.listBatchRows, { batch_id: batch, page_no: 1, page_size: 10 })).list

const ask = async (given: Parameters<typeof requestWithdrawal>[2] = {}) => (await requestWithdrawal(world, wallet, given)).order.row

describe('payments that a change of the policy closed', () => {
  it('are asked for again by one action of whoever asked for them, each as it was, and once however often that is done', async () => {
    const [ann, ben] = world.members
    // One was paid before, so that nothing of it has to be acknowledged.
    const known = (await makeWallet(world, 'Known')).address
    const [one, two] = [await ask({ to: known, amount: '1.5', remark: 'rent', tier: 'fast' }), await ask({ to: known, amount: '2' })]
    const open = await ask({ to: known, amount: '0.5' })
    for (const { id } of [one, two]) await close(id)
    assert.deepEqual(
      (await closedOf(ann)).map(({ id, amount, symbol, address_to: to }) => [id, amount, symbol, to]),
      [
        [one.id, '1.5', 'ETH', known],
        [two.id, '2', 'ETH', known],
      ],
    )
    assert.deepEqual(await closedOf(ben), [], 'what others asked for is theirs')
    assert.deepEqual(await again(ben), { asked: [], refused: [], next: null })

    const both = await Promise.all([again(ann), again(ann)])
    const made = new Set(both.flatMap(({ asked }) => asked.map(({ withdraw_id: id }) => id)))
    assert.equal(made.size, 2)
    assert.deepEqual(await again(ann), { asked: [], refused: [], next: null })
    assert.deepEqual(await closedOf(ann), [])
    const { asked } = both.find((each) => each.asked.length === 2) ?? both[0]
    const { row, state } = await orderOf(world, asked.find(({ id }) => id === one.id)!.withdraw_id)
    assert.equal(state, 'approving')
    const of = ({ address_from, address_to, amount, fee_cap, tier, remark, memo, initiator }: typeof row) => ({
      ...{ address_from, address_to, amount, fee_cap, tier, remark, memo, initiator },
    })
    assert.deepEqual(of(row), of((await orderOf(world, one.id)).row))
    assert.equal((await balanceOf(world, wallet)).held, row.amount + row.fee_cap + 2n * ETH + two.fee_cap + open.amount + open.fee_cap)
  })

  it('are checked anew: one that needs a warning acknowledged, or more than there is, is named with the reason in the language of the asker', async () => {
    const [ann] = world.members
    const [first, second] = [await ask({ to: STRANGER, amount: '1' }), await ask({ to: (await makeWallet(world, 'Known')).address, amount: '8' })]
    for (const { id } of [first, second]) await close(id)
    await ask({ to: (await makeWallet(world, 'Known')).address, amount: '5' })
    const { asked, refused } = await again(ann, {}, 'zh_CN')
    assert.deepEqual(asked, [])
    assert.deepEqual(
      refused.map(({ id }) => id),
      [first.id, second.id],
    )
    for (const { msg } of refused) assert.match(msg, /[\u4e00-\u9fff]/)
    assert.deepEqual(
      (await closedOf(ann)).map(({ id }) => id),
      [first.id, second.id],
      'they can be asked for again later',
    )
  })

  it('are counted whole and asked for whole, part by part, also if the first fifty are refused again and again', async () => {
    const [ann] = world.members
    const before = (await listed(ann)).total
    const { address } = await makeWallet(world, 'Known')
    const closed: string[] = []
    // Strangers need a warning acknowledged.
    for (let i = 0; i < 51; i++) closed.push((await ask({ to: i < 50 ? STRANGER : address, amount: '0.01' })).id)
    for (const id of closed) await close(id)
    const { list, total } = await listed(ann)
    assert.deepEqual([list.length, total - before], [50, 51])
    const named: string[] = []
    const asked: string[] = []
    let after: string | null | undefined
    while (after !== null) {
      const part: OutputOf<typeof contract.askAgain> = await again(ann, after === undefined ? {} : { after })
      named.push(...part.refused.map(({ id }) => id))
      asked.push(...part.asked.map(({ id }) => id))
      after = part.next
    }
    assert.deepEqual(asked, closed.slice(50))
    assert.deepEqual(named.filter((id) => closed.includes(id)).sort(), closed.slice(0, 50).sort())
  })

  it('are left to their batch if they are lines of one, so that none is asked for in two ways and paid twice', async () => {
    const [ann] = world.members
    const { batch, order } = await begunBatch((await makeWallet(world, 'Known')).address)
    await close(order)
    const named = async () => {
      const [closed, { asked, refused }] = [await closedOf(ann), await again(ann)]
      return [...closed, ...asked, ...refused].map(({ id }) => id).includes(order)
    }
    assert.equal(await named(), false)
    assert.deepEqual(
      (await linesOf(batch)).map((line) => [line.order_id, line.can_retry]),
      [[order, true]],
    )
    await callBatch(batches.retryBatch, { batch_id: batch, lines: [1] })
    assert.equal(await named(), false)
  })
})
