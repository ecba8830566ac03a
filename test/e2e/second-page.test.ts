import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { getPolicy, proposePolicy } from '@holdfast/features/policy/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { orderPayment, waitUntilPaid } from '../../apps/launcher/src/order-payment.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { waitUntil } from '../../apps/launcher/src/wait-until.ts'
import { addAuthenticator } from '../../apps/signer/page/testing/chromium.ts'
import { draftOf } from '../../features/policy/console/draft.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { startTestStack, type TestStack } from '../processes/testing/start-test-stack.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import { lookAllOver, story } from './story.ts'

const TODO = '/mpc/center/wallet/todo'

/** A member in a browser: the console, and a page with their authenticator, for approvals. */
type Approver = { member: TerminalMember; console: Page; approvals: Page }

let stack: TestStack
let at: FundedConsole
let approvers: Approver[]
let first: string
let second: string

before(async () => {
  stack = await startTestStack({ hasConsole: true })
  at = await startFundedConsole({ mark: 'Test', own: stack })
  first = at.stack.settings.approvalOrigin
  second = at.stack.settings.secondApprovalOrigin
  approvers = []
  for (const member of [at.org.bruno, at.org.chiara]) {
    const console = await at.open(member, TODO)
    const approvals = await console.context().newPage()
    await addAuthenticator(approvals)
    approvers.push({ member, console, approvals })
  }
})
after(() => at?.close())

const test = story()
const host = (origin: string) => new URL(origin).host
const drawer = (page: Page) => page.getByRole('dialog').last()
const inChinese = async (page: Page, look: () => Promise<void>) => {
  const speak = async (value: string) => {
    await page.context().addCookies([{ name: 'lan', value, url: at.stack.settings.consoleOrigin }])
    await page.reload()
  }
  await speak('zh_CN')
  await look()
  await speak('en_US')
}
const payment = () => orderPayment(ports, at.org.alice, { subWalletId: at.org.subWalletId, symbol: 'ETH', amount: '0.1', to: freshAddress() })

/** Opens what waits for an approver, as their to-do list leads there now, and approves it with their passkey. */
async function approve({ member, console, approvals }: Approver, from: string): Promise<void> {
  await console.goto(`${at.stack.settings.consoleOrigin}${TODO}`)
  const href = await console
    .getByRole('link', { name: /^Review/ })
    .first()
    .getAttribute('href')
  assert.equal(new URL(href!).origin, from)
  await approvals.goto(href!)
  await approvals.getByRole('button', { name: `Approve as ${member.name}` }).click()
  await approvals.getByText(`Approved as ${member.name}`).first().waitFor()
}

test('whoever approves is offered a key at the second page, and makes a passkey there', async () => {
  for (const [nth, { member, console, approvals }] of approvers.entries()) {
    await console.getByText(`You have no approval key at ${host(second)}`).waitFor()
    if (nth === 0) {
      await lookAllOver(console, 'second-page-offer')
      await inChinese(console, async () => {
        await console.getByText(`您在 ${host(second)} 尚无审批密钥`).waitFor()
        await lookAllOver(console, 'second-page-offer-zh')
      })
    }
    await console.getByRole('button', { name: 'Create a key there' }).click()
    await drawer(console).getByLabel('Approval page').waitFor()
    if (nth === 0) await lookAllOver(console, 'second-page-own-key')
    await drawer(console).getByRole('button', { name: 'Create link' }).click()
    const link = drawer(console).getByRole('link', { name: 'Open the approval page' })
    await link.waitFor()
    if (nth === 0) await lookAllOver(console, 'second-page-link')
    const href = (await link.getAttribute('href'))!
    assert.equal(new URL(href).origin, second)
    await approvals.goto(href)
    await approvals.getByRole('button', { name: `Create a passkey for ${member.name}` }).click()
    await approvals.getByRole('heading', { name: `The key of ${member.name} has been created` }).waitFor()
    await console.goto(`${at.stack.settings.consoleOrigin}${TODO}`)
    await console.getByText(`Your key at ${host(second)} is not in the policy yet`).waitFor()
  }
})

test('the keys of a member say for which page each is, and that the newer one waits', async () => {
  const { console } = approvers[0]!
  await console.goto(`${at.stack.settings.consoleOrigin}/mpc/teamMember`)
  await console
    .getByRole('button', { name: /^Bruno Test/ })
    .first()
    .click()
  await drawer(console)
    .getByText(`Approves at ${host(second)}`)
    .waitFor()
  await drawer(console)
    .getByText(`Your key at ${host(second)} is not in the policy yet`)
    .scrollIntoViewIfNeeded()
  await lookAllOver(console, 'second-page-member')
})

