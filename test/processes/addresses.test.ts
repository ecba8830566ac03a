import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nodePorts as ports } from '@holdfast/ports/node'
import { formatAmount, parseAmount } from '@holdfast/units'
import { askFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import { orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { createAddresses, listUserAddresses } from '../../features/deposit-address/contract.ts'
import { listTransactions } from '../../features/transaction/contract.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'
import { assertLedger, coinHeld } from './testing/read-ledger.ts'

const COUNT = 1_200
const WEI = 18
const eth = (amount: string) => parseAmount(amount, WEI)

let stack: JoinedStack
let org: FundedOrganisation

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  org = await foundFunded(stack, { amount: '1', mark: 'Many' })
})
after(() => stack?.dispose())

const page = (page_no: number, page_size: number) =>
  org.alice.client.call(listUserAddresses, { sub_wallet_id: org.subWalletId, chain: LOCAL_CHAIN, page_no, page_size })
const held = () => coinHeld(org.alice, org.subWalletId)

test('deposits to the first, the second and the last of many addresses are credited once each, and one of them pays what it has', async () => {
  const { alice, bruno, chiara, subWalletId } = org
  const asked = { request_id: 'many-addresses', sub_wallet_id: subWalletId, chain: LOCAL_CHAIN, count: COUNT, label: 'Customer' }
  await alice.client.call(createAddresses, asked)
  await waitUntil(ports, 'the addresses', async () => ((await page(1, 1)).pageTotal === COUNT + 1 ? true : undefined))
  assert.equal((await alice.client.call(createAddresses, asked)).made, COUNT)
  const [first, second] = (await page(1, 3)).list.slice(1)
  const last = (await page(COUNT + 1, 1)).list[0]!
  assert.deepEqual([first!.label, second!.label, last.label], ['Customer 1', 'Customer 2', `Customer ${COUNT}`])
  const paid = [first!, second!, last].map(({ address }, i) => ({ address: address!, amount: `${i + 2}` }))
  for (const payment of paid) await askFaucet(ports, stack.settings, { ...payment, chain: LOCAL_CHAIN, asset: 'ETH' })
  await waitUntil(ports, 'the deposits', async () => ((await held()).available === eth('10') ? true : undefined))
  const { list: deposits } = await alice.client.call(listTransactions, { type: 'deposit', sub_wallet_id: subWalletId })
  for (const { address, amount } of paid)
    assert.deepEqual(
      deposits.flatMap((each) => ('address_to' in each && each.address_to === address ? [each.amount] : [])),
      [amount],
      address,
    )

  const order = await orderPayment(ports, alice, { subWalletId, from: paid[2]!.address, symbol: 'ETH', amount: '3', to: freshAddress() })
  await bruno.decide(order.hash, 'approve')
  await chiara.decide(order.hash, 'approve')
  const { real_fee: fee } = await waitUntilPaid(ports, alice, order)
  const left = eth('1') - eth(fee!)
  assert.equal((await page(COUNT + 1, 1)).list[0]!.balance[0]!.amount, formatAmount(left, WEI))
  assert.equal((await held()).total, eth('6') + left)
  await assertLedger(stack)
})
