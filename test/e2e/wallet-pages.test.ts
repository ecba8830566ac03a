import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { axeFaults, picture, untilItFits, untilLoaded } from './browser.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import { goTo } from './every-page/go-to.ts'

const LANDLORD = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
// Begins and ends like the landlord's, in lower case, which has no checksum.
const LIKE_LANDLORD = `0x7099${'0'.repeat(32)}79c8`

let console_: FundedConsole
let page: Page

before(async () => {
  console_ = await startFundedConsole({ amount: '12.5' })
  const { org, stack } = console_
  await depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: org.subWalletId, symbol: 'USDX', amount: '2500' })
  page = await console_.open(org.alice, '/mpc/wallet')
})
after(() => console_?.close())

const button = (name: RegExp | string) => page.getByRole('button', { name, exact: typeof name === 'string' })
async function exported(kind: 'CSV' | 'XLSX, for spreadsheets') {
  await button('Export').click()
  const [file] = await Promise.all([page.waitForEvent('download'), button(kind).click()])
  return file
}
const go = (path: string) => goTo(page, path)
/** Goes there by a load, after which nothing is there before it was asked for. */
const load = (path: string) => page.goto(`${console_.stack.settings.consoleOrigin}${path}`)

/** As the page stands: nothing for axe, nothing wider than the window, and a picture of it. */
async function look(name: string): Promise<void> {
  await untilLoaded(page)
  assert.deepEqual(await axeFaults(page), [], name)
  await untilItFits(page)
  await picture(page, `wallet-${name}`)
}

test('the wallets show what they are worth, by prices that say they are invented', async () => {
  await page.getByRole('heading', { name: 'Wallets', level: 1 }).waitFor()
  await page.getByText('Invented prices of the local development network').first().waitFor()
  await page.getByRole('heading', { name: 'Value over time' }).waitFor()
  const total = page.locator('.hf-portfolio .hf-amount-large').first()
  assert.match((await total.textContent()) ?? '', /^\$[1-9][\d,]*\.\d\d$/)
  await button('Hide amounts').click()
  assert.equal(await page.locator('.hf-portfolio .hf-amount-large').count(), 0)
  await look('index-hidden')
  await button('Show amounts').click()
  await button(/^Set alias of/).click()
  await page.getByRole('textbox', { name: 'Alias' }).fill('Company vault')
  await button('Save alias').click()
  await page.getByRole('heading', { name: 'Company vault' }).waitFor()
  await button('Pin Company vault').click()
  await button('Unpin Company vault').waitFor()
  await page.getByRole('searchbox', { name: 'Search by name or alias' }).fill('nothing like it')
  await page.getByText('No wallet matches').waitFor()
  await page.waitForURL(/q=nothing/)
  await button('Clear filters').first().click()
  await page.getByRole('heading', { name: 'Company vault' }).waitFor()
})

test('what came in and went out is drawn by day, in money or in one coin, and read as a table', async () => {
  const flows = page.getByRole('figure', { name: 'Money in and out' })
  await flows.getByText('Transfers between your own wallets are excluded').waitFor()
  assert.match((await flows.locator('.hf-flow-sums dd').first().textContent()) ?? '', /^\$[1-9][\d,]*\.\d\d$/)
  await flows.locator('.hf-plot').focus()
  await page.keyboard.press('End')
  await flows.getByText(/: In [1-9][\d,.]* USD, Out 0 USD, Network fees 0 USD$/).waitFor({ state: 'attached' })
  await flows.getByRole('button', { name: /^Coin/ }).click()
  await page.getByRole('option', { name: /^ETH/ }).click()
  await page.waitForURL(/flow_coin=/)
  await flows.getByText('7 days').click()
  await page.waitForURL(/flows=7d/)
  await flows.getByTitle('Table').click()
  const days = flows.getByRole('table', { name: 'Money in and out' })
  await days.getByRole('row').nth(1).getByText('12.5').waitFor()
  assert.equal(await days.getByRole('row').count(), 8)
  await look('flows-table')
  await go('/mpc/wallet')
  const pending = page.getByRole('region', { name: 'Pending' })
  await pending.getByText('Waiting for approval').waitFor()
  assert.equal(await pending.getByRole('link').count(), 0)
})

