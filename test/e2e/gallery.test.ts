import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { HOSTILE_TEXTS } from '../../apps/console/gallery/hostile-texts.ts'
import { atRest, axeFaults, openBrowser, type Watched } from './browser.ts'
import { comparePicture } from './gallery/compare-pictures.ts'
import { buildGallery, type GalleryView, showGallery } from './gallery/open-gallery.ts'

const PARTS = [
  'tokens',
  'buttons',
  'forms',
  'choices',
  'labels',
  'values',
  'statuses',
  'feedback',
  'overlays',
  'tables',
  'long-table',
  'charts',
  'palette',
] as const
// The long table is made of the same parts as the short ones, and takes its time to make.
const ALL_BUT_LONG = PARTS.filter((part) => part !== 'long-table').join(',')
/** Parts whose names the hostile texts take. */
const NAMED = 'forms,choices,labels,values,statuses,feedback,tables,charts'
const WIDTHS = { phone: 390, desk: 1280, wide: 1920 } as const

let watched: Watched
let page: Page
let gallery: { stop: () => void }

before(async () => {
  watched = await openBrowser()
  gallery = await buildGallery(watched.context)
  page = await watched.context.newPage()
})

after(async () => {
  await watched?.browser.close()
  gallery?.stop()
})

async function show(view: GalleryView, width: number = WIDTHS.desk): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await showGallery(page, view)
}

test('every part has a story, and the test knows every story', async () => {
  await show({})
  const found = await page.locator('[data-part]').evaluateAll((elements) => elements.map((element) => element.getAttribute('data-part')))
  assert.deepEqual(found.toSorted(), [...PARTS].toSorted())
})

/** A part as if it stood alone: where parts above it end between two pixels, letters would be smoothed in another way. */
async function pictureOf(part: string): Promise<Buffer> {
  await page.locator('[data-part]').evaluateAll((parts, shown) => {
    for (const each of parts as HTMLElement[]) each.style.display = each.dataset.part === shown ? '' : 'none'
  }, part)
  return page.locator(`[data-part="${part}"]`).screenshot({ animations: 'disabled' })
}

test('each part looks as it did: light and dark, both languages, on a telephone, a desk and a wide screen', async () => {
  const looks: { suffix: string; parts: readonly string[]; view: GalleryView; width: number }[] = [
    { suffix: 'light', parts: PARTS, view: { theme: 'light' }, width: WIDTHS.desk },
    { suffix: 'dark-chinese', parts: PARTS, view: { theme: 'dark', language: 'zh-CN' }, width: WIDTHS.desk },
    { suffix: 'phone', parts: ['tables', 'charts', 'forms', 'values'], view: { theme: 'light' }, width: WIDTHS.phone },
    { suffix: 'wide', parts: ['tables', 'charts'], view: { theme: 'light' }, width: WIDTHS.wide },
    { suffix: 'hostile', parts: ['labels'], view: { theme: 'light', text: 3 }, width: WIDTHS.desk },
    { suffix: 'hostile', parts: ['tables'], view: { theme: 'light', text: 10 }, width: WIDTHS.desk },
  ]
  const differences: (string | undefined)[] = []
  for (const { suffix, parts, view, width } of looks) {
    await show({ ...view, part: parts.join(',') }, width)
    for (const part of parts) {
      differences.push(await comparePicture(page, `${part}-${suffix}`, await pictureOf(part)))
    }
  }
  assert.deepEqual(
    differences.filter((difference) => difference !== undefined),
    [],
  )
})

test('what opens over the page looks as it did: palette, drawer, messages, menus, settings', async () => {
  const differences: (string | undefined)[] = []
  const take = async (name: string) => differences.push(await comparePicture(page, name, await page.screenshot({ animations: 'disabled' })))
  await show({ part: 'palette', theme: 'light' })
  await page.getByRole('button', { name: 'Open the palette' }).click()
  await page.getByRole('option', { name: /Payroll/ }).waitFor()
  await take('palette-open')
  assert.deepEqual(await axeFaults(page), [])
  await show({ part: 'overlays', theme: 'dark' })
  await page.getByRole('button', { name: 'Show messages' }).click()
  await page.getByText('The server could not be reached').waitFor()
  await page.getByRole('button', { name: 'Open the drawer' }).click()
  await page.getByRole('checkbox', { name: 'I have told everybody' }).check()
  assert.deepEqual(await axeFaults(page), [])
  await show({ part: 'choices', theme: 'light' })
  await page.getByRole('button', { name: /^Wallet: / }).click()
  await page.getByRole('option', { name: 'Cold reserve' }).waitFor()
  await take('picker-open')
  assert.deepEqual(await axeFaults(page), [])
  await show({ part: 'tables', theme: 'light' })
  await page.getByRole('button', { name: 'Table settings' }).first().click()
  await page.getByText('Row height').first().waitFor()
  await take('table-settings-open')
  assert.deepEqual(await axeFaults(page), [])
  assert.deepEqual(
    differences.filter((difference) => difference !== undefined),
    [],
  )
})

