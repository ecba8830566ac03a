import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { listWallets } from '@holdfast/features/wallet/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { recoveryDrill } from '../../apps/launcher/src/run-drill.ts'
import { runToEnd } from '../../apps/launcher/src/run-to-end.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import { lookAllOver, story } from './story.ts'

let at: FundedConsole
let page: Page
const step = story()

before(async () => {
  at = await startFundedConsole({ mark: 'Keys' })
  page = await at.open(at.org.alice, '/mpc/center/wallet')
})
after(() => at?.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const drawer = () => page.getByRole('dialog')
const go = (path: string) => page.goto(`${at.stack.settings.consoleOrigin}${path}`)

step('a treasury is made with a key for each kind of network; a name that is too long is refused where it is typed, and not cut', async () => {
  await page.getByRole('heading', { name: 'Wallet Keys' }).waitFor()
  await go('/mpc/wallet')
  await button('Create wallet').first().click()
  const name = drawer().getByLabel('Wallet name')
  await name.fill('x'.repeat(51))
  await drawer().getByRole('button', { name: 'Create wallet' }).click()
  await drawer().getByRole('alert').getByText('50').waitFor()
  assert.equal((await name.inputValue()).length, 51)
  await name.fill('Treasury')
  await drawer().getByText('Advanced: one kind of key only').click()
  await lookAllOver(page, 'treasury-create')
  await drawer().getByRole('button', { name: 'Create wallet' }).click()
  await drawer().getByText('Key 2 of 2: TON').waitFor()
  await drawer().getByText('Treasury is ready').waitFor()
  await lookAllOver(page, 'treasury-made')
})

step('the wallet that was chosen before stays chosen until the new one is opened, and its one kit proves both keys', async () => {
  await drawer().getByRole('button', { name: 'Close' }).last().click()
  await drawer().waitFor({ state: 'hidden' })
  await go('/mpc/center/wallet')
  await page.getByRole('heading', { name: 'Wallet Keys' }).waitFor()
  await go('/mpc/wallet')
  await page.getByRole('link', { name: 'Treasury', exact: true }).click()
  await page.getByRole('tab', { name: 'Recovery' }).click()
  await page.getByRole('list', { name: 'Keys of this wallet: 2' }).getByRole('listitem').nth(1).waitFor()
  await lookAllOver(page, 'treasury-unproven')
  const { settings } = at.stack
  const { wallet_list } = await at.org.alice.client.call(listWallets, {})
  const { wallet_id: walletId } = wallet_list.find(({ wallet_name: name }) => name === 'Treasury')!
  const { kitPath, drillPath, args } = recoveryDrill(settings, { name: walletId })
  const [kit] = await Promise.all([page.waitForEvent('download'), button('Download kit').click()])
  await kit.saveAs(kitPath)
  await runToEnd(ports, [`${settings.root}/apps/cli/src/main.ts`, 'recover', ...args], {
    cwd: settings.root,
    logPath: `${settings.folder}/logs/recover-page.log`,
    what: 'rebuilding the keys',
  })
  await page.locator('input[type=file]').setInputFiles(drillPath)
  await button('Submit and open deposits').click()
  await page.getByText('Recovery is proven').first().waitFor()
  await lookAllOver(page, 'treasury-proven')
})

step('it has the coins of all networks, and its keys stand apart, each with its kind', async () => {
  await page.getByRole('tab', { name: 'Coins' }).click()
  for (const symbol of ['ETH', 'BTC', 'TON', 'TRX'])
    await page
      .getByRole('row', { name: new RegExp(symbol) })
      .first()
      .waitFor()
  await go(`/mpc/center/wallet/keyRecovery`)
  await page.getByRole('heading', { name: 'Treasury · ECDSA on secp256k1' }).waitFor()
  await page.getByRole('heading', { name: 'Treasury · Ed25519' }).waitFor()
  await lookAllOver(page, 'treasury-keys')
})

step('an empty wallet is archived and put back, and one that holds value says what it holds', async () => {
  await go('/mpc/wallet')
  await button('Archive Wallet Keys').click()
  await page.getByText(/This wallet holds 10 ETH, so it stays in the lists/).waitFor()
  await button('Archive Treasury').click()
  await page.getByRole('heading', { name: 'Treasury', exact: true }).waitFor({ state: 'detached' })
  await go('/mpc/wallet?show=archived')
  await page.getByRole('heading', { name: 'Treasury', exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Treasury', exact: true }).count(), 0)
  await lookAllOver(page, 'treasury-archived')
  await button('Restore Treasury').click()
  await go('/mpc/wallet')
  await page.getByRole('heading', { name: 'Treasury', exact: true }).waitFor()
  assert.deepEqual(
    at.watched.faults.filter((fault) => !fault.includes('400')),
    [],
  )
})
