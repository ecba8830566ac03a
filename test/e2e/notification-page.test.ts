import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { openTestEndpoint, type TestEndpoint } from '../../features/notification/server/testing/test-endpoint.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { hookPort } from '../processes/testing/start-test-stack.ts'
import { picture, seriousFaults } from './browser.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'

const PATH = '/mpc/transactionNotification'
const HOSTILE = '<img src=x onerror="alert(1)">\u202egnp.exe'

let endpoint: TestEndpoint
let product: FundedConsole
let page: Page

before(async () => {
  product = await startFundedConsole()
  endpoint = await openTestEndpoint(hookPort(product.stack.settings))
  page = await product.open(product.org.alice, PATH)
})
after(async () => {
  await product?.close()
  await endpoint?.close()
})

const button = (name: string | RegExp) => page.getByRole('button', { name })

test('a webhook endpoint is added, and an address inside the network is refused in words', async () => {
  await page.getByText('No webhook endpoint yet').waitFor()
  await picture(page, 'notification-empty')
  await button('Add a webhook endpoint').first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('textbox', { name: 'Address' }).fill('https://169.254.169.254/latest/meta-data')
  await picture(page, 'notification-form')
  assert.deepEqual(await seriousFaults(page), [])
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('checkbox', { name: 'I know who runs this address' }).check()
  await picture(page, 'notification-confirm')
  await page.getByRole('button', { name: 'Save' }).last().click()
  await page.getByText('it leads to an address that is not public').waitFor()
  await page.getByText('I know who runs this address').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.querySelectorAll('[role=dialog]').length === 1)
  assert.equal(await drawer.getByRole('textbox', { name: 'Address' }).inputValue(), 'https://169.254.169.254/latest/meta-data')
  await drawer.getByRole('textbox', { name: 'Address' }).fill(endpoint.url)
  await drawer.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('checkbox', { name: 'I know who runs this address' }).check()
  await page.getByRole('button', { name: 'Save' }).last().click()
  await page.getByText('Webhook endpoint saved').waitFor()
  await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
})

test('a test event reaches it, and the page shows what was sent and what came back (spec 2.23)', async () => {
  await page.getByRole('tab', { name: 'Endpoints and key' }).click()
  await page.getByText('BEGIN PUBLIC KEY').first().waitFor()
  await button('Send a test event').click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('Delivered').waitFor()
  await drawer.getByText('"event": "test"').waitFor()
  await drawer.getByText('SUCCESS').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'notification-test')
  assert.equal(endpoint.received.length, 1)
  await drawer.getByRole('button', { name: 'Close' }).last().click()
})

test('a payment is told state by state in order, though the endpoint fails first with a hostile answer that is shown inert', async () => {
  const { alice, bruno, chiara, subWalletId } = product.org
  let isBroken = true
  endpoint.answerWith(() => (isBroken ? { status: 500, body: HOSTILE } : {}))
  const paid = await orderPayment(ports, alice, { subWalletId, symbol: 'ETH', amount: '0.1', to: freshAddress() })
  await page.goto(`${product.stack.settings.consoleOrigin}${PATH}`)
  await page.getByText('Retrying').first().waitFor()
  await page.getByRole('button', { name: /withdraw\.approving/ }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('<img src=x onerror="alert(1)">', { exact: false }).first().waitFor()
  assert.equal(await drawer.locator('img').count(), 0)
  await picture(page, 'notification-failing')
  await drawer.getByRole('button', { name: 'Close' }).last().click()
  isBroken = false
  for (const member of [bruno, chiara]) await member.decide(paid.hash, 'approve')
  await waitUntilPaid(ports, alice, paid)
  const ofOrder = () => endpoint.received.filter(({ body }) => body.id === paid.id)
  while (!ofOrder().some(({ body }) => body.event === 'withdraw.completed')) await ports.timer.sleep(50)
  const seqs = ofOrder().map(({ body }) => body.seq)
  assert.deepEqual(
    seqs,
    seqs.toSorted((a, b) => a - b),
  )
  assert.deepEqual(
    [...new Set(seqs)],
    Array.from({ length: Math.max(...seqs) }, (_, i) => i + 1),
  )
  await page.getByRole('button', { name: /withdraw\.completed/ }).waitFor()
  await page.getByRole('searchbox').fill(paid.id)
  await page.waitForURL(/q=/)
  await page
    .getByRole('row', { name: /withdraw\.approving/ })
    .getByText('Delivered')
    .waitFor()
  await page.goto(`${product.stack.settings.consoleOrigin}${PATH}?view=receivers`)
  await button('Pause').click()
  await button('Resume').waitFor()
})

test('no page had a console error or a violation of its content security policy', () => {
  assert.deepEqual(product.watched.faults, [])
})
