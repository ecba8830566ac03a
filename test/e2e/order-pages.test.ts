import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { encodeQR } from 'qr'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import { fastFee, orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { codecFor } from '@holdfast/chain-evm/codec'
import type { OutputOf } from '@holdfast/contract'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { getPolicy, proposePolicy } from '@holdfast/features/policy/contract'
import { getWithdrawal, listTransactions, labelTransactions } from '../../features/transaction/contract.ts'
import { createSubWallet } from '../../features/wallet/contract.ts'
import { getDepositAddress } from '../../features/deposit-address/contract.ts'
import { formatAmount, parseAmount } from '@holdfast/units'
import { draftOf } from '../../features/policy/console/draft.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { localChain } from '../processes/testing/local-chain.ts'
import { picture, seriousFaults, untilLoaded } from './browser.ts'
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
  await alice.client.call(labelTransactions, { ids: paid.id, type: 'withdraw', category: 'Rent', tags: ['monthly'], note: 'Invoice 4711' })
  await localChain(stack.settings).sendFrom(PLANTED, address, 10n ** 13n)
  await waitUntil(ports, 'the planted deposit to be credited', async () => {
    const { list } = await alice.client.call(listTransactions, { address: PLANTED })
    return list[0]?.status === 2000 ? true : undefined
  })
})
after(() => held?.close())

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
  await page.getByLabel('Save current filters as').fill('Invoices')
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
  await page.getByRole('option', { name: 'Notification failed' }).click()
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
  // A menu is closed with the row that it belongs to, which is drawn anew when the list comes.
  await untilLoaded(page)
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await picture(page, 'orders-row-menu')
  await page.getByRole('button', { name: 'Order again' }).click()
  await page.getByRole('dialog', { name: 'Order again' }).getByLabel('Amount', { exact: true }).waitFor()
  const again = page.getByRole('dialog', { name: 'Order again' })
  assert.equal(await again.getByLabel('Amount', { exact: true }).inputValue(), '0.4')
  // Until everything is answered the form still grows, and moves what is clicked.
  await again
    .getByText(/^Needs /)
    .first()
    .waitFor()
  await again.getByLabel('Deduct fee from amount').click()
  await again.getByLabel('Deduct fee from amount').and(page.locator(':checked')).waitFor()
  await again.getByText(/^0\.3999/).waitFor()
  await again.getByLabel('Custom maximum').check()
  await again.getByLabel('Maximum fee').fill('9')
  await again.getByText(/^At most 0\.[0-9]+ ETH: more is far above/).waitFor()
  await again.getByLabel('Destination').fill('payr')
  await page.getByRole('option', { name: 'Payroll' }).click()
  const isTo = (expected: string) =>
    page.waitForFunction((address) => document.querySelector<HTMLInputElement>('.hf-destination input')?.value === address, expected)
  await isTo(payroll)
  await again.getByRole('button', { name: 'Scan' }).click()
  const scan = page.getByRole('dialog', { name: 'Scan an address on' })
  const show = (code: string) =>
    scan.getByLabel('From a picture').setInputFiles({ name: 'code.gif', mimeType: 'image/gif', buffer: Buffer.from(encodeQR(code, 'gif', { scale: 4 })) })
  await scan.getByText('No usable camera was found').waitFor()
  await show('bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=1')
  await scan.getByText('This code is for another network (Bitcoin)').waitFor()
  await picture(page, 'orders-scan')
  assert.deepEqual(await seriousFaults(page), [])
  await show(`ethereum:${LANDLORD}?value=3e17`)
  await isTo(LANDLORD)
  assert.equal(await again.getByLabel('Amount', { exact: true }).inputValue(), '0.3')
  assert.equal(await again.getByLabel('Deduct fee from amount').isChecked(), false)
  await page.keyboard.press('Escape')
  // What was filled in is not thrown away without a question.
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await page.getByRole('dialog', { name: 'Order again' }).waitFor({ state: 'detached' })
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
  await drawer.getByRole('button', { name: 'Copy anyway' }).click()
  const ask = page.getByRole('dialog', { name: 'Copy an address that may be planted?' })
  await ask.getByRole('button', { name: 'Copy anyway' }).waitFor()
  assert.equal(await ask.getByRole('button', { name: 'Copy anyway' }).isDisabled(), true)
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
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Create file' }).click()])
  await page.getByText('5 transactions written').waitFor()
  await picture(page, 'orders-export')
  const csv = readFileSync(await file.path(), 'utf8')
  assert.equal(csv.charCodeAt(0), 0xfeff)
  assert.equal(csv.split('\r\n').length, 7)
  assert.match(csv, /,'=2\+2 looks like a formula,/)
  assert.match(csv, /2 \/ 2,Bruno Aurora; Chiara Aurora,Rent,monthly,"Invoice 4711, paid in full"/)
  await page.getByLabel('File', { exact: true }).selectOption('xlsx')
  const [book] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Create file' }).click()])
  assert.match(book.suggestedFilename(), /^holdfast-transactions-\d{4}-\d{2}-\d{2}\.xlsx$/)
  assert.equal(readFileSync(await book.path(), 'latin1').slice(0, 2), 'PK')
  await page.close()
})