test('the keys come into the policy by a change of it, whose words say for which page each is', async () => {
  const { alice } = at.org
  const page = await at.open(alice, '/mpc/teamMember?tab=policy')
  await page.getByRole('button', { name: 'Propose a change' }).click()
  await drawer(page).getByText('Where approvals are given').waitFor()
  await drawer(page)
    .getByText(`for approvals at ${host(second)}`)
    .first()
    .scrollIntoViewIfNeeded()
  await lookAllOver(page, 'second-page-propose')
  await drawer(page).getByText('Where approvals are given').scrollIntoViewIfNeeded()
  await lookAllOver(page, 'second-page-pages')
  await page.close()
  const policy = await alice.client.call(getPolicy, {})
  const made = policy.candidates.flatMap(({ new_keys: keys }) => keys.map(({ key_id: id }) => id))
  const draft = { ...draftOf(policy), add_keys: made }
  const { intent_hash: hash, approval_url: url } = await alice.client.call(proposePolicy, { request_id: 'keys-at-both-pages', draft })
  const reading = approvers[0]!.approvals
  await reading.goto(url)
  await reading.getByText(`for approvals at ${second}`).first().waitFor()
  await lookAllOver(reading, 'second-page-change')
  for (const { member } of approvers) await member.decide(hash, 'approve')
  await waitUntil(ports, 'the new version', async () => ((await alice.client.call(getPolicy, {})).version === 2 ? true : undefined))
})

test('beside the first page the console names the second to whoever has a key there, and an approval counts from it', async () => {
  const order = await payment()
  const [{ console, approvals, member }, other] = approvers as [Approver, Approver]
  await console.goto(`${at.stack.settings.consoleOrigin}${TODO}`)
  const beside = console.getByRole('link', { name: new RegExp(`^or at ${host(second)}`) })
  await beside.first().waitFor()
  await lookAllOver(console, 'second-page-todo')
  await inChinese(console, async () => {
    await console
      .getByText(`或前往 ${host(second)}`)
      .first()
      .waitFor()
    await lookAllOver(console, 'second-page-todo-zh')
  })
  await beside.first().waitFor()
  const href = (await beside.first().getAttribute('href'))!
  assert.equal(href, `${second}/#/order/${order.hash}`)
  await approvals.goto(href)
  await approvals.getByRole('button', { name: `Approve as ${member.name}` }).click()
  await approvals.getByText(`Approved as ${member.name}`).first().waitFor()
  await other.member.decide(order.hash, 'approve')
  await waitUntilPaid(ports, at.org.alice, order)
})

test('while signer 1 is away, every link leads to the second page: its absence is approved there with passkeys, and then a payment', async () => {
  await stack.end('signer-1')
  const asking = await at.open(at.org.alice, '/mpc/teamMember?tab=organisation')
  await asking.getByRole('button', { name: 'Declare away …' }).first().click()
  await drawer(asking).getByLabel('Reason').fill('its machine is lost')
  await drawer(asking).getByRole('button', { name: 'Request approval' }).click()
  const link = drawer(asking).getByRole('link', { name: 'Open on the approval page' })
  await link.waitFor()
  await asking.waitForFunction((origin: string) => document.querySelector(`[role=dialog] a[href^="${origin}/"]`) !== null, second)
  assert.equal(new URL((await link.getAttribute('href'))!).origin, second)
  await lookAllOver(asking, 'second-page-absence-asked')
  await drawer(asking).getByRole('button', { name: 'Done' }).click()
  await asking.getByText('Waiting for approvals').waitFor()
  await lookAllOver(asking, 'second-page-absence')
  await approvers[0]!.console.goto(`${at.stack.settings.consoleOrigin}${TODO}`)
  await approvers[0]!.console
    .getByRole('link', { name: new RegExp(`^or at ${host(first)}`) })
    .first()
    .waitFor()
  for (const approver of approvers) await approve(approver, second)
  await asking.getByText('In force', { exact: true }).waitFor()
  const order = await payment()
  for (const approver of approvers) await approve(approver, second)
  await waitUntilPaid(ports, at.org.alice, order)
})
