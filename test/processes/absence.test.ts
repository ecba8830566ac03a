import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getFreezes, getPolicy, getSigningState, proposeAbsence, proposeLift, proposePolicy } from '@holdfast/features/policy/contract'
import { choosePages, getApprovalPages, onPage } from '@holdfast/features/approval-page/contract'
import { getWithdrawal } from '../../features/transaction/contract.ts'
import { nodePorts as ports } from '@holdfast/ports/node'
import { orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { draftOf } from '../../features/policy/console/draft.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { startTestStack, type TestStack } from './testing/start-test-stack.ts'

let stack: TestStack
let org: FundedOrganisation

before(async () => {
  stack = await startTestStack()
  org = await foundFunded(stack, { amount: '5', mark: 'Away' })
})
after(() => stack?.dispose())

const call = () => org.alice.client
const payment = () => ({ subWalletId: org.subWalletId, symbol: 'ETH', amount: '0.1', to: freshAddress() })
const approvedPayment = async () => {
  const order = await orderPayment(ports, org.alice, payment())
  for (const member of [org.bruno, org.chiara]) await member.decide(order.hash, 'approve')
  return order
}
const standing = async () => (await call().call(getSigningState, {})).orders[0]?.standing

test('a payment waits for a signer that is stopped, goes on when people say that it is away, and the absence ends when it is back', async () => {
  await stack.end('signer-3')
  const order = await approvedPayment()
  const words = await waitUntil(ports, 'the order to say what it waits for', async () => {
    const { sub_status: sub, next_action: next } = await call().call(getWithdrawal, { id: order.id })
    return sub === 'waiting_third_signer' ? next.text : undefined
  })
  assert.match(words, /A signer is not answering\. Payments continue when it is back, or when the people who govern declare it away\./)
  const absence = await call().call(proposeAbsence, { request_id: 'absence-of-3', party: 3, days: 2, reason: 'its disk is broken' })
  assert.deepEqual(await org.bruno.decide(absence.intent_hash, 'approve'), { state: 'approving', missing: 1 })
  assert.deepEqual(await org.chiara.decide(absence.intent_hash, 'approve'), { state: 'approved', missing: 0 })
  await waitUntil(ports, 'the absence to be in force', async () => ((await standing()) === 'in_force' ? true : undefined))
  await waitUntilPaid(ports, org.alice, order)
  await stack.restart('signer-3')
  const next = await approvedPayment()
  await waitUntilPaid(ports, org.alice, next)
  await waitUntil(ports, 'the absence to end', async () => ((await standing()) === 'back' ? true : undefined))
  assert.equal((await call().call(getSigningState, {})).away, null)
})

test('one person stops all signing from the approval page, everybody reads why, and those who govern lift it', async () => {
  assert.deepEqual(await org.bruno.stopSigning(org.fingerprint, 'a laptop was stolen'), { state: 'frozen', passed: true })
  const { freezes } = await org.chiara.client.call(getFreezes, {})
  assert.deepEqual(
    freezes.map(({ person, reason }) => [person.person_id, reason]),
    [[org.bruno.personId, 'a laptop was stolen']],
  )
  const lift = await call().call(proposeLift, { request_id: 'lift-the-freeze', reason: 'the laptop was found', freezes: freezes.map(({ hash }) => hash) })
  await org.bruno.decide(lift.intent_hash, 'approve')
  assert.equal((await org.alice.client.call(getFreezes, {})).freezes.length, 1, 'it holds until enough have approved')
  await org.chiara.decide(lift.intent_hash, 'approve')
  await waitUntil(ports, 'the freeze to be lifted', async () => ((await call().call(getFreezes, {})).freezes.length === 0 ? true : undefined))
  await waitUntilPaid(ports, org.alice, await approvedPayment())
})

const pagesOf = async ({ client }: FundedOrganisation['bruno']) => {
  const { pages } = await client.call(getApprovalPages, {})
  return { ...choosePages(pages), keys: pages.map(({ key }) => key) }
}

test('people make keys at the page of signer 2, which count there once a signed policy names them', async () => {
  const { approvalOrigin: first, secondApprovalOrigin: second } = stack.settings
  assert.deepEqual(await pagesOf(org.bruno), { lead: first, others: [], keys: ['counts', 'none'] })
  const made = [await org.bruno.makeKeyAtSecondPage(), await org.chiara.makeKeyAtSecondPage()]
  assert.deepEqual(await pagesOf(org.bruno), { lead: first, others: [], keys: ['counts', 'waits'] })
  const draft = { ...draftOf(await call().call(getPolicy, {})), add_keys: made }
  const { intent_hash: change } = await call().call(proposePolicy, { request_id: 'keys-at-both-pages', draft })
  await assert.rejects(org.bruno.decide(change, 'approve', 2), 'a key approves nothing before the policy names it')
  for (const member of [org.bruno, org.chiara]) await member.decide(change, 'approve')
  await waitUntil(ports, 'the policy to name the keys', async () => ((await pagesOf(org.bruno)).keys[1] === 'counts' ? true : undefined))
  assert.deepEqual(await pagesOf(org.bruno), { lead: first, others: [second], keys: ['counts', 'counts'] })
  const order = await orderPayment(ports, org.alice, payment())
  await org.bruno.decide(order.hash, 'approve', 2)
  await org.chiara.decide(order.hash, 'approve', 1)
  await waitUntilPaid(ports, org.alice, order)
})

test('while signer 1 is stopped, its absence is approved on the page of signer 2 with the keys of that page, and so are payments', async () => {
  await stack.end('signer-1')
  const { approvalOrigin: first, secondApprovalOrigin: second } = stack.settings
  await waitUntil(ports, 'the links to turn around', async () => ((await pagesOf(org.bruno)).lead === second ? true : undefined))
  assert.deepEqual((await pagesOf(org.bruno)).others, [first])
  const { intent_hash: hash, approval_url: url } = await call().call(proposeAbsence, {
    request_id: 'absence-of-1',
    party: 1,
    days: 1,
    reason: 'its machine is lost',
  })
  assert.equal(onPage(url, second), `${second}/#/order/${hash}`)
  await assert.rejects(org.bruno.decide(hash, 'approve'), 'the page of signer 1 is not there')
  for (const member of [org.bruno, org.chiara]) await member.decide(hash, 'approve', 2)
  await waitUntil(ports, 'the absence to be in force', async () => ((await standing()) === 'in_force' ? true : undefined))
  const order = await orderPayment(ports, org.alice, payment())
  for (const member of [org.bruno, org.chiara]) await member.decide(order.hash, 'approve', 2)
  await waitUntilPaid(ports, org.alice, order)
})
