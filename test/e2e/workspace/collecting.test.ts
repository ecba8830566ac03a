import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { getCollecting, listCollectingRecords } from '@holdfast/features/co-signer/contract'
import { listAllowing, listCollectors, listRuns } from '@holdfast/features/collection/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { at } from '@holdfast/units'
import type { Page } from 'playwright-core'
import { depositFromFaucet } from '../../../apps/launcher/src/deposit-from-faucet.ts'
import { makeWallet } from '../../../apps/launcher/src/make-wallet.ts'
import { proveRecovery } from '../../../apps/launcher/src/prove-recovery.ts'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import { picture } from '../browser.ts'
import { type FundedConsole, startFundedConsole } from '../funded-console.ts'
import { lookAllOver, lookAtWords, story } from '../story.ts'

/*
 * Collection is set up from nothing: who collects and who pays for fees, two coins, one approval of each standing order; then coins and tokens that arrive are
 * collected, and addresses get coins for the fee of a token.
 */

let run: FundedConsole
let desk: Page
let deposits: { walletId: string; subWalletId: string }
let treasury: { walletId: string; subWalletId: string }

before(async () => {
  run = await startFundedConsole({ mark: 'Collect' })
})
after(() => run?.close())

const test = story(async (cause) => {
  await picture(desk, 'collecting-failed')
  throw cause
})
const drawer = () => desk.getByRole('dialog').last()
const hashIn = (href: string) => /[0-9a-f]{64}/.exec(href)![0]
const info = ({ walletId } = deposits) => run.org.alice.client.call(getCollecting, { wallet_id: walletId })
const records = async ({ walletId } = deposits) =>
  (await run.org.alice.client.call(listCollectingRecords, { wallet_id: walletId, page_no: 1, page_size: 20 })).list
const option = (name: string | RegExp) => desk.getByRole('listbox').getByRole('option', { name }).first()
const home = () => desk.goto(`${run.stack.settings.consoleOrigin}/mpc/coSigner`)

test('a member chooses who collects and who pays for fees (spec 2.14)', async () => {
  const { org, stack } = run
  treasury = await makeWallet(ports, org.alice, 'Treasury')
  deposits = await makeWallet(ports, org.alice, 'Deposits')
  for (const each of [treasury, deposits]) await proveRecovery(ports, stack.settings, org.alice, each.walletId)
  desk = await run.open(org.alice, '/mpc/coSigner')
  await desk.locator('.hf-wallet-switcher').click()
  await option('Deposits').click()
  await desk.getByText('Not running').waitFor()
  await lookAllOver(desk, 'collecting-none')
  await desk.getByRole('button', { name: 'Choose wallets' }).click()
  const places = drawer().getByRole('group')
  const choose = async (place: number, field: RegExp, name: string | RegExp) => {
    await places.nth(place).getByRole('button', { name: field }).click()
    await option(name).click()
  }
  await choose(0, /^Wallet/, 'Treasury')
  await choose(0, /^Sub-wallet/, /.*/)
  await choose(1, /^Wallet/, 'Wallet Collect')
  await choose(1, /^Sub-wallet/, /.*/)
  await lookAllOver(desk, 'collecting-wallets')
  await drawer().getByRole('button', { name: 'Save' }).click()
  await desk.getByText('Treasury /').waitFor()
})

test('two coins get a rule, and what is wrong with one is said beside its field', async () => {
  await desk.getByRole('link', { name: 'Add a coin' }).click()
  await desk.getByRole('heading', { name: 'Coin rule' }).waitFor()
  await desk.getByRole('button', { name: /^Coin/ }).click()
  await option(/ETH.*Local network$/).click()
  await desk.getByRole('button', { name: 'Save' }).click()
  await desk.getByText('Enter the threshold.').waitFor()
  await desk.getByLabel('Threshold').fill('0.5')
  await desk.getByLabel('Maximum fee', { exact: true }).fill('0.01')
  await lookAllOver(desk, 'collecting-rule')
  await desk.getByRole('button', { name: 'Save' }).click()
  await desk.getByRole('link', { name: 'Add a coin' }).click()
  await desk.getByRole('button', { name: /^Coin/ }).click()
  await option(/USDX.*Local network$/).click()
  await desk.getByLabel('Threshold').fill('10')
  await desk.getByLabel('Fuelling amount').fill('0.02')
  await desk.getByLabel('Maximum fee', { exact: true }).fill('0.01')
  await desk.getByRole('button', { name: 'Save' }).click()
  await desk.getByRole('row').filter({ hasText: 'USDX' }).waitFor()
})

