import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import { orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { codecFor } from '@holdfast/chain-evm/codec'
import { listTransactions, markTransactions } from '@holdfast/features/transfer/contract'
import { createSubWallet, getDepositAddress } from '@holdfast/features/wallet/contract'
import { freshAddress, localChain } from '../processes/testing/local-chain.ts'
import { picture, seriousFaults } from './browser.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'

const TRANSACTIONS = '/mpc/center/wallet/transactions'
const TODO = '/mpc/center/wallet/todo'
const LANDLORD = codecFor(LOCAL_CHAIN)!.canonicalAddress(`0x5afe${'1'.repeat(32)}c0de`)!
const PLANTED = codecFor(LOCAL_CHAIN)!.canonicalAddress(`0x5afe${'2'.repeat(32)}c0de`)!

let held: FundedConsole
/** The deposit address of a second sub-wallet. */
let payroll: string

before(async () => {
  held = await startFundedConsole({ mark: 'Aurora' })
  const { org, stack } = held
  const { alice, bruno, chiara, subWalletId, address } = org
  const payment = (amount: string, to: string, remark: string) => orderPayment(ports, alice, { subWalletId, symbol: 'ETH', amount, to, remark })
  const paid = await payment('1.25', LANDLORD, 'Rent of the office')
  for (const member of [bruno, chiara]) await member.decide(paid.hash, 'approve')
  await waitUntilPaid(ports, alice, paid)
  const rejected = await payment('0.4', freshAddress(), '=2+2 looks like a formula')
  await bruno.decide(rejected.hash, 'reject')
  const waiting = await payment('0.75', freshAddress(), 'New laptops')
  await bruno.decide(waiting.hash, 'approve')
  const second = await alice.client.call(createSubWallet, { request_id: 'a-second-sub-wallet', wallet_id: org.walletId, sub_wallet_name: 'Payroll' })
  payroll = await waitUntil(ports, 'the second sub-wallet to have its address', async () => {
    const { address: found } = await alice.client.call(getDepositAddress, { sub_wallet_id: second.sub_wallet_id, chain: LOCAL_CHAIN, symbol: 'ETH' })
    return found ?? undefined
  })
  await alice.client.call(markTransactions, { ids: paid.id, type: 'withdraw', category: 'Rent', tags: ['monthly'], note: 'Invoice 4711' })
  await localChain(stack.settings).sendFrom(PLANTED, address, 10n ** 13n)
  await waitUntil(ports, 'the planted deposit to be credited', async () => {
    const { list } = await alice.client.call(listTransactions, { address: PLANTED })
    return list[0]?.status === 2000 ? true : undefined
  })
})
after(() => held?.close())

const settled = (page: Page) => page.waitForFunction(() => document.querySelector('.hf-loading, [aria-busy=true]') === null)

test('the list is narrowed, its view kept, and found again by its address', async () => {
  const page = await held.open(held.org.alice, TRANSACTIONS)
  await page.getByText('5 transactions').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('tab', { name: 'Sent' }).click()
  await page.getByText('3 transactions').waitFor()
  await page.getByRole('searchbox').fill('invoice 47')
  await page.getByText('1 transaction', { exact: true }).waitFor()
  assert.match(page.url(), /type=withdraw/)
  await page.getByRole('button', { name: 'Saved filters' }).click()
  await page.getByLabel('Keep the present filters as').fill('Invoices')
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await page.getByRole('button', { name: 'Invoices', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('3 transactions').waitFor()
  await page.getByRole('button', { name: 'Saved filters (1)' }).click()
  await page.getByRole('button', { name: 'Invoices', exact: true }).click()
  await page.getByText('1 transaction', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'More filters' }).click()
  await picture(page, 'orders-filters')
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await page.getByRole('option', { name: 'Notify failed' }).click()
  await page.getByText('Nothing matches these filters').waitFor()
  assert.match(page.url(), /notify=failed/)
  await page.close()
})

/** What an installation says whose network has an explorer: this one has none, as nobody configured any. */
async function nameExplorer(page: Page): Promise<void> {
  const explorer = { host: 'scan.example', tx_link: 'https://scan.example/tx/{txid}', address_link: 'https://scan.example/a/{address}' }
  await page.route('**/api/mpc/wallet/open/coin*', async (route) => {
    const answer = (await (await route.fetch()).json()) as { data: Record<string, object[]> }
    for (const coins of Object.values(answer.data)) for (const coin of coins) Object.assign(coin, { explorers: [explorer] })
    await route.fulfill({ json: answer })
  })
}

test('an order tells its story, with its evidence, and is filed and ordered again', async () => {
  const page = await held.open(held.org.alice, TODO)
  await nameExplorer(page)
  await page.goto(`${held.stack.settings.consoleOrigin}${TRANSACTIONS}?status=done&type=withdraw`)
  await page.getByRole('button', { name: /^Withdrawal/ }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('Two signers checked everything and signed.').waitFor()
  await drawer.getByText('Rent of the office').first().waitFor()
  const [evidence] = await Promise.all([page.waitForEvent('download'), drawer.getByRole('button', { name: 'Download evidence' }).click()])
  assert.match(evidence.suggestedFilename(), /\.evidence$/)
  const [receipt] = await Promise.all([page.waitForEvent('download'), drawer.getByRole('button', { name: 'Receipt as PDF' }).click()])
  assert.match(receipt.suggestedFilename(), /^holdfast-withdraw-.*\.pdf$/)
  assert.equal(readFileSync(await receipt.path(), 'latin1').slice(0, 5), '%PDF-')
  const outside = drawer.getByRole('link', { name: 'Open at scan.example' })
  assert.match((await outside.getAttribute('href')) ?? '', /^https:\/\/scan\.example\/tx\/0x[0-9a-f]{64}$/)
  assert.deepEqual([await outside.getAttribute('rel'), await outside.getAttribute('target')], ['noopener noreferrer', '_blank'])
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'orders-detail-paid')
  await drawer.getByRole('button', { name: 'Categorise' }).click()
  await page.getByRole('dialog', { name: 'Categorise this transaction' }).getByLabel('Note').fill('Invoice 4711, paid in full')
  await page.getByRole('dialog', { name: 'Categorise this transaction' }).getByRole('button', { name: 'Save', exact: true }).click()
  await drawer.getByText('Invoice 4711, paid in full').first().waitFor()
  await page.goto(`${held.stack.settings.consoleOrigin}${TRANSACTIONS}?status=2100&type=withdraw`)
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await picture(page, 'orders-row-menu')
  await page.getByRole('button', { name: 'Order again' }).click()
  await page.getByRole('dialog', { name: 'Order again' }).getByLabel('Amount').waitFor()
  assert.equal(await page.getByRole('dialog', { name: 'Order again' }).getByLabel('Amount').inputValue(), '0.4')
  await page.getByRole('button', { name: 'To a sub-wallet of your own' }).click()
  await page.getByRole('option', { name: 'Payroll' }).click()
  await page.waitForFunction((address) => document.querySelector<HTMLTextAreaElement>('.hf-destination textarea')?.value === address, payroll)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('button', { name: 'Notifications sent about it' }).click()
  await page.waitForURL(/transactionNotification\?q=[0-9a-f-]{36}$/)
  await page.close()
})

test('a planted address is folded in the list, compared in its detail, and copied only by who knows', async () => {
  const page = await held.open(held.org.alice, `${TRANSACTIONS}?type=deposit`)
  await page.getByText('Imitates a known address').waitFor()
  await picture(page, 'orders-planted')
  await page
    .getByRole('button', { name: /^Deposit/ })
    .first()
    .click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('This payment was probably sent to deceive you').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'orders-planted-detail')
  await drawer.getByRole('button', { name: 'Copy all the same' }).click()
  const ask = page.getByRole('dialog', { name: 'Copy an address that may be planted?' })
  await ask.getByRole('button', { name: 'Copy all the same' }).waitFor()
  assert.equal(await ask.getByRole('button', { name: 'Copy all the same' }).isDisabled(), true)
  await picture(page, 'orders-planted-copy')
  await page.goto(`${held.stack.settings.consoleOrigin}${TRANSACTIONS}?spam=only`)
  await page.getByText('1 transaction', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Remove the filter Suspicious rows' }).click()
  await page.getByText('5 transactions').waitFor()
  await page.close()
})

test('the filtered list becomes one file, CSV or a workbook, in which no spreadsheet runs anything', async () => {
  const page = await held.open(held.org.alice, TRANSACTIONS)
  await page.getByText('5 transactions').waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Write the file' }).click()])
  await page.getByText('5 transactions written').waitFor()
  await picture(page, 'orders-export')
  const csv = readFileSync(await file.path(), 'utf8')
  assert.equal(csv.charCodeAt(0), 0xfeff)
  assert.equal(csv.split('\r\n').length, 7)
  assert.match(csv, /,'=2\+2 looks like a formula,/)
  assert.match(csv, /2 \/ 2,Bruno Aurora; Chiara Aurora,Rent,monthly,"Invoice 4711, paid in full"/)
  await page.getByLabel('File', { exact: true }).selectOption('xlsx')
  const [book] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Write the file' }).click()])
  assert.match(book.suggestedFilename(), /^holdfast-transactions-\d{4}-\d{2}-\d{2}\.xlsx$/)
  assert.equal(readFileSync(await book.path(), 'latin1').slice(0, 2), 'PK')
  await page.close()
})

test('who asked reminds, who may approve is told, and each sees what is theirs to do', async () => {
  const { alice, chiara } = held.org
  const mine = await held.open(alice, `${TODO}?state=mine`)
  await mine.getByRole('button', { name: 'Remind' }).click()
  await mine.getByText('Reminded: Chiara Aurora').waitFor()
  assert.deepEqual(await seriousFaults(mine), [])
  await picture(mine, 'todo-mine')
  await mine.close()
  const waiting = await held.open(chiara, TODO)
  await waiting.getByText(/reminds you/).waitFor()
  await waiting.getByLabel('1 waiting for you').waitFor()
  await waiting.getByText('New destination').waitFor()
  const review = waiting.getByRole('link', { name: /^Review and decide/ })
  assert.match((await review.getAttribute('href')) ?? '', new RegExp(`^${held.stack.settings.approvalOrigin}/#/order/[0-9a-f]{64}$`))
  assert.deepEqual(await seriousFaults(waiting), [])
  await picture(waiting, 'todo-wait')
  await waiting.getByRole('button', { name: 'Kind' }).click()
  await waiting.getByRole('option', { name: 'Change of the policy' }).click()
  await waiting.getByText('Nothing matches these filters').waitFor()
  assert.match(waiting.url(), /kind=policy_change/)
  await waiting.getByRole('button', { name: 'Clear filters' }).click()
  await review.waitFor()
  await waiting.getByRole('tab', { name: 'Done' }).click()
  await waiting.getByText('Completed').waitFor()
  await picture(waiting, 'todo-done')
  await waiting.close()
})

test('a page past the end gives its place in the history to the first one', async () => {
  const page = await held.open(held.org.alice, '/mpc/wallet')
  await page.getByRole('heading', { name: 'Wallets', level: 1 }).waitFor()
  for (const path of [`${TODO}?state=mine`, `${TRANSACTIONS}?type=withdraw`, '/mpc/loginHistory?result=ok']) {
    await page.goto(`${held.stack.settings.consoleOrigin}${path}&page=9`)
    const before = await page.evaluate(() => history.length)
    await page.waitForURL((url) => !url.searchParams.has('page'))
    assert.equal(await page.evaluate(() => history.length), before, path)
  }
  await page.close()
})

for (const [language, scheme] of [
  ['en-US', 'dark'],
  ['zh-CN', 'light'],
] as const) {
  test(`both pages in ${language}, ${scheme}, fit every screen`, async () => {
    const page = await held.open(held.org.alice, TRANSACTIONS)
    await page.context().addCookies([{ name: 'lan', value: language.replace('-', '_'), domain: 'localhost', path: '/' }])
    await page.emulateMedia({ colorScheme: scheme })
    const faults: string[] = []
    for (const path of [TRANSACTIONS, `${TODO}?state=mine`]) {
      await page.goto(`${held.stack.settings.consoleOrigin}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settled(page)
      faults.push(...(await seriousFaults(page)))
      for (const width of [390, 1280, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)
        await picture(page, `${path.includes('todo') ? 'todo' : 'orders'}-${language}-${scheme}-${width}`)
        if (width !== 390 || path !== TRANSACTIONS) continue
        // A panel as wide as a telephone opens under a button far from the edge, and a long one near the foot.
        for (const button of await page.locator('.hf-list-tools [popovertarget], .hf-table-settings').all()) {
          await button.click()
          // It stands in its place with the next frame.
          await page.waitForFunction(() => {
            const box = document.querySelector('.hf-popup:popover-open')?.getBoundingClientRect()
            return box && box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight
          })
          await page.keyboard.press('Escape')
        }
      }
    }
    assert.deepEqual(faults, [])
    await page.close()
  })
}

test('no page had a console error or a violation of its content security policy', () => {
  assert.deepEqual(held.watched.faults, [])
})