test('who asked reminds, who may approve is told, and each sees what is theirs to do', async () => {
  const { alice, chiara } = held.org
  const mine = await held.open(alice, `${TODO}?state=mine`)
  await mine.getByRole('button', { name: 'Remind' }).click()
  await mine.getByText(/reminded them/).waitFor()
  assert.deepEqual(await seriousFaults(mine), [])
  await picture(mine, 'todo-mine')
  await mine.close()
  const waiting = await held.open(chiara, TODO)
  await waiting.getByText(/reminded you/).waitFor()
  await waiting.getByLabel('1 waiting for you').waitFor()
  await waiting.getByText('New destination').waitFor()
  const review = waiting.getByRole('link', { name: /^Review and decide/ })
  assert.match((await review.getAttribute('href')) ?? '', new RegExp(`^${held.stack.settings.approvalOrigin}/#/order/[0-9a-f]{64}$`))
  assert.deepEqual(await seriousFaults(waiting), [])
  await picture(waiting, 'todo-wait')
  await waiting.getByRole('button', { name: 'Kind' }).click()
  await waiting.getByRole('option', { name: 'Policy change' }).click()
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
      await untilLoaded(page)
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
    await page.context().addCookies([{ name: 'lan', value: 'en_US', domain: 'localhost', path: '/' }])
    await page.close()
  })
}

/** Looks at a page in light on a wide screen, and in dark and Chinese on a telephone. */
async function look(page: Page, name: string): Promise<void> {
  await untilLoaded(page)
  assert.deepEqual(await seriousFaults(page), [], name)
  await picture(page, `orders-${name}`)
}

/** The same page in dark and Chinese on a telephone. */
async function lookSmall(page: Page, name: string, open: (page: Page) => Promise<void>): Promise<void> {
  await page.context().addCookies([{ name: 'lan', value: 'zh_CN', domain: 'localhost', path: '/' }])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 900 })
  await page.reload()
  await open(page)
  await look(page, `${name}-zh-CN-dark-390`)
  await page.context().addCookies([{ name: 'lan', value: 'en_US', domain: 'localhost', path: '/' }])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.reload()
}

