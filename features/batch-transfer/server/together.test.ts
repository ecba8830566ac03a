import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { codecFor } from '@holdfast/chain-bitcoin/codec'
import { recipient, second, third } from '@holdfast/chain-bitcoin/testing'
import type { Endpoint } from '@holdfast/contract'
import { auditAll } from '@holdfast/features/deposit/server'
import { countOfParts } from '@holdfast/intent'
import { assertConserved } from '@holdfast/ledger'
import { verifyEvidence } from '@holdfast/protocol'
import { known } from '@holdfast/units'
import fc from 'fast-check'
import { type BitcoinWorld, FINALITY, openBitcoinWorld } from '../../testing/bitcoin-world.ts'
import { evidenceOf } from '../../testing/evidence-of.ts'
import { approvalOn, approveAs, makeWallet, type Wallet } from '../../testing/test-world.ts'
import { getBatch, submitBatch, uploadBatch } from '../contract.ts'
import type { Coin } from './drafts.ts'
import { batchOf, readBatchRow } from './move-batch.ts'
import { chunksOf, togetherOf } from './quote-batch.ts'
import { batchTransferEndpoints } from './routes.ts'
import { advance } from './run-batches.ts'

/* Networks of coins: one transaction pays many lines of a batch. */

let its: BitcoinWorld
let wallet: Wallet

before(async () => {
  its = await openBitcoinWorld()
  wallet = await makeWallet(its.world)
  await its.scan()
})
after(() => its?.stop())

type Answer = { batch_id: string; state: string; paid: string; fee_paid: string; fees: { transactions: number; together: number }; counts: object }
async function call(endpoint: Endpoint, input: object): Promise<Answer> {
  const { world } = its
  const endpoints = batchTransferEndpoints(world.context, { demandSecondFactorWhereSet: async () => {} })
  const { handler } = known(
    endpoints.find((each) => each.endpoint === endpoint),
    endpoint.path,
  )
  return handler({ orgId: world.orgId, personId: world.members[0].id, language: 'en_US' } as never, input as never) as never
}

it('pays the lines of a batch by few transactions of a chain of coins, each line once and to the last unit', async () => {
  const { world, network } = its
  const { chain } = network
  await its.deposit(wallet, 100_000n, 100_000n)
  const paying: [string, string, bigint][] = [
    [recipient, '0.0002', 20_000n],
    [second, '0.00015', 15_000n],
    [third, '0.0001', 10_000n],
  ]
  const file = new File([['address,amount', ...paying.map(([to, amount]) => `${to},${amount}`)].join('\n')], 'payroll.csv')
  const { batch_id: id } = await call(uploadBatch, { sub_wallet_id: wallet.subWalletId, chain, symbol: 'BTC', file })
  const { fees } = await call(getBatch, { batch_id: id })
  assert.deepEqual([fees.transactions, fees.together], [2, 2])
  await call(submitBatch, { batch_id: id, mode: 'single', execution: 'strict', fee_tier: 'normal', remark: '' })
  const batch = await world.db.asOrganisation(world.orgId, async (tx) => known(batchOf(await readBatchRow(tx, id)), 'a batch'))
  assert.equal(countOfParts(batch.intent), 2)
  for (const member of [1, 2] as const) await approveAs(world, approvalOn(world, batch.intent, world.members[member]))
  await advance(world.context, world.orgId, id)
  const orders = await world.db.asSystem((tx) =>
    tx.selectFrom('transfer_order').select(['id', 'amount']).where('batch_id', '=', id).orderBy('amount').execute(),
  )
  assert.deepEqual(
    orders.map(({ amount }) => amount),
    [10_000n, 35_000n],
  )
  const before = await Promise.all(paying.map(([to]) => its.looking.balance(to, { chain, contract: null })))
  assert.ok((await its.money(wallet)).held >= 45_000n)
  for (const order of orders) {
    assert.equal(await its.sign(order.id), 'signed')
    assert.equal(await its.send(order.id), true)
    await its.mine(FINALITY + 1)
  }
  await advance(world.context, world.orgId, id)
  const done = await call(getBatch, { batch_id: id })
  assert.deepEqual([done.state, done.paid], ['finished', '0.00045'])
  for (const [i, [to, , amount]] of paying.entries()) assert.equal(await its.looking.balance(to, { chain, contract: null }), known(before[i], to) + amount)
  const spent = await world.db.asSystem((tx) => tx.selectFrom('transfer_order').select('fee_paid').where('batch_id', '=', id).execute())
  const fee = spent.reduce((sum, each) => sum + known(each.fee_paid ?? undefined, 'a fee'), 0n)
  assert.deepEqual(await its.money(wallet), { available: 200_000n - 45_000n - fee, held: 0n })
  await world.db.asSystem(assertConserved)
  assert.deepEqual(await auditAll(world.context), [])
  const report = verifyEvidence(await evidenceOf(world, known(orders[1], 'the order of two lines').id), { codecFor })
  assert.deepEqual(report.batch?.lines, [1, 2])
})

it('puts no address twice into one transaction, nor a line with a memo, and as many lines as fit', () => {
  const coins = (isOfCoins: boolean, contract: string | null) =>
    ({ network: { codec: { paysSeveral: isOfCoins ? codecFor(its.network.chain)!.paysSeveral : undefined } }, asset: { contract } }) as unknown as Coin
  const line = fc.record({ to: fc.stringMatching(/^[a-d][0-9]$/), memo: fc.option(fc.constant('42'), { freq: 50 }), amount: fc.constant(1n) })
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 220 }), (lines) => {
      const together = togetherOf(coins(true, null), lines, 'single')
      assert.ok(together >= 1 && together <= 100)
      if (together > 1) {
        assert.ok(lines.every(({ memo }) => memo === null))
        for (const chunk of chunksOf(lines, together)) assert.equal(new Set(chunk.map(({ to }) => to)).size, chunk.length)
      }
      assert.equal(togetherOf(coins(false, null), lines, 'single'), 1)
      assert.equal(togetherOf(coins(true, 'token'), lines, 'single'), 1)
    }),
  )
  const apart = Array.from({ length: 250 }, (_, i) => ({ to: `address ${i}`, memo: null, amount: 1n }))
  assert.equal(togetherOf(coins(true, null), apart, 'single'), 100)
})
