import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { nodePorts as ports, projectFolder } from '@holdfast/ports/node'
import type { Browser, Locator, Page } from 'playwright-core'
import { localSettings, type LocalSettings } from '../../apps/launcher/src/local-settings.ts'
import { type LocalStack, startLocalStack } from '../../apps/launcher/src/local-stack.ts'
import { runToEnd } from '../../apps/launcher/src/run-to-end.ts'
import { launchChromium } from '../../apps/signer/page/testing/chromium.ts'
import { freePortBase } from '../processes/testing/free-ports.ts'
import { lookAt, openPerson, type Person, picture } from './browser.ts'
import { story } from './story.ts'
import { walkApiPage } from './workspace/api-page-walk.ts'

/** From the first page of a new installation to a payment that is final, a person presses no more often than this. */
const CLICKS_MAX = 12

/** An installation as `npm start` makes it, in a folder of its own. */
async function startNew(): Promise<{ settings: LocalSettings; stack: LocalStack; dispose(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'hf-first-hour-'))
  const env = { ...ports.process.env, HOLDFAST_PORT: String(await freePortBase()), HOLDFAST_DATA: folder }
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
    heading: 'How do you want to start?',
    start: 'Start the demo',
    open: 'Open the approval page',
    enrol: 'Enrol three demo members and accept',
    signIn: 'Sign in as Alice Chen',
    running: 'Your demo',
    waiting: '4 of 5',
    approve: 'Approve',
    bruno: 'Approve as Bruno Diaz',
    chiara: 'Approve as Chiara Rossi',
    final: 'You have seen a payment from start to finish',
    found: 'Found your own organisation',
    own: 'Set up your organisation',
    deposit: 'Deposit ETH on Local network',
    coins: 'Get test coins',
    arriving: 'Arriving:',
    credited: 'Credited:',
    drill: 'Run the drill for me',
    realDrill: 'A real drill',
    proven: 'Recovery is proven. Deposits are open.',
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
    bruno: '以 Bruno Diaz 的名义批准',
    chiara: '以 Chiara Rossi 的名义批准',
    final: '您已看完一笔付款的全过程',
    found: '创建自己的组织',
    own: '创建您的组织',
    deposit: '充值 ETH（Local network）',
    coins: '领取测试币',
    arriving: '到账中：',
    credited: '已入账：',
    drill: '替我运行演练',
    realDrill: '正式演练',
    proven: '恢复能力已得到证明，充值已开启。',
  },
} as const

