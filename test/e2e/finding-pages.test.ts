import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { seriousFaults } from './browser.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import { goTo } from './every-page/go-to.ts'
import { story } from './story.ts'

let at: FundedConsole
let page: Page

before(async () => {
  at = await startFundedConsole({ mark: 'Test' })
  page = await at.open(at.org.alice, '/mpc/wallet')
})
after(() => at?.close())

const test = story()
const go = (path: string) => goTo(page, path)
const palette = () => page.getByRole('combobox', { name: 'Search and commands' })

/** Opens the palette from the keyboard and types a word. */
async function find(word: string): Promise<void> {
  await page.locator('.hf-palette-button').waitFor()
  // A key that is pressed while the palette before is still closing opens none.
  while (!(await palette().isVisible())) {
    await page.keyboard.press('Control+k')
    await palette()
      .waitFor({ timeout: 3_000 })
      .catch(() => undefined)
  }
  await palette().fill(word)
}

test('the palette finds an address, a person, a page and an action by the keyboard alone, and says how many', async () => {
  await page.getByRole('heading', { name: 'Wallets', level: 1 }).waitFor()
  await find(at.org.address.slice(0, 10))
  await page.getByRole('option', { name: at.org.address }).waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await page
    .getByRole('status')
    .filter({ hasText: /result/ })
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/transactions\?wallets=all&address=0x/)
  await find('bruno')
  await page.getByRole('option', { name: /Bruno Test/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/teamMember\?member=/)
  await go('/mpc/wallet')
  for (const [word, name] of [
    ['login', /Login history/],
    ['address book', /Address book/],
    ['withdraw', /Withdraw/],
    ['create wallet', /Create wallet/],
    ['提币', /Withdraw/],
  ] as const) {
    await find(word)
    await page.getByRole('option', { name }).first().waitFor()
    await page.keyboard.press('Escape')
    await palette().waitFor({ state: 'detached' })
  }
  await find('nothing of the kind')
  await page
    .getByText(/No results. Search for a page or an action/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
})

test('the bell tells what was received, and is quiet once that is read', async () => {
  await page.getByRole('button', { name: /^Inbox: / }).click()
  await page
    .getByRole('button', { name: /received in Wallet Test/ })
    .first()
    .waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await page.getByRole('link', { name: 'Open the inbox' }).click()
  await page.getByRole('heading', { name: 'What happened' }).waitFor()
  await page.getByRole('button', { name: 'Mark all as read' }).first().click()
  await page.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' })
})

test('the audit log is narrowed and exported, and says that nobody has witnessed it yet', async () => {
  await go('/mpc/audit')
  await page.getByRole('row', { name: /Organisation founded/ }).waitFor()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export the log' }).click()
  assert.match((await saved).suggestedFilename(), /^holdfast-(log|checkpoint)-\d+$/)
  // No signer has witnessed anything yet: there is nothing to verify it against.
  await page.getByText('None yet: signers cosign the log before they sign a payment.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Verify the log' }).isDisabled(), true)
  await page.getByRole('searchbox').fill('nothing of the kind')
  await page.getByText('No entry matches').waitFor()
})

test('“?” says what the page is for, and which keys lead on', async () => {
  await go('/mpc/center/wallet/transactions')
  await page.getByRole('heading', { name: 'Transactions', level: 1 }).waitFor()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog').filter({ hasText: 'Help and shortcuts' })
  await help.getByText('Deposits and withdrawals, newest first.').waitFor()
  await help.getByText('Search and commands').waitFor()
  assert.deepEqual(await seriousFaults(page), [])
  await page.keyboard.press('Escape')
})

test('in Chinese the same pages say the same', async () => {
  await page.context().addCookies([{ name: 'lan', value: 'zh_CN', url: at.stack.settings.consoleOrigin }])
  await page.reload()
  for (const [path, heading] of [
    ['/mpc/inbox', '消息'],
    ['/mpc/audit', '审计日志'],
    ['/mpc/settings', '设置'],
  ] as const) {
    await go(path)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  }
  assert.deepEqual(at.watched.faults, [])
})