test('a sub-wallet is made, hidden and found again', async () => {
  await button('All sub-wallets').click()
  await page
    .getByRole('group', { name: 'Sub-wallets' })
    .or(page.getByRole('table', { name: 'Sub-wallets' }))
    .first()
    .waitFor()
  await button('New sub-wallet').click()
  await page.getByRole('textbox', { name: 'Sub-wallet name' }).fill('Payroll')
  await button('Create sub-wallet').click()
  // What was chosen stays chosen; the new one is offered.
  await page.getByText('Payroll was created').waitFor()
  await page.getByRole('dialog', { name: 'New sub-wallet' }).getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('cell', { name: 'Payroll', exact: true }).waitFor()
  // The form fades out; the page is looked at once it is gone.
  await page.getByRole('textbox', { name: 'Sub-wallet name' }).waitFor({ state: 'detached' })
  await look('sub-wallets')
  await button('Hide Payroll').click()
  await page.getByRole('cell', { name: 'Payroll', exact: true }).waitFor({ state: 'detached' })
  await button(/^Show: /)
    .last()
    .click()
  await page.getByRole('option', { name: 'Hidden' }).click()
  await page.getByRole('cell', { name: 'Payroll', exact: true }).waitFor()
  await button('Show Payroll').click()
  const file = await exported('CSV')
  assert.match(file.suggestedFilename(), /sub-wallets\.csv$/)
  await page.keyboard.press('Escape')
})

test('coins have values, favourites, switches that stand in the address, and a search', async () => {
  await go('/mpc/center/wallet')
  const row = page.getByRole('row', { name: /USDX/ })
  await row.getByText(/^2,500$/).waitFor()
  await button('Add USDX to favourites').click()
  await button('Remove USDX from favourites').waitFor()
  await page.getByLabel('Favourites only').click()
  await page.waitForURL(/focus=1/)
  await page.getByRole('row', { name: /ETH/ }).waitFor({ state: 'detached' })
  await page.reload()
  await button('Remove USDX from favourites').waitFor()
  await page.getByLabel('Favourites only').click()
  await button('More for USDX on Local network').click()
  await page.getByRole('link', { name: 'Transactions of USDX' }).click()
  await page.getByText('1 transaction', { exact: true }).waitFor()
  assert.match(page.url(), /symbol=USDX/)
  await page.goBack()
  await row.waitFor()
  await page.getByLabel('Hide unverified tokens').click()
  await page.getByText('Nothing unverified has arrived').waitFor()
  await page.getByLabel('Hide unverified tokens').click()
  const file = await exported('CSV')
  assert.match(readFileSync(await file.path(), 'utf8'), /USDX,Local network,0x[0-9A-Fa-f]{40},2500,/)
  await button('Add coin').click()
  await page.getByRole('searchbox', { name: 'Symbol or contract address' }).fill('usd')
  await page.getByText('Always listed').first().waitFor()
  await look('coin-search')
  await page.keyboard.press('Escape')
})

test('an address is named, copied with the words that belong to it, and shown as a QR code (spec 2.37)', async () => {
  await page.getByRole('tab', { name: 'Addresses' }).click()
  const own = page.getByRole('row', { name: /Local network/ })
  await own.getByRole('button', { name: 'Set label' }).click()
  await page.getByRole('textbox', { name: 'Label' }).fill('Customers')
  await button('Save label').click()
  await page.getByRole('cell', { name: /Customers/ }).waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await own.getByRole('button', { name: 'Copy address' }).click()
  await page.getByText(/Address copied\. It is for .* on Local network only/).waitFor()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), console_.org.address)
  await own.getByRole('button', { name: 'Show QR code' }).click()
  await page.getByRole('img', { name: /QR code of the deposit address/ }).waitFor()
  await look('address-qr')
  await page.keyboard.press('Escape')
})

