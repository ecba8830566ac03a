import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Browser, Page } from 'playwright-core'
import type { LocalSettings } from '../../apps/launcher/src/local-settings.ts'
import { runToEnd } from '../../apps/launcher/src/run-to-end.ts'
import { launchChromium } from '../../apps/signer/page/testing/chromium.ts'
import { type JoinedStack, joinStack } from '../processes/testing/joined-stack.ts'
import { lookAt, openPerson, type Person, picture } from './browser.ts'
import { review, sendForApproval, story } from './story.ts'

const NAMES = ['Alice Chen', 'Bruno Diaz', 'Chiara Rossi'] as const
const DESTINATION = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PASSWORD = 'four unrelated words hold'

let folder: string
let settings: LocalSettings
let stack: JoinedStack
let browser: Browser
/** One browser each: nobody can reach another's keys. */
let alice: Person
let bruno: Person
let chiara: Person
/** Two more people, in browsers that know no passkeys, who found an organisation of their own. */
let dora: Person
let emil: Person
/** The founders' own browsers, where the set-up page stays open. */
let founder: Person
let otherFounder: Person
/** Of the first organisation, as everybody has read it on the approval page. */
let fingerprint = ''
let totpSecret = ''
let account = ''
const faults: string[] = []

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hf-passkeys-'))
  stack = await joinStack({ hasConsole: true })
  settings = stack.settings
  browser = await launchChromium()
  const open = (options: { passkeys?: boolean } = {}) => openPerson(browser, faults, { passkeys: true, ...options })
  ;[founder, alice, bruno, chiara] = await Promise.all([open({ passkeys: false }), open(), open(), open()])
  ;[otherFounder, dora, emil] = await Promise.all([open({ passkeys: false }), open({ passkeys: false }), open({ passkeys: false })])
})