test('a payment that waits is sped up within its fee and then cancelled by the people, and each order leads to the other', async () => {
  const { alice, bruno, chiara, subWalletId, address } = held.org
  const payment = { subWalletId, symbol: 'ETH', amount: '0.2', to: LANDLORD, remark: 'A slow one' }
  const fee = parseAmount(await fastFee(alice, payment), 18)
  const letGo = await localChain(held.stack.settings).holdBack(address)
  const waiting = await orderPayment(ports, alice, { ...payment, maxFee: formatAmount(fee * 5n, 18) })
  for (const member of [bruno, chiara]) await member.decide(waiting.hash, 'approve')
  const orderIs = (what: string, is: (order: OutputOf<typeof getWithdrawal>) => boolean) =>
    waitUntil(ports, what, async () => (is(await alice.client.call(getWithdrawal, { id: waiting.id })) ? true : undefined))
  await orderIs('the payment to be on its way', ({ status }) => status === 1200)
  const page = await held.open(alice, `${TRANSACTIONS}?order=${waiting.id}`)
  const details = page.getByRole('dialog').first()
  await details.getByRole('button', { name: 'Speed up' }).click()
  const raise = page.getByRole('dialog', { name: 'Speed up this payment' })
  await raise.getByText('Within the approved fee: it is signed and sent immediately.').waitFor()
  await look(page, 'speed-up')
  await raise.getByRole('button', { name: 'Speed up', exact: true }).click()
  await orderIs('the speed-up to be signed', ({ speed_up_history }) => speed_up_history.length === 2 && speed_up_history[1]!.has_evidence)
  await details.getByRole('button', { name: 'Cancel payment' }).click()
  const cancel = page.getByRole('dialog', { name: 'Cancel this payment' })
  await cancel.getByRole('button', { name: 'Request approval' }).waitFor()
  await look(page, 'cancel')
  await cancel.getByRole('button', { name: 'Request approval' }).click()
  await details.getByRole('heading', { name: 'Orders about this payment' }).waitFor()
  const { replacements } = await alice.client.call(getWithdrawal, { id: waiting.id })
  const about = await alice.client.call(getWithdrawal, { id: replacements[0]!.id })
  for (const member of [bruno, chiara]) await member.decide(about.intent_hash, 'approve')
  await orderIs('the cancellation to be signed', ({ speed_up_history }) => speed_up_history[2]?.has_evidence === true)
  const { speed_up_history: made } = await alice.client.call(getWithdrawal, { id: waiting.id })
  // Until it is in the pool, a block would take the one before it.
  await waitUntil(ports, 'the cancellation to be sent', async () => ((await localChain(held.stack.settings).knows(made[2]!.txid!)) ? true : undefined))
  await letGo()
  await orderIs('the cancellation to be final', ({ status }) => status === 2300)
  await details.getByText('Cancelled on the chain').first().waitFor()
  assert.equal(await details.getByRole('button', { name: /^Download evidence \d of 3$/ }).count(), 3)
  const [bundle] = await Promise.all([page.waitForEvent('download'), details.getByRole('button', { name: 'Download evidence 3 of 3' }).click()])
  assert.match(bundle.suggestedFilename(), /-3\.evidence$/)
  await look(page, 'cancelled')
  await lookSmall(page, 'cancelled', (small) => small.getByRole('dialog').getByText('针对该付款的订单').waitFor())
  await details.getByRole('button', { name: 'Details' }).first().click()
  const other = page.getByRole('dialog').last()
  await other.getByRole('button', { name: 'Open the payment' }).waitFor()
  // It paid nobody: there is no receipt of it, and the list shows its fee alone.
  await other.getByText('Pays nobody: it concerns another payment').waitFor()
  assert.equal(await other.getByRole('button', { name: 'Receipt as PDF' }).count(), 0)
  await look(page, 'cancellation')
  await page.goto(`${held.stack.settings.consoleOrigin}${TRANSACTIONS}`)
  const row = page.getByRole('row').filter({ hasText: 'Cancellation' })
  await row.getByText('0.2 ETH →').waitFor()
  await look(page, 'cancellation-listed')
  await lookSmall(page, 'cancellation-listed', (small) => small.getByText('取消付款').first().waitFor())
  await page.getByRole('tab', { name: 'Sent' }).click()
  await row.waitFor({ state: 'detached' })
  await page.close()
})

