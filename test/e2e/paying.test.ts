import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { savePersonal } from '@holdfast/features/address-book/contract'
import { createAddresses, listMultiAddresses, listUserAddresses } from '@holdfast/features/deposit-address/contract'
import { listTransactions } from '@holdfast/features/transaction/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { askFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { LOCAL_CHAIN } from '../../apps/launcher/src/local-settings.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { untilLoaded } from './browser.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import { lookAllOver, review, sendForApproval } from './story.ts'

const KRAKEN = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const OTHER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const THIRD = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
/** Begins and ends as Kraken's does. */
const LIKE_KRAKEN = `${KRAKEN.slice(0, 10)}1111111111111111111111${KRAKEN.slice(-10)}`.toLowerCase()
const TRONIC = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'

let console_: FundedConsole
let page: Page

before(async () => {
  console_ = await startFundedConsole({ amount: '10' })
  const { org } = console_
  await org.alice.client.call(savePersonal, { name: 'Kraken deposit', chain: 'eip155:31337', address: KRAKEN })
  page = await console_.open(org.alice, '/mpc/center/wallet')
})
after(() => console_?.close())

const button = (name: RegExp | string) => page.getByRole('button', { name, exact: typeof name === 'string' })
const destination = () => page.getByLabel('Destination')
const discard = async () => {
  await page.keyboard.press('Escape')
  await button('Discard').click()
  await page.getByRole('dialog').first().waitFor({ state: 'detached' })
}

test('one field takes a contact by a part of its name and a payment code, and says of anything else what it is', async () => {
  await button('Withdraw ETH on Local network').click()
  await destination().fill('kra')
  await page.getByRole('option', { name: /Kraken deposit/ }).waitFor()
  await lookAllOver(page, 'paying-suggestions')
  await destination().press('Enter')
  assert.equal(await destination().inputValue(), KRAKEN)
  await page.getByText('Your contact:').waitFor()
  await destination().fill(TRONIC)
  await page.getByText('This is a TRON address, not one of Local network.').waitFor()
  await button(/^Pay in TRX on/).waitFor()
  await lookAllOver(page, 'paying-other-network')
  await destination().fill('vitalik.eth')
  await destination().blur()
  await page.getByText('Names such as name.eth are not resolved').waitFor()
  await destination().fill(`${KRAKEN.slice(0, 20)}\u200b${KRAKEN.slice(20)}`)
  await page.getByText('Character 21 (U+200B) is invisible').waitFor()
  await destination().fill(KRAKEN.replace('C51812dc', 'c51812dc'))
  await page.getByText('The checksum fails here: …70[c]51…').waitFor()
  await destination().fill(console_.org.address)
  await page.getByText("This is the paying sub-wallet's own address").waitFor()
  assert.equal(await page.getByText(/never paid/).count(), 0)
  assert.ok(await button('Review').isDisabled())
  await destination().fill(`ethereum:${OTHER}?value=25e16`)
  await destination().blur()
  assert.equal(await destination().inputValue(), OTHER)
  assert.equal(await page.getByRole('textbox', { name: 'Amount' }).inputValue(), '0.25')
  // What was said of the address before is not said of this one, not even until the server has answered.
  assert.equal(await page.getByText("This is the paying sub-wallet's own address").count(), 0)
})

test('all of a balance is refused at the field while the fee comes on top, with what is possible, and Max is that', async () => {
  await page.getByRole('textbox', { name: 'Amount' }).fill('10')
  await page.getByText(/^At most 9\.99\d* ETH: the fee is added on top/).waitFor()
  await page.getByText('about 1 minute').waitFor()
  await lookAllOver(page, 'paying-amount')
  await button('Max').click()
  await page.getByText(/the fee is added on top/).waitFor({ state: 'detached' })
  await page.getByText(/^≈ \$/).first().waitFor()
})

test('a link in the form, or over it, asks before what was typed is lost', async () => {
  const typed = await page.getByRole('textbox', { name: 'Amount' }).inputValue()
  const leave = [
    () => page.getByRole('dialog').getByRole('link', { name: 'Pay several recipients' }).click(),
    async () => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type('several')
      await page.getByRole('option', { name: /Pay several recipients/ }).click()
    },
  ]
  for (const go of leave) {
    await go()
    await button('Discard').waitFor()
    await page.keyboard.press('Escape')
    await button('Discard').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('textbox', { name: 'Amount' }).inputValue(), typed)
    assert.match(page.url(), /center\/wallet$/)
  }
  await discard()
})

