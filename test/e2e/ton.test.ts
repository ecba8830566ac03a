import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import { addressText } from '@holdfast/chain-ton/codec'
import { decideClaim } from '@holdfast/features/deposit/contract'
import { getDeposit } from '../../features/transaction/contract.ts'
import { listWallets } from '../../features/wallet/contract.ts'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { askFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { foundOrganisation } from '../../apps/launcher/src/found-organisation.ts'
import { LOCAL_TON } from '../../apps/launcher/src/local-settings.ts'
import { proveRecovery } from '../../apps/launcher/src/prove-recovery.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { type JoinedStack, joinStack } from '../processes/testing/joined-stack.ts'
import { openBrowser, picture, seriousFaults, type Watched } from './browser.ts'
import { signInBrowser } from './people/sign-in-browser.ts'
import { lookAllOver, review, sendForApproval, story } from './story.ts'

let stack: JoinedStack
let members: TerminalMember[]
let watched: Watched
let page: Page
let address = ''

before(async () => {
  stack = await joinStack({ hasConsole: true })
  const names = ['Alice', 'Bruno', 'Chiara'].map((name) => `${name} Ton`)
  members = (await foundOrganisation(ports, stack.settings, { name: 'Organisation Ton', members: names, threshold: 2 })).members
  watched = await openBrowser()
  const context = await watched.newContext()
  await signInBrowser(context, members[0]!, stack.settings.consoleOrigin)
  page = await context.newPage()
  await page.goto(`${stack.settings.consoleOrigin}/mpc/wallet`)
})
after(async () => {
  await watched?.browser.close()
  await stack?.dispose()
})

const step = story()
const freshAddress = () => addressText({ workchain: 0, hash: randomBytes(32) }, true)

step('a wallet for TON is made by the kind of its key, and its coins are those of TON alone', async () => {
  await page.getByRole('button', { name: 'Create wallet' }).first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Wallet name').fill('Wallet for TON')
  await drawer.getByText('Advanced: one kind of key only').click()
  await drawer.getByLabel('Keys').selectOption('ed25519')
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'ton-create')
  await drawer.getByRole('button', { name: 'Create wallet' }).click()
  await drawer.getByText('Wallet for TON is ready').waitFor()
  const { wallet_list } = await members[0]!.client.call(listWallets, {})
  await proveRecovery(ports, stack.settings, members[0]!, wallet_list[0]!.wallet_id)
  await page.goto(`${stack.settings.consoleOrigin}/mpc/center/wallet`)
  await page.getByRole('button', { name: 'Deposit TON' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Deposit ETH' }).count(), 0)
})

step('TON is deposited from the faucet page by an address that needs no comment', async () => {
  await page.getByRole('button', { name: 'Deposit TON' }).click()
  const drawer = page.getByRole('dialog', { name: 'Deposit TON' })
  await drawer.locator('.hf-deposit-qr svg').waitFor()
  address = ((await drawer.locator('.hf-address').first().textContent()) ?? '').trim()
  assert.match(address, /^0Q[\w-]{46}$/)
  await drawer.getByText('Not needed').waitFor()
  await drawer.getByText('Send to it exactly as it is shown').waitFor()
  await picture(page, 'ton-deposit')
  await page.keyboard.press('Escape')
  const faucet = await (await watched.newContext()).newPage()
  await faucet.goto(`${stack.settings.faucetUrl}/?address=${address}`)
  await faucet.getByText('no TON node').waitFor()
  await faucet.getByLabel('Amount').fill('12.5')
  await faucet.getByText('TON', { exact: true }).first().click()
  await picture(faucet, 'ton-faucet')
  await faucet.locator('button[type=submit]').click()
  await faucet
    .getByRole('status')
    .getByText(/arrived in block/)
    .waitFor()
  await faucet.close()
  await page.getByRole('row', { name: /TON/ }).first().getByText('12.5').first().waitFor()
})

step('the address is shared by a comment, which is told beside it, and what then comes without it is held', async () => {
  await page.getByRole('button', { name: 'Deposit TON' }).click()
  const drawer = page.getByRole('dialog', { name: 'Deposit TON' })
  await drawer.getByRole('button', { name: 'Take deposits by comment' }).click()
  const question = page.getByRole('dialog', { name: 'Share this address between payers?' })
  await question.getByText('This cannot be undone').waitFor()
  await question.getByRole('button', { name: 'Take deposits by comment' }).click()
  await drawer.getByText('Both address and comment are needed').waitFor()
  for (const name of ['Copy address', 'Copy comment']) await drawer.getByRole('button', { name }).first().waitFor()
  assert.match((await drawer.locator('.hf-deposit-address .hf-mono').last().textContent()) ?? '', /^[0-9A-Z]{12}$/)
  await lookAllOver(page, 'ton-deposit-comment')
  await page.keyboard.press('Escape')
  await askFaucet(ports, stack.settings, { address, chain: LOCAL_TON, asset: 'TON', amount: '0.5' })
  await page.goto(`${stack.settings.consoleOrigin}/mpc/center/wallet/transactions`)
  await page.getByText('Held: it arrived without a comment').first().waitFor()
})

step('one person says whose the held payment is, another one confirms it, and it is credited', async () => {
  await page.getByRole('tab', { name: 'On hold' }).click()
  await page.getByRole('row').getByRole('button').first().click()
  const record = page.getByRole('dialog', { name: 'Deposit' })
  await record.getByRole('button', { name: 'Identify owner' }).click()
  const form = page.getByRole('dialog', { name: 'Identify owner' })
  await form.getByLabel('What to do with it').selectOption('nobody')
  await form.getByRole('textbox', { name: 'Reason' }).fill('By its receipt')
  assert.deepEqual(await seriousFaults(page), [])
  await picture(page, 'ton-claim')
  await form.getByRole('button', { name: 'Ask for confirmation' }).click()
  await record.getByText('Waiting for another person').waitFor()
  assert.equal(await record.getByRole('button', { name: 'Confirm' }).count(), 0)
  const { claims } = await members[1]!.client.call(getDeposit, { id: new URL(page.url()).searchParams.get('order')! })
  await members[1]!.client.call(decideClaim, { claim_id: claims[0]!.id, result: 'confirm' })
  await record.getByText('Confirmed by another person').waitFor()
  await picture(page, 'ton-claimed')
  await page.goto(`${stack.settings.consoleOrigin}/mpc/center/wallet`)
})

step('TON is paid with a comment: measured in the form, read on the approval page, signed by two signers, confirmed', async () => {
  const to = freshAddress()
  await page.getByRole('button', { name: 'Withdraw TON' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Destination').fill(`0:${Buffer.from(to, 'base64url').subarray(2, 34).toString('hex')}`)
  await drawer.getByText('No contract is deployed at this address yet').waitFor()
  await drawer.getByLabel('Comment').fill('é'.repeat(61))
  await drawer.getByText('this is 2 too many').waitFor()
  await drawer.getByLabel('Comment').fill('invoice 10042')
  await drawer.getByLabel('Amount', { exact: true }).fill('2.25')
  await lookAllOver(page, 'ton-withdraw')
  await review(page)
  await drawer.getByText('invoice 10042').waitFor()
  const link = await sendForApproval(page)
  const approvals = await (await watched.newContext()).newPage()
  await approvals.goto(link)
  for (const text of ['2.25 TON', 'invoice 10042']) await approvals.getByText(text).first().waitFor()
  await approvals.getByText(LOCAL_TON).first().waitFor({ state: 'attached' })
  await picture(approvals, 'ton-approval')
  await approvals.close()
  const hash = /[0-9a-f]{64}/.exec(link)![0]
  for (const member of members.slice(1)) await member.decide(hash, 'approve')
  await drawer.getByRole('button', { name: 'View the order' }).click()
  await page.getByRole('dialog').getByText('Completed').first().waitFor()
  await page.getByText('invoice 10042').first().waitFor()
  await picture(page, 'ton-order')
})

step('no page had a console error or a violation of its content security policy', () => {
  assert.deepEqual(watched.faults, [])
})