test('further addresses are asked for in number, listed as soon as the signers attested them, and found by use and by name', async () => {
  await page.getByRole('tab', { name: 'Addresses' }).click()
  await button('New addresses').click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('textbox', { name: 'How many' }).fill('10001')
  await button('Create addresses').click()
  await drawer.getByText('Enter a number from 1 to 10000').waitFor()
  await drawer.getByRole('textbox', { name: 'How many' }).fill('25')
  await drawer.getByRole('textbox', { name: 'Label' }).fill('Shop')
  await page.keyboard.press('Enter')
  await drawer.getByText('25 created').waitFor()
  await look('new-addresses')
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox', { name: 'Search by address or label' }).fill('shop 2')
  await page.getByRole('cell', { name: 'Shop 25' }).waitFor()
  // Shop 2, and 20 to 25.
  assert.equal(await page.getByRole('row', { name: /Shop 2/ }).count(), 7)
  await look('addresses')
  await page.getByRole('searchbox', { name: 'Search by address or label' }).fill('')
  await page.getByRole('cell', { name: /^Shop 1 / }).waitFor()
})

test('a person keeps contacts: checked, warned of look-alikes, refused twice, exported and suggested when paying', async () => {
  await go('/mpc/wallet/personalBook')
  await page.getByText('No contacts yet').waitFor()
  await button('Add contact').first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Landlord')
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill(LANDLORD.toLowerCase())
  await page.getByText('Read as').waitFor()
  await look('contact')
  await page.locator('form').getByRole('button', { name: 'Add contact' }).click()
  await page.getByRole('cell', { name: 'Landlord', exact: true }).waitFor()
  await button('Add contact').first().click()
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill(LIKE_LANDLORD)
  await page.getByText(/begins and ends like another one/).waitFor()
  await look('contact-lookalike')
  await page.getByRole('textbox', { name: 'Address', exact: true }).fill(LANDLORD)
  await page.getByText(/already in your book/).waitFor()
  await button('Cancel').click()
  const file = await exported('CSV')
  const csv = readFileSync(await file.path(), 'utf8')
  assert.match(csv, new RegExp(`Landlord,eip155:31337,${LANDLORD},,`))
  const book = await exported('XLSX, for spreadsheets')
  assert.match(book.suggestedFilename(), /\.xlsx$/)
  assert.equal(readFileSync(await book.path(), 'latin1').slice(0, 2), 'PK')
  await button('Import CSV').click()
  const rows = `${csv.trim()}\r\nSupplier,Local network,0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC,,monthly\r\nTypo,Local network,0x3C44,,\r\n`
  await page.locator('input[type=file]').setInputFiles({ name: 'book.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) })
  await button('Import contacts').click()
  await page.getByText('1 contact added').waitFor()
  await look('book-import')
  await button('Close').last().click()
  await page.getByRole('cell', { name: 'Supplier', exact: true }).waitFor()
  await go('/mpc/center/wallet')
  await button('Withdraw ETH on Local network').click()
  await page.getByLabel('Destination').fill('landl')
  await page.getByRole('option', { name: 'Landlord' }).click()
  await page.getByText('Your contact:').waitFor()
  await look('withdraw-contact')
})

/** What a screen reader would say of what has the focus. */
const focused = () =>
  page.evaluate(() => {
    const element = document.activeElement
    const labels = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement ? element.labels : null
    return (element?.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element?.textContent ?? '').trim()
  })
const tabTo = async (name: RegExp) => {
  for (let presses = 0; presses < 80; presses++) {
    if (name.test(await focused())) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab leads nowhere that is called ${name}; it stands at ${await focused()}`)
}

test('a payment is asked for by the keyboard alone, on a slow network, once however often Enter is pressed, and another tab shows it', async () => {
  const { org } = console_
  const other = await console_.open(org.alice, '/mpc/center/wallet/transactions?type=withdraw')
  await other.getByText('No transactions yet').waitFor()
  await load('/mpc/center/wallet')
  await button('Withdraw ETH on Local network').waitFor()
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 })
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
  await tabTo(/^Withdraw ETH on Local network$/)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  // Before the form has come: the page behind is dimmed, and the form is not opened twice.
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Destination').waitFor()
  assert.equal(await dialog.count(), 1)
  await tabTo(/^Destination$/)
  await page.keyboard.type(LANDLORD)
  await tabTo(/^Amount$/)
  await page.keyboard.type('0.25')
  await dialog.getByText(/Needs 2 of/).waitFor()
  const send = dialog.getByRole('button', { name: 'Send for approval' })
  for (let tries = 0; tries < 10 && !(await send.isVisible()); tries++) {
    for (const box of await dialog.getByRole('checkbox', { name: /never paid/ }).all()) {
      if (await box.isChecked()) continue
      await tabTo(/never paid/)
      await page.keyboard.press('Space')
    }
    await tabTo(/^Review$/)
    await page.keyboard.press('Enter')
    await send.waitFor({ timeout: 3_000 }).catch(() => undefined)
  }
  await page.waitForFunction(() => document.activeElement?.tagName === 'H2')
  await tabTo(/^Send for approval$/)
  for (let presses = 0; presses < 4; presses++) await page.keyboard.press('Enter')
  await dialog.getByText('Sent for approval').waitFor()
  assert.equal(sent.filter((path) => path === '/api/mpc/sub_wallet/withdraw').length, 1)
  await other.getByRole('row', { name: /0\.25/ }).waitFor()
  assert.equal(await other.getByRole('row', { name: /0\.25/ }).count(), 1)
  await other.close()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Team' }).first().click()
  await page.locator('.hf-bar').first().waitFor()
  await page.getByRole('cell', { name: /Alice/ }).first().waitFor()
  await network.detach()
})

test('what was typed is not lost by a reload without a word, and the back button closes what belongs to the page', async () => {
  await load('/mpc/center/wallet')
  await button('More for ETH on Local network').click()
  await page.getByRole('link', { name: 'Transactions of ETH' }).click()
  await button('Export').click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.goBack()
  await dialog.waitFor({ state: 'detached' })
  await button('Withdraw ETH on Local network').click()
  await dialog.getByLabel('Amount', { exact: true }).fill('0.75')
  const asked = page.waitForEvent('dialog').then(async (question) => {
    await question.dismiss()
    return question.type()
  })
  await page.evaluate(() => setTimeout(() => location.reload()))
  assert.equal(await asked, 'beforeunload')
  assert.equal(await dialog.getByLabel('Amount', { exact: true }).inputValue(), '0.75')
  await page.keyboard.press('Escape')
  await button('Keep editing').click()
  // What the browser's own buttons leave is asked for with the same words, once, and where it was stays.
  await page.evaluate(() => history.forward())
  await button('Keep editing').waitFor()
  await page.evaluate(() => history.forward())
  await button('Keep editing').click()
  await button('Keep editing').waitFor({ state: 'detached' })
  assert.deepEqual([new URL(page.url()).pathname, await dialog.getByLabel('Amount', { exact: true }).inputValue()], ['/mpc/center/wallet', '0.75'])
  await page.evaluate(() => history.forward())
  await button('Discard').click()
  await page.waitForURL(/\/mpc\/center\/wallet\/transactions/)
  await dialog.first().waitFor({ state: 'detached' })
  await page.goBack()
  await page.reload()
  await button('Withdraw ETH on Local network').waitFor()
})

test('signing out in one tab shows the sign-in page in the other', async () => {
  await go('/mpc/wallet')
  const other = await console_.open(console_.org.alice, '/mpc/loginHistory')
  await other.getByRole('button', { name: /Alice/ }).first().click()
  await other.getByText('Sign out').click()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.match(page.url(), /next=/)
  assert.deepEqual(console_.watched.faults, [])
})