test('it is asked for once, approved, and runs', async () => {
  await desk.getByRole('button', { name: 'Request approval' }).click()
  await lookAllOver(desk, 'collecting-run')
  await drawer().getByRole('button', { name: 'Start collection' }).click()
  await drawer().getByText('Waiting for approval', { exact: true }).first().waitFor()
  const { pending } = await info()
  assert.deepEqual(
    pending.map(({ kind }) => kind),
    ['sweep', 'fuel'],
  )
  for (const { approval_url: url } of pending) {
    for (const member of [run.org.bruno, run.org.chiara]) await member.decide(hashIn(url), 'approve')
  }
  await waitUntil(ports, 'collection runs', async () => ((await info()).status === 'running' ? true : undefined))
  await desk.keyboard.press('Escape')
  await desk.getByText('Running', { exact: true }).first().waitFor()
})

test("coins and tokens that arrive are collected, and the token's address gets coins for its fee", async () => {
  const { org, stack } = run
  const deposit = (symbol: string, amount: string) => depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: deposits.subWalletId, symbol, amount })
  await deposit('USDX', '250')
  await waitUntil(ports, 'the token is collected', async () => (await records()).find((each) => each.symbol === 'USDX' && each.status === 2000))
  assert.ok((await records()).some((each) => each.trans_type === 11 && each.symbol === 'ETH'))
  await deposit('ETH', '2')
  await waitUntil(ports, 'the coin is collected', async () =>
    (await records()).find((each) => each.trans_type === 10 && each.symbol === 'ETH' && each.status === 2000),
  )
  await home()
  await desk.getByRole('tab', { name: 'Records' }).click()
  await desk.getByRole('row').filter({ hasText: 'USDX' }).first().waitFor()
  await lookAllOver(desk, 'collecting-records')
  await desk.getByRole('tab', { name: 'Networks' }).click()
  await desk.getByRole('row').filter({ hasText: 'Local network' }).first().waitFor()
  await lookAllOver(desk, 'collecting-networks')
})

test('what is too little stays, with the reason, and is collected if somebody says so', async () => {
  await depositFromFaucet(ports, run.stack.settings, run.org.alice, { subWalletId: deposits.subWalletId, symbol: 'USDX', amount: '3' })
  await desk.getByRole('link', { name: 'Why not collected' }).click()
  const row = desk.getByRole('row').filter({ hasText: 'USDX' })
  await row.getByText(/Below the minimum amount/).waitFor()
  await lookAllOver(desk, 'collecting-funds')
  await desk.getByRole('tab', { name: 'Deposits' }).click()
  await desk.getByRole('row').filter({ hasText: '3' }).first().waitFor()
  await lookAllOver(desk, 'collecting-deposits')
})

test('pausing stops it at once, and the log says who did', async () => {
  await home()
  await desk.getByRole('button', { name: 'Pause' }).click()
  await drawer().getByRole('button', { name: 'Pause' }).click()
  await desk.getByText('Paused', { exact: true }).first().waitFor()
  await desk.getByRole('link', { name: 'Log', exact: true }).click()
  await desk.getByText('Paused collection').waitFor()
  await desk.getByText('Treasury / Main', { exact: true }).first().waitFor()
  await lookAllOver(desk, 'collecting-log')
})

test('members are told by e-mail if they want to be', async () => {
  await home()
  await desk.getByRole('link', { name: 'Notifications', exact: true }).click()
  await desk.getByText('Nobody is notified').waitFor()
  await desk.getByRole('button', { name: /^Member/ }).click()
  await option(/Bruno/).click()
  await desk.getByRole('button', { name: 'Add', exact: true }).click()
  await desk.getByRole('row').filter({ hasText: 'Bruno' }).waitFor()
  await lookAllOver(desk, 'collecting-notices')
})

