import { after, before } from 'node:test'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import type { Page } from 'playwright-core'
import { lookAllOver, story } from './story.ts'

let at: FundedConsole
let page: Page

before(async () => {
  at = await startFundedConsole({ mark: 'Test' })
  page = await at.open(at.org.alice, '/mpc/teamMember?tab=organisation')
})
after(() => at?.close())

const test = story()
const drawer = () => page.getByRole('dialog').last()

test('it is asked for in the console that a signer is away, and told in words on the approval page', async () => {
  await page.getByRole('heading', { name: 'Unresponsive signers' }).waitFor()
  await page.getByRole('button', { name: 'Declare away …' }).nth(2).click()
  await drawer().getByLabel('Reason').fill('its disk is broken')
  await lookAllOver(page, 'absence-asked')
  await drawer().getByRole('button', { name: 'Request approval' }).click()
  await drawer().getByText('Approval requested').waitFor()
  const href = await drawer().getByRole('link', { name: 'Open on the approval page' }).getAttribute('href')
  await drawer().getByRole('button', { name: 'Done' }).click()
  await page.getByText('Waiting for approvals').waitFor()
  await lookAllOver(page, 'absence-waits')
  const approving = await page.context().newPage()
  await approving.goto(href!)
  await approving.getByRole('heading', { name: 'Signer 3 is away: go on without its word' }).waitFor()
  await approving.getByRole('link', { name: 'Stop all signing…' }).click()
  await approving.getByRole('heading', { name: /^Stop all signing of / }).waitFor()
  await lookAllOver(approving, 'stop-page')
  await approving.close()
})

test('everybody reads on every page that signing is stopped, by whom and why', async () => {
  await at.org.bruno.stopSigning(at.org.fingerprint, 'a laptop was stolen')
  await page.getByRole('heading', { name: 'Signing is stopped' }).waitFor()
  await page.getByText('a laptop was stolen').waitFor()
  await lookAllOver(page, 'freeze')
})
