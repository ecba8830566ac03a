import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { nodePorts as ports, projectFolder } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { type LocalSettings, localSettings } from '../../apps/launcher/src/local-settings.ts'
import { type LocalStack, startLocalStack } from '../../apps/launcher/src/local-stack.ts'
import { runToEnd } from '../../apps/launcher/src/run-to-end.ts'
import { freePortBase } from '../processes/testing/free-ports.ts'
import { openBrowser, picture, seriousFaults, type Watched } from './browser.ts'
import { review, sendForApproval } from './story.ts'

const DESTINATION = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

let folder: string
let settings: LocalSettings
let stack: LocalStack
let watched: Watched
let page: Page

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hf-e2e-'))
  const env = { ...ports.process.env, HOLDFAST_PORT: String(await freePortBase()), HOLDFAST_DATA: folder, HOLDFAST_BLOCK_TIME_S: '0.5' }
  settings = localSettings({ process: { ...ports.process, env } }, await projectFolder(import.meta.url))
  stack = await startLocalStack(ports, settings, () => undefined)
  watched = await openBrowser()
  page = await watched.context.newPage()
})

after(async () => {
  await watched?.browser.close()
  await stack?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const button = (where: Page, name: RegExp | string) => where.getByRole('button', { name })
const follow = async (act: () => Promise<void>): Promise<Page> => {
  const [opened] = await Promise.all([watched.context.waitForEvent('page'), act()])
  await opened.waitForLoadState()
  return opened
}

test('first visit: a demo organisation is founded on the approval page and pinned by three signers', async () => {
  await page.goto(`${settings.consoleOrigin}/mpc`)
  await page.getByRole('heading', { name: 'How do you want to start?' }).waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'set-up')
  await button(page, 'Start the demo').click()
  const approvals = await follow(() => page.getByRole('link', { name: 'Open the approval page' }).click())
  assert.equal(new URL(approvals.url()).origin, settings.approvalOrigin)
  await button(approvals, 'Enrol three demo members and accept').click()
  await button(page, 'Sign in as Alice Chen').waitFor()
  assert.deepEqual(await seriousFaults(approvals), [])
  await picture(approvals, 'approval-founded')
  await picture(page, 'set-up-done')
  await approvals.close()
  await button(page, 'Sign in as Alice Chen').click()
  await page.getByRole('heading', { name: 'Wallets', level: 1 }).waitFor()
  await page.getByText('4 of 5', { exact: true }).waitFor()
})

test('a wallet is made by three signers, and shows no address before its recovery is proven', async () => {
  await button(page, 'Create wallet').click()
  await page.getByLabel('Wallet name').fill('Reserve')
  await page.getByRole('dialog').getByRole('button', { name: 'Create wallet' }).click()
  await page.getByText('Reserve is ready').waitFor()
  await picture(page, 'wallet-made')
  await page.getByRole('dialog').getByText('Verify the recovery kit').click()
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download kit').click()])
  await picture(page, 'recovery')
  const kit = join(folder, 'kit')
  await download.saveAs(kit)
  const drill = join(folder, 'drill')
  const identities = [1, 3].flatMap((party) => ['--identity', `${folder}/recovery-demo/identity-${party}.txt`])
  await runToEnd(ports, [`${settings.root}/apps/cli/src/main.ts`, 'recover', 'verify', '--kit', kit, ...identities, '--out', drill], {
    cwd: settings.root,
    logPath: `${folder}/logs/recover.log`,
    what: 'verifying the recovery kit',
  })
  await page.locator('input[type=file]').setInputFiles(drill)
  await button(page, 'Submit and open deposits').click()
  await page.getByText('Recovery is proven').first().waitFor()
})

test('a deposit from the faucet page is credited at finality, and the console shows it by itself', async () => {
  await page.getByRole('tab', { name: 'Coins' }).click()
  for (const [symbol, amount] of [
    ['ETH', '1.5'],
    ['USDX', '1000.000001'],
  ] as const) {
    await button(page, `Deposit ${symbol} on Local network`).click()
    const drawer = page.getByRole('dialog', { name: `Deposit ${symbol}` })
    const address = ((await drawer.locator('.hf-address').first().textContent()) ?? '').trim()
    assert.match(address, /^0x[0-9a-fA-F]{40}$/)
    if (symbol === 'ETH') {
      assert.deepEqual(await seriousFaults(page), [])
      await picture(page, 'deposit')
    }
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await fundFromFaucet(address, symbol, amount)
    await page.getByRole('row', { name: new RegExp(`${symbol}.*${amount.replace('1000', '1.?000')}`) }).waitFor()
  }
  await picture(page, 'coins')
})

async function fundFromFaucet(address: string, symbol: string, amount: string): Promise<void> {
  const faucet = await watched.context.newPage()
  await faucet.goto(`${settings.faucetUrl}/?address=${address}`)
  await faucet.getByLabel('Amount').fill(amount)
  await faucet.getByText(symbol, { exact: true }).first().click()
  await faucet.locator('button[type=submit]').click()
  await faucet
    .getByRole('status')
    .getByText(/0x[0-9a-f]/)
    .waitFor()
  await faucet.close()
}

test('a payment is asked for with the exact policy outcome, approved by two others, signed by two signers, and confirmed', async () => {
  await button(page, 'Withdraw USDX on Local network').click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Destination').fill(DESTINATION)
  await drawer.getByLabel('Amount', { exact: true }).fill('250.5')
  await drawer.getByText(/Needs 2 of these 2 people, not you: Bruno Diaz, Chiara Rossi/).waitFor()
  await picture(page, 'withdraw')
  await review(page)
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'withdraw-review')
  await sendForApproval(page)
  await drawer.getByText('Sent for approval').waitFor()
  const approvals = await follow(() => drawer.getByRole('link', { name: 'Open the approval page' }).click())
  await approvals
    .getByText(/250\.5 USDX/)
    .first()
    .waitFor()
  assert.deepEqual(await seriousFaults(approvals), [])
  await picture(approvals, 'approval')
  assert.equal(await button(approvals, 'Approve as Alice Chen').count(), 0)
  await button(approvals, 'Approve as Bruno Diaz').click()
  await approvals
    .getByText(/1 of 2/)
    .first()
    .waitFor()
  await button(approvals, 'Approve as Chiara Rossi').click()
  await approvals
    .getByText(/2 of 2/)
    .first()
    .waitFor()
  await picture(approvals, 'approval-done')
  await approvals.close()
  await drawer.getByRole('button', { name: 'View the order' }).click()
  await page.getByRole('dialog').getByText('Completed').first().waitFor()
  await picture(page, 'order')
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download evidence').click()])
  const bundle = join(folder, 'evidence')
  await download.saveAs(bundle)
  const verdict = await runToEnd(ports, [`${settings.root}/apps/cli/src/main.ts`, 'verify-evidence', bundle], {
    cwd: settings.root,
    logPath: `${folder}/logs/verify.log`,
    what: 'verifying the evidence',
  })
  assert.match(verdict, /Approved by\s+Bruno Diaz, Chiara Rossi/)
})

