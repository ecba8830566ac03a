import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { AppError, type Endpoint, type InputOf } from '@holdfast/contract'
import { codecFor } from '@holdfast/chain-evm/codec'
import { assertConserved } from '@holdfast/ledger'
import { verifyEvidence } from '@holdfast/protocol'
import { formatAmount, known, newId } from '@holdfast/units'
import { evidenceOf } from '../../testing/evidence-of.ts'
import { CHAIN, REAL_FEE } from '../../testing/scripted-chain.ts'
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
  resetScript,
  scan,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import * as contract from '../contract.ts'
import { checkLines } from './check-lines.ts'
import { batchOf, readBatchRow } from './move-batch.ts'
import { batchTransferEndpoints } from './routes.ts'
import { advance } from './run-batches.ts'

let world: World
let wallet: Wallet
let ann: Member
let ben: Member
let cleo: Member

before(async () => {
  world = await openWorld()
  ;[ann, ben, cleo] = world.members
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
})
afterEach(() => world.db.asSystem(assertConserved))
after(() => world.close())

async function call<E extends Endpoint>(endpoint: E, input: InputOf<E>) {
  const endpoints = batchTransferEndpoints(world.context, { demandSecondFactorWhereSet: async () => {} })
  const { handler } = known(
    endpoints.find((each) => each.endpoint === endpoint),
    endpoint.path,
  )
  return handler({ orgId: world.orgId, personId: ann.id, language: 'en_US' } as never, input as never) as Promise<never>
}

/** An address of its own for each number. */
const addressOf = (number: number) =>
  known(
    world.network.codec.canonicalAddress(`0x${(0x1_0000_0000n * BigInt(number + 7919)).toString(16).padStart(36, '7')}${String(number).padStart(4, '0')}`),
    'an address',
  )

const fileOf = (lines: readonly string[]) => new File([lines.join('\n')], 'payroll.csv')

type Answer = { batch_id: string; rows: number; total: string; errors: { line: number; code: string }[]; warnings: { line: number; kind: string }[] }
const upload = (lines: readonly string[]): Promise<Answer> =>
  call(contract.uploadBatch, { sub_wallet_id: wallet.subWalletId, chain: CHAIN, symbol: 'ETH', file: fileOf(['address,amount,memo', ...lines]) } as never)
const submit = (id: string, given: object = {}) =>
  call(contract.submitBatch, { batch_id: id, mode: 'single', execution: 'partial', fee_tier: 'normal', remark: 'March', ...given } as never) as Promise<{
    state: string
  }>
const info = (id: string): Promise<{ state: string; paid: string; is_final: boolean; counts: Record<string, number>; waits_for: string | null }> =>
  call(contract.getBatch, { batch_id: id })
type Part = { list: Row[]; has_more: boolean; next: string | null }
type Row = { line: number; state: string; order_id: string | null; can_retry: boolean; retried_in: string | null }
const rows = async (id: string): Promise<Row[]> =>
  ((await call(contract.listBatchRows, { batch_id: id, page_no: 1, page_size: 200 } as never)) as { list: Row[] }).list
const refusedWith = (code: string) => (cause: unknown) => cause instanceof AppError && cause.code === code

async function decide(id: string, member: Member, decision: 'approve' | 'reject' = 'approve') {
  const batch = await world.db.asOrganisation(world.orgId, async (tx) => known(batchOf(await readBatchRow(tx, id)), 'a batch'))
  return approveAs(world, approvalOn(world, batch.intent, member, decision))
}

const ordersOf = (id: string) =>
  world.db.asOrganisation(world.orgId, (tx) =>
    tx.selectFrom('transfer_order').select(['id', 'state', 'amount', 'fee_paid']).where('batch_id', '=', id).orderBy('created_at').orderBy('id').execute(),
  )

const step = (id: string) => advance(world.context, world.orgId as never, id)

/** Has every open order of a batch signed, sent and in a final block. */
async function settle(id: string) {
  for (const order of await ordersOf(id)) {
    if (order.state !== 'approved' && order.state !== 'signing' && order.state !== 'broadcasting') continue
    if (order.state !== 'broadcasting') await signOrder(world.context, world.orgId, order.id)
    await broadcastOrder(world.context, world.orgId, order.id)
  }
  world.chain.mine(3)
  await scan(world)
}

async function drive(id: string) {
  while (!(await info(id)).is_final) {
    await step(id)
    await settle(id)
  }
}

async function approved(count: number): Promise<string> {
  const { batch_id: id } = await upload(Array.from({ length: count }, (_, i) => `${addressOf(i)},0.0${i + 1}`))
  await submit(id)
  await decide(id, ben)
  await decide(id, cleo)
  return id
}

