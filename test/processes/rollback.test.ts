import assert from 'node:assert/strict'
import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { getEvidence, getWithdrawal } from '@holdfast/features/transfer/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { isOver, type Order, orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { runToEnd } from '../../apps/launcher/src/run-to-end.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { freshAddress, localChain } from './testing/local-chain.ts'
import { withDatabase } from './testing/read-books.ts'
import { startTestStack, type TestStack } from './testing/start-test-stack.ts'

const ASKED_AGAIN = 9

let stack: TestStack
let org: FundedOrganisation

before(async () => {
  stack = await startTestStack()
  org = await foundFunded(stack, { amount: '5' })
})
after(() => stack?.dispose())

async function approvedOrder(to = freshAddress()): Promise<Order> {
  const order = await orderPayment(ports, org.alice, { subWalletId: org.subWalletId, symbol: 'ETH', amount: '0.1', to })
  for (const member of [org.bruno, org.chiara]) await member.decide(order.hash, 'approve')
  return order
}

const detail = ({ id }: Order) => org.alice.client.call(getWithdrawal, { id })

/** Who signed, as the timeline says. */
async function signersOf(order: Order): Promise<string | undefined> {
  return (await detail(order)).timeline.find(({ state }) => state === 'broadcasting')?.actor
}

/** How each session for an order ended, and by which check. */
async function attemptsOf({ id }: Order): Promise<string[]> {
  const rows = await withDatabase(stack, (db) =>
    db.asSystem((tx) =>
      tx
        .selectFrom('signing_attempt')
        .select(['outcome', 'failed_check'])
        .where('order_id', '=', id)
        .where('outcome', 'is not', null)
        .orderBy('number')
        .execute(),
    ),
  )
  return rows.map(({ outcome, failed_check }) => `${outcome} ${failed_check ?? ''}`.trim())
}

async function assertRefusalVerifies(order: Order): Promise<void> {
  const { folder, root } = stack.settings
  const { bundle } = await org.alice.client.call(getEvidence, { id: order.id, kind: 'refusal' })
  writeFileSync(`${folder}/refusal`, Buffer.from(bundle, 'base64'))
  const said = await runToEnd(ports, [`${root}/apps/cli/src/main.ts`, 'verify-evidence', `${folder}/refusal`, '--fingerprint', org.fingerprint], {
    cwd: root,
    logPath: `${folder}/logs/verify-refusal.log`,
    what: 'verifying the refusal',
  })
  assert.match(said, /c12/)
}

test('a signer put back to an older copy of its folder is refused by c12, and the honest pair goes on', async () => {
  const folder = `${stack.settings.folder}/signer-3`
  const copy = `${stack.settings.folder}/older-signer-3`
  await stack.end('signer-3')
  cpSync(folder, copy, { recursive: true })
  await stack.restart('signer-3')

  // Without signer 2 the third one has to sign, so its state moves on from the copy.
  await stack.end('signer-2')
  const first = await approvedOrder()
  await waitUntilPaid(ports, org.alice, first)
  assert.equal(await signersOf(first), 'signers 1, 3')

  await stack.end('signer-3')
  rmSync(folder, { recursive: true })
  cpSync(copy, folder, { recursive: true })
  await stack.restart('signer-3')
  const to = freshAddress()
  const second = await approvedOrder(to)
  // Asking again and again must not wear the refusal out: every session writes records, and the copy's journal grows past the lost ones.
  const attempts = await waitUntil(ports, `${ASKED_AGAIN} sessions`, async () => {
    const ended = await attemptsOf(second)
    return ended.length >= ASKED_AGAIN || ended.includes('signed') ? ended : undefined
  })
  assert.deepEqual(
    attempts.map((each) => each.split(' ')[0]),
    attempts.map(() => 'refused'),
  )
  assert.equal(attempts[0], 'refused c12')
  const refused = await detail(second)
  assert.deepEqual({ over: isOver(refused), txid: refused.txid }, { over: false, txid: null }, 'a refusal about a signer must not end the order')
  assert.ok(refused.refusals.some(({ check }) => check === 'c12'))
  await assertRefusalVerifies(second)

  await stack.restart('signer-2')
  await waitUntilPaid(ports, org.alice, second)
  assert.equal(await signersOf(second), 'signers 1, 2')
  assert.equal(await localChain(stack.settings).balanceOf(to), 10n ** 17n)
  const third = await approvedOrder()
  await waitUntilPaid(ports, org.alice, third)
  assert.equal(await signersOf(third), 'signers 1, 2')
})
