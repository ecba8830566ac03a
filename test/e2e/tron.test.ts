import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import { addressText } from '@holdfast/chain-tron/codec'
import { LOCAL_TRON } from '../../apps/launcher/src/local-settings.ts'
import { type Page } from 'playwright-core'
import { picture, seriousFaults } from './browser.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import { lookAllOver, review, story } from './story.ts'

let app: FundedConsole
let page: Page
let address = ''

before(async () => {
  app = await startFundedConsole({ amount: '1', mark: 'Tron' })
  page = await app.open(app.org.alice, '/mpc/center/wallet')
})
after(() => app?.close())

const step = story()
const freshAddress = () => addressText(Uint8Array.of(0x41, ...randomBytes(20)))
const rowOf = (symbol: string) => page.getByRole('row', { name: new RegExp(symbol) })

async function depositFromPage(symbol: string, amount: string): Promise<void> {
  await page.getByRole('button', { name: `Deposit ${symbol}` }).click()
  const drawer = page.getByRole('dialog', { name: `Deposit ${symbol}` })
  address = ((await drawer.locator('.hf-address').first().textContent()) ?? '').trim()
  await drawer.getByText('TRON emulator').first().waitFor()
  await drawer.locator('.hf-deposit-qr svg').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, `tron-deposit-${symbol}`)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  const faucet = await (await app.watched.newContext()).newPage()
  await faucet.goto(`${app.stack.settings.faucetUrl}/?address=${address}`)
  await faucet.getByText('A model of TRON for trying out').waitFor()
  await faucet.getByLabel('Amount').fill(amount)
  await faucet.getByText(symbol, { exact: true }).first().click()
  await picture(faucet, `tron-faucet-${symbol}`)
  await faucet.locator('button[type=submit]').click()
  await faucet
    .getByRole('status')
    .getByText(/arrived in block/)
    .waitFor()
  await faucet.close()
  await rowOf(symbol).getByText(amount).first().waitFor()
}

/** Fills the form and sends it for approval; the drawer stays open on what was sent. */
async function askFor(symbol: string, amount: string, to: string, look: () => Promise<void>): Promise<string> {
  await page.getByRole('button', { name: `Withdraw ${symbol}` }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Destination').fill(to)
  await drawer.getByLabel('Amount').fill(amount)
  await look()
  await review(page)
  await drawer.getByRole('button', { name: 'Send for approval' }).click()
  await drawer.getByText('Sent for approval').waitFor()
  return (await drawer.getByRole('link', { name: 'Open the approval page' }).getAttribute('href'))!
}

step('TRX and a TRC-20 are deposited to an address of TRON from the faucet page, and the console shows them by itself', async () => {
  await depositFromPage('TRX', '120.5')
  const first = address
  await depositFromPage('USDZ', '900.25')
  assert.equal(address, first)
  assert.match(address, /^T[1-9A-HJ-NP-Za-km-z]{33}$/)
})

step('an address that is none of TRON is refused in the form', async () => {
  await page.getByRole('button', { name: 'Withdraw TRX' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Destination').fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  await drawer.getByText('This is not an address of the network').waitFor()
  await drawer.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

for (const [symbol, amount] of [
  ['TRX', '20'],
  ['USDZ', '300.125'],
] as const) {
  step(`${symbol} is paid: the fee in the terms of TRON, the order on the approval page, two signers, confirmed`, async () => {
    const to = freshAddress()
    const link = await askFor(symbol, amount, to, async () => {
      const drawer = page.getByRole('dialog')
      if (symbol === 'TRX') await drawer.getByText('costs 1.1 TRX of the fee').waitFor()
      else await drawer.getByText(/Uses \d+ energy/).waitFor()
      await drawer.getByText(/Uses \d+ bandwidth/).waitFor()
      await lookAllOver(page, `tron-withdraw-${symbol}`)
    })
    const approvals = await (await app.watched.newContext()).newPage()
    await approvals.goto(link)
    await approvals.getByText(`${amount} ${symbol}`).first().waitFor()
    await approvals.getByText(LOCAL_TRON).first().waitFor()
    await picture(approvals, `tron-approval-${symbol}`)
    await approvals.close()
    const hash = /[0-9a-f]{64}/.exec(link)![0]
    await app.org.bruno.decide(hash, 'approve')
    await app.org.chiara.decide(hash, 'approve')
    await page.getByRole('dialog').getByRole('button', { name: 'View the order' }).click()
    await page.getByText('Completed').first().waitFor()
    await picture(page, `tron-order-${symbol}`)
    assert.equal(await page.getByText('Nonce', { exact: true }).count(), 0)
    await page.goto(`${app.stack.settings.consoleOrigin}/mpc/center/wallet`)
  })
}

step('no page had a console error or a violation of its content security policy', () => {
  assert.deepEqual(app.watched.faults, [])
})