/** Puts a rule for approvals of one token into the policy. */
async function allowCalls(contract: string): Promise<void> {
  const { alice, bruno, chiara } = held.org
  const policy = await alice.client.call(getPolicy, {})
  const draft = draftOf(policy)
  const calls = {
    ...draft.rules[0]!,
    id: 'allowances',
    chain: LOCAL_CHAIN,
    payers: [],
    contracts: [contract],
    functions: ['approve(address,uint256)'],
    max_value: '0',
    max_tokens: '1000000000',
    window: { hours: 24, max_value: '0', max_tokens: '10000000000' },
    unlimited_allowances: false,
    unknown_call_data: false,
  }
  const { intent_hash: hash } = await alice.client.call(proposePolicy, { request_id: 'allow-calls', draft: { ...draft, add_call_rules: [calls] } })
  for (const member of [bruno, chiara]) await member.decide(hash, 'approve')
  await waitUntil(ports, 'the rule for calls', async () => ((await alice.client.call(getPolicy, {})).version === policy.version + 1 ? true : undefined))
}

test('a contract is called from its drawer to its details, and names its network', async () => {
  const { alice, bruno, chiara } = held.org
  const { coin_list: coins } = await alice.client.call(listOpenCoins, {})
  const token = coins.find(({ chain, contract_address }) => chain === LOCAL_CHAIN && contract_address !== null)!
  await allowCalls(token.contract_address!)
  const page = await held.open(alice, '/mpc/center/wallet')
  await page.getByRole('button', { name: `More for ETH on ${token.network}` }).click()
  await page.getByRole('button', { name: `Contract call on ${token.network}` }).click()
  const drawer = page.getByRole('dialog', { name: 'New contract call' })
  await drawer.getByLabel('Contract', { exact: true }).fill(token.contract_address!)
  await drawer.getByLabel('Call data', { exact: true }).fill(`0x095ea7b3${LANDLORD.slice(2).toLowerCase().padStart(64, '0')}${'5'.padStart(64, '0')}`)
  await drawer.getByLabel(`Value (ETH), on ${token.network}`).waitFor()
  await drawer.getByRole('button', { name: 'Decode and simulate' }).click()
  await drawer.getByText('I have read the warnings and want to make this call').click()
  await look(page, 'call-form')
  await drawer.getByRole('button', { name: 'Request approval' }).click()
  await drawer.getByText('The call is waiting for approval').waitFor()
  const { list } = await alice.client.call(listTransactions, { type: 'web3' })
  const { intent_hash: hash, id } = await alice.client.call(getWithdrawal, { id: list[0]!.id })
  const approval = await page.context().newPage()
  await approval.goto(`${held.stack.settings.approvalOrigin}/#/order/${hash}`)
  await approval.getByText('approve(address,uint256)').first().waitFor()
  await look(approval, 'call-approval')
  await approval.close()
  for (const member of [bruno, chiara]) await member.decide(hash, 'approve')
  await waitUntilPaid(ports, alice, { id })
  await page.goto(`${held.stack.settings.consoleOrigin}${TRANSACTIONS}?order=${id}`)
  await page.getByRole('dialog', { name: 'Contract call' }).locator('#order-call').waitFor()
  await look(page, 'call-details')
  const [receipt] = await Promise.all([page.waitForEvent('download'), page.getByRole('dialog').getByRole('button', { name: 'Receipt as PDF' }).click()])
  assert.match(receipt.suggestedFilename(), /\.pdf$/)
  await page.goto(`${held.stack.settings.consoleOrigin}/mpc/center/wallet?tab=allowances`)
  const allowed = page.getByRole('row', { name: new RegExp(`${token.symbol}.*0\\.000005`) })
  await allowed.waitFor()
  await look(page, 'allowances')
  await allowed.getByRole('button', { name: 'Revoke' }).click()
  const revoke = page.getByRole('dialog', { name: 'Revoke an allowance' })
  assert.match(await revoke.getByLabel('Call data', { exact: true }).inputValue(), /^0x095ea7b3[0-9a-f]{64}0{64}$/)
  await page.goto(`${held.stack.settings.consoleOrigin}${TRANSACTIONS}?order=${id}`)
  await lookSmall(page, 'call-details', (small) => small.getByRole('dialog').locator('#order-call').waitFor())
  await page.close()
})

test('no page had a console error or a violation of its content security policy', () => {
  assert.deepEqual(held.watched.faults, [])
})