test('whoever is signed out while a form is filled in finds it again once signed in', async () => {
  await page.goto(`${settings.consoleOrigin}/mpc/center/wallet`)
  const form = page.getByRole('dialog')
  const signInAgain = async () => {
    await watched.context.clearCookies()
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await picture(page, 'draft-signed-out')
    await button(page, 'Alice Chen').click()
  }
  await button(page, 'Withdraw ETH on Local network').click()
  await form.getByLabel('Destination').fill(DESTINATION)
  await form.getByLabel('Amount', { exact: true }).fill('0.125')
  await signInAgain()
  await form.getByLabel('Amount', { exact: true }).waitFor()
  assert.deepEqual([await form.getByLabel('Destination').inputValue(), await form.getByLabel('Amount', { exact: true }).inputValue()], [DESTINATION, '0.125'])
  await picture(page, 'draft-restored')
  await page.keyboard.press('Escape')
  await button(page, 'Discard').click()
  await form.first().waitFor({ state: 'detached' })
  await button(page, 'More for ETH on Local network').click()
  await button(page, 'Contract call on Local network').click()
  await form.getByLabel('Call data').fill('0x095ea7b3')
  await signInAgain()
  assert.equal(await form.getByLabel('Call data').inputValue(), '0x095ea7b3')
  await page.keyboard.press('Escape')
  await button(page, 'Discard').click()
  await form.first().waitFor({ state: 'detached' })
})

test('signing out ends the session', async () => {
  await page.goto(`${settings.consoleOrigin}/mpc/wallet`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await button(page, /Alice Chen|^A$/)
    .first()
    .click()
  await page.getByText('Sign out').click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await picture(page, 'sign-in')
  assert.deepEqual(await seriousFaults(page), [])
})

test('no page had a console error or a violation of its content security policy', () => {
  assert.deepEqual(watched.faults, [])
})
