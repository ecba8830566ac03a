import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getBatch, listBatches, listBatchRows, submitBatch, uploadBatch } from '@holdfast/features/batch-transfer/contract'
import { getWithdrawal } from '@holdfast/features/transaction/contract'
import { TransportError } from '@holdfast/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { formatAmount, known, parseAmount } from '@holdfast/units'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { localChain } from './testing/local-chain.ts'
import { assertLedger, coinHeld } from './testing/read-ledger.ts'
import { startTestStack, type TestStack } from './testing/start-test-stack.ts'

// So many that some are still to be paid when a server answers again that was killed on a busy machine.
const LINES = 30
const DECIMALS = 18
/** After so many lines were paid the server is killed. */
const KILLS_AFTER = [1, 4, 8]

let stack: TestStack
let org: FundedOrganisation
const payments = Array.from({ length: LINES }, (_, i) => ({ to: freshAddress(), amount: parseAmount('0.01', DECIMALS) + BigInt(i) }))

before(async () => {
  stack = await startTestStack()
  org = await foundFunded(stack, { amount: '2' })
})
after(() => stack?.dispose())

const info = (id: string) => org.alice.client.call(getBatch, { batch_id: id })
const rows = async (id: string) => (await org.alice.client.call(listBatchRows, { batch_id: id, page_size: 50 })).list

/** Reads a file with one wrong line among the payments, and has two people approve all but that line. */
async function approvedBatch(): Promise<string> {
  const { client } = org.alice
  const good = payments.map(({ to, amount }) => `${to},${formatAmount(amount, DECIMALS)}`)
  const file = new File([['address,amount', ...good.slice(0, 5), 'nobody,1', ...good.slice(5)].join('\n')], 'payroll.csv')
  const { batch_id: id, rows: payable, errors } = await client.call(uploadBatch, { sub_wallet_id: org.subWalletId, chain: LOCAL_CHAIN, symbol: 'ETH', file })
  assert.deepEqual([payable, errors.map(({ line }) => line)], [LINES, [6]])
  const { approval_url: url } = await client.call(submitBatch, { batch_id: id, execution: 'partial', fee_tier: 'fast' })
  const hash = known(/[0-9a-f]{64}/.exec(url)?.[0], 'the hash of the batch')
  for (const member of [org.bruno, org.chiara]) await member.decide(hash, 'approve')
  return id
}

/** How many lines are paid, once that is `least` of them. A server that was just killed does not answer. */
const untilPaid = (id: string, least: number) =>
  waitUntil(ports, `${least} lines to be paid`, async () => {
    const { completed = 0 } = (await info(id).catch(unlessAway))?.counts ?? {}
    return completed >= least ? completed : undefined
  })

function unlessAway(cause: unknown): undefined {
  if (cause instanceof TransportError) return undefined
  throw cause
}

test('a batch whose server is killed while its lines are paid pays each of them exactly once', async () => {
  const chain = localChain(stack.settings)
  const id = await approvedBatch()
  for (const paid of KILLS_AFTER) {
    const found = await untilPaid(id, paid)
    assert.ok(found < LINES, `all lines were paid before the server was killed after ${paid}`)
    await stack.kill('server')
    await stack.restart('server')
  }
  for (let paid = 0; paid < LINES; ) paid = await untilPaid(id, paid + 1)
  const batch = await waitUntil(ports, 'the batch to be finished', async () => {
    const now = await info(id)
    return now.is_final ? now : undefined
  })
  assert.deepEqual([batch.state, batch.counts], ['finished', { pending: 0, processing: 0, completed: LINES, failed: 0, not_executed: 1 }])
  for (const { to, amount } of payments) assert.equal(await chain.balanceOf(to), amount, `${to} was not paid exactly once`)
  assert.equal(await chain.sentBy(org.address), BigInt(LINES))
})

test('each line has an order of its own, and ledger and chain agree to the last unit', async () => {
  const chain = localChain(stack.settings)
  const { list } = await org.alice.client.call(listBatches, {})
  const { batch_id: id, paid } = known(list[0], 'the batch')
  const lines = (await rows(id)).filter(({ errors }) => errors.length === 0)
  assert.equal(new Set(lines.map(({ order_id: order }) => order)).size, LINES)
  assert.equal(new Set(lines.map(({ txid }) => txid)).size, LINES)
  const first = await org.alice.client.call(getWithdrawal, { id: known(lines[0]?.order_id ?? undefined, 'the order of the first line') })
  assert.deepEqual([first.batch_id, first.address_to], [id, payments[0]?.to])
  const sum = payments.reduce((all, { amount }) => all + amount, 0n)
  assert.equal(parseAmount(paid, DECIMALS), sum)
  const { fee_paid: fees } = await info(id)
  const { total, held } = await coinHeld(org.alice, org.subWalletId)
  assert.deepEqual([held, total], [0n, 2n * 10n ** 18n - sum - parseAmount(fees, DECIMALS)])
  assert.equal(total, await chain.balanceOf(org.address))
  await assertLedger(stack)
})