test('no part is closed to people who cannot see it well: no finding of axe of any level, light and dark', async () => {
  for (const theme of ['light', 'dark'] as const) {
    await show({ part: ALL_BUT_LONG, theme })
    assert.deepEqual(await axeFaults(page), [])
  }
  await show({ part: ALL_BUT_LONG, language: 'zh-CN', theme: 'light' }, WIDTHS.phone)
  assert.deepEqual(await axeFaults(page), [])
})

test('nothing keeps moving for people who ask for less movement, not even what says that something is on its way', async () => {
  await show({ part: 'feedback' })
  assert.ok((await page.locator('.hf-spinner, .hf-bar').count()) > 0)
  await atRest(page)
})

test('hostile text in every name is inert and stays in its place, at every width', async () => {
  const faults: string[] = []
  for (const [text, { what }] of HOSTILE_TEXTS.entries()) {
    await show({ part: NAMED, text, theme: text % 2 === 0 ? 'light' : 'dark' })
    // The narrowest is the hardest; the others take turns.
    for (const width of [text % 4 < 2 ? WIDTHS.desk : WIDTHS.wide, WIDTHS.phone]) {
      await page.setViewportSize({ width, height: 900 })
      faults.push(...(await layoutFaults(page)).map((fault) => `${what} at ${width}: ${fault}`))
    }
  }
  assert.deepEqual(faults, [])
})

test('hostile text is inert in the palette, in a drawer, in messages and in a list of names', async () => {
  const faults: string[] = []
  for (const [text, { what }] of HOSTILE_TEXTS.entries()) {
    const check = async (where: string) => faults.push(...(await layoutFaults(page)).map((fault) => `${what} in ${where}: ${fault}`))
    await show({ part: 'palette,choices,overlays', text }, WIDTHS.phone)
    await page.getByRole('button', { name: 'Open the palette' }).click()
    await page.getByRole('option', { name: /Payroll/ }).waitFor()
    await check('the palette')
    await page.keyboard.press('Escape')
    await page.locator('.hf-picker').first().click()
    await page.getByRole('option', { name: 'Payroll' }).waitFor()
    await check('the list')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show messages' }).click()
    await page.getByRole('button', { name: 'Dismiss' }).first().waitFor()
    await check('messages')
    await page.getByRole('button', { name: 'Open the drawer' }).click()
    await page.getByRole('checkbox', { name: 'I have told everybody' }).waitFor()
    await check('the drawer')
  }
  assert.deepEqual(faults, [])
})

/** What a text has done that no text may do: run, make the page wider, leave its box, or change the direction of what stands beside it. */
async function layoutFaults(of: Page): Promise<string[]> {
  return await of.evaluate(async () => {
    const found: string[] = []
    // What follows the size of the window has followed it two frames later.
    for (let frame = 0; frame < 2; frame += 1) await new Promise((done) => requestAnimationFrame(done))
    if ((globalThis as { __ran?: unknown }).__ran !== undefined) found.push('a script ran')
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth) found.push(`the page is ${root.scrollWidth} wide in ${root.clientWidth}`)
    for (const part of document.querySelectorAll<HTMLElement>('[data-part]'))
      if (part.scrollWidth > part.clientWidth) found.push(`${part.dataset.part} is too wide`)
    for (const name of document.querySelectorAll('.hf-name')) {
      const box = name.getBoundingClientRect()
      const parent = name.closest('td, dd, dt, li, h1, h2, p, button, figure, div')?.getBoundingClientRect()
      if (parent && box.width > 0 && box.width > parent.width + 1) found.push(`a name of ${box.width} stands in ${parent.width}`)
      if (getComputedStyle(name).unicodeBidi !== 'isolate') found.push('a name is not kept apart')
      if (/[\u202A-\u202E\u2066-\u2069\u200B\u2060\uFEFF]/.test(name.textContent ?? '')) found.push('an invisible character is there as it is')
    }
    for (const attribute of document.querySelectorAll('[title], [aria-label]')) {
      const texts = [attribute.getAttribute('title'), attribute.getAttribute('aria-label')]
      if (texts.some((text) => /[\u202A-\u202E\u2066-\u2069]/.test(text ?? ''))) found.push(`${attribute.tagName} has a direction mark in an attribute`)
    }
    return [...new Set(found)]
  })
}

test('a list of a hundred thousand rows has few of them in the page, goes by keys and opens one', async () => {
  await show({ part: 'long-table' })
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  const press = async (key: string, expected: string) => {
    await page.keyboard.press(key)
    await page.waitForFunction((text) => document.activeElement?.textContent === text, expected)
  }
  await page.getByRole('group', { name: 'Withdrawals' }).focus()
  await press('ArrowDown', 'Wallet 1')
  await press('ArrowDown', 'Wallet 2')
  await press('End', 'Wallet 100000')
  assert.ok((await page.locator('tbody tr').count()) < 90)
  assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), '100001')
  await press('ArrowUp', 'Wallet 99999')
  await page.keyboard.press('Enter')
  assert.equal(await page.locator('[data-opened]').getAttribute('data-opened'), '99998')
  await page.locator('.hf-table-scroll').evaluate((element) => element.scrollTo(0, 0))
  await page.getByText('Wallet 1', { exact: true }).waitFor()
  assert.equal(await focused(), 'Wallet 99999')
  await press('Home', 'Wallet 1')
})

