import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { nodePorts as ports, projectFolder } from '@holdfast/ports/node'
import type { Browser, Locator, Page } from 'playwright-core'
import { localSettings, type LocalSettings } from '../../apps/launcher/src/local-settings.ts'
import { type LocalStack, startLocalStack } from '../../apps/launcher/src/local-stack.ts'
import { launchChromium } from '../../apps/signer/page/testing/chromium.ts'
import { lookAt, openPerson, type Person, picture } from './browser.ts'
import { story } from './story.ts'

// Another port for each run, so that two of them never meet.
const PORT = 20_000 + (process.pid % 180) * 64
const MINUTE_MS = 60_000
/** From the first page of a new installation to a payment that is final, a person presses no more often than this. */
const CLICKS_MAX = 12

/** An installation as `npm start` makes it, in a folder of its own. */
async function startNew(port: number): Promise<{ settings: LocalSettings; stack: LocalStack; dispose(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'hf-first-hour-'))
  const env = { ...ports.process.env, HOLDFAST_PORT: String(port), HOLDFAST_DATA: folder }
  const settings = localSettings({ process: { ...ports.process, env } }, await projectFolder(import.meta.url))
  const stack = await startLocalStack(ports, settings, () => undefined)
  return {
    settings,
    stack,
    dispose: async () => {
      await stack.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const DEMO_WORDS = {
  'en-US': {
    heading: 'How do you want to begin?',
    start: 'Start the demo',
    open: 'Open the approval page',
    enrol: 'Enrol three demo members and accept',
    signIn: 'Sign in as Alice Chen',
    running: 'Your demo',
    waiting: '4 of 5',
    approve: 'Approve',
    bruno: 'Approve as Bruno Diaz',
    chiara: 'Approve as Chiara Rossi',
    final: 'You have seen the whole way of a payment',
    found: 'Found your own organisation',
    own: 'Set up your organisation',
  },
  'zh-CN': {
    heading: '您想如何开始？',
    start: '开始演示',
    open: '打开审批页面',
    enrol: '登记三位演示成员并确认',
    signIn: '以 Alice Chen 的身份登录',
    running: '您的演示',
    waiting: '4 / 5',
    approve: '去审批',
    bruno: '以 Bruno Diaz 的身份批准',
    chiara: '以 Chiara Rossi 的身份批准',
    final: '您已看完一笔付款的全过程',
    found: '创建自己的组织',
    own: '创建您的组织',
  },
} as const

for (const [at, language] of (['en-US', 'zh-CN'] as const).entries()) {
  describe(`the demo in ${language}`, () => {
    const words = DEMO_WORDS[language]
    let installation: Awaited<ReturnType<typeof startNew>>
    let browser: Browser
    let person: Person
    let page: Page
    let approvals: Page
    let clicks = 0
    const faults: string[] = []

    before(async () => {
      installation = await startNew(PORT + at * 32)
      browser = await launchChromium()
      person = await openPerson(browser, faults, { passkeys: false, locale: language })
      page = person.page
      await person.context.addCookies([{ name: 'lan', value: language.replace('-', '_'), domain: 'localhost', path: '/' }])
    })
    after(async () => {
      await browser?.close()
      await installation?.dispose()
    })
    const test = story(async (cause) => {
      await picture(page, `first-hour-failed-${language}`)
      throw new Error(['what the browser complained of so far:', ...faults].join('\n'), { cause })
    })
    const press = async (what: Locator) => {
      await what.click()
      clicks++
    }
    const button = (where: Page, name: string) => where.getByRole('button', { name })
    const pressToOther = async (what: Locator): Promise<Page> => {
      const [opened] = await Promise.all([person.context.waitForEvent('page'), press(what)])
      await opened.waitForLoadState()
      return opened
    }

    test('the first page asks one question, and says what the demo does before it is begun', async () => {
      await page.goto(`${installation.settings.consoleOrigin}/mpc`)
      await page.getByRole('heading', { name: words.heading }).waitFor()
      await lookAt(page, `first-page-${language}`)
      await press(button(page, words.start))
    })

    test('three people enrol and accept on the approval page', async () => {
      approvals = await pressToOther(page.getByRole('link', { name: words.open }))
      await press(button(approvals, words.enrol))
      await button(page, words.signIn).waitFor()
      await lookAt(page, `demo-founded-${language}`)
      await approvals.close()
    })

    test('the demo prepares itself: a wallet with proven recovery and coins, and one payment that waits', async () => {
      await press(button(page, words.signIn))
      await page.getByRole('heading', { name: words.running }).waitFor()
      await picture(page, `demo-preparing-${language}`)
      await page.getByText(words.waiting, { exact: true }).waitFor({ timeout: 3 * MINUTE_MS })
      await lookAt(page, `demo-prepared-${language}`)
    })

    test('two people approve it and it is final, the person who asked having pressed twelve times at most', async () => {
      approvals = await pressToOther(page.getByRole('link', { name: words.approve, exact: true }))
      await press(button(approvals, words.bruno))
      await press(button(approvals, words.chiara))
      await page.getByRole('heading', { name: words.final }).waitFor({ timeout: 2 * MINUTE_MS })
      await lookAt(page, `demo-final-${language}`)
      assert.ok(clicks <= CLICKS_MAX, `${clicks} clicks`)
    })

    test('an organisation of one’s own can be founded beside the demo', async () => {
      await page.getByRole('link', { name: words.found }).click()
      await page.getByRole('heading', { name: words.heading }).waitFor()
      await lookAt(page, `beside-the-demo-${language}`)
      await button(page, words.found).click()
      await page.getByRole('heading', { name: words.own }).waitFor()
    })

    test('nothing of it left an error in the console of the browser', () => {
      assert.deepEqual(faults, [])
    })
  })
}
