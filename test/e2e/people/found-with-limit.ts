import { readFileSync } from 'node:fs'
import { inviteIn } from '@holdfast/features/session/invite-link'
import { nodePorts as ports } from '@holdfast/ports/node'
import { known, last } from '@holdfast/units'
import type { Browser, Page } from 'playwright-core'
import type { LocalSettings } from '../../../apps/launcher/src/local-settings.ts'
import { callPage, createTerminalMember, type TerminalMember } from '../../../apps/launcher/src/terminal-member.ts'
import { waitUntil } from '../../../apps/launcher/src/wait-until.ts'
import { lookAt, openPerson, type Person } from '../browser.ts'

/** What a founding answers on the approval page. */
type Founding = { setup: { genesis: string | null; members: { person_id: string; name: string }[] } }

export const FOUNDERS = ['Alice Chen', 'Bruno Diaz', 'Chiara Rossi', 'Dora Klein'] as const

/** Four people who found an organisation at the console's form. All are signed in at terminals. */
export type Founders = {
  /** Asks. She approves in her browser, with a passkey. */
  alice: TerminalMember
  /** Approves at a terminal, like Dora. */
  bruno: TerminalMember
  dora: TerminalMember
  /** Approves in her browser, with a passkey, in Chinese. */
  chiara: TerminalMember
  aliceAt: Person
  chiaraAt: Person
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/**
 * Founds an organisation by the form, with a template of limits in ETH: one approver for payments up to `each` and `day` a day, two for those up to `large`,
 * and nothing else.
 */
export async function foundWithLimit(
  browser: Browser,
  settings: LocalSettings,
  faults: string[],
  { each, day, large }: Record<'each' | 'day' | 'large', string>,
): Promise<Founders> {
  const [founder, aliceAt, chiaraAt] = await Promise.all([
    openPerson(browser, faults, { passkeys: false }),
    openPerson(browser, faults, { passkeys: true }),
    openPerson(browser, faults, { passkeys: true, locale: 'zh-CN' }),
  ])
  const form = founder.page
  await form.goto(`${settings.consoleOrigin}/mpc`)
  await button(form, 'Found your own organisation').click()
  await form.getByLabel('Organisation name').fill('Harbour Capital')
  await button(form, 'Add a person').click()
  for (const [at, name] of FOUNDERS.entries()) await form.getByLabel(`Name of person ${at + 1}`, { exact: true }).fill(name)
  await form.getByLabel('Approvals for each payment').selectOption('2')
  await form.getByLabel('With a daily limit').check()
  await form.getByLabel('Coin', { exact: true }).selectOption({ label: 'ETH · Local network' })
  await form.getByLabel('One approver, per payment up to').fill(each)
  await form.getByLabel('One approver, per day up to').fill(day)
  await form.getByLabel('More approvers, per payment up to').fill(large)
  await button(form, 'I already have age recipients').click()
  const recipients = JSON.parse(readFileSync(`${settings.folder}/recovery-demo/recipients.json`, 'utf8')) as string[][]
  for (const [at, [recipient]] of recipients.entries()) await form.getByLabel(`Recovery recipients for signer ${at + 1}`).fill(known(recipient, 'a recipient'))
  await button(form, 'Start set-up').click()
  await form.getByRole('heading', { name: 'Setting up Harbour Capital' }).waitFor()

  const linkFor = async (name: string) => {
    await button(form, `Copy link for ${name}`).click()
    return form.evaluate(() => navigator.clipboard.readText())
  }
  const links: string[] = []
  for (const name of FOUNDERS) links.push(await linkFor(name))
  const tokens = links.map((link) => last(link.split('/')))
  const read = (at: number) => callPage<Founding>(ports, settings, 'setup.get', { token: tokens[at] })
  const { setup } = await read(0)
  const [alice, bruno, chiara, dora] = setup.members.map((each) => createTerminalMember(ports, settings, { personId: each.person_id, name: each.name })) as [
    TerminalMember,
    TerminalMember,
    TerminalMember,
    TerminalMember,
  ]
  for (const [at, page] of [[0, aliceAt.page] as const, [2, chiaraAt.page] as const]) {
    await page.goto(links[at]!)
    await page.locator(`button[id^="passkey-"]`).click()
    await page.locator('#accept, li:has-text("has a key"), li:has-text("已有密钥")').first().waitFor()
  }
  await bruno.enrol(tokens[1]!)
  await dora.enrol(tokens[3]!)
  const genesis = await waitUntil(ports, 'the founding document', async () => (await read(1)).setup.genesis ?? undefined)
  await lookAt(form, 'founding-with-limit', ['light'])
  for (const page of [aliceAt.page, chiaraAt.page]) await page.locator('#accept').click()
  await bruno.accept(tokens[1]!, genesis)
  await dora.accept(tokens[3]!, genesis)
  await form.getByText('This is me').first().waitFor()
  for (const member of [alice, bruno, chiara, dora]) await member.register(known(inviteIn(new URL(await linkFor(member.name)).hash), 'the invitation'))
  await founder.context.close()
  return { alice, bruno, chiara, dora, aliceAt, chiaraAt }
}
