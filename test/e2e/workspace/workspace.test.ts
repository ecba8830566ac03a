import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { type FundedConsole, startFundedConsole } from '../funded-console.ts'
import { lookAllOver, story } from '../story.ts'

let at: FundedConsole
let page: Page

before(async () => {
  at = await startFundedConsole({ mark: 'Desk' })
  page = await at.open(at.org.alice, '/mpc/workspaceStrategyEngine')
})
after(() => at?.close())

const test = story()
const drawer = () => page.getByRole('dialog').last()
const main = () => page.getByRole('main')
const part = (name: string) =>
  main()
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
const panel = (name: string) =>
  main()
    .locator('section')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
const hashIn = (href: string) => /[0-9a-f]{64}/.exec(href)![0]

/** Proposes what the drawer reviews, and closes it; answers the hash of the change. */
const propose = async (look: string) => {
  await drawer().getByText('Who must approve it').waitFor()
  await lookAllOver(page, look)
  await drawer().getByRole('button', { name: 'Propose', exact: true }).click()
  await drawer().getByText('Waiting for approval.').waitFor()
  const href = await drawer().getByRole('link').first().getAttribute('href')
  await drawer().getByRole('button', { name: 'Done' }).click()
  await main().getByText('A change is waiting for approval').first().waitFor()
  return hashIn(href!)
}
const approve = async (hash: string) => {
  for (const member of [at.org.bruno, at.org.chiara]) await member.decide(hash, 'approve')
  await main().getByText('A change is waiting for approval').first().waitFor({ state: 'detached' })
}

test('each part of the workspace says who decides over it, and nothing is decided by others at first (spec 2.19)', async () => {
  await main().getByRole('heading', { name: 'Workspace strategies' }).waitFor()
  await part('Assets').getByText('The people who govern decide.').waitFor()
  await main().getByText('None').waitFor()
  await panel('Waiting period for whitelisted addresses').getByText('1 day', { exact: true }).waitFor()
  await lookAllOver(page, 'workspace')
})

test('a part gets approvers of its own: what is missing is said at its field, and the difference is read before it is proposed', async () => {
  await main().getByRole('button', { name: 'Approvers of Assets' }).click()
  await drawer().getByLabel('Own approvers').check()
  await drawer().getByRole('button', { name: 'Review change' }).click()
  await drawer().getByText('Name at least one person or group.').waitFor()
  await drawer().getByRole('button', { name: 'Add people' }).click()
  await page.getByRole('option', { name: 'Bruno Desk' }).click()
  await lookAllOver(page, 'workspace-part')
  await drawer().getByRole('button', { name: 'Review change' }).click()
  await drawer().getByText('Changes of assets need 1 of Bruno Desk').waitFor()
  await approve(await propose('workspace-review'))
  await part('Assets').getByText('Bruno Desk').waitFor()
})

test('how long an address of the whitelist waits is set, within its bounds, read in words before and after, and a longer time works at once', async () => {
  await main().getByRole('button', { name: 'Waiting period for whitelisted addresses' }).click()
  await drawer().getByLabel('Hours').fill('80')
  await drawer().getByRole('button', { name: 'Review change' }).click()
  await drawer().getByText('Enter whole hours from 0 to 72.').waitFor()
  await drawer().getByLabel('Hours').fill('48')
  await drawer().getByRole('button', { name: 'Review change' }).click()
  await drawer().getByText('counts at each signer after 48 hours from now on; before, after 24 hours.').waitFor()
  await approve(await propose('workspace-cooling'))
  await panel('Waiting period for whitelisted addresses').getByText('2 days', { exact: true }).waitFor()
})

test('a wait for what loosens is set, within its bounds, and works at once', async () => {
  await main().getByRole('button', { name: 'Waiting period for loosening' }).click()
  await drawer().getByLabel('Hours').fill('300')
  await drawer().getByRole('button', { name: 'Review change' }).click()
  await drawer().getByText('Enter whole hours from 1 to 168.').waitFor()
  await drawer().getByLabel('Hours').fill('24')
  await drawer().getByRole('button', { name: 'Review change' }).click()
  await approve(await propose('workspace-wait'))
  await panel('Waiting period for loosening').getByText('1 day', { exact: true }).waitFor()
})

test('the log has every change with its version, and an earlier one is put back as an ordinary change, which waits where it loosens (spec 2.19)', async () => {
  await main().getByRole('link', { name: 'Change log' }).click()
  await main().getByRole('heading', { name: 'Workspace strategy log' }).waitFor()
  const restores = main().getByRole('button', { name: 'Restore' })
  await restores.nth(1).waitFor()
  assert.equal(await restores.count(), 3)
  await lookAllOver(page, 'workspace-log')
  await restores.nth(1).click()
  await drawer().getByText('This loosens the policy, so each signer waits 1 day').waitFor()
  await drawer().getByText('Who must approve it').waitFor()
  await lookAllOver(page, 'workspace-restore')
  await drawer().getByRole('button', { name: 'Propose', exact: true }).click()
  await drawer().getByText('Waiting for approval.').waitFor()
  const hash = hashIn((await drawer().getByRole('link').first().getAttribute('href'))!)
  await drawer().getByRole('button', { name: 'Done' }).click()
  await main().getByRole('link', { name: 'Workspace strategies' }).click()
  await at.org.bruno.decide(hash, 'approve')
  await at.org.chiara.decide(hash, 'approve')
  await main().getByText('The signers apply it', { exact: true }).waitFor()
  await panel('Waiting period for loosening').getByText('1 day', { exact: true }).waitFor()
  await lookAllOver(page, 'workspace-waits')
})
