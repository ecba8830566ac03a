import { randomUUID } from 'node:crypto'
import { inviteMember } from '@holdfast/features/team/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { depositFromFaucet } from '../../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_BITCOIN, LOCAL_CHAIN } from '../../../apps/launcher/src/local-settings.ts'
import { type Order, orderPayment, waitUntilPaid } from '../../../apps/launcher/src/order-payment.ts'
import { saveBookEntry, savePersonal } from '../../../features/address-book/contract.ts'
import { saveWebhookEndpoint } from '../../../features/notification/contract.ts'
import { proposeSchedule } from '../../../features/standing-order/contract.ts'
import { labelTransactions } from '../../../features/transaction/contract.ts'
import { createSubWallet } from '../../../features/wallet/contract.ts'
import { makeApiKey } from '../../processes/testing/make-api-key.ts'
import { CLOSED_HOST } from '../../processes/testing/start-test-stack.ts'
import type { FundedConsole } from '../funded-console.ts'

const LANDLORD = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const [EXCHANGE, AUDITOR] = ['0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65']
const SUPPLIER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'

/** Gives an organisation something of every kind that a page shows. Answers a payment that waits for its second approval. */
export async function fillOrganisation({ org, stack }: FundedConsole): Promise<Order> {
  const { alice, bruno, chiara, subWalletId, walletId } = org
  const payment = (symbol: string, amount: string, to: string, remark: string) => orderPayment(ports, alice, { subWalletId, symbol, amount, to, remark })
  const deposit = (symbol: string, amount: string, chain = LOCAL_CHAIN) =>
    depositFromFaucet(ports, stack.settings, alice, { subWalletId, chain, symbol, amount })
  // A program that has called once: its page and its log show something.
  const { client: program } = await makeApiKey(stack, org, 'payouts')
  await program.call('openWallets', {})
  await deposit('USDX', '25000')
  await deposit('BTC', '0.35', LOCAL_BITCOIN)
  const contact = (name: string, address: string) => alice.client.call(savePersonal, { name, chain: LOCAL_CHAIN, address, note: '', ack: '' })
  await contact('Landlord', LANDLORD)
  await contact('Supplier of laptops', SUPPLIER)
  const entry = (name: string, address: string, whitelist: '0' | '1', note: string) =>
    alice.client.call(saveBookEntry, { request_id: randomUUID(), name, address, chains: [LOCAL_CHAIN], whitelist, note })
  await entry('Exchange account', EXCHANGE, '0', 'For sales of ETH')
  const paid = await payment('ETH', '1.25', LANDLORD, 'Rent of the office')
  for (const member of [bruno, chiara]) await member.decide(paid.hash, 'approve')
  await waitUntilPaid(ports, alice, paid)
  await alice.client.call(labelTransactions, { ids: paid.id, type: 'withdraw', category: 'Rent', tags: ['monthly'], note: 'Invoice 4711' })
  const rejected = await payment('USDX', '900', SUPPLIER, 'Invoice 118')
  await bruno.decide(rejected.hash, 'reject')
  const dates = [40, 70].map((days) => new Date(ports.clock.nowMs() + days * 86_400_000).toISOString().slice(0, 10))
  const schedule = { id: null, name: 'Rent', sub_wallet_id: subWalletId, chain: LOCAL_CHAIN, symbol: 'ETH', amount: '1.25', address: LANDLORD, memo: '' }
  const asked = { ...schedule, fee_max: '0.01', dates, time: '09:00', late_days: 3 }
  const { approval_url: url } = await alice.client.call(proposeSchedule, { request_id: randomUUID(), schedule: asked, remark: 'Rent of the office' })
  for (const member of [bruno, chiara]) await member.decide(/[0-9a-f]{64}/.exec(url)![0], 'approve')
  await alice.client.call(createSubWallet, { request_id: randomUUID(), wallet_id: walletId, sub_wallet_name: 'Payroll' })
  await alice.client.call(inviteMember, {
    request_id: randomUUID(),
    nick_name: 'Dora Dietz',
    account: `dora.${randomUUID().slice(0, 6)}@example.com`,
    role: 'viewer',
    approver: false,
  })
  await alice.client.call(saveWebhookEndpoint, { url: `http://${CLOSED_HOST}/webhooks`, sides: ['deposit', 'withdraw'] })
  const waiting = await payment('USDX', '2400', SUPPLIER, 'New laptops')
  await bruno.decide(waiting.hash, 'approve')
  await entry('Auditor', AUDITOR, '1', 'Yearly audit')
  await orderPayment(ports, bruno, { subWalletId, symbol: 'ETH', amount: '0.75', to: SUPPLIER, remark: 'Support contract' })
  return waiting
}
