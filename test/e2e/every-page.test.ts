import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { foundOrganisation } from '../../apps/launcher/src/found-organisation.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { axeFindings } from '../../apps/signer/page/testing/chromium.ts'
import { atRest, picture, untilItFits, untilLoaded } from './browser.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'
import { signInBrowser } from './sign-in-browser.ts'

// Whatever page a feature brings is walked here by itself: nothing has to be added for a new one.

const ROOT = join(import.meta.dirname, '../..')
const PAGES = globSync(`${ROOT}/features/*/console/index.ts`)
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/'?([\w/]+)'?: \(\) => import\('[^']*-page\.tsx'\)/g)].map(([, path]) => path!))
  .toSorted()
const WIDTHS = [360, 390, 768, 1440, 1920]
const VIEWS = [
  { name: 'light', lang: 'en_US', colorScheme: 'light', width: 1440 },
  { name: 'dark-chinese-phone', lang: 'zh_CN', colorScheme: 'dark', width: 390 },
] as const

let console_: FundedConsole
let empty: TerminalMember

before(async () => {
  console_ = await startFundedConsole({ mark: 'Pages' })
  const founded = await foundOrganisation(ports, console_.stack.settings, { name: 'Empty', members: ['Emil Empty', 'Ella Empty', 'Enzo Empty'], threshold: 2 })
  empty = founded.members[0]!
})

after(() => console_?.close())

const origin = () => console_.stack.settings.consoleOrigin
const nameOf = (path: string) => path.replaceAll(/\W+/g, '-')

/** Goes to a path without loading the page again, as a link does. */
const goWithin = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)

async function speak(page: Page, lang: string): Promise<void> {
  await page.context().addCookies([{ name: 'lan', value: lang, url: origin() }])
  await page.reload()
}

async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await untilLoaded(page)
  await atRest(page)
}

/** Shows each page, and each tab of a page that has tabs, in turn. */
async function walk(page: Page, look: (path: string) => Promise<void>): Promise<void> {
  for (const path of PAGES) {
    await goWithin(page, `/mpc/${path}`)
    await settled(page)
    await look(path)
    const tabs = page.locator('main [role=tab]')
    for (let i = 1; i < (await tabs.count()); i++) {
      await tabs.nth(i).click()
      await settled(page)
      await look(`${path}-${i}`)
    }
  }
}

/** What is wrong with a page as it stands: a width it does not fit, and whatever axe finds of any level. */
async function faultsOf(page: Page, path: string, width: number): Promise<string[]> {
  const faults: string[] = []
  for (const each of WIDTHS) {
    await page.setViewportSize({ width: each, height: 900 })
    await untilItFits(page).catch(() => faults.push(`${path} is wider than ${each} pixels`))
  }
  await page.setViewportSize({ width, height: 900 })
  await settled(page)
  const found = await axeFindings(page)
  return [...faults, ...found.flatMap(({ id, nodes }) => nodes.map((node) => `${path}: ${id}: ${node.html.slice(0, 200)}`))]
}

for (const { name, lang, colorScheme, width } of VIEWS) {
  for (const kind of ['full', 'empty'] as const) {
    test(`every page with ${kind === 'full' ? 'something' : 'nothing'} on it fits, is read out rightly and complains of nothing (${name})`, async () => {
      const page = await openPage(kind === 'full' ? console_.org.alice : empty)
      await page.emulateMedia({ colorScheme })
      await speak(page, lang)
      const faults: string[] = []
      await walk(page, async (path) => {
        faults.push(...(await faultsOf(page, path, width)))
        await picture(page, `page-${nameOf(path)}-${kind}-${name}`)
      })
      await page.close()
      assert.deepEqual([...faults, ...console_.watched.faults.splice(0)], [])
    })
  }
}

async function openPage(member: TerminalMember): Promise<Page> {
  const context = await console_.watched.newContext()
  await signInBrowser(context, member, origin())
  const page = await context.newPage()
  await page.goto(`${origin()}/mpc/wallet`)
  await settled(page)
  return page
}

test('a page whose calls fail says so, and shows itself once it is asked to try again', async () => {
  const page = await openPage(console_.org.alice)
  const faults: string[] = []
  for (const path of PAGES) {
    await goWithin(page, '/mpc/wallet')
    await settled(page)
    await page.route(/\/api\/mpc\//, (route) => (route.request().method() === 'GET' ? route.fulfill({ status: 500, body: 'broken' }) : route.fallback()))
    await page.goto(`${origin()}/mpc/${path}`)
    const retry = page.getByRole('button', { name: /^(Try again|Retry)$/ }).first()
    const isSaid = await retry.waitFor({ timeout: 30_000 }).then(
      () => true,
      () => false,
    )
    await picture(page, `page-${nameOf(path)}-failed`)
    await page.unrouteAll({ behavior: 'wait' })
    if (!isSaid) {
      faults.push(`${path} does not say that it failed`)
      continue
    }
    await retry.click()
    await settled(page).catch(() => faults.push(`${path} does not come back`))
  }
  await page.close()
  console_.watched.faults.splice(0)
  assert.deepEqual(faults, [])
})