test('scrolling a long list stays where it was put, and draws each row that comes into sight once', async () => {
  await show({ part: 'long-table' })
  const { reached, drawn, again } = await page.evaluate(
    () =>
      new Promise<{ reached: number; drawn: number; again: number }>((done) => {
        const box = document.querySelector('.hf-table-scroll')!
        const rows: string[] = []
        const observer = new MutationObserver((changes) => {
          for (const { addedNodes } of changes) for (const node of addedNodes) if (node instanceof HTMLElement && node.dataset.row) rows.push(node.dataset.row)
        })
        observer.observe(box.querySelector('tbody')!, { childList: true })
        let frames = 0
        const scroll = () => {
          box.scrollTop += 240
          if (++frames < 60) requestAnimationFrame(scroll)
          else requestAnimationFrame(() => done({ reached: box.scrollTop, drawn: rows.length, again: rows.length - new Set(rows).size }))
        }
        scroll()
      }),
  )
  assert.deepEqual([reached, again, drawn > 200], [60 * 240, 0, true])
})

test('columns that were hidden and the height of rows are there again after the page is loaded anew', async () => {
  await show({ part: 'tables' })
  const settings = page.getByRole('button', { name: 'Table settings' }).first()
  await settings.click()
  await page.getByLabel('Amount', { exact: true }).first().uncheck()
  await page.getByText('Compact').first().click()
  await page.keyboard.press('Escape')
  await show({ part: 'tables' })
  assert.equal(await page.getByRole('table').first().getByRole('columnheader', { name: 'Amount' }).count(), 0)
  assert.equal((await page.locator('.hf-compact').count()) > 0, true)
  assert.deepEqual(
    Object.entries(await page.evaluate(() => ({ ...localStorage }))).filter(([key]) => /table|density/.test(key)),
    [
      ['holdfast.density', 'compact'],
      ['holdfast.table.gallery', '{"amount":false}'],
    ].toSorted(),
  )
  await page.evaluate(() => localStorage.clear())
})

test('the head of a table stays in sight while the page or the table is scrolled', async () => {
  await show({ part: 'tables' })
  await page.setViewportSize({ width: 1280, height: 320 })
  const head = page.getByRole('columnheader', { name: 'Name' }).first()
  const last = page.getByText('Wallet 6', { exact: true })
  await last.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  assert.ok(((await head.boundingBox())?.y ?? -1) >= 0)
  assert.ok(((await head.boundingBox())?.y ?? 0) < ((await last.boundingBox())?.y ?? 0))
})

test('each chart has its numbers in a table, and is read out by the arrow keys', async () => {
  await show({ part: 'charts' })
  const chart = page.getByRole('figure', { name: 'Balance' }).first()
  await chart.getByRole('group', { name: /^Balance\. 90 points/ }).focus()
  await page.keyboard.press('End')
  await chart.getByText(/21 Nov 2026: [\d,.]+ USD/).waitFor({ state: 'attached' })
  for (const title of ['Balance', 'By wallet', 'Fees spent', 'Allocation', 'Hot, warm and cold']) {
    const each = page.getByRole('figure', { name: title }).first()
    await each.getByText('', { exact: false }).first().waitFor()
    await each.getByRole('radio', { name: 'Table' }).check({ force: true })
    assert.ok((await each.getByRole('row').count()) > 3, title)
  }
  assert.equal(await page.getByRole('figure', { name: 'Balance' }).first().getByRole('row').count(), 91)
})

test('the palette finds by name, address and page, runs by Enter and closes by Escape', async () => {
  await show({ part: 'palette' })
  const open = () => page.getByRole('button', { name: 'Open the palette' }).click()
  await open()
  await page.keyboard.type('payr')
  await page
    .getByRole('option', { name: /Payroll/ })
    .and(page.locator('[aria-selected="true"]'))
    .waitFor()
  await page.keyboard.press('Enter')
  assert.equal(await page.locator('[data-done]').getAttribute('data-done'), 'Payroll')
  await open()
  await page.keyboard.type('0x7099')
  await page.getByRole('option', { name: /Address book/ }).waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.getByRole('dialog').count(), 0)
  await open()
  await page.keyboard.type('zzzz')
  await page.getByText('No results').first().waitFor()
})

test('a form says what to enter by the label, in both languages, and leads to the first field that is wrong', async () => {
  await show({ part: 'forms' })
  await page.getByText('Enter the wallet name').waitFor()
  await show({ part: 'forms', language: 'zh-CN' })
  await page.getByText('请输入钱包名称').waitFor()
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid')), 'true')
})

test('in all of this no script was refused, and nothing was reported to the console', () => {
  assert.deepEqual(watched.faults, [])
})
