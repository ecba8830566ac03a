import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before } from 'node:test'
import { listKeys } from '@holdfast/features/key-recovery/contract'
import { listPolicyChanges } from '@holdfast/features/policy/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { orderPayment } from '../../apps/launcher/src/order-payment.ts'
import { initSigner } from '../../apps/launcher/src/prepare-identities.ts'
import { proveRecovery } from '../../apps/launcher/src/prove-recovery.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { startTestStack, type TestStack } from '../processes/testing/start-test-stack.ts'
import { picture, seriousFaults } from './browser.ts'
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

/** Proposes what is open in the drawer. */
async function propose(): Promise<void> {
  await button(/ the key of Wallet /, drawer()).click()
  await drawer().getByText('Order proposed').waitFor()
  await button('Done', drawer()).click()
}

/** Has the two others approve an order. */
async function approve(hash: string): Promise<void> {
  for (const member of [at.org.bruno, at.org.chiara]) await member.decide(hash, 'approve')
}

async function approveForKey(): Promise<void> {
  await page.getByText('0 of 2 approvals').waitFor()
  const [key] = (await at.org.alice.client.call(listKeys, {})).list
  await approve(key!.change!.intent_hash)
}

test('while a signer is away the repair says that it is to be started again', async () => {
  await page.getByText('Signs with epoch 0').nth(2).waitFor()
  await stack.end(LOST)
  await signers().getByText('Not connected').waitFor()
  await button('Repair signer').click()
  await drawer().getByLabel('Signer that has no share').selectOption('2')
  await drawer().getByText('Signer 2 is restarted').waitFor()
  await drawer().getByText('It connects and holds no share of the key.').waitFor()
  await look('repair-away')
  await page.keyboard.press('Escape')
})

test('where its machine is lost with its identity, those who govern put another in its place', async () => {
  await rm(`${stack.settings.folder}/${LOST}`, { recursive: true })
  const key = await initSigner(ports, stack.settings, 2)
  const policy = await at.open(at.org.alice, '/mpc/teamMember')
  const form = policy.getByRole('dialog').last()
  await policy.getByRole('tab', { name: 'Who may approve' }).click()
  await button('Propose a change', policy).click()
  await form.getByLabel('Signer to replace').selectOption('2')
  await form.getByLabel('Name of the new signer').fill('signer-2b')
  await form.getByLabel('Operator').fill('Another operator')
  await form.getByLabel('Its public key').fill(key)
  await button('Review change', form).click()
  await form.getByText('signer-2b, run by Another operator').waitFor()
  await lookAllOver(policy, 'keys-replace-signer')
  await button('Propose it', form).click()
  await form.getByText('Change proposed').waitFor()
  const { list } = await at.org.alice.client.call(listPolicyChanges, {})
  await approve(list[0]!.intent_hash)
  await button('Done', form).click()
  await policy.getByRole('heading', { name: 'Version 2 is in force' }).waitFor()
  await policy.close()
})

test('the one in its place is shown without a share; its repair waits where a signer is away, is carried out, and it has a share', async () => {
  await stack.restart(LOST)
  await signers().getByText('signer-2b').waitFor()
  await signers().getByText('Has no share of this key').waitFor()
  await look('repair-lost')
  await button('Repair signer').click()
  assert.equal(await drawer().getByLabel('Signer that has no share').inputValue(), '2')
  await propose()
  await stack.end('signer-3')
  await approveForKey()
  await page.getByText('Waiting for signer 3 to connect. Nothing is lost; this continues when it is back.').waitFor()
  await look('repair-waits')
  await stack.restart('signer-3')
  await page.getByText('Kit to be verified').waitFor()
  await page.getByText('Signs with epoch 1').nth(2).waitFor()
  await proveRecovery(ports, stack.settings, at.org.alice, at.org.walletId)
  await page.getByText('Recovery proven').waitFor()
  await button('Check shares').click()
  await page.getByText('All three signers proved that they have their shares.').waitFor()
})

test('an order that was taken back can be proposed once more', async () => {
  const fillIn = async () => {
    await button('Retire key').click()
    await drawer().getByLabel('Reason').fill('closing this office')
    await drawer().getByLabel('Retire it even if funds remain; they then need the recovery tool').check()
    assert.ok(await button(/^Retire the key of Wallet /, drawer()).isDisabled(), 'nothing is retired without its name')
    const [key] = (await at.org.alice.client.call(listKeys, {})).list
    await drawer().getByLabel(`Type “${key!.wallet_name}” to confirm`).fill(key!.wallet_name)
  }
  await fillIn()
  await look('retire')
  await propose()
  await button('Withdraw').click()
  await button('Withdraw', drawer()).click()
  await page.getByText('0 of 2 approvals').waitFor({ state: 'detached' })
  await fillIn()
})

test('a key is retired: the page says so, and the wallet pays nothing any more', async () => {
  await propose()
  await approveForKey()
  await page.getByText('This key is retired.').waitFor()
  for (const gone of ['Retire key', 'Refresh shares', 'Repair signer']) await button(gone).waitFor({ state: 'detached' })
  await look('retired')
  const payment = orderPayment(ports, at.org.alice, { subWalletId: at.org.subWalletId, symbol: 'ETH', amount: '1', to: freshAddress() })
  await assert.rejects(payment, /This wallet's key is retired/)
})

test('a wallet that is made while a signer is away says whom it waits for, and what to do where the machine is lost', async () => {
  await stack.end('signer-3')
  await page.goto(`${stack.settings.consoleOrigin}/mpc/wallet`)
  await button('Create wallet').first().click()
  await drawer().getByLabel('Wallet name').fill('Waits')
  await button('Create wallet', drawer()).click()
  await drawer().getByText('Waiting for signer 3 to connect').waitFor()
  await drawer()
    .getByText(/replace the signer with a policy change/)
    .waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'wallet-waits')
  assert.deepEqual(at.watched.faults, [])
})
