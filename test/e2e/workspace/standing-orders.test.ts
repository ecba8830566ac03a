import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { listStandingOrders } from '@holdfast/features/standing-order/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { depositFromFaucet } from '../../../apps/launcher/src/deposit-from-faucet.ts'
import { makeWallet } from '../../../apps/launcher/src/make-wallet.ts'
import { proveRecovery } from '../../../apps/launcher/src/prove-recovery.ts'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import { picture } from '../browser.ts'
import { type FundedConsole, startFundedConsole } from '../funded-console.ts'
import { lookAllOver, lookAtWords, story } from '../story.ts'

/*
 * What arrives at deposit addresses is collected without asking again: a standing order is asked for at the console, approved once, and followed by the
 * signers.
 */

let run: FundedConsole
let desk: Page
let deposits: { walletId: string; subWalletId: string }

before(async () => {
  run = await startFundedConsole({ mark: 'Standing' })
})
after(() => run?.close())

const test = story(async (cause) => {
  await picture(desk, 'standing-failed')
  throw cause
})
const drawer = () => desk.getByRole('dialog').last()
const view = () => run.org.alice.client.call(listStandingOrders, {})
const hashIn = (href: string) => /[0-9a-f]{64}/.exec(href)![0]
const choose = async (label: string | RegExp, option: string | RegExp) => {
  await drawer().getByRole('button', { name: label }).click()
  await desk.getByRole('listbox').getByRole('option', { name: option }).first().click()
}

test('a member asks to collect what arrives, from one wallet to another', async () => {
  const { org, stack } = run
  deposits = await makeWallet(ports, org.alice, 'Deposits')
  await proveRecovery(ports, stack.settings, org.alice, deposits.walletId)
  desk = await run.open(org.alice, '/mpc/standingOrders')
  await desk.getByText('No standing orders').waitFor()
  await lookAllOver(desk, 'standing-orders-none')
  await desk.getByRole('button', { name: 'Request a standing order' }).click()
  await drawer().getByLabel('Name', { exact: true }).fill('Collect deposits')
  await drawer().getByText('Choose wallets').click()
  await drawer().getByLabel('Deposits').check()
  await desk.keyboard.press('Escape')
  await choose(/^To the wallet/, 'Wallet Standing')
  await choose(/^Sub-wallet/, /.*/)
  await choose(/^Coin/, /ETH.*Local network$/)
  await drawer().getByLabel('At least').fill('0.5')
  await drawer().getByLabel('At most', { exact: true }).fill('100')
  await drawer()
    .getByLabel(/Maximum, in ETH/)
    .fill('0.01')
  await lookAllOver(desk, 'standing-order-asked')
  await drawer().getByRole('button', { name: 'Request approval' }).click()
  await drawer().getByText('Waiting for approval').waitFor()
  const { proposed } = await view()
  assert.equal(proposed.length, 1)
  for (const member of [org.bruno, org.chiara]) await member.decide(hashIn(proposed[0]!.approval_url), 'approve')
  await waitUntil(ports, 'the signers follow it', async () => (await view()).list[0])
})

test('what arrives is moved by the signers, and nobody is asked', async () => {
  const { org, stack } = run
  await depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: deposits.subWalletId, symbol: 'ETH', amount: '2' })
  await waitUntil(ports, 'the deposit is collected', async () => (await view()).list.find(({ moved }) => moved.some(({ count }) => count === 1)))
  const [order] = (await view()).list
  assert.equal(order?.moved[0]?.symbol, 'ETH')
  await desk.goto(`${stack.settings.consoleOrigin}/mpc/standingOrders`)
  await desk.getByText('Collect deposits').waitFor()
  await lookAllOver(desk, 'standing-orders')
  await desk.getByRole('button', { name: 'Why not moved' }).click()
  await drawer()
    .getByText(/Below the minimum amount|Everything has been moved/)
    .first()
    .waitFor()
  await lookAllOver(desk, 'standing-order-reasons')
})

test('the order says which standing order asked for it', async () => {
  await desk.keyboard.press('Escape')
  await desk.goto(`${run.stack.settings.consoleOrigin}/mpc/center/wallet/transactions`)
  await desk.getByLabel('All wallets').click()
  await desk.getByRole('row').filter({ hasText: 'Completed' }).first().click()
  await drawer().getByText('Collect deposits').first().waitFor()
  await lookAllOver(desk, 'standing-order-record')
})

test('its next version is asked for from what stands, and moves to the whitelist only with an address for each network', async () => {
  await desk.keyboard.press('Escape')
  await desk.goto(`${run.stack.settings.consoleOrigin}/mpc/standingOrders`)
  await desk.getByRole('button', { name: 'Request next version' }).click()
  const field = (label: string) => drawer().getByLabel(label, { exact: true })
  await drawer().getByText('This version stays in force', { exact: false }).waitFor()
  assert.deepEqual([await field('Name').inputValue(), await field('At least').inputValue()], ['Collect deposits', '0.5'])
  await field('Destination').selectOption('listed')
  await drawer().getByText('No whitelisted address is in force').waitFor()
  const ask = drawer().getByRole('button', { name: 'Request approval' })
  await ask.click()
  await drawer().getByText('Choose one whitelisted address for each network').waitFor()
  await lookAllOver(desk, 'standing-order-next')
  await field('Destination').selectOption('own')
  await field('Name').fill('Collect all deposits')
  await field('Excluded addresses').fill('0x00000000000000000000000000000000000000aa')
  await ask.click()
  await drawer().getByText('Waiting for approval').waitFor()
  const url = (await view()).list[0]?.open_version?.approval_url
  for (const member of [run.org.bruno, run.org.chiara]) await member.decide(hashIn(url!), 'approve')
  const second = await waitUntil(ports, 'the signers follow the next version', async () => (await view()).list.find(({ version }) => version === 2))
  assert.equal(second.name, 'Collect all deposits')
})

test('in Chinese, the pages say the same', async () => {
  await desk.keyboard.press('Escape')
  await desk.goto(`${run.stack.settings.consoleOrigin}/mpc/standingOrders`)
  await desk.getByRole('button', { name: '中文' }).click()
  await desk.getByText('停止全部自动操作').waitFor()
  await lookAtWords(desk, 'standing-orders-zh')
  await desk.getByRole('button', { name: '授权内容' }).click()
  await drawer().getByText('归集地址', { exact: false }).first().waitFor()
  await lookAllOver(desk, 'standing-order-terms-zh')
})