const line = (number: number) => page.getByRole('group', { name: `Line ${number}`, exact: true })
const payee = (number: number) => line(number).getByRole('combobox', { name: 'Destination' })
const amount = (number: number) => line(number).getByRole('textbox', { name: 'Amount' })
/** Puts a text where a person would paste it. */
const paste = (number: number, text: string) =>
  payee(number).evaluate((field, given) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', given)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

test('several are filled in on a page of its own, where each line says at once what is wrong with it', async () => {
  await page.keyboard.press('Control+k')
  await page.keyboard.type('several')
  await page.getByRole('option', { name: /Pay several recipients/ }).click()
  await page.waitForURL(/center\/wallet\/paySeveral\?sub_wallet_id=/)
  await payee(1).waitFor()
  await lookAllOver(page, 'paying-several-empty')
  await paste(1, `Address,Amount\nKraken deposit,0.1\n${OTHER},0.2\n${OTHER.toLowerCase()},1\n${TRONIC},1\n${LIKE_KRAKEN},20`)
  assert.equal(await payee(1).inputValue(), KRAKEN)
  await line(1).getByText('Kraken deposit').waitFor()
  await line(2).getByText('NEW DESTINATION').waitFor()
  await line(3).getByText('The same address as in line 2.').waitFor()
  await line(4).getByText('This is a TRON address, not one of Local network.').waitFor()
  await line(5).getByText('Pay this address separately: it has a warning that must be read').waitFor()
  await line(5).getByText('Begins or ends like the address in line 1').waitFor()
  await line(5).getByText('This is more than is available').waitFor()
  assert.ok(await button('Review').isDisabled())
  await lookAllOver(page, 'paying-several-faults')
})

test('unsent lines outlive a reload, and whoever leaves is asked first and leaves nothing behind', async () => {
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await line(5).getByText('This is more than is available').waitFor()
  await page
    .getByRole('link', { name: /^Transactions/ })
    .first()
    .click()
  await page
    .getByText('What you typed')
    .or(page.getByRole('button', { name: 'Discard' }))
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  assert.match(page.url(), /paySeveral/)
  await page
    .getByRole('link', { name: /^Transactions/ })
    .first()
    .click()
  await button('Discard').click()
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor()
  assert.deepEqual(await page.evaluate(() => Object.keys(sessionStorage)), [])
})

test('a page for a sub-wallet that cannot pay says which one does instead', async () => {
  await page.goto(`${console_.stack.settings.consoleOrigin}/mpc/center/wallet/paySeveral?sub_wallet_id=${console_.org.walletId}`)
  await page.getByText('The chosen sub-wallet cannot pay several recipients. Selected instead:').waitFor()
  await lookAllOver(page, 'paying-several-other-payer')
})

test('several are paid in any coin from a table, each by an order of its own that is made once', async () => {
  await page.goto(`${console_.stack.settings.consoleOrigin}/mpc/center/wallet/paySeveral`)
  await payee(1).fill('kra')
  await page.getByRole('option', { name: /Kraken deposit/ }).click()
  assert.equal(await payee(1).inputValue(), KRAKEN)
  await amount(1).fill('0.1')
  await page
    .locator('main input[type=file]')
    .setInputFiles({ name: 'pay.csv', mimeType: 'text/csv', buffer: Buffer.from(`Address,Amount\r\n${OTHER},0.2\r\n${THIRD},0.3\r\n`) })
  await page.getByText('0.6', { exact: true }).waitFor()
  await button('Review').click()
  await page
    .getByRole('table', { name: 'Recipients' })
    .or(page.getByRole('list', { name: 'Recipients' }))
    .first()
    .waitFor()
  await page.getByLabel(/I have compared every address/).check()
  await lookAllOver(page, 'paying-several-review')
  // The second answer is lost on its way: whether that order was made is not known.
  let calls = 0
  await page.route('**/api/mpc/sub_wallet/withdraw', async (route) => {
    calls += 1
    if (calls !== 2) return route.continue()
    await route.fetch()
    return route.abort()
  })
  await button('Send for approval').click()
  await page.getByText('2 of 3 orders sent. Sending the rest again is safe').waitFor()
  await lookAllOver(page, 'paying-several-partly')
  await button('Send the rest again').click()
  await page.getByText('Sent for approval').first().waitFor()
  await button('View the orders').click()
  await untilLoaded(page)
  const { list } = await console_.org.alice.client.call(listTransactions, { sub_wallet_id: console_.org.subWalletId, type: 'withdraw' })
  assert.deepEqual(list.map(({ amount, address_to: to }) => `${amount} ${to}`).toSorted(), [`0.1 ${KRAKEN}`, `0.2 ${OTHER}`, `0.3 ${THIRD}`])
  assert.deepEqual(
    console_.watched.faults.filter((each) => !/withdraw|ERR_FAILED/.test(each)),
    [],
  )
})

test('where a sub-wallet has something at several of its addresses, the form asks which one pays, and that one does', async () => {
  const { alice, subWalletId } = console_.org
  const { client } = alice
  const place = { sub_wallet_id: subWalletId, chain: LOCAL_CHAIN }
  await client.call(createAddresses, { ...place, request_id: 'one-more-address', label: 'Shop' })
  const shop = await waitUntil(
    ports,
    'the address',
    async () => (await client.call(listUserAddresses, { ...place, keyword: 'Shop' })).list[0]?.address ?? undefined,
  )
  await askFaucet(ports, console_.stack.settings, { address: shop, asset: 'ETH', amount: '3' })
  const funded = async () => (await client.call(listMultiAddresses, { ...place, symbol: 'ETH', state: 'funded' })).list
  await waitUntil(ports, 'its deposit', async () => ((await funded()).length === 2 ? true : undefined))
  await page.goto(`${console_.stack.settings.consoleOrigin}/mpc/center/wallet`)
  await button('Withdraw ETH on Local network').click()
  await button(/^Paying address/).click()
  await page.getByRole('option', { name: /^Shop · 3 ETH/ }).click()
  await destination().fill(OTHER)
  await page.getByRole('textbox', { name: 'Amount' }).fill('3.5')
  await page.getByText('This is more than is available').waitFor()
  await page.getByRole('textbox', { name: 'Amount' }).fill('1.25')
  await lookAllOver(page, 'paying-from')
  await review(page)
  await page.getByText('Paying address').waitFor()
  await lookAllOver(page, 'paying-from-review')
  await sendForApproval(page)
  const { list } = await client.call(listTransactions, { sub_wallet_id: subWalletId, type: 'withdraw' })
  assert.equal(list.find((each) => each.amount === '1.25')?.address_from, shop)
})