test('in Chinese, the pages say the same', async () => {
  await home()
  await desk.getByRole('button', { name: '中文' }).click()
  await desk.getByText('已暂停').first().waitFor()
  await lookAtWords(desk, 'collecting-zh')
  await desk.getByRole('link', { name: '未归集原因' }).click()
  await desk.getByText('归集已暂停').first().waitFor()
  await lookAtWords(desk, 'collecting-funds-zh')
})

test('in Chinese, it is set up from nothing to the first collection', async () => {
  const { org, stack } = run
  const clients = await makeWallet(ports, org.alice, '客户充值')
  await proveRecovery(ports, stack.settings, org.alice, clients.walletId)
  await home()
  await desk.locator('.hf-wallet-switcher').click()
  await option('客户充值').click()
  await desk.getByText('未运行').waitFor()
  await lookAtWords(desk, 'collecting-none-zh')
  await desk.getByRole('button', { name: '设置钱包' }).click()
  const places = drawer().getByRole('group')
  for (const [place, wallet] of [
    [0, 'Treasury'],
    [1, 'Wallet Collect'],
  ] as const) {
    await places.nth(place).getByRole('button', { name: /^钱包/ }).click()
    await option(wallet).click()
    await places
      .nth(place)
      .getByRole('button', { name: /^子钱包/ })
      .click()
    await option(/.*/).click()
  }
  await drawer().getByRole('button', { name: '保存' }).click()
  await desk
    .getByText(/^Treasury \/ [^收]*$/)
    .first()
    .waitFor()
  await desk.getByRole('link', { name: '添加币种' }).click()
  await desk.getByRole('heading', { name: '币种归集规则' }).waitFor()
  await desk.getByRole('button', { name: /^币种/ }).click()
  await option(/ETH.*Local network$/).click()
  await desk.getByLabel('起归金额', { exact: true }).fill('0.5')
  await desk.getByLabel('手续费上限', { exact: true }).fill('0.01')
  await lookAtWords(desk, 'collecting-rule-zh')
  await desk.getByRole('button', { name: '保存' }).click()
  await desk.getByRole('row').filter({ hasText: 'ETH' }).waitFor()
  await desk.getByRole('button', { name: '提交审批' }).click()
  await drawer().getByRole('button', { name: '运行', exact: true }).click()
  const pending = await waitUntil(ports, 'it to be asked for', async () => {
    const asked = (await info(clients)).pending
    return asked.length > 0 ? asked : undefined
  })
  for (const { approval_url: url } of pending) {
    for (const member of [org.bruno, org.chiara]) await member.decide(hashIn(url), 'approve')
  }
  await waitUntil(ports, 'collection runs', async () => ((await info(clients)).status === 'running' ? true : undefined))
  await depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: clients.subWalletId, symbol: 'ETH', amount: '2' })
  await waitUntil(ports, 'the coin is collected', async () => (await records(clients)).find(({ trans_type: type, status }) => type === 10 && status === 2000))
  await home()
  await desk.getByText('运行中', { exact: true }).first().waitFor()
  await desk.getByRole('tab', { name: '归集记录' }).click()
  await desk.getByRole('row').filter({ hasText: 'ETH' }).first().waitFor()
  await lookAtWords(desk, 'collecting-records-zh')
})