describe('a batch', () => {
  it('is asked for once, and each of its lines is paid by an order of its own, those that are wrong left out', async () => {
    const lines = Array.from({ length: 23 }, (_, i) => `${addressOf(i)},0.1`)
    const { batch_id: id, ...read } = await upload([...lines.slice(0, 12), 'nonsense,0.1', ...lines.slice(12), `${addressOf(0)},-1`])
    assert.deepEqual(
      [read.rows, read.total, read.errors.map(({ line, code }) => [line, code])],
      [
        23,
        '2.3',
        [
          [13, '110055'],
          [25, '110005'],
        ],
      ],
    )
    assert.deepEqual(
      read.warnings.filter(({ kind }) => kind === 'duplicate').map(({ line }) => line),
      [25],
    )
    await assert.rejects(submit(id, { execution: 'strict' }), refusedWith('200195'))
    assert.equal((await submit(id)).state, 'approving')
    assert.equal((await submit(id)).state, 'approving', 'asked twice, it is one')
    assert.deepEqual(await ordersOf(id), [])
    const { held } = await balanceOf(world, wallet)
    assert.ok(held > 23n * (ETH / 10n))
    await decide(id, ben)
    await step(id)
    assert.deepEqual(await ordersOf(id), [], 'one approval is not enough')
    assert.deepEqual(await decide(id, cleo), { state: 'approved', missing: 0 })
    await Promise.allSettled([step(id), step(id), step(id)])
    assert.equal((await ordersOf(id)).length, 10, 'no more wait for signers at once')
    assert.equal((await balanceOf(world, wallet)).held, held, 'what is held goes over to the orders')
    await drive(id)
    const done = await info(id)
    assert.deepEqual([done.state, done.paid, done.counts['completed'], done.counts['not_executed']], ['finished', '2.3', 23, 2])
    assert.deepEqual(await balanceOf(world, wallet), { available: 10n * ETH - (23n * ETH) / 10n - 23n * REAL_FEE, held: 0n })
    const paid = world.chain.blocks.flatMap(({ transfers }) => transfers.filter(({ from }) => from === wallet.address).map(({ to }) => to))
    assert.deepEqual(
      paid,
      Array.from({ length: 23 }, (_, i) => addressOf(i)),
      'each address once',
    )
    const second = known((await rows(id))[1]?.order_id ?? undefined, 'the order of line 2')
    const report = verifyEvidence(await evidenceOf(world, second), { codecFor })
    assert.deepEqual(
      [report.batch?.lines, report.approvedBy.toSorted()],
      [
        [2, 2],
        ['Ben', 'Cleo'],
      ],
    )
  })

  it('warns of a line whose address looks like an own one, or like that of a line before it, and is neither', async () => {
    const spelled = (address: string) => known(world.network.codec.canonicalAddress(address.toLowerCase()), 'an address that looks like another')
    const planted = (of: string) => spelled(`${of.slice(0, 8)}${'1'.repeat(28)}${of.slice(-6)}`)
    const warned = async (...addresses: string[]) => {
      const { errors, warnings } = await upload(addresses.map((each) => `${each},0.1`))
      assert.deepEqual(errors, [])
      return warnings.filter(({ kind }) => kind === 'lookalike').map(({ line }) => line)
    }
    const other = spelled(`0x${'5a3c'.repeat(10)}`)
    assert.deepEqual(await warned(planted(wallet.address), other, planted(other)), [1, 3])
    assert.deepEqual(await warned(spelled(`${wallet.address.slice(0, 8)}${'7'.repeat(34)}`), other), [1], 'it only begins alike')
  })

  it('of which somebody says no after its quorum pays no further line, and frees the rest', async () => {
    const id = await approved(30)
    await step(id)
    const [first] = await ordersOf(id)
    await signOrder(world.context, world.orgId, known(first, 'the first order').id)
    assert.equal((await decide(id, ben, 'reject')).state, 'stopped')
    await step(id)
    await settle(id)
    await step(id)
    const { state, counts, is_final } = await info(id)
    assert.deepEqual([state, is_final, counts['completed'], counts['not_executed']], ['stopped', true, 1, 29])
    assert.equal((await balanceOf(world, wallet)).held, 0n)
  })

  it('that nobody approves ends with its time, and holds nothing then; so does one that is taken back or rejected', async () => {
    const ids = []
    for (let i = 0; i < 3; i++) {
      const { batch_id: id } = await upload([`${addressOf(1)},0.5`])
      await submit(id)
      ids.push(id)
    }
    const [late, back, rejected] = ids as [string, string, string]
    await call(contract.cancelBatch, { batch_id: back, remark: 'no more' })
    await decide(rejected, cleo, 'reject')
    world.clock.aheadMs += 8 * 86_400_000
    await step(late)
    world.clock.aheadMs = 0
    assert.deepEqual(await Promise.all(ids.map(async (id) => (await info(id)).state)), ['expired', 'cancelled', 'rejected'])
    assert.deepEqual(await balanceOf(world, wallet), { available: 10n * ETH, held: 0n })
  })

  it('that costs more than there is, is not asked for, and holds nothing', async () => {
    const { batch_id: id } = await upload([`${addressOf(1)},9`, `${addressOf(2)},1`])
    await assert.rejects(submit(id), refusedWith('100011'))
    assert.deepEqual([(await info(id)).state, await balanceOf(world, wallet)], ['checked', { available: 10n * ETH, held: 0n }])
    await assert.rejects(upload(Array.from({ length: 1001 }, () => `${addressOf(1)},1`)), refusedWith('200066'))
  })

  it('asks again for a line that the chain failed, once, in a batch that people approve anew', async () => {
    const id = await approved(2)
    world.chain.failing = true
    await step(id)
    await settle(id)
    world.chain.failing = false
    await step(id)
    assert.deepEqual(
      (await rows(id)).map(({ state, can_retry }) => [state, can_retry]),
      [
        ['failed', true],
        ['failed', true],
      ],
    )
    const part = { batch_id: id, state: 'failed', page_no: 1, page_size: 1 }
    const [first, second] = [await call(contract.listBatchRows, part as never), await call(contract.listBatchRows, { ...part, after: 1 } as never)] as [
      Part,
      Part,
    ]
    assert.deepEqual(
      [first, second].map(({ list, has_more, next }) => [list.map(({ line }) => line), has_more, next]),
      [
        [[1], true, '1'],
        [[2], false, null],
      ],
      'each part begins behind the line at which the one before ended',
    )
    const again: Answer = await call(contract.retryBatch, { batch_id: id, lines: [2] } as never)
    assert.deepEqual([again.rows, again.total], [1, '0.02'])
    await assert.rejects(call(contract.retryBatch, { batch_id: id, lines: [2] } as never), refusedWith('300120'))
    assert.deepEqual(
      (await rows(id)).map(({ retried_in }) => retried_in),
      [null, again.batch_id],
    )
    await submit(again.batch_id)
    await step(again.batch_id)
    assert.deepEqual(await ordersOf(again.batch_id), [])
    await decide(again.batch_id, ben)
    await decide(again.batch_id, cleo)
    await drive(again.batch_id)
    assert.equal((await info(again.batch_id)).paid, formatAmount(ETH / 50n, 18))
  })

  it('is one order for each line, whatever dies in between', async () => {
    const id = await approved(4)
    let questions = 0
    world.chain.beforeAnswer = () => {
      if (++questions % 3 === 0) throw new Error('the server died here')
    }
    for (let i = 0; i < 40; i++) {
      await step(id).catch(() => {})
      await settle(id).catch(() => {})
    }
    world.chain.beforeAnswer = () => {}
    await drive(id)
    const orders = await ordersOf(id)
    assert.deepEqual(
      orders.map(({ state }) => state),
      Array.from({ length: 4 }, () => 'completed'),
    )
    const nodes = await Promise.all(orders.map((each) => orderOf(world, each.id)))
    assert.equal(new Set(nodes.map(({ row }) => row.txid)).size, 4)
    const paid = world.chain.blocks.flatMap(({ transfers }) => transfers.filter(({ from }) => from === wallet.address))
    assert.equal(paid.length, 4)
  })
})

