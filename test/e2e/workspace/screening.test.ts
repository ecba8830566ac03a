import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before } from 'node:test'
import { listMachines } from '@holdfast/features/api-key/contract'
import { getWithdrawal } from '@holdfast/features/transaction/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { orderPayment } from '../../../apps/launcher/src/order-payment.ts'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
// @ts-expect-error -- the example is plain JavaScript, as integrators have it
import { readList, screenOnce } from '../../../docs/examples/screen-payments.mjs'
import { picture } from '../browser.ts'
import { type FundedConsole, startFundedConsole } from '../funded-console.ts'
import { lookAllOver, lookAtWords, story } from '../story.ts'

/* A screener is added, a rule demands its word, and a payment waits for it and is signed with it: by the program of docs/examples. */

const SUPPLIER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PAID = 2000

let run: FundedConsole
let desk: Page
const { privateKey, publicKey } = generateKeyPairSync('ed25519')

before(async () => {
  run = await startFundedConsole({ mark: 'Screened' })
  desk = await run.open(run.org.alice, '/mpc/center/wallet/api')
})
after(() => run?.close())

const test = story(async (cause) => {
  await picture(desk, 'screening-failed')
  throw cause
})
const main = () => desk.getByRole('main')
const drawer = () => desk.getByRole('dialog').last()
const press = (name: string) => main().getByRole('button', { name, exact: true }).click()
const go = (path: string) => desk.goto(new URL(`/mpc/${path}`, desk.url()).href)
const hashIn = (href: string) => /[0-9a-f]{64}/.exec(href)![0]
const approve = async (href: string) => {
  for (const member of [run.org.bruno, run.org.chiara]) await member.decide(hashIn(href), 'approve')
}
const screener = async () => (await run.org.alice.client.call(listMachines, {})).list.find(({ kind }) => kind === 'screener')!
const speak = (value: 'zh_CN' | 'en_US') => desk.context().addCookies([{ name: 'lan', value, url: run.stack.settings.consoleOrigin }])
const lookInChinese = async (name: string) => {
  await speak('zh_CN')
  await desk.reload()
  await desk.getByText(/筛查/).first().waitFor()
  await lookAtWords(desk, `${name}-zh`)
  await speak('en_US')
  await desk.reload()
}

test('a screener is added with a key of its own, and is on once people approved it', async () => {
  await main().getByRole('link', { name: 'Add a screener' }).click()
  await main().getByLabel('Name', { exact: true }).fill('List desk')
  await main().getByLabel('Purpose', { exact: true }).fill('Compares recipients with our deny list')
  await main()
    .getByLabel('Public key', { exact: true })
    .fill(publicKey.export({ type: 'spki', format: 'pem' }).toString())
  await main().getByLabel('Source addresses').fill('127.0.0.1\n::1')
  assert.ok(await main().getByLabel('Report screening results').isChecked())
  await lookAllOver(desk, 'screener-add')
  await press('Propose')
  await main().getByText('Proposed', { exact: true }).waitFor()
  await approve((await main().getByRole('link', { name: 'Open the approval page' }).getAttribute('href'))!)
  await main().getByRole('link', { name: 'Back to API keys' }).click()
  await waitUntil(ports, 'the screener is in the policy', async () => ((await screener())?.status === 'on' ? true : undefined))
  await main().getByText('On', { exact: true }).waitFor()
  await lookAllOver(desk, 'screener-on')
})

test('a rule demands its word, of a level and an age, and says what is missing at its field', async () => {
  await go('strategyEngine')
  await press('New rule')
  await main().getByLabel('Name', { exact: true }).fill('Screened payments')
  await press('+ What screeners say')
  await press('Save to draft')
  await main().getByText('Name at least one screener.').first().waitFor()
  await main().getByRole('button', { name: 'Add a screener' }).click()
  await desk.getByRole('option', { name: 'List desk' }).click()
  await main().getByRole('group', { name: 'Step 1', exact: true }).getByRole('button', { name: 'Add people' }).click()
  await desk.getByRole('option', { name: 'Bruno' }).click()
  await main().getByText('screened as low risk by List desk').first().waitFor()
  await lookAllOver(desk, 'screening-rule')
  await lookInChinese('screening-rule')
  await press('Save to draft')
  await press('Review and propose')
  await drawer().getByText('Who must approve it').waitFor()
  await drawer().getByRole('button', { name: 'Propose', exact: true }).click()
  await drawer().getByText('Waiting for approval.').waitFor()
  const href = (await drawer().getByRole('link').first().getAttribute('href'))!
  await drawer().getByRole('button', { name: 'Done' }).click()
  await approve(href)
  await main().getByRole('link', { name: 'Screened payments' }).waitFor()
})

test('a payment waits for the screener, who is named at the order and at the approval page, and is signed with its word', async () => {
  const { alice, bruno, subWalletId } = run.org
  const order = await orderPayment(ports, alice, { subWalletId, symbol: 'ETH', amount: '0.5', to: SUPPLIER })
  const info = () => alice.client.call(getWithdrawal, { id: order.id })
  const approving = await desk.context().newPage()
  await approving.goto((await info()).approval_url)
  await approving.getByText('Waiting for screening by List desk.').waitFor()
  await lookAllOver(approving, 'screening-approval-waits')
  await bruno.decide(order.hash, 'approve')
  await waitUntil(ports, 'it waits for the screener', async () => ((await info()).sub_status === 'waiting_screening' ? true : undefined))
  await go(`center/wallet/transactions?wallets=all&order=${order.id}`)
  await desk.getByText('Waiting for screening by List desk').first().waitFor()
  await lookAllOver(desk, 'screening-order-waits')
  await lookInChinese('screening-order-waits')
  const settings = { origin: run.stack.settings.consoleOrigin, keyId: (await screener()).key_id!, key: privateKey }
  assert.deepEqual(await screenOnce(settings, readList('# nobody yet\n')), [{ order_id: order.id, level: 'low' }])
  assert.deepEqual(await screenOnce(settings, readList('')), [], 'it is asked once')
  await waitUntil(ports, 'the payment', async () => ((await info()).status === PAID ? true : undefined))
  await desk.getByText('Screened by List desk: low risk').first().waitFor()
  await lookAllOver(desk, 'screening-order-said')
  await approving.reload()
  await approving.getByText(/^Screened by List desk: low risk/).waitFor()
  await lookAllOver(approving, 'screening-approval-said')
  await approving.close()
})
