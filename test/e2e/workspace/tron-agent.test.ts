import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { addressText } from '@holdfast/chain-tron/codec'
import { getPolicy, proposePolicy } from '@holdfast/features/policy/contract'
import { createStakeOrder } from '@holdfast/features/resource/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { depositFromFaucet } from '../../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_TRON } from '../../../apps/launcher/src/local-settings.ts'
import { makeWallet } from '../../../apps/launcher/src/make-wallet.ts'
import { proveRecovery } from '../../../apps/launcher/src/prove-recovery.ts'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import { draftOf } from '../../../features/policy/console/draft.ts'
import { getAgent, listDelegations } from '../../../features/tron-tools/agent-contract.ts'
import { getWithdrawal, listTransactions } from '../../../features/transaction/contract.ts'
import { createWithdrawal } from '../../../features/withdrawal/contract.ts'
import { picture } from '../browser.ts'
import { type FundedConsole, startFundedConsole } from '../funded-console.ts'
import { lookAllOver, lookAtWords, story } from '../story.ts'

/* The agent is set up from nothing in one language, lends energy before a payment of a token, takes it back, and says so in the other language too. */

let run: FundedConsole
let desk: Page
let shop: { walletId: string; subWalletId: string }

before(async () => {
  run = await startFundedConsole({ mark: 'Agent' })
})
after(() => run?.close())

const test = story(async (cause) => {
  if (desk) await picture(desk, 'tron-agent-failed')
  throw cause
})
const drawer = () => desk.getByRole('dialog').last()
const option = (name: string | RegExp) => desk.getByRole('listbox').getByRole('option', { name }).first()
const hashIn = (href: string) => /[0-9a-f]{64}/.exec(href)![0]
const agent = () => run.org.alice.client.call(getAgent, {})
const decide = async (hash: string) => {
  for (const member of [run.org.bruno, run.org.chiara]) await member.decide(hash, 'approve')
}
const path = (rest = '') => `${run.stack.settings.consoleOrigin}/mpc/tools/tronAutoAgent${rest}`

test('coin is staked for energy, by an order that people approve', async () => {
  const { org, stack } = run
  const { client } = org.alice
  shop = await makeWallet(ports, org.alice, 'Shop')
  await proveRecovery(ports, stack.settings, org.alice, shop.walletId)
  const policy = await client.call(getPolicy, {})
  const same = draftOf(policy)
  const { id: _, ...asked } = same.rules[0]!
  const stakes = { id: 'stake', chain: LOCAL_TRON, payers: [], actions: ['stake' as const], receivers: [] }
  const draft = { ...same, add_stake_rules: [{ ...stakes, max_amount: '10000', max_lock_blocks: 0, ...asked }] }
  await decide((await client.call(proposePolicy, { request_id: 'a-rule-for-stake', draft })).intent_hash)
  await waitUntil(ports, 'the rule to be in force', async () => ((await client.call(getPolicy, {})).version === policy.version + 1 ? true : undefined))
  const deposit = (subWalletId: string, symbol: string, amount: string) =>
    depositFromFaucet(ports, stack.settings, org.alice, { subWalletId, chain: LOCAL_TRON, symbol, amount })
  await deposit(org.subWalletId, 'TRX', '4000')
  await deposit(shop.subWalletId, 'TRX', '50')
  await deposit(shop.subWalletId, 'USDZ', '9')
  const order = { sub_wallet_id: org.subWalletId, chain: LOCAL_TRON, action: 'stake' as const, resource: 'energy' as const, amount: '3500', max_fee: '1' }
  const made = await client.call(createStakeOrder, { request_id: 'stake-for-energy', ...order })
  await decide(made.intent_hash)
  await waitUntil(ports, 'the stake', async () => ((await client.call(getWithdrawal, { id: made.withdraw_id })).status === 2000 ? true : undefined))
})