after(async () => {
  await browser?.close()
  await stack?.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const test = story(async (cause) => {
  for (const [name, person] of Object.entries({ founder, alice, bruno, chiara, dora, emil })) await picture(person.page, `failed-${name}`)
  throw new Error(['what the browsers complained of so far:', ...faults].join('\n'), { cause })
})

const button = (where: Page, name: RegExp | string) => where.getByRole('button', { name })
const console_ = (path: string) => `${settings.consoleOrigin}${path}`

/** Copies what a labelled button copies, as a person would before passing it on. */
async function copied(from: Page, label: string): Promise<string> {
  await button(from, label).click()
  return from.evaluate(() => navigator.clipboard.readText())
}

/** What the command line prints, of a program that must succeed. */
function runCli(name: string, args: string[]): Promise<string> {
  return runToEnd(ports, [`${settings.root}/apps/cli/src/main.ts`, ...args], { cwd: settings.root, logPath: join(folder, `${name}.log`), what: name })
}

async function newRecipient(name: string): Promise<string> {
  const printed = await runCli(name, ['recover', 'new-identity', join(folder, `${name}.txt`)])
  return /\bage1[0-9a-z]+\b/.exec(printed)![0]
}

async function beginFounding(page: Page, organisation: string, members: readonly string[], recipients: readonly string[]): Promise<void> {
  await page.goto(console_('/mpc/setup'))
  await button(page, 'Found your own organisation').click()
  await page.getByRole('heading', { name: 'Set up your organisation' }).waitFor()
  await button(page, 'I already have age recipients').click()
  await page.getByLabel('Organisation name').fill(organisation)
  if (members.length === 2) await button(page, 'Remove person 3').click()
  for (const [at, name] of members.entries()) await page.getByLabel(`Name of person ${at + 1}`, { exact: true }).fill(name)
  await page.getByLabel('Without limits').check()
  for (const [at, recipient] of recipients.entries()) await page.getByLabel(`Recovery recipients for signer ${at + 1}`).fill(recipient)
}

test('a founder names the people and the recovery recipients, and hands each member a link of their own', async () => {
  const recipients = await Promise.all([1, 2, 3].map((party) => newRecipient(`identity-${party}`)))
  const seconds = await Promise.all([1, 2, 3].map((party) => newRecipient(`second-${party}`)))
  const pairs = recipients.map((recipient, i) => `${recipient}\n${seconds[i]!}`)
  await beginFounding(founder.page, 'Harbour Capital', NAMES, pairs)
  await founder.page.getByLabel("Officers required to open a signer's share").selectOption('2')
  await beginFounding(otherFounder.page, 'Two Friends', ['Dora Klein', 'Emil Novak'], recipients)
  await lookAt(founder.page, 'founding-form', ['light'])
  await button(founder.page, '中文').click()
  await founder.page.getByRole('heading', { name: '创建您的组织' }).waitFor()
  await lookAt(founder.page, 'founding-form-zh', ['dark'])
  await button(founder.page, 'English').click()
  for (const { page } of [founder, otherFounder]) {
    await button(page, 'Start set-up').click()
    await page.getByRole('heading', { name: /^Setting up / }).waitFor()
  }
  await lookAt(founder.page, 'founding-enrolling')
})

test('every member makes a passkey on the approval page, from their own link', async () => {
  for (const [at, person] of [alice, bruno, chiara].entries()) {
    const { page } = person
    const link = await copied(founder.page, `Copy link for ${NAMES[at]!}`)
    assert.equal(new URL(link).origin, settings.approvalOrigin)
    await page.goto(link)
    const make = button(page, `Create a passkey for ${NAMES[at]!}`)
    await make.waitFor()
    assert.equal(await page.getByRole('button', { name: /^Create a passkey/ }).count(), 1, 'a link acts for its own member only')
    if (at === 0) {
      await lookAt(page, 'approval-enrol', ['light'])
      await button(page, '中文').click()
      await lookAt(page, 'approval-enrol-zh', ['dark'])
      await button(page, 'English').click()
    }
    await make.click()
    await page.locator('li', { hasText: NAMES[at]! }).getByText('has a key', { exact: true }).or(page.locator('#accept')).first().waitFor()
  }
})

test('all read the same fingerprint and accept, and three signers pin what they accepted', async () => {
  const read = []
  for (const { page } of [alice, bruno, chiara]) {
    await button(page, 'I have compared the fingerprint: accept').waitFor()
    read.push(await page.locator('.fingerprint').textContent())
  }
  fingerprint = read[0]!.replaceAll(' ', '')
  assert.match(fingerprint, /^[0-9a-f]{64}$/)
  assert.deepEqual(read, [read[0], read[0], read[0]])
  const compared = (await founder.page.locator('.hf-fingerprint').first().textContent())!.replaceAll(/[^0-9a-f]/g, '')
  assert.equal(compared, fingerprint, 'the console shows the fingerprint of the approval page')
  await lookAt(alice.page, 'approval-accept', ['light'])
  await button(alice.page, '中文').click()
  await lookAt(alice.page, 'approval-accept-zh', ['dark'])
  await button(alice.page, 'English').click()
  for (const { page } of [alice, bruno, chiara]) await button(page, 'I have compared the fingerprint: accept').click()
  await alice.page.getByRole('heading', { name: 'The organisation has been set up' }).waitFor()
  await lookAt(alice.page, 'approval-ready')
  await founder.page.getByText('This is me').first().waitFor()
  assert.equal(await founder.page.getByText('Pinned', { exact: true }).count(), 3)
  await lookAt(founder.page, 'founding-ready', ['light'])
  await button(founder.page, '中文').click()
  await lookAt(founder.page, 'founding-ready-zh', ['dark'])
  await button(founder.page, 'English').click()
})

test('members choose a passkey to sign in with, sign out, and come back with it', async () => {
  for (const [at, { page }] of [alice, bruno].entries()) {
    await page.goto(await copied(founder.page, `Copy link for ${NAMES[at]!}`))
    await page.getByRole('heading', { name: `Welcome, ${NAMES[at]!}` }).waitFor()
    if (at === 0) {
      await lookAt(page, 'welcome', ['light'])
      await button(page, '中文').click()
      await lookAt(page, 'welcome-zh', ['dark'])
      await button(page, 'English').click()
    }
    await button(page, /^Passkey/).click()
    await page.getByRole('heading', { name: 'Wallets', level: 1 }).waitFor()
  }
  await signOut(alice.page, NAMES[0])
  await lookAt(alice.page, 'sign-in-passkey', ['light'])
  await button(alice.page, '中文').click()
  await alice.page.getByRole('heading', { name: '登录' }).waitFor()
  await lookAt(alice.page, 'sign-in-passkey-zh', ['dark'])
  await button(alice.page, 'English').click()
  await button(alice.page, 'Sign in with a passkey').click()
  await alice.page.getByRole('heading', { name: 'Wallets', level: 1 }).waitFor()
})

async function signOut(page: Page, name: string): Promise<void> {
  await button(page, new RegExp(name)).first().click()
  await button(page, 'Sign out').click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

test('a member who chose a password and an authenticator app signs in with both, and a wrong code is refused in words', async () => {
  const { page } = chiara
  await page.goto(await copied(founder.page, `Copy link for ${NAMES[2]}`))
  await button(page, /^Password and authenticator app/).click()
  account = await page.getByLabel('Account').inputValue()
  const shownSecret = async () => (await page.locator('.hf-totp .hf-address').textContent())!.replaceAll(/[^A-Z2-7]/g, '')
  totpSecret = await shownSecret()
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Repeat new password').fill(PASSWORD)
  await lookAt(page, 'register-password', ['light'])
  await button(page, '中文').click()
  await lookAt(page, 'register-password-zh', ['dark'])
  await button(page, 'English').click()
  assert.equal(await shownSecret(), totpSecret, 'a change of language keeps what was scanned')
  assert.equal(await page.getByLabel('Repeat new password').inputValue(), PASSWORD)
  // The code of the step before is still taken; it leaves the present one for the sign-in below.
  await page.getByLabel('Six-digit code').fill(totpCode(-1))
  await button(page, 'Register and sign in').click()
  await page.getByRole('heading', { name: 'Wallets', level: 1 }).waitFor()
  await signOut(page, NAMES[2])
  await button(page, 'Use password and code').click()
  await page.getByLabel('Account').fill(account)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Six-digit code').fill(wrongCode())
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page
    .getByText(/do not match|is wrong|was refused|could not be signed in/i)
    .first()
    .waitFor()
  await lookAt(page, 'sign-in-refused')
  await page.getByLabel('Six-digit code').fill(totpCode(0))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Wallets', level: 1 }).waitFor()
})

/** RFC 6238: the code of the present step, or of one beside it. */
function totpCode(steps: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(ports.clock.nowMs() / 30_000) + steps))
  const mac = createHmac('sha1', base32(totpSecret)).update(counter).digest()
  const at = mac[19]! & 0x0f
  return String((mac.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

function wrongCode(): string {
  const near = [-1, 0, 1, 2].map(totpCode)
  return ['000000', '111111', '222222', '333333', '444444'].find((code) => !near.includes(code))!
}

function base32(text: string): Buffer {
  const bits = [...text].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
}

test('a session that ended leads to the sign-in page, and from there back to where the person was', async () => {
  const { page, context } = bruno
  await page.goto(console_('/mpc/center/wallet/transactions?page=1'))
  await page.getByRole('heading', { level: 1 }).waitFor()
  const elsewhere = await context.newPage()
  await elsewhere.goto(console_('/mpc/wallet'))
  await signOut(elsewhere, NAMES[1])
  await elsewhere.close()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await button(page, 'Sign in with a passkey').click()
  await page.waitForURL(/\/mpc\/center\/wallet\/transactions/)
  await page.getByRole('heading', { name: /transactions/i, level: 1 }).waitFor()
})

test('a wallet is made by three signers; its kit is proven by the recovery tool, and only then a deposit comes in', async () => {
  const { page } = alice
  await button(page, 'Create wallet').click()
  await page.getByLabel('Wallet name').fill('Treasury')
  await page.getByRole('dialog').getByRole('button', { name: 'Create wallet' }).click()
  await page.getByText('Treasury is ready').waitFor()
  await page.getByRole('dialog').getByText('Verify the recovery kit').click()
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download kit').click()])
  const [kit, drill] = [join(folder, 'kit'), join(folder, 'drill')]
  await download.saveAs(kit)
  const officers = ['identity-2', 'second-2', 'identity-3', 'second-3']
  const identities = officers.flatMap((name) => ['--identity', join(folder, `${name}.txt`)])
  await runCli('recover', ['recover', 'verify', '--kit', kit, ...identities, '--out', drill, '--fingerprint', fingerprint])
  await page.locator('input[type=file]').setInputFiles(drill)
  await button(page, 'Submit and open deposits').click()
  await page.getByText('Recovery is proven').first().waitFor()
  await page.getByRole('tab', { name: 'Coins' }).click()
  await button(page, 'Deposit ETH').click()
  const address = ((await page.getByRole('dialog', { name: 'Deposit ETH' }).locator('.hf-address').first().textContent()) ?? '').trim()
  await page.keyboard.press('Escape')
  const faucet = await alice.context.newPage()
  await faucet.goto(`${settings.faucetUrl}/?address=${address}`)
  await faucet.getByLabel('Amount').fill('2.5')
  await faucet.locator('button[type=submit]').click()
  await faucet
    .getByRole('status')
    .getByText(/0x[0-9a-f]/)
    .waitFor()
  await faucet.close()
  await page.getByRole('row', { name: /ETH.*2\.5/ }).waitFor()
})

/** Asks for a payment as Alice, and answers the link to decide on it. */
async function askForPayment(amount: string, remark: string): Promise<string> {
  const { page } = alice
  await page.goto(console_('/mpc/center/wallet'))
  await page.getByRole('tab', { name: 'Coins' }).click()
  await button(page, 'Withdraw ETH').click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Destination').fill(DESTINATION)
  await drawer.getByLabel('Amount', { exact: true }).fill(amount)
  await drawer.getByLabel('Remark').fill(remark)
  await drawer.getByText(/Needs 2 of these 2 people, not you: Bruno Diaz, Chiara Rossi/).waitFor()
  await review(page)
  const link = await sendForApproval(page)
  await drawer.getByRole('button', { name: 'View the order' }).click()
  return link
}

test('a payment is approved by two members with their passkeys, confirmed, and its evidence holds offline', async () => {
  const link = await askForPayment('0.75', 'Invoice 118')
  assert.equal(new URL(link).origin, settings.approvalOrigin)
  for (const [at, { page }] of [bruno, chiara].entries()) {
    const name = NAMES[at + 1]!
    await page.goto(link)
    await page
      .getByText(/0\.75 ETH/)
      .first()
      .waitFor()
    assert.equal(await button(page, 'Approve as Alice Chen').count(), 0, 'the person who asks cannot approve')
    await button(page, `Approve as ${name}`).waitFor()
    await page.getByText('reads the same order under the same policy').nth(1).waitFor()
    await page.getByText('NEW DESTINATION: nothing has been paid to this address before.').waitFor()
    if (at === 0) await lookAt(page, 'approval-order')
    await button(page, `Approve as ${name}`).click()
    await page.getByText(`Approved as ${name}`).first().waitFor()
  }
  const { page } = alice
  await page.getByRole('dialog').getByText('Completed').first().waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download evidence').click()])
  const bundle = join(folder, 'evidence')
  await download.saveAs(bundle)
  const verdict = await runCli('verify-evidence', ['verify-evidence', bundle, '--fingerprint', fingerprint])
  assert.match(verdict, /Approved by\s+Bruno Diaz, Chiara Rossi/)
})

test('the log of all of it is exported, and holds offline under its newest checkpoint', async () => {
  const answer = await alice.page.evaluate(async () => {
    const xsrf = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? ''
    const response = await fetch('/api/mpc/log/export?from=0', { headers: { 'x-xsrf-token': decodeURIComponent(xsrf) } })
    return (await response.json()) as { data: { log: string; next: number | null; entries: number; checkpoints: { note: string }[] } }
  })
  const { log, next, checkpoints } = answer.data
  assert.equal(next, null)
  writeFileSync(join(folder, 'log'), Buffer.from(log, 'base64'))
  writeFileSync(join(folder, 'checkpoint'), checkpoints[0]!.note)
  const verdict = await runCli('verify-log', ['verify-log', join(folder, 'log'), join(folder, 'checkpoint'), '--fingerprint', fingerprint])
  assert.match(verdict, /VERIFIED[^]*approval 2[^]*witnessed by signer-1/)
})

test('one member rejects a payment with their passkey, and the funds are free again', async () => {
  const link = await askForPayment('0.5', 'Invoice 119')
  await bruno.page.goto(link)
  await button(bruno.page, 'Reject as Bruno Diaz').waitFor()
  assert.equal(await bruno.page.getByText('NEW DESTINATION').count(), 0, 'this address was paid before')
  await button(bruno.page, 'Reject as Bruno Diaz').click()
  await bruno.page.getByLabel('Reason for rejecting (optional)').fill('Invoice 119 is not ours')
  await lookAt(bruno.page, 'approval-reject')
  await button(bruno.page, 'Reject as Bruno Diaz').click()
  await bruno.page.getByText('Rejected as Bruno Diaz').first().waitFor()
  const order = alice.page.getByRole('dialog')
  await order.getByText('Rejected').first().waitFor()
  await order.getByText('Invoice 119 is not ours').waitFor()
  await chiara.page.goto(link)
  await chiara.page.getByText('This order has been rejected and can no longer be approved.').waitFor()
  assert.equal(await button(chiara.page, /^Approve as/).count(), 0)
})

test('people whose browsers know no passkeys found an organisation with keys of their browsers, and sign in with such keys', async () => {
  for (const [{ page }, name] of [
    [dora, 'Dora Klein'],
    [emil, 'Emil Novak'],
  ] as const) {
    await page.goto(await copied(otherFounder.page, `Copy link for ${name}`))
    await page.getByText('This browser does not support passkeys, so the key is kept in the browser itself.').waitFor()
    assert.equal(await button(page, /passkey/i).count(), 0)
    await button(page, `Use a browser key for ${name}`).click()
  }
  for (const { page } of [dora, emil]) await button(page, 'I have compared the fingerprint: accept').click()
  await otherFounder.page.getByText('This is me').first().waitFor()
  await dora.page.goto(await copied(otherFounder.page, 'Copy link for Dora Klein'))
  await dora.page.getByRole('heading', { name: 'Welcome, Dora Klein' }).waitFor()
  await lookAt(dora.page, 'welcome-no-passkeys')
  await button(dora.page, /^Browser key/).click()
  await dora.page.getByRole('heading', { name: 'Wallets', level: 1 }).waitFor()
  await signOut(dora.page, 'Dora Klein')
  await button(dora.page, /Dora Klein/).click()
  await dora.page.getByRole('heading', { name: 'Wallets', level: 1 }).waitFor()
})

test('no page had a console error, a violation of its content security policy, or a serious fault of accessibility', () => {
  assert.deepEqual(faults, [])
})
