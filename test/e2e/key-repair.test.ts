import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before } from 'node:test'
import { listKeys } from '@holdfast/features/key-recovery/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { orderPayment } from '../../apps/launcher/src/order-payment.ts'
import { proveRecovery } from '../../apps/launcher/src/prove-recovery.ts'
import { freshAddress } from '../processes/testing/local-chain.ts'
import { startTestStack, type TestStack } from '../processes/testing/start-test-stack.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import { lookAllOver, story } from './story.ts'

const LOST = 'signer-2'

let stack: TestStack
let at: FundedConsole
let page: Page

before(async () => {
  // Of its own: a signer of it is stopped.
  stack = await startTestStack({ hasConsole: true })
  at = await startFundedConsole({ own: stack, mark: 'Repair' })
  page = await at.open(at.org.alice, '/mpc/center/wallet/keyRecovery')
})
after(async () => {
  await at?.close()
  await stack?.dispose()
})

const test = story()

const button = (name: RegExp | string, where: Page | ReturnType<Page['locator']> = page) => where.getByRole('button', { name })
const drawer = () => page.getByRole('dialog').last()
const signers = () => page.getByRole('list', { name: 'Signers of this key' })
const look = (name: string) => lookAllOver(page, `keys-${name}`)

/** Proposes what is open in the drawer, and has the two others approve it. */
async function proposeAndApprove(): Promise<void> {
  await button('Propose it', drawer()).click()
  await drawer().getByText('The order is proposed').waitFor()
  await button('Done', drawer()).click()
  await page.getByText('0 of 2 approvals').waitFor()
  const { alice, bruno, chiara } = at.org
  const [key] = (await alice.client.call(listKeys, {})).list
  await bruno.decide(key!.change!.intent_hash, 'approve')
  await chiara.decide(key!.change!.intent_hash, 'approve')
}

test('while a signer is away the repair says that it is to be started again', async () => {
  await page.getByText('Signs with epoch 0').nth(2).waitFor()
  await stack.end(LOST)
  await signers().getByText('Not connected').waitFor()
  await button('Repair signer').click()
  await drawer().getByLabel('Signer that has no share').selectOption('2')
  await drawer().getByText('Signer 2 is started again').waitFor()
  await drawer().getByText('It connects and holds no share of the key.').waitFor()
  await look('repair-away')
  await page.keyboard.press('Escape')
})

test('a signer that lost its data is shown without a share; its repair is proposed, approved and carried out, and it has a share again', async () => {
  await rm(`${stack.settings.folder}/${LOST}/data/organisations`, { recursive: true })
  await stack.restart(LOST)
  await signers().getByText('Has no share of this key').waitFor()
  await look('repair-lost')
  await button('Repair signer').click()
  assert.equal(await drawer().getByLabel('Signer that has no share').inputValue(), '2')
  await proposeAndApprove()
  await page.getByText('Kit to be verified').waitFor({ timeout: 120_000 })
  await page.getByText('Signs with epoch 1').nth(2).waitFor()
  await look('repaired')
  await proveRecovery(ports, stack.settings, at.org.alice, at.org.walletId)
  await page.getByText('Recovery proven').waitFor()
  await button('Check shares').click()
  await page.getByText('All three signers showed that they have their shares.').waitFor()
})

test('an order that was taken back can be proposed once more', async () => {
  const propose = async () => {
    await button('Retire key').click()
    await drawer().getByLabel('Reason').fill('closing this office')
    await drawer().getByLabel('If something is left in the wallet, leave it to the recovery tool').check()
  }
  await propose()
  await look('retire')
  await button('Propose it', drawer()).click()
  await drawer().getByText('The order is proposed').waitFor()
  await button('Done', drawer()).click()
  await button('Take back').click()
  await button('Take back', drawer()).click()
  await page.getByText('0 of 2 approvals').waitFor({ state: 'detached' })
  await propose()
})

test('a key is retired: the page says so, and the wallet pays nothing any more', async () => {
  await proposeAndApprove()
  await page.getByText('This key is retired.').waitFor({ timeout: 60_000 })
  for (const gone of ['Retire key', 'Refresh shares', 'Repair signer']) await button(gone).waitFor({ state: 'detached' })
  await look('retired')
  const payment = orderPayment(ports, at.org.alice, { subWalletId: at.org.subWalletId, symbol: 'ETH', amount: '1', to: freshAddress() })
  await assert.rejects(payment, /The key of this wallet is retired/)
  assert.deepEqual(at.watched.faults, [])
})
