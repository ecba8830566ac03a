import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openBrowser, seriousFaults, type Watched } from './browser.ts'
import type { Parts } from './parts/main.tsx'
import { serveParts } from './parts/serve-parts.ts'

declare global {
  interface Window {
    parts: Parts
    answers: unknown[]
  }
}

let watched: Watched
let address: string
let page: Page

before(async () => {
  watched = await openBrowser()
  address = await serveParts(watched.context)
  page = await watched.context.newPage()
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

after(async () => {
  await watched?.browser.close()
})

beforeEach(async () => {
  await page.goto(address)
  await page.getByRole('button', { name: 'Open a page' }).waitFor()
  await page.evaluate(() => void (window.answers = []))
})

const dialog = (title: string) => page.getByRole('dialog', { name: title })
const button = (name: string) => page.getByRole('button', { name, exact: true })
/** Opens a page of the drawer; what its promise is answered with is pushed to `window.answers`. */
const push = async (title: string, options: Parameters<Parts['push']>[1] = {}) => {
  await page.evaluate(([name, given]) => void window.parts.push(name, given).then((answer) => window.answers.push([name, answer])), [title, options] as const)
  await dialog(title).waitFor()
}
const ask = (options: Parameters<Parts['ask']>[0]) =>
  page.evaluate((given) => void window.parts.ask(given).then((answer) => window.answers.push(answer)), options)
const answered = async (count: number): Promise<unknown[]> => {
  await page.waitForFunction((wanted) => window.answers.length >= wanted, count)
  return page.evaluate(() => window.answers)
}
const gone = (title: string) => dialog(title).waitFor({ state: 'detached' })

test('pages of the drawer lie on each other, and Escape takes off the uppermost alone (spec 2.31, 2.32, 4.1)', async () => {
  await push('one')
  await push('two')
  assert.equal(await page.getByRole('dialog').count(), 2)
  await page.keyboard.press('Escape')
  await gone('two')
  await dialog('one').waitFor()
  assert.deepEqual(
    await answered(1),
    [['two', null]].map(([name]) => [name, undefined]),
  )
  await button('Finish one').click()
  await gone('one')
  assert.deepEqual((await answered(2))[1], ['one', 'done one'])
})

test('whatever closes the drawer answers every page of it (spec 4.2)', async () => {
  for (const title of ['one', 'two', 'three']) await push(title)
  await page.evaluate(() => window.parts.drawers.close())
  assert.equal((await answered(3)).length, 3)
  for (const title of ['one', 'two', 'three']) await gone(title)
  await push('four')
  await page.evaluate(() => void window.parts.replace('five'))
  await dialog('five').waitFor()
  await gone('four')
  assert.equal((await answered(4)).length, 4)
})

test('a page is 460 wide unless it is 900 or 1180, and dims what is behind it unless told not to (spec 2.33, 9.3)', async () => {
  for (const [title, options, width, masks] of [
    ['usual', {}, 460, 1],
    ['wide', { width: 900 }, 900, 1],
    ['widest', { width: 1180 }, 1180, 1],
    ['clear', { background: false }, 460, 0],
  ] as const) {
    await push(title, options)
    await page.waitForFunction((expected) => document.querySelector('[role="dialog"]')?.getBoundingClientRect().width === expected, width)
    assert.equal(await page.locator('.hf-drawer-mask').count(), masks, title)
    await page.keyboard.press('Escape')
    await gone(title)
  }
})

test('a click beside a page closes it, unless the page says that it does not (spec 2.33)', async () => {
  await push('closes')
  await page.mouse.click(20, 400)
  await gone('closes')
  await push('stays', { maskClosable: false })
  await page.mouse.click(20, 400)
  assert.equal(await page.getByRole('dialog').count(), 1)
  await page.keyboard.press('Escape')
  await gone('stays')
})

test('the focus enters the drawer, cannot leave it by Tab, and returns to where it was', async () => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await button('Open a page').focus()
  const whereAtFirst = page.evaluate(
    () =>
      new Promise<string | null | undefined>((done) => {
        document.addEventListener('animationstart', () => done(document.activeElement?.textContent), { once: true })
      }),
  )
  await page.keyboard.press('Enter')
  const isInside = () => page.evaluate(() => document.querySelector('[role="dialog"]')?.contains(document.activeElement) ?? false)
  await page.waitForFunction(() => document.querySelector('[role="dialog"]')?.contains(document.activeElement))
  // It is there before the page has slid in.
  assert.equal(await whereAtFirst, 'opened')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'opened')
  for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab']) {
    await page.keyboard.press(key)
    assert.equal(await isInside(), true, key)
  }
  assert.deepEqual(await seriousFaults(page), [])
  await page.keyboard.press('Escape')
  await gone('opened')
  await page.waitForFunction(() => document.activeElement?.textContent === 'Open a page')
})

