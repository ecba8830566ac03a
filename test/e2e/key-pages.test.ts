import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { listKeys } from '@holdfast/features/key-recovery/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { proveRecovery } from '../../apps/launcher/src/prove-recovery.ts'
import { picture, seriousFaults } from './browser.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import { lookAllOver, lookAtWords, story } from './story.ts'

let at: FundedConsole
let page: Page

before(async () => {
  at = await startFundedConsole({ mark: 'Test' })
  page = await at.open(at.org.alice, '/mpc/center/wallet/keyRecovery')
})
after(() => at?.close())

const test = story()

const button = (name: RegExp | string, where: Page | ReturnType<Page['locator']> = page) => where.getByRole('button', { name })
const drawer = () => page.getByRole('dialog').last()
const look = (name: string, shown: Page = page) => lookAllOver(shown, `keys-${name}`)

test('each key is shown with its kind, its epoch, its signers and its recovery (spec 2.12)', async () => {
  await page.getByRole('heading', { name: 'Keys and recovery', level: 1 }).waitFor()
  await page.getByText('ECDSA on secp256k1 (dkls23/v1)').waitFor()
  await page.getByText('Signs with epoch 0').nth(2).waitFor()
  await button('Check shares').click()
  await page.getByText('All three signers proved that they have their shares.').waitFor()
})

test('a refresh is proposed, told in words on the approval page, approved, and carried out by the signers', async () => {
  await button('Refresh shares').click()
  await drawer().getByText('All three signers replace their shares.').waitFor()
  await picture(page, 'keys-propose')
  assert.deepEqual(await seriousFaults(page), [])
  await button(/^Refresh the shares of the key of Wallet /, drawer()).click()
  await drawer().getByText('Order proposed').waitFor()
  const href = await drawer().getByRole('link', { name: 'Open the approval page' }).getAttribute('href')
  await button('Done', drawer()).click()
  await page.getByText('0 of 2 approvals').waitFor()
  await look('waiting')

  const { alice, bruno, chiara } = at.org
  const todo = await at.open(bruno, '/mpc/center/wallet/todo')
  await todo
    .getByText(/asks to refresh the shares of the key of/)
    .first()
    .waitFor()
  assert.deepEqual(await seriousFaults(todo), [])
  await picture(todo, 'keys-todo')
  const approving = await todo.context().newPage()
  await approving.goto(href!)
  await approving.getByRole('heading', { name: /Refresh the shares of the key of/ }).waitFor()
  await approving.getByText('0, from then on 1').waitFor()
  await look('approval-page', approving)
  await approving.close()

  const [key] = (await alice.client.call(listKeys, {})).list
  await bruno.decide(key!.change!.intent_hash, 'approve')
  assert.deepEqual(await chiara.decide(key!.change!.intent_hash, 'approve'), { state: 'approved', missing: 0 })
  await page.getByText('Signers at work').or(page.getByText('Kit to be verified')).first().waitFor()
  await picture(page, 'keys-at-work')
  await page.getByText('Kit to be verified').waitFor()
  await page.getByText('Signs with epoch 1').nth(2).waitFor()
  await look('refreshed')
})

test('the recovery of the new epoch is proven from the same page', async () => {
  await button('Verify recovery').click()
  await drawer().getByRole('heading', { name: 'Recovery is not proven yet' }).waitFor()
  await look('recovery')
  await page.keyboard.press('Escape')
  await proveRecovery(ports, at.stack.settings, at.org.alice, at.org.walletId)
  await page.getByText('Recovery proven').waitFor()
  await page
    .getByText(/keeps epoch 0/)
    .first()
    .waitFor({ state: 'detached' })
  await picture(page, 'keys-proven')
})

test('a repair is led through before it is proposed, and an export names for each signer whose recipient it seals to', async () => {
  await button('Repair signer').click()
  await drawer().getByText('The signers create new shares').waitFor()
  await look('repair-walk')
  await page.keyboard.press('Escape')
  await button('Export key').click()
  const { alice, bruno: named } = at.org
  for (const [party, { personId }] of [
    [1, alice],
    [2, named],
  ] as const) {
    const signer = drawer().getByRole('group', { name: `Signer ${party} seals its share to` })
    await signer.getByLabel('Person', { exact: true }).selectOption(personId)
    await signer.getByLabel('Public key').fill(`age1${String(party + 1).repeat(58)}`)
  }
  await look('export')
  await button(/^Export the key of Wallet /, drawer()).click()
  await drawer().getByText('Order proposed').waitFor()
  await button('Done', drawer()).click()
  const bruno = await at.open(at.org.bruno, '/mpc/center/wallet/todo')
  await bruno.getByText('A key export names you').waitFor()
  await look('reminder', bruno)
  await bruno.getByRole('button', { name: 'Open', exact: true }).click()
  await bruno.getByRole('button', { name: 'It is mine' }).click()
  await bruno.getByText('A key export names you').waitFor({ state: 'detached' })
  await look('export-detail', bruno)
  await page.getByText('Confirmed', { exact: true }).waitFor()
  await look('export-waiting')
  await button('Withdraw').click()
  await button('Withdraw', drawer()).click()
  await page.getByText('Confirmed', { exact: true }).waitFor({ state: 'detached' })
})

test('the page speaks Chinese', async () => {
  await page.context().addCookies([{ name: 'lan', value: 'zh_CN', url: at.stack.settings.consoleOrigin }])
  await page.reload()
  await page.getByRole('heading', { name: '密钥与恢复', level: 1 }).waitFor()
  await page.getByText('使用版本 1 签名').nth(2).waitFor()
  await lookAtWords(page, 'keys-zh')
  assert.deepEqual(at.watched.faults, [])
})