it('a line to an address that the book has with a memo needs one, on a network that has memos', async () => {
  const [address, nowMs] = [addressOf(1), world.context.ports.clock.nowMs()]
  const entry = { name: 'Exchange', memo: '42', group_id: null, note: '', vasp: '', listed_by: null, unlisted_by: null, leaves: false, verified: null }
  const times = { verified_by: null, verified_at: null, proof: null, reviewed_at: nowMs, created_at: nowMs, updated_at: nowMs, removed_at: null }
  const place = { org_id: world.orgId, id: newId(nowMs, world.context.ports.random), address, chains: JSON.stringify([CHAIN]), created_by: ann.id }
  await world.db.asOrganisation(world.orgId, (tx) =>
    tx
      .insertInto('book_entry')
      .values({ ...entry, ...times, ...place })
      .execute(),
  )
  const network = { ...world.network, codec: { ...world.network.codec, memoMax: 120 } }
  const checking = {
    orgId: world.orgId as never,
    requester: { personId: ann.id as never },
    network,
    asset: known(network.assets[0], 'a coin'),
    from: wallet.address,
  }
  const given = [address, addressOf(2)].map((each, line) => ({ line, address: each, amount: '1', memo: '', more: false }))
  const lines = await checkLines(world.context, checking, given)
  assert.deepEqual(
    lines.map(({ faults }) => faults),
    [['memo_missing'], []],
  )
})
