import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { getState } from '@holdfast/features/session/contract'
import { picture } from './browser.ts'
import { fillOrganisation } from './every-page/fill-organisation.ts'
import { offlineFaults } from './every-page/go-offline.ts'
import { nameOf, PAGES, WITHOUT_CALLS } from './every-page/list-pages.ts'
import { openingFaults, tabFaults } from './every-page/use-keyboard.ts'
import { comes, forgetAnswers, goWithin, openPage, settled, walk } from './every-page/walk-pages.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'

// Every page where something is missing: an answer, the network, a pointer. Nothing has to be added for a new page.

const REFUSAL = JSON.stringify({ code: '100001', msg: 'This is being tried.', data: null })

let console_: FundedConsole

before(async () => {
  console_ = await startFundedConsole({ mark: 'Aurora' })
  await fillOrganisation(console_)
})

after(() => console_?.close())

test('a page whose calls fail says so, and shows itself once it is asked to try again', async () => {
  const page = await openPage(console_, console_.org.alice)
  const faults: string[] = []
  for (const path of PAGES.filter((each) => !WITHOUT_CALLS.includes(each))) {
    await page.route(
      (url) => url.pathname.startsWith('/api/mpc/') && url.pathname !== getState.path,
      (route) => (route.request().method() === 'GET' ? route.fulfill({ contentType: 'application/json', body: REFUSAL }) : route.fallback()),
    )
    await forgetAnswers(page)
    await goWithin(page, `/mpc/${path}`)
    const retry = page.locator('main').getByRole('button', { name: 'Try again' })
    if (!(await comes(retry.first().waitFor({ timeout: 20_000 })))) faults.push(`${path} does not say that it failed`)
    await settled(page)
    await picture(page, `page-${nameOf(path)}-failed`)
    await page.unrouteAll({ behavior: 'wait' })
    await retry.evaluateAll((buttons: HTMLElement[]) => buttons.forEach((button) => button.click()))
    const isBack = await comes(retry.first().waitFor({ state: 'detached', timeout: 20_000 }))
    if (!isBack) faults.push(`${path} does not come back`)
  }
  await page.close()
  console_.watched.faults.splice(0)
  assert.deepEqual(faults, [])
})

test('a page without a network says so and what to do, is there by itself once there is one, and keeps what was typed', async () => {
  const page = await openPage(console_, console_.org.alice)
  const faults: string[] = []
  const missing = new Set<string>()
  page.on('requestfailed', (request) => void (/\/mpc\/assets\/.+\.js$/.test(request.url()) && missing.add(request.url())))
  for (const path of PAGES) {
    // Its code and its answers are still to be fetched on the way: it is shown for the first time since the console was loaded with another page.
    if (path === 'wallet') await page.goto(`${console_.stack.settings.consoleOrigin}/mpc/settings`)
    await settled(page)
    await forgetAnswers(page)
    faults.push(...(await offlineFaults(page, path)))
  }
  await page.close()
  assert.ok(missing.size > PAGES.length / 2, `the code of only ${missing.size} pages was still to be fetched`)
  console_.watched.faults.splice(0)
  assert.deepEqual(faults, [])
})

test('a keyboard alone is enough for every page: Tab goes through it as it is read and is seen, and what opens closes and gives the focus back', async () => {
  const page = await openPage(console_, console_.org.alice)
  await page.route(/\/api\/mpc\//, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500, body: 'nothing is changed here' }) : route.fallback(),
  )
  const faults: string[] = []
  const tried = new Map<string, boolean>()
  await walk(page, async (path) => {
    faults.push(...(await tabFaults(page, path)), ...(await openingFaults(page, path, tried)))
  })
  await page.close()
  const opened = [...tried.values()].filter(Boolean).length
  assert.ok(opened > 20, `only ${opened} of ${tried.size} buttons opened something`)
  console_.watched.faults.splice(0)
  assert.deepEqual(faults, [])
})