test('by delegation, addresses sign once and never need a coin, from the choice of the way to the first sweep and its end', async () => {
  const { org, stack } = run
  const vault = await makeWallet(ports, org.alice, 'Vault')
  const shop = await makeWallet(ports, org.alice, 'Shop')
  for (const each of [vault, shop]) await proveRecovery(ports, stack.settings, org.alice, each.walletId)
  desk = await run.open(org.alice, '/mpc/center/collection')
  // Each member keeps the language of the steps before.
  const english = desk.getByRole('button', { name: 'English', exact: true })
  await english.or(desk.getByRole('button', { name: '中文', exact: true })).waitFor()
  if (await english.isVisible()) await english.click()
  await desk.locator('.hf-wallet-switcher').click()
  await option('Shop').click()
  await desk.getByText('No sweeping contract yet').waitFor()
  await desk.getByRole('link', { name: 'New sweeping contract' }).click()
  await desk.getByLabel('Name').fill('Shop sweep')
  await desk.getByRole('button', { name: /^Network/ }).click()
  await option('Local network').click()
  await desk.getByText(/it needs coins for that/).waitFor()
  await desk.getByLabel('How it accesses tokens').selectOption('delegation')
  await desk.getByText('This covers everything that an address holds').waitFor()
  const places = desk.getByRole('group')
  for (const [place, wallet] of [
    [0, 'Vault'],
    [1, 'Wallet Collect'],
  ] as const) {
    await places
      .nth(place)
      .getByRole('button', { name: /^Wallet/ })
      .click()
    await option(wallet).click()
    await places
      .nth(place)
      .getByRole('button', { name: /^Sub-wallet/ })
      .click()
    await option(/.*/).click()
  }
  await desk.getByLabel(/^Maximum fee per transaction/).fill('0.05')
  await lookAllOver(desk, 'delegation-form')
  await desk.getByRole('button', { name: '中文' }).click()
  await desk.getByText('地址签署的是整个账户').waitFor()
  await lookAtWords(desk, 'delegation-form-zh')
  await desk.getByRole('button', { name: 'English' }).click()
  await desk.getByRole('button', { name: 'Save' }).click()
  await desk.getByRole('row').filter({ hasText: 'USDX' }).click()
  await drawer().getByLabel('Threshold').fill('10')
  await drawer().getByLabel('At most', { exact: true }).fill('1000')
  await lookAllOver(desk, 'delegation-token')
  await drawer().getByRole('button', { name: 'Save' }).click()
  await desk.getByRole('link', { name: 'Shop sweep' }).click()
  await desk.getByRole('button', { name: 'Request approval' }).click()
  await lookAllOver(desk, 'delegation-publish')
  await drawer().getByRole('button', { name: 'Request approval' }).click()
  const of = { wallet_id: shop.walletId, page_no: 1, page_size: 20 }
  const collector = async () => at((await org.alice.client.call(listCollectors, of)).list, 0)
  const { pending, id } = await waitUntil(ports, 'it to be asked for', async () => {
    const found = await collector()
    return found.pending.length > 0 ? found : undefined
  })
  assert.deepEqual(
    pending.map(({ kind }) => kind),
    ['take', 'authorize'],
  )
  for (const { approval_url: url } of pending) {
    for (const member of [org.bruno, org.chiara]) await member.decide(hashIn(url), 'approve')
  }
  await waitUntil(ports, 'the sweeper stands', async () => ((await collector()).status === 'running' ? true : undefined))
  const addresses = async () => (await org.alice.client.call(listAllowing, { id, page_no: 1, page_size: 20 })).list
  await depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: shop.subWalletId, symbol: 'USDX', amount: '250' })
  const sweeps = async () => (await org.alice.client.call(listRuns, of)).list.filter(({ status }) => status === 2000)
  const [first] = await waitUntil(ports, 'the first sweep', async () => ((await sweeps()).length > 0 ? sweeps() : undefined))
  assert.deepEqual([first?.amount, first?.from_count], ['250', 1])
  await desk.getByRole('link', { name: 'Delegations' }).click()
  await waitUntil(ports, 'the address to be known to delegate', async () => ((await addresses())[0]?.auth_status === 'delegated' ? true : undefined))
  await desk.getByRole('row').filter({ hasText: 'Delegates to it' }).waitFor()
  await lookAllOver(desk, 'delegation-addresses')
  await desk.getByRole('button', { name: '中文' }).click()
  await desk.getByRole('row').filter({ hasText: '已委托' }).waitFor()
  await lookAtWords(desk, 'delegation-addresses-zh')
  await desk.getByRole('link', { name: 'Shop sweep' }).click()
  await desk.getByText('账户委托（EIP-7702）').waitFor()
  await lookAtWords(desk, 'delegation-detail-zh')
  await desk.getByRole('button', { name: 'English' }).click()
  await desk.getByText('Delegation (EIP-7702)').waitFor()
  await lookAllOver(desk, 'delegation-detail')
  await desk.getByRole('button', { name: 'Pause and end it' }).click()
  await lookAtWords(desk, 'delegation-end')
  await drawer().getByRole('button', { name: 'Pause and end it' }).click()
  await waitUntil(ports, 'the address to delegate to nobody', async () => ((await addresses()).length === 0 ? true : undefined))
})
