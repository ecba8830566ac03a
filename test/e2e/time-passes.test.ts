import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { getPolicy } from '@holdfast/features/policy/contract'
import { listStandingOrders } from '@holdfast/features/standing-order/contract'
import { getWithdrawal, listTransactions } from '@holdfast/features/transaction/contract'
import { cancelWithdrawal } from '@holdfast/features/transfer/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Browser, Page } from 'playwright-core'
import { depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { makeWallet } from '../../apps/launcher/src/make-wallet.ts'
import { orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { proveRecovery } from '../../apps/launcher/src/prove-recovery.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { launchChromium } from '../../apps/signer/page/testing/chromium.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { localChain } from '../processes/testing/local-chain.ts'
import { startTestStack, type TestStack } from '../processes/testing/start-test-stack.ts'
import { passTime, setClock } from '../processes/testing/test-clock.ts'
import { lookAt, picture } from './browser.ts'
import { followClock } from './people/browser-clock.ts'
import { type Founders, foundWithLimit } from './people/found-with-limit.ts'
import { signInBrowser } from './people/sign-in-browser.ts'
import { lookAllOver, review, sendForApproval, story } from './story.ts'

/*
 * An organisation from its founding by a template on, through what takes days: its rules are loosened, an address cools down on the whitelist and is then paid
 * by the signature of the one who asks, and of two large payments that wait a day one is stopped. All programs go by the test's clock.
 */

const ETH = 10n ** 18n
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const APPROVED = 1100
const REJECTED = 2100

/** Addresses that nobody has ever paid. */
const [CLERK, SUPPLIER, YARD, SWINDLER] = [freshAddress(), freshAddress(), freshAddress(), freshAddress()]

let stack: TestStack
let browser: Browser
let people: Founders
/** Alice's console. */
let desk: Page
let subWalletId: string
const faults: string[] = []

before(async () => {
  setClock(Date.now())
  stack = await startTestStack({ hasConsole: true })
  browser = await launchChromium()
})
after(async () => {
  await browser?.close()
  await stack?.dispose()
})

const test = story(async (cause) => {
  if (people)
    for (const [name, page] of Object.entries({ desk, alice: people.aliceAt.page, chiara: people.chiaraAt.page })) await picture(page, `time-failed-${name}`)
  throw new Error(['what the browsers complained of so far:', ...faults].join('\n'), { cause })
})
const main = () => desk.getByRole('main')
const drawer = () => desk.getByRole('dialog').last()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const go = (path: string) => desk.goto(`${stack.settings.consoleOrigin}/mpc/${path}`)
const hashIn = (href: string) => /[0-9a-f]{64}/.exec(href)![0]
const balanceOf = (address: string) => localChain(stack.settings).balanceOf(address)
const statusOf = async (id: string) => (await people.alice.client.call(getWithdrawal, { id })).status

/** Bruno and Dora approve, at their terminals. */
async function bothApprove(hash: string): Promise<void> {
  for (const member of [people.bruno, people.dora]) await member.decide(hash, 'approve')
}

/** Lets time pass for everybody. A session does not outlive it. */
async function wait(ms: number): Promise<void> {
  passTime(ms)
  const { alice, bruno, chiara, dora, aliceAt, chiaraAt } = people
  await followClock([aliceAt.context, chiaraAt.context])
  for (const member of [alice, bruno, chiara, dora]) await member.signIn()
  await signInBrowser(aliceAt.context, alice, stack.settings.consoleOrigin)
}

/** A look at Alice's console as it stands. */
async function lookAtDesk(name: string): Promise<void> {
  await lookAllOver(desk, name)
}

/** The newest order that pays to an address. */
async function orderOf(to: string) {
  const { list } = await people.alice.client.call(listTransactions, { type: 'withdraw' })
  return list.find((each) => each.address_to === to)!
}

/** Fills in a payment of ETH at the console, until what the policy says of it is there. */
async function fillIn(to: string, amount: string): Promise<void> {
  await go('center/wallet')
  await button(desk, 'Withdraw ETH on Local network').click()
  await drawer().getByLabel('Destination').fill(to)
  await drawer().getByLabel('Amount', { exact: true }).fill(amount)
}

test('an organisation is founded with a limit that its founder chose in the form', async () => {
  people = await foundWithLimit(browser, stack.settings, faults, { each: '1', day: '2', large: '5' })
  const { alice, aliceAt } = people
  const made = await makeWallet(ports, alice, 'Treasury')
  subWalletId = made.subWalletId
  await proveRecovery(ports, stack.settings, alice, made.walletId)
  await depositFromFaucet(ports, stack.settings, alice, { subWalletId, symbol: 'ETH', amount: '20' })
  await depositFromFaucet(ports, stack.settings, alice, { subWalletId, symbol: 'USDX', amount: '5' })
  await signInBrowser(aliceAt.context, alice, stack.settings.consoleOrigin)
  desk = await aliceAt.context.newPage()
})

test('a payment within the limit needs one approver, one above it two, and everything else is refused', async () => {
  await fillIn(CLERK, '1')
  await drawer().getByText('Needs 1 of these 3 people, not you').waitFor()
  await review(desk)
  const small = hashIn(await sendForApproval(desk))
  await drawer().getByRole('button', { name: 'View the order' }).click()
  await people.bruno.decide(small, 'approve')
  await drawer().getByText('Completed').first().waitFor()
  assert.equal(await balanceOf(CLERK), ETH)

  await fillIn(CLERK, '3')
  await drawer().getByText('Needs 2 of these 3 people, not you').waitFor()
  const large = await orderPayment(ports, people.alice, { subWalletId, symbol: 'ETH', amount: '3', to: CLERK })
  await people.bruno.decide(large.hash, 'approve')
  assert.notEqual(await statusOf(large.id), APPROVED, 'one of two')
  await people.dora.decide(large.hash, 'approve')
  await waitUntilPaid(ports, people.alice, large)

  await drawer().getByLabel('Amount', { exact: true }).fill('5.1')
  await drawer().getByText('No rule of the policy covers this order as it is').waitFor()
  assert.ok(await drawer().getByRole('button', { name: 'Review' }).isDisabled())
  await assert.rejects(
    orderPayment(ports, people.alice, { subWalletId, symbol: 'USDX', amount: '1', to: CLERK }),
    /No rule of the policy covers|does not name this asset/,
  )
})

const press = (name: string) => main().getByRole('button', { name, exact: true }).click()

/** The rule that lets through, within a limit, what is paid to the whitelist. */
async function makeRuleThatPasses(): Promise<void> {
  await press('New rule')
  await main().getByLabel('Name', { exact: true }).fill('Known suppliers')
  await press('+ Where to')
  await press('+ Add a limit')
  await main().getByLabel('Maximum number of orders').fill('10')
  await press('Add an amount')
  await desk.getByRole('option', { name: /^ETH · Local network/ }).click()
  await main().getByLabel('Maximum ETH on Local network').fill('2')
  await main().getByLabel('Pass without approval').check()
  await press('Add a network')
  await desk.getByRole('option', { name: /^Local network/ }).click()
  await main().getByLabel('Maximum fee on Local network').fill('0.01')
  await main().getByText('Passes without approval').first().waitFor()
  await lookAtDesk('time-rule-passes')
  await press('Save to draft')
}

/** Large payments wait a day after the last approval, and Chiara can do nothing about them but stop them. */
async function haveLargeOnesWait(): Promise<void> {
  await press('Edit Large payments')
  await main().getByRole('group', { name: 'Approvers of step 1' }).getByRole('button', { name: 'Remove Chiara Rossi' }).click()
  await main().getByText('Delay, expiry and who can stop it').click()
  await main().getByLabel('Wait after the last approval', { exact: true }).fill('24')
  await main().getByRole('group', { name: 'Who can stop it, besides the approvers' }).getByRole('button', { name: 'Add people' }).click()
  await desk.getByRole('option', { name: 'Chiara Rossi' }).click()
  await main().getByText('signed 24 hours after the last approval').or(main().getByText('signed 1 day after the last approval')).first().waitFor()
  await lookAtDesk('time-rule-waits')
  await press('Save to draft')
}

test('a change that loosens the rules is approved, and waits a day at the signers, where a no would still stop it', async () => {
  await go('strategyEngine')
  await makeRuleThatPasses()
  // A new rule comes last, where one of the others would decide before it.
  for (const no of [2, 1]) {
    await press('Move Known suppliers up')
    await main().getByText(`Now number ${no} of 3`).waitFor()
  }
  await haveLargeOnesWait()
  await main().getByText('2 changes, not proposed yet').waitFor()
  await press('Review and propose')
  await drawer().getByText('Who must approve it').waitFor()
  await lookAtDesk('time-change')
  await drawer().getByRole('button', { name: 'Propose', exact: true }).click()
  await drawer().getByText('Waiting for approval.').waitFor()
  const href = await drawer().getByRole('link').first().getAttribute('href')
  await drawer().getByRole('button', { name: 'Done' }).click()
  await bothApprove(hashIn(href!))
  await main().getByText('Approved, in its waiting period').first().waitFor()
  await lookAtDesk('time-change-waits')
  await wait(23 * HOUR_MS)
  assert.equal((await people.alice.client.call(getPolicy, {})).version, 1)
  await wait(HOUR_MS + MINUTE_MS)
  await waitUntil(ports, 'the rules to be in force', async () => ((await people.alice.client.call(getPolicy, {})).version === 2 ? true : undefined))
  await go('strategyEngine')
  await main().getByRole('link', { name: 'Known suppliers' }).waitFor()
})

test('an address on the whitelist is not paid by the asker alone while it cools down', async () => {
  await go('addressBook')
  await main().getByRole('button', { name: 'Add entry' }).first().click()
  await drawer().getByLabel('Name', { exact: true }).fill('Ropemaker')
  await drawer().getByLabel('Address', { exact: true }).fill(SUPPLIER)
  await drawer().getByRole('button', { name: 'Add entry' }).click()
  await drawer().getByText('Approval requested').waitFor()
  const href = await drawer().getByRole('link').first().getAttribute('href')
  await bothApprove(hashIn(href!))
  await drawer().getByRole('button', { name: 'Close' }).last().click()
  await main().getByText('Waiting period').waitFor()

  await fillIn(SUPPLIER, '0.5')
  await drawer().getByText('Needs 1 of these 3 people, not you').waitFor()
  await review(desk)
  const link = await sendForApproval(desk)
  const { page } = people.aliceAt
  await page.goto(link)
  await page.getByText('On the whitelist, in its waiting period until').first().waitFor()
  await page.getByText('requested this, cannot approve').last().waitFor()
  assert.equal(await button(page, 'Approve as Alice Chen').count(), 0)
  await lookAt(page, 'time-cooling-order')
  const { id } = await orderOf(SUPPLIER)
  await people.alice.client.call(cancelWithdrawal, { withdraw_id: id, remark: 'Too early' })
  assert.equal(await balanceOf(SUPPLIER), 0n)
})

test('once it has cooled down the signature of the asker is enough, and the payment is on the chain', async () => {
  await wait(24 * HOUR_MS + MINUTE_MS)
  await fillIn(SUPPLIER, '0.5')
  await drawer().getByText('Passes by your own signature on the approval page').waitFor()
  await review(desk)
  await lookAtDesk('time-pass-review')
  const link = await sendForApproval(desk)
  await drawer().getByRole('button', { name: 'View the order' }).click()
  const { page } = people.aliceAt
  await page.goto(link)
  await page.getByText("The requester's signature is enough.").waitFor()
  await page.getByText('On the whitelist since').first().waitFor()
  await lookAt(page, 'time-pass-order')
  await button(page, 'Approve as Alice Chen').click()
  await page.getByText('All approvals given.').waitFor()
  await drawer().getByText('Completed').first().waitFor()
  await lookAtDesk('time-pass-paid')
  assert.equal(await balanceOf(SUPPLIER), ETH / 2n)
})

test('somebody is named who decides for whoever is away: the policy says who may, she signs it on the approval page, and one word counts for her', async () => {
  await go('workspaceStrategyEngine')
  await button(desk, /Delegates for absent approvers/).click()
  await drawer().getByRole('button', { name: 'Add people' }).click()
  await desk.getByRole('option', { name: 'Chiara Rossi' }).click()
  await drawer().getByRole('button', { name: 'Review change' }).click()
  await drawer().getByText('Who must approve it').waitFor()
  await lookAtDesk('time-deputies')
  await drawer().getByRole('button', { name: 'Propose', exact: true }).click()
  await drawer().getByText('Waiting for approval.').waitFor()
  const href = await drawer().getByRole('link').first().getAttribute('href')
  await drawer().getByRole('button', { name: 'Done' }).click()
  await bothApprove(hashIn(href!))
  await main().getByText('Approved, in its waiting period').first().waitFor()
  await wait(24 * HOUR_MS + MINUTE_MS)
  await waitUntil(ports, 'the deputies to be in force', async () => ((await people.alice.client.call(getPolicy, {})).version === 3 ? true : undefined))

  await go('settings?tab=profile')
  await button(desk, 'Choose a delegate').click()
  await drawer().getByLabel('Decides on your behalf').selectOption({ label: 'Chiara Rossi' })
  const first = await drawer().getByLabel('First day').inputValue()
  await drawer()
    .getByLabel('Last day')
    .fill(new Date(Date.parse(first) + 48 * HOUR_MS).toISOString().slice(0, 10))
  await lookAtDesk('time-delegate')
  const link = await drawer().getByRole('link', { name: 'Review and sign' }).getAttribute('href')
  await drawer().getByRole('button', { name: 'Cancel' }).click()
  const { page } = people.aliceAt
  await page.goto(link!)
  await button(page, 'Continue as Alice Chen').click()
  await page.getByRole('heading', { name: 'Let Chiara Rossi decide for Alice Chen?' }).waitFor()
  await lookAt(page, 'time-delegation')
  await button(page, 'Sign as Alice Chen').click()
  await page.getByRole('heading', { name: 'Chiara Rossi decides for Alice Chen on these days' }).waitFor()
  await desk.getByText('Chiara Rossi decides for Alice Chen').waitFor()
  await desk.getByText('signers know about it').waitFor({ state: 'detached' })
  await lookAtDesk('time-delegated')
})

/** Chiara opens an order on her approval page, in Chinese. */
async function openAtChiara(hash: string): Promise<Page> {
  const { page } = people.chiaraAt
  await page.goto(`${stack.settings.approvalOrigin}/#/order/${hash}`)
  await button(page, '以 Chiara Rossi 的名义批准').waitFor()
  return page
}

test('she decides in the place of the other, once, which the record says; and no more as soon as the other has ended it', async () => {
  const { bruno, aliceAt } = people
  const had = await balanceOf(CLERK)
  const order = await orderPayment(ports, bruno, { subWalletId, symbol: 'ETH', amount: '0.4', to: CLERK })
  const chiara = await openAtChiara(order.hash)
  await lookAt(chiara, 'time-for-another')
  await button(chiara, '以 Chiara Rossi 的身份代 Alice Chen 批准').click()
  await chiara.getByText('Chiara Rossi（代 Alice Chen）', { exact: false }).first().waitFor()
  await waitUntilPaid(ports, bruno, order)
  assert.equal(await balanceOf(CLERK), had + (ETH * 2n) / 5n)
  await go(`center/wallet/transactions?order=${order.id}`)
  await drawer().getByText('by Chiara Rossi').first().waitFor()
  await lookAtDesk('time-decided-for-another')

  await go('settings?tab=profile')
  const end = await desk.getByRole('link', { name: 'End delegation' }).getAttribute('href')
  await aliceAt.page.goto(end!)
  await button(aliceAt.page, 'End delegation as Alice Chen').click()
  await button(aliceAt.page, 'Sign as Alice Chen').click()
  await aliceAt.page.getByRole('heading', { name: 'Nobody decides for Alice Chen any more' }).waitFor()
  const next = await orderPayment(ports, bruno, { subWalletId, symbol: 'ETH', amount: '0.3', to: CLERK })
  assert.equal(await button(await openAtChiara(next.hash), '以 Chiara Rossi 的身份代 Alice Chen 批准').count(), 0)
  await bruno.client.call(cancelWithdrawal, { withdraw_id: next.id, remark: 'Not needed' })
})

test('of two large payments that wait after their approvals one is stopped by who may stop it, in Chinese, and the other is paid', async () => {
  await go('center/wallet')
  await button(desk, '中文').click()
  const { alice, chiaraAt } = people
  const pay = (to: string, amount: string) => orderPayment(ports, alice, { subWalletId, symbol: 'ETH', amount, to })
  const honest = await pay(YARD, '3')
  const swindle = await pay(SWINDLER, '4')
  for (const { hash } of [honest, swindle]) await bothApprove(hash)
  await go(`center/wallet/transactions?order=${swindle.id}`)
  await drawer().getByText('此前可在审批页叫停').waitFor()
  await drawer().getByText('若无人叫停，将签署：').waitFor()
  await lookAtDesk('time-waits')
  await wait(20 * HOUR_MS)
  for (const { id } of [honest, swindle]) assert.equal(await statusOf(id), APPROVED)
  const { page } = chiaraAt
  await page.goto(`${stack.settings.approvalOrigin}/#/order/${swindle.hash}`)
  await page.getByText('审批已齐，正在等待期内。签署之前可拒绝以叫停。').waitFor()
  await page.getByText(/审批已齐。本签名方自 .+ 起签署，此前可拒绝以叫停。/).waitFor()
  await lookAt(page, 'time-stop-order')
  assert.equal(await page.getByRole('button', { name: /批准/ }).count(), 0)
  await button(page, '以 Chiara Rossi 的名义拒绝').click()
  await page.getByLabel('拒绝的原因（选填）').fill('这不是我们的供应商')
  await button(page, '以 Chiara Rossi 的名义拒绝').click()
  await page.getByText('已以 Chiara Rossi 的名义拒绝').first().waitFor()
  await wait(5 * HOUR_MS)
  await waitUntilPaid(ports, alice, honest)
  assert.equal(await balanceOf(YARD), 3n * ETH)
  assert.equal(await statusOf(swindle.id), REJECTED)
  assert.equal(await balanceOf(SWINDLER), 0n)
  await go(`center/wallet/transactions?order=${swindle.id}`)
  await drawer().getByText('审批拒绝').first().waitFor()
  await drawer().getByText('这不是我们的供应商').first().waitFor()
  await lookAtDesk('time-stopped')
})

test('a standing order moves what arrives to that address on the whitelist, and nobody is asked again', async () => {
  const { alice } = people
  const shop = await makeWallet(ports, alice, 'Shop')
  await proveRecovery(ports, stack.settings, alice, shop.walletId)
  const had = await balanceOf(SUPPLIER)
  await go('standingOrders')
  await button(desk, '申请长期授权').click()
  await drawer().getByLabel('名称', { exact: true }).fill('Rope money')
  await drawer().getByText('选择钱包').click()
  await drawer().getByLabel('Shop').check()
  await desk.keyboard.press('Escape')
  await drawer().getByRole('button', { name: /^币种/ }).click()
  await desk
    .getByRole('listbox')
    .getByRole('option', { name: /ETH.*Local network$/ })
    .click()
  await drawer().getByLabel('起归金额').fill('0.5')
  await drawer().getByLabel('单笔上限', { exact: true }).fill('5')
  await drawer().getByLabel('Local network 单笔上限（ETH）').fill('0.01')
  await drawer().getByLabel('转入目标').selectOption('listed')
  await drawer().getByText('选择地址').click()
  await drawer().getByLabel('Ropemaker · Local network').check()
  await desk.keyboard.press('Escape')
  await lookAtDesk('time-standing-listed')
  await button(desk, '提交审批').click()
  await drawer().getByText('正在等待审批').waitFor()
  const href = await drawer().getByRole('link').first().getAttribute('href')
  await bothApprove(hashIn(href!))
  await waitUntil(ports, 'the signers to follow it', async () => (await alice.client.call(listStandingOrders, {})).list[0])
  await depositFromFaucet(ports, stack.settings, alice, { subWalletId: shop.subWalletId, symbol: 'ETH', amount: '2' })
  await waitUntil(ports, 'the address on the whitelist to be paid', async () => ((await balanceOf(SUPPLIER)) > had + ETH ? true : undefined))
  await go('standingOrders')
  await main().getByText('Rope money').first().waitFor()
  await lookAtDesk('time-standing-moved')
})

test('no page had a fault of its own', () => {
  assert.deepEqual(faults, [])
})