test('where a step makes room for the next one, the focus stays in the drawer: at its title, before what comes next', async () => {
  await page.evaluate(() => void window.parts.pushSteps('steps'))
  await button('Review').focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.activeElement?.textContent === 'steps')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Send')
  await page.keyboard.press('Escape')
  await gone('steps')
})

test('a confirm dialog is an information, an error, a success, a warning or a removal, and stands in the drawer (spec 2.31, 2.34)', async () => {
  for (const type of ['info', 'error', 'success', 'warning', 'remove'] as const) {
    await ask({ type, title: `Title of ${type}`, content: `Content of ${type}` })
    const asked = dialog(`Title of ${type}`)
    await asked.locator(`.hf-confirm-${type} svg`).waitFor()
    await asked.getByText(`Content of ${type}`).waitFor()
    assert.equal((await asked.getByRole('checkbox').count()) + (await asked.getByRole('textbox').count()) + (await asked.locator('.hf-confirm-tip').count()), 0)
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await gone(`Title of ${type}`)
  }
  assert.deepEqual(
    await answered(5),
    Array.from({ length: 5 }, () => ({ outcome: 'cancel' })),
  )
})

test('a confirm dialog waits for its acknowledgement, counts its remark to 200, and answers with it (spec 2.35, 2.36, 5.1, 5.2, 9.4)', async () => {
  const options = { type: 'remove', title: 'Remove it', content: 'For good', tip: 'A tip', acknowledgement: 'I understand', remark: true } as const
  await ask(options)
  const asked = dialog('Remove it')
  await asked.getByText('A tip').waitFor()
  const yes = asked.getByRole('button', { name: 'Confirm' })
  assert.equal(await yes.isDisabled(), true)
  await asked.getByRole('checkbox', { name: 'I understand' }).check()
  assert.equal(await yes.isDisabled(), false)
  await asked.getByRole('checkbox', { name: 'I understand' }).uncheck()
  assert.equal(await yes.isDisabled(), true)
  await asked.getByRole('checkbox', { name: 'I understand' }).check()
  const remark = asked.getByRole('textbox', { name: 'Remark' })
  await asked.getByText('0 / 200').waitFor()
  await remark.fill('😀'.repeat(201))
  await asked.getByText('200 / 200').waitFor()
  assert.equal(await remark.inputValue(), '😀'.repeat(200))
  await remark.fill('no longer used')
  await yes.click()
  assert.deepEqual(await answered(1), [{ outcome: 'confirm', remark: 'no longer used' }])
  await gone('Remove it')
  await ask(options)
  await asked.waitFor()
  await page.keyboard.press('Escape')
  assert.deepEqual((await answered(2))[1], { outcome: 'cancel' })
})

test('an amount and an address are short in a list, and whole in the drawer, where money moves', async () => {
  const shown = async (where: string) => (await page.locator(`${where} .sample-money`).textContent())?.replace(/\s+/g, ' ')
  assert.equal(await shown('main'), '1.23METH 0x5290…169EE7')
  await push('pay')
  assert.equal(await shown('[role="dialog"]'), '1,234,567.890000000000000001ETH 0x52908400098527886E0F7030069857D2E4169EE7')
})

test('of errors with one key there is one message, the newest (spec 8.2)', async () => {
  await page.evaluate(() => ['first', 'second', 'third'].forEach((text) => window.parts.toaster.error(text, 'httpError')))
  await page.getByRole('alert').filter({ hasText: 'third' }).waitFor()
  assert.equal(await page.getByRole('alert').count(), 1)
})

test('an error of rendering puts a screen in place of everything, with a way back and a reference (spec 2.30, 8.12)', async () => {
  await push('open')
  await page.evaluate(() => [...document.querySelectorAll('button')].find((each) => each.textContent === 'Break')?.click())
  await page.getByRole('heading', { name: 'This page stopped working' }).waitFor()
  assert.match((await page.locator('code').textContent()) ?? '', /^[0-9A-F]{8}$/)
  assert.equal(await page.getByRole('link', { name: 'Back to the wallets' }).getAttribute('href'), '/mpc/wallet')
  assert.equal((await page.getByRole('dialog').count()) + (await button('Break').count()), 0)
  assert.deepEqual(await seriousFaults(page), [])
})
