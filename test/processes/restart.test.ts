import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listSessions } from '@holdfast/features/session/contract'
import { getWithdrawal } from '../../features/transaction/contract.ts'
import { updateAlias } from '../../features/wallet/contract.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { nodePorts as ports } from '@holdfast/ports/node'
import { depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { type Order, orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { localChain } from './testing/local-chain.ts'
import { assertLedger, coinHeld } from './testing/read-ledger.ts'
import { startTestStack, type TestStack } from './testing/start-test-stack.ts'

const ETH = 10n ** 18n

let stack: TestStack
let org: FundedOrganisation
let order: Order
const to = freshAddress()

before(async () => {
  stack = await startTestStack()
  org = await foundFunded(stack, { amount: '2' })
  order = await orderPayment(ports, org.alice, { subWalletId: org.subWalletId, symbol: 'ETH', amount: '0.5', to })
  await org.bruno.decide(order.hash, 'approve')
  // In a block, and not waited for: the reader finds it before the stop or after the start.
  const chain = localChain(stack.settings)
  const [txid] = await chain.send(org.address, ETH / 4n, 1)
  await waitUntil(ports, 'the block of the deposit', () => chain.blockOf(txid!))
  await stack.stop()
  await stack.start()
})
after(() => stack?.dispose())

test('a session from before the restart is still signed in, and may change things', async () => {
  const sessions = await org.alice.client.call(listSessions, {})
  assert.equal(sessions.filter(({ current }) => current).length, 1)
  await org.alice.client.call(updateAlias, { wallet_id: org.walletId, alias: 'After the restart' })
})

test('what was held is still held, and a deposit from before the restart is credited once', async () => {
  const { fee } = await org.alice.client.call(getWithdrawal, { id: order.id })
  assert.ok(fee !== null)
  await waitUntil(ports, 'the deposit of before the restart', async () => {
    const { total, held } = await coinHeld(org.alice, org.subWalletId)
    assert.ok(held > ETH / 2n, 'the hold of the waiting order is gone')
    assert.ok(total === 2n * ETH || total === 2n * ETH + ETH / 4n, `${total} is neither the balance before nor after the deposit`)
    return total > 2n * ETH ? true : undefined
  })
})

test('an order that waited for its second approval is paid after the restart', async () => {
  await org.chiara.decide(order.hash, 'approve')
  const paid = await waitUntilPaid(ports, org.alice, order)
  assert.equal(paid.approvers.filter(({ state }) => state === 'approved').length, 2)
  assert.equal(await localChain(stack.settings).balanceOf(to), ETH / 2n)
})

test('deposits are seen after the restart, and ledger and chain agree to the last unit', async () => {
  await depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: org.subWalletId, symbol: 'ETH', amount: '0.125' })
  const { total, held } = await coinHeld(org.alice, org.subWalletId)
  assert.equal(held, 0n)
  assert.equal(total, await localChain(stack.settings).balanceOf(org.address))
  await assertLedger(stack)
})
