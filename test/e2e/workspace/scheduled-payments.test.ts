import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { getCalendar } from '@holdfast/features/calendar/contract'
import { listScheduledPayments, listStandingOrders } from '@holdfast/features/standing-order/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import { freshAddress } from '../../../features/testing/fresh-address.ts'
import { localChain } from '../../processes/testing/local-chain.ts'
import { startTestStack } from '../../processes/testing/start-test-stack.ts'
import { passTime, setClock } from '../../processes/testing/test-clock.ts'
import { picture } from '../browser.ts'
import { type FundedConsole, startFundedConsole } from '../funded-console.ts'
import { signInBrowser } from '../people/sign-in-browser.ts'
import { lookAllOver, lookAtWords, story } from '../story.ts'

/*
 * Rent is paid on dates: a schedule is asked for at the console with a date in some minutes and one on each of the next two days, approved once, and the first
 * date is paid when it comes, by signers that nobody asks. The calendar has all of it. All programs go by the test's clock.
 */

const MINUTE_MS = 60_000
const LANDLORD = freshAddress()

let run: FundedConsole
let desk: Page
let dueAtMs: number

before(async () => {
  setClock(Date.now())
  run = await startFundedConsole({ mark: 'Schedule', own: await startTestStack({ hasConsole: true }) })
})
after(() => run?.close())

const test = story(async (cause) => {
  await picture(desk, 'schedule-failed')
  throw cause
})
const go = (path: string) => desk.goto(`${run.stack.settings.consoleOrigin}/mpc/${path}`)
const view = () => run.org.alice.client.call(listStandingOrders, {})
const payments = async () => {
  const month = new Date(dueAtMs).toISOString().slice(0, 7)
  return (await run.org.alice.client.call(getCalendar, { month })).list.flatMap((entry) => (entry.kind === 'payment' ? [entry] : []))
}
const hashIn = (href: string) => /[0-9a-f]{64}/.exec(href)![0]
const choose = async (label: string | RegExp, option: string | RegExp) => {
  await desk.getByRole('button', { name: label }).click()
  await desk.getByRole('listbox').getByRole('option', { name: option }).first().click()
}

test('a member asks for payments on dates, and sees every one of them before', async () => {
  desk = await run.open(run.org.alice, '/mpc/standingOrders')
  await desk.getByRole('link', { name: 'Schedule payments' }).click()
  const field = (label: string) => desk.getByLabel(label, { exact: true })
  const ask = desk.getByRole('button', { name: 'Request approval' })
  await ask.click()
  await desk.getByText('Enter a name.').waitFor()
  await field('Name').fill('Rent')
  await choose(/^From the wallet/, 'Wallet Schedule')
  await choose(/^Sub-wallet/, /.*/)
  await choose(/^Coin/, /ETH.*Local network$/)
  await field('Pays to').fill(LANDLORD)
  await field('Amount per payment').fill('0.5')
  await field('Maximum fee per payment').fill('0.01')
  dueAtMs = Math.ceil((Date.now() + 5 * MINUTE_MS) / MINUTE_MS) * MINUTE_MS
  const due = new Date(dueAtMs).toISOString()
  await field('First date').fill(due.slice(0, 10))
  await field('Time').fill(due.slice(11, 16))
  await field('Repeats').selectOption('day')
  await field('Number of payments').fill('3')
  await desk.getByText('3 payments · 1.5 ETH in total').waitFor()
  await lookAllOver(desk, 'schedule-asked')
  await ask.click()
  await desk.getByText('It is on their to-do list', { exact: false }).waitFor()
  const { proposed } = await view()
  assert.equal(proposed.length, 1)
  for (const member of [run.org.bruno, run.org.chiara]) await member.decide(hashIn(proposed[0]!.approval_url), 'approve')
  await waitUntil(ports, 'the signers follow it', async () => (await view()).list[0])
})

test('each date stands in the calendar, and is paid when it comes, once', async () => {
  assert.ok((await payments()).every(({ state }) => state === 'planned'))
  await go('calendar')
  await desk.getByText('Planned').first().waitFor()
  await lookAllOver(desk, 'calendar-planned')
  passTime(dueAtMs - Date.now() + MINUTE_MS)
  await waitUntil(ports, 'the first date is paid', async () => (await payments()).find(({ state }) => state === 'paid'))
  assert.equal(await localChain(run.stack.settings).balanceOf(LANDLORD), 5n * 10n ** 17n)
  assert.deepEqual(
    (await payments()).filter(({ state }) => state !== 'planned').map(({ state }) => state),
    ['paid'],
  )
  await go('calendar')
  await desk.getByText('Paid', { exact: true }).first().waitFor()
  await lookAllOver(desk, 'calendar-paid')
  await go('standingOrders')
  await desk.getByRole('button', { name: 'Payments', exact: true }).click()
  await desk.getByRole('dialog').last().getByText('Paid', { exact: true }).waitFor()
  await lookAllOver(desk, 'schedule-payments')
})

test('its next version begins from the dates that are left, says what differs, and ends the one before it', async () => {
  await desk.keyboard.press('Escape')
  await desk.getByRole('link', { name: 'Request next version' }).click()
  await desk.getByRole('heading', { level: 1, name: 'Rent: next version' }).waitFor()
  await desk.getByText('2 payments · 1 ETH in total').waitFor()
  assert.equal(await desk.getByLabel('Pays to', { exact: true }).inputValue(), LANDLORD)
  await desk.getByLabel('Amount per payment', { exact: true }).fill('0.25')
  await lookAllOver(desk, 'schedule-next')
  await desk.getByRole('button', { name: 'Request approval' }).click()
  const href = await desk.getByRole('link', { name: 'Open on the approval page' }).getAttribute('href')
  const approvals = await (await run.watched.newContext()).newPage()
  await approvals.goto(href!)
  await approvals.getByText('Before: exactly 0.5 ETH each time', { exact: false }).first().waitFor()
  await picture(approvals, 'schedule-next-approval')
  await approvals.close()
  for (const member of [run.org.bruno, run.org.chiara]) await member.decide(hashIn(href!), 'approve')
  await waitUntil(ports, 'the signers follow it', async () => (await view()).list.find(({ version }) => version === 2))
  const [order, ...more] = (await view()).list
  assert.ok(order && more.length === 0)
  passTime(24 * 60 * MINUTE_MS)
  // A session does not outlive that.
  await run.org.alice.signIn()
  await signInBrowser(desk.context(), run.org.alice, run.stack.settings.consoleOrigin)
  await waitUntil(ports, 'the next date is paid', async () => {
    const { list } = await run.org.alice.client.call(listScheduledPayments, { id: order.id })
    return list.filter(({ state }) => state === 'paid').length === 2 ? true : undefined
  })
  assert.equal(await localChain(run.stack.settings).balanceOf(LANDLORD), 75n * 10n ** 16n)
})

test('on a telephone the calendar is a list, in Chinese as well', async () => {
  await go('calendar')
  await desk.setViewportSize({ width: 390, height: 844 })
  await desk.getByRole('heading', { level: 3 }).first().waitFor()
  await desk.setViewportSize({ width: 1280, height: 900 })
  await desk.getByRole('button', { name: '中文' }).click()
  await desk.getByText('已支付', { exact: true }).first().waitFor()
  await lookAtWords(desk, 'calendar-zh')
  await go('standingOrders/schedule')
  await desk.getByText('付款日期').first().waitFor()
  await lookAtWords(desk, 'schedule-zh')
})