for (const language of ['en-US', 'zh-CN'] as const) {
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
      installation = await startNew()
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
      await page.getByText(words.waiting, { exact: true }).waitFor()
      await lookAt(page, `demo-prepared-${language}`)
    })

    test('two people approve it and it is final, the person who asked having pressed twelve times at most', async () => {
      approvals = await pressToOther(page.getByRole('link', { name: words.approve, exact: true }))
      await press(button(approvals, words.bruno))
      await press(button(approvals, words.chiara))
      await page.getByRole('heading', { name: words.final }).waitFor()
      await lookAt(page, `demo-final-${language}`)
      assert.ok(clicks <= CLICKS_MAX, `${clicks} clicks`)
    })

    test('test coins come from the deposit drawer, which shows them arrive', async () => {
      await page.goto(`${installation.settings.consoleOrigin}/mpc/center/wallet`)
      await page.getByRole('button', { name: words.deposit }).click()
      await page.getByRole('button', { name: words.coins }).click()
      await page.getByText(words.arriving).waitFor()
      await picture(page, `arriving-${language}`)
      await page.getByText(words.credited).first().waitFor()
      await lookAt(page, `arrived-${language}`)
      await page.keyboard.press('Escape')
    })

    test('the drill runs at the press of a button, and the page says what a real one is', async () => {
      await page.goto(`${installation.settings.consoleOrigin}/mpc/center/wallet?tab=recovery`)
      await page
        .getByRole('heading', { name: words.realDrill })
        .or(page.getByText(words.realDrill, { exact: true }))
        .waitFor()
      await lookAt(page, `drill-${language}`)
      await button(page, words.drill).click()
      await page.getByText(words.proven).waitFor()
    })

    if (language === 'en-US')
      test('a program asks for its first payment by the lines of docs/api.md, copied as they stand', async () => {
        const other = (name: string | RegExp) => pressToOther(page.getByRole('main').getByRole('link', { name }).first())
        await walkApiPage(page, installation.settings.consoleOrigin, other)
      })

    test('an organisation of one’s own can be founded beside the demo', async () => {
      await page.goto(`${installation.settings.consoleOrigin}/mpc/wallet`)
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

describe('an organisation of three people with passkeys', () => {
  const NAMES = ['Dora Klein', 'Emil Novak', 'Fay Wong'] as const
  let installation: Awaited<ReturnType<typeof startNew>>
  let browser: Browser
  let founder: Person
  let members: Person[]
  const saved: string[] = []
  const faults: string[] = []
  const button = (where: Page, name: RegExp | string) => where.getByRole('button', { name })
  const copied = async (label: string): Promise<string> => {
    await button(founder.page, label).click()
    return founder.page.evaluate(() => navigator.clipboard.readText())
  }

  before(async () => {
    installation = await startNew()
    browser = await launchChromium()
    founder = await openPerson(browser, faults, { passkeys: false })
    members = await Promise.all(NAMES.map(() => openPerson(browser, faults, { passkeys: true })))
  })
  after(async () => {
    await browser?.close()
    await installation?.dispose()
  })
  const test = story(async (cause) => {
    for (const [at, { page }] of [founder, ...members].entries()) await picture(page, `founding-failed-${at}`)
    throw new Error(['what the browsers complained of so far:', ...faults].join('\n'), { cause })
  })

  test('the recovery identities are made in the page, which lets nobody go on before they are saved', async () => {
    const { page } = founder
    const sent: string[] = []
    page.on('request', (request) => sent.push(request.postData() ?? ''))
    await page.goto(`${installation.settings.consoleOrigin}/mpc`)
    await button(page, 'Found your own organisation').click()
    await page.getByLabel('Organisation name').fill('Harbour Capital')
    for (const [at, name] of NAMES.entries()) await page.getByLabel(`Name of person ${at + 1}`, { exact: true }).fill(name)
    await page.getByText('Nobody can be spared').waitFor()
    await button(page, 'Create three recovery identities here').click()
    await page.getByText('Not saved yet').first().waitFor()
    await button(page, 'Start set-up').click()
    await page.getByText('Download or print each identity created here', { exact: false }).waitFor()
    await page.getByText('Choose whether to set limits').waitFor()
    await page.getByLabel('With a daily limit').check()
    await page.getByText('Fill in the amounts of every coin').waitFor()
    await page.getByLabel('One approver, per payment up to').fill('1')
    await page.getByLabel('One approver, per day up to').fill('5')
    await page.getByText('Fill in the amounts of every coin').waitFor({ state: 'detached' })
    await lookAt(page, 'founding-unsaved')
    await page.getByLabel('Without limits').check()
    for (const signer of [1, 2, 3]) {
      const [download] = await Promise.all([page.waitForEvent('download'), button(page, `Download: Identity 1 for signer ${signer}`).click()])
      const path = join(installation.settings.folder, `officer-${signer}.txt`)
      await download.saveAs(path)
      saved.push(path)
    }
    await button(page, '中文').click()
    await page.getByRole('heading', { name: '创建您的组织' }).waitFor()
    await lookAt(page, 'founding-form-zh-CN', ['light'])
    await button(page, 'English').click()
    await button(page, 'Start set-up').click()
    await page.getByRole('heading', { name: 'Setting up Harbour Capital' }).waitFor()
    assert.ok(sent.some((body) => body.includes('age1pq1')))
    assert.ok(!sent.some((body) => body.toUpperCase().includes('AGE-SECRET-KEY')), 'no secret half leaves the page')
  })

  test('each person makes a passkey from their own link, accepts, and signs in', async () => {
    for (const [at, { page }] of members.entries()) {
      await page.goto(await copied(`Copy link for ${NAMES[at]!}`))
      await button(page, `Create a passkey for ${NAMES[at]!}`).click()
      await page.locator('li', { hasText: NAMES[at]! }).getByText('has a key', { exact: true }).or(page.locator('#accept')).first().waitFor()
    }
    for (const { page } of members) await button(page, 'I have compared the fingerprint: accept').click()
    await founder.page.getByText('This is me').first().waitFor()
    for (const [at, { page }] of members.entries()) {
      await page.goto(await copied(`Copy link for ${NAMES[at]!}`))
      await button(page, /^Passkey/).click()
      await page.getByRole('heading', { name: 'First steps' }).waitFor()
    }
    await lookAt(members[0]!.page, 'first-steps-own')
  })

  test('what was saved opens the wallet’s kit offline, and no button runs the drill of a real organisation', async () => {
    const { page } = members[0]!
    await button(page, 'Create wallet').first().click()
    await page.getByLabel('Wallet name').fill('Treasury')
    await page.getByRole('dialog').getByRole('button', { name: 'Create wallet' }).click()
    await page.getByText('Treasury is ready').waitFor()
    await page.getByRole('dialog').getByText('Verify the recovery kit').click()
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download kit').click()])
    assert.equal(await button(page, 'Run the drill for me').count(), 0)
    const { folder, root } = installation.settings
    const [kit, drill] = [join(folder, 'kit'), join(folder, 'drill')]
    await download.saveAs(kit)
    const identities = [saved[0]!, saved[2]!].flatMap((path) => ['--identity', path])
    await runToEnd(ports, [`${root}/apps/cli/src/main.ts`, 'recover', 'verify', '--kit', kit, ...identities, '--out', drill], {
      cwd: root,
      logPath: join(folder, 'logs/recover.log'),
      what: 'verifying the recovery kit',
    })
    await page.locator('input[type=file]').setInputFiles(drill)
    await button(page, 'Submit and open deposits').click()
    await page.getByText('Recovery is proven').first().waitFor()
    await page.goto(`${installation.settings.consoleOrigin}/mpc/wallet`)
    await page.getByText('2 of 5', { exact: true }).waitFor()
    await button(page, 'Hide first steps').click()
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' })
  })

  test('no page of it left an error in a console', () => {
    assert.deepEqual(faults, [])
  })
})
