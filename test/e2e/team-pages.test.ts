import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { listPolicyChanges } from '@holdfast/features/policy/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { Page } from 'playwright-core'
import { createTerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { picture, seriousFaults } from './browser.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import { lookAllOver, story } from './story.ts'

let at: FundedConsole
let page: Page

before(async () => {
  at = await startFundedConsole({ mark: 'Test' })
  page = await at.open(at.org.alice, '/mpc/teamMember')
})
after(() => at?.close())

const test = story()

const button = (name: RegExp | string, where: Page | ReturnType<Page['locator']> = page) => where.getByRole('button', { name })
const drawer = () => page.getByRole('dialog').last()
const look = (name: string, shown: Page = page) => lookAllOver(shown, `team-${name}`)

test('the team is listed with roles, approval keys and the rules each may approve under', async () => {
  await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor()
  await page.getByRole('row', { name: /Bruno Test.*Administrator.*Active.*Rule “payments”/ }).waitFor()
})

test('a member is invited, opens the link, signs in and makes an approval key on the approval page', async () => {
  await button('Invite a member').click()
  await drawer().getByLabel('Name', { exact: true }).fill('Dora Test')
  await drawer().getByLabel('Account name').fill('dora@example.com')
  await picture(page, 'team-invite')
  await button('Invite', drawer()).click()
  const links = drawer().locator('code')
  await links.nth(1).waitFor()
  const [signIn, key] = await links.allTextContents()
  await picture(page, 'team-links')
  assert.deepEqual(await seriousFaults(page), [])
  await button('Done', drawer()).click()
  await page.getByRole('row', { name: /Dora Test.*Invited/ }).waitFor()

  const context = await at.watched.newContext()
  const approvals = await context.newPage()
  await approvals.goto(key!)
  await button(/Use a browser key|为 Dora Test/, approvals).click()
  await approvals.getByRole('heading', { name: 'The key of Dora Test has been created' }).waitFor()
  await look('key-made', approvals)
  const joining = await context.newPage()
  await joining.goto(signIn!)
  await button(/key of this browser|browser/i, joining)
    .first()
    .click()
  await joining.getByRole('heading', { name: 'Wallets', level: 1 }).waitFor()
  await page.getByRole('row', { name: /Dora Test.*Active.*Not in the policy yet.*Waiting for the member's confirmation/ }).waitFor()

  // The link was somebody else's: whoever has joined says whether the key is theirs.
  await joining.goto(`${at.stack.settings.consoleOrigin}/mpc/teamMember`)
  await joining
    .getByRole('row', { name: /Dora Test/ })
    .getByRole('button')
    .first()
    .click()
  await joining.getByText('Is this approval key yours? It was created with a link from Alice Test.').waitFor()
  await look('key-answer', joining)
  await joining.getByRole('button', { name: 'It is mine', exact: true }).click()
  await joining.getByText('Created with a link from Alice Test, confirmed by Dora Test').waitFor()
  await context.close()
  await page.getByRole('row', { name: /Waiting for the member's confirmation/ }).waitFor({ state: 'detached' })
})

test('nobody is let go whom the policy needs, and the page says what to do first', async () => {
  await page
    .getByRole('row', { name: /Chiara Test/ })
    .getByRole('button')
    .first()
    .click()
  await drawer().getByText('Before this member can be removed').waitFor()
  await drawer()
    .getByText(/Rule “payments” needs 2 approvals apart from the requester's/)
    .waitFor()
  await look('member')
  await button('Suspend', drawer()).click()
  await button('Suspend now', drawer()).click()
  await page.getByText(/This would leave approvals that nobody could complete/).waitFor()
  await button('Cancel', drawer()).click()
  await button('Change role', drawer()).click()
  await drawer().getByLabel('Role').selectOption('finance')
  await button('Change role', drawer()).last().click()
  await drawer().getByText('Role changed from Administrator to Finance').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: /Chiara Test.*Finance/ }).waitFor()
})

test('who will not be there says until when and whom to ask, reads what nobody can complete meanwhile, and comes back', async () => {
  await page
    .getByRole('row', { name: /Alice Test/ })
    .getByRole('button')
    .first()
    .click()
  await button('Out of office', drawer()).click()
  await drawer()
    .getByLabel('Last day')
    .fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10))
  await drawer().getByLabel('Contact meanwhile').selectOption({ label: 'Bruno Test' })
  await look('away-form')
  await button('Set out of office', drawer()).click()
  await drawer()
    .getByText(/rule “payments” needs 2 approvals apart from the requester's/)
    .waitFor()
  await look('away')
  await button('Understood', drawer()).click()
  await drawer()
    .getByText(/Away until .* ask Bruno Test/)
    .first()
    .waitFor()
  await look('away-member')
  await button('I am back', drawer()).click()
  await button('I am back', drawer()).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.getByRole('row', { name: /Alice Test.*Away/ }).waitFor({ state: 'detached' })
})

test('a change of the policy is proposed, approved by those who govern, and followed by the signers', async () => {
  await page.getByRole('tab', { name: 'Who may approve' }).click()
  await page.getByRole('heading', { name: 'Version 1 is in force' }).waitFor()
  await button('Propose a change').click()
  await drawer().getByLabel('Dora Test: May approve, Rule “payments”').check()
  await drawer().getByLabel('Approvals needed, Rule “payments”').selectOption('4')
  await button('Review change', drawer()).click()
  await drawer().getByText('only 3 can approve').waitFor()
  await drawer().getByLabel('Approvals needed, Rule “payments”').selectOption('3')
  const officers = drawer().getByLabel('Officers of signer 3, one recipient per line')
  await officers.fill('age1wrong')
  await drawer().getByText('One of these is not an age recipient.').waitFor()
  await officers.fill(await identityToRecipient(await generateX25519Identity()))
  await drawer()
    .getByText(/Recovery kits that exist stay sealed to the earlier officers/)
    .waitFor()
  await look('propose-officers')
  await button('Review change', drawer()).click()
  await drawer()
    .getByText(/Signer 3 seals its recovery share to the holders of: /)
    .waitFor()
  await drawer().getByText('Dora Test joins the policy.').waitFor()
  await drawer().getByText('Rule “payments”: approvals needed change from 2 to 3.').waitFor()
  await look('propose')
  await button('Propose it', drawer()).click()
  await drawer().getByText('Change proposed').waitFor()
  await button('Done', drawer()).click()
  await page.getByRole('heading', { name: 'Change to version 2' }).waitFor()
  await look('change-open')

  const { bruno, chiara } = at.org
  const todo = await at.open(bruno, '/mpc/center/wallet/todo')
  await todo.getByText(/asks to replace the policy by version 2/).waitFor()
  assert.deepEqual(await seriousFaults(todo), [])
  await picture(todo, 'team-todo')
  const { list } = await bruno.client.call(listPolicyChanges, {})
  await todo.goto(list[0]!.approval_url)
  await todo.getByRole('heading', { name: 'What changes' }).waitFor()
  await todo.getByText('Dora Test joins the policy.').waitFor()
  await look('approval-page', todo)
  await bruno.decide(list[0]!.intent_hash, 'approve')
  assert.deepEqual(await chiara.decide(list[0]!.intent_hash, 'approve'), { state: 'approved', missing: 0 })
  await page.getByRole('heading', { name: 'Version 2 is in force' }).waitFor()
  assert.equal(await page.getByText('Follows it').count(), 3)
  await todo.reload()
  await todo.getByText('This order has all the approvals it needs.').waitFor()
  await todo.close()
  await page
    .getByRole('row', { name: /Change to version 2.*In force/ })
    .getByRole('button')
    .first()
    .click()
  await drawer().getByText('Download the signed record').waitFor()
  await look('change-done')
  await page.keyboard.press('Escape')
})

test('the login history shows who came whence, and other sessions of one’s own can be ended', async () => {
  const elsewhere = createTerminalMember(ports, at.stack.settings, at.org.alice, at.org.alice.keys)
  await elsewhere.signIn()
  await page.goto(`${at.stack.settings.consoleOrigin}/mpc/loginHistory`)
  await page.getByRole('row', { name: /Dora Test.*Signed in.*Browser key.*Chrome/ }).waitFor()
  await page.getByRole('button', { name: 'Person' }).click()
  await page.getByRole('option', { name: 'Bruno Test' }).click()
  await page.waitForURL(/user=[0-9a-f-]{36}/)
  await page.getByRole('row', { name: /Dora Test/ }).waitFor({ state: 'detached' })
  await button('Export').click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV', exact: true }).click()])
  assert.match(download.suggestedFilename(), /^login-history-\d{4}-\d{2}-\d{2}\.csv$/)
  await page.goto(`${at.stack.settings.consoleOrigin}/mpc/settings?tab=signIn`)
  await page.getByRole('heading', { name: 'Sign-in methods' }).waitFor()
  await button('End all other sessions').click()
  await button('End all other sessions').waitFor({ state: 'detached' })
  assert.equal(await elsewhere.reload(), false)
})

test('the settings hold what is one’s own: profile, preferences, sign-in, alerts, approval keys, and the organisation', async () => {
  await page.goto(`${at.stack.settings.consoleOrigin}/mpc/settings`)
  await page.getByRole('heading', { name: 'Profile' }).waitFor()
  for (const [tab, said] of [
    ['Preferences', 'Stored in this browser, for you only.'],
    ['Sign-in', 'Signing in gives access to the console.'],
    ['E-mail alerts', 'E-mail is not set up on this server. No alerts are sent.'],
    ['Approval keys', 'You approve with these keys.'],
    ['Organisation', 'Organisation fingerprint'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByText(said).first().waitFor()
  }
  for (const name of ['Webhooks', 'Audit log', 'Login history']) await page.getByRole('navigation').getByRole('link', { name }).waitFor()
})

test('in Chinese the same pages say the same', async () => {
  await page.context().addCookies([{ name: 'lan', value: 'zh_CN', url: at.stack.settings.consoleOrigin }])
  await page.goto(`${at.stack.settings.consoleOrigin}/mpc/teamMember`)
  await page.getByRole('heading', { name: '团队', level: 1 }).waitFor()
  await page.getByRole('row', { name: /Bruno Test/ }).waitFor()
  await page.getByRole('tab', { name: '审批权限' }).click()
  await page.getByRole('heading', { name: '版本 2 生效中' }).waitFor()
  await page.getByRole('tab', { name: '组织' }).click()
  await page.getByRole('heading', { name: '签名方', exact: true }).waitFor()
  await page.goto(`${at.stack.settings.consoleOrigin}/mpc/loginHistory`)
  await page.getByRole('heading', { name: '登录历史', level: 1 }).waitFor()
  assert.deepEqual(at.watched.faults, [])
})