test('a member chooses who lends, and asks once that people approve it', async () => {
  desk = await run.open(run.org.alice, '/mpc/tools/tronAutoAgent')
  await desk.getByText('Choose a lender').waitFor()
  await lookAllOver(desk, 'tron-agent-none')
  await desk.getByRole('button', { name: 'Settings' }).click()
  await drawer()
    .getByRole('button', { name: /^Lending wallet/ })
    .click()
  await option('Wallet Agent').click()
  await drawer()
    .getByRole('button', { name: /^Lending sub-wallet/ })
    .click()
  await option(/.*/).click()
  await lookAllOver(desk, 'tron-agent-settings')
  await drawer().getByRole('button', { name: 'Save' }).click()
  await desk.getByText('Only its own key').waitFor()
  await desk.getByRole('button', { name: 'Request approval' }).click()
  await drawer().getByRole('button', { name: 'Choose wallets' }).click()
  await desk.getByRole('checkbox', { name: 'Shop' }).check()
  await desk.keyboard.press('Escape')
  await lookAllOver(desk, 'tron-agent-ask')
  await drawer().getByRole('button', { name: 'Request approval' }).click()
  const href = await drawer().getByRole('link', { name: 'Open on the approval page' }).getAttribute('href')
  const approvals = await (await run.watched.newContext()).newPage()
  await approvals.goto(href!)
  await approvals.getByText('delegate resources to own addresses without asking').first().waitFor()
  await picture(approvals, 'tron-agent-approval')
  await approvals.close()
  await decide(hashIn(href!))
  await waitUntil(ports, 'the standing order', async () => ((await agent()).standing === null ? undefined : true))
  await desk.keyboard.press('Escape')
})

test('the address of the shop is switched on, and then the agent', async () => {
  await desk.goto(path('/accountList'))
  await desk.getByRole('button', { name: /^Switch on: Shop/ }).click()
  await desk.getByRole('button', { name: /^Switch off: Shop/ }).waitFor()
  await lookAllOver(desk, 'tron-agent-accounts')
  await desk.goto(path())
  await desk.getByRole('button', { name: 'Switch on', exact: true }).click()
  await drawer().getByRole('button', { name: 'Switch on' }).click()
  await desk.getByRole('button', { name: 'Switch off', exact: true }).waitFor()
})

test('energy is lent before a token is paid, taken back after it, and nothing was burned for it', async () => {
  const { client } = run.org.alice
  const to = addressText(Uint8Array.of(0x41, ...ports.random.bytes(20)))
  const order = { sub_wallet_id: shop.subWalletId, chain: LOCAL_TRON, symbol: 'USDZ', amount: '5', address_to: to, max_fee: '40', ack: 'first_seen' }
  const made = await client.call(createWithdrawal, { request_id: 'pay-with-energy', ...order })
  await decide(made.intent_hash)
  await waitUntil(ports, 'the payment', async () => ((await client.call(getWithdrawal, { id: made.withdraw_id })).status === 2000 ? true : undefined))
  const loans = () => client.call(listDelegations, { page_no: 1, page_size: 20 })
  const loan = await waitUntil(ports, 'the loan to be over', async () => (await loans()).list.find(({ status }) => status === 'over'))
  assert.deepEqual([loan.burned_trx, loan.covered, Number(loan.saved_trx) > 0], ['0', loan.used, true])
  assert.ok(loan.energy_txid && loan.reclaim_energy_txid)
  const { list } = await client.call(listTransactions, { sub_wallet_id: shop.subWalletId, type: 'withdraw' })
  assert.equal(list[0]?.status, 2000)
  await desk.goto(path())
  await desk.getByRole('row').filter({ hasText: 'Shop' }).getByText('Ended').waitFor()
  await lookAllOver(desk, 'tron-agent-loans')
  await desk.getByRole('row').filter({ hasText: 'Shop' }).getByRole('button').first().click()
  await drawer().getByText('Returned by').waitFor()
  await lookAllOver(desk, 'tron-agent-loan')
})

test('it is there in Chinese too', async () => {
  await desk.context().addCookies([{ name: 'lan', value: 'zh_CN', url: run.stack.settings.consoleOrigin }])
  for (const [rest, title, look] of [
    ['', 'TRON 自动代理', lookAtWords],
    ['/accountList', '账户列表', lookAtWords],
    ['/messageNotification', '消息通知', lookAllOver],
  ] as const) {
    await desk.goto(path(rest))
    await desk.getByRole('heading', { level: 1, name: title }).waitFor()
    await look(desk, `tron-agent-zh${rest.replace('/', '-')}`)
  }
})

test('no page had a console error or a violation of its content security policy', () => {
  assert.deepEqual(run.watched.faults, [])
})
