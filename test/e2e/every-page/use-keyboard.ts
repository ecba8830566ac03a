import type { Page, Request } from 'playwright-core'
import { comes, goWithin, settled } from './walk-pages.ts'

/** What the page itself is told for this test: what Tab is to reach, how it looks at rest, and what it did reach. */
declare global {
  var hfKeyboard: {
    expected: HTMLElement[]
    resting: Map<Element, string>
    reached: Set<Element>
    last?: Element
    /** How often the page has changed while buttons were pressed, and who counts it. */
    changes: number
    watch?: MutationObserver
    nameOf(element: Element): string
    lookOf(element: Element): string
    /** An element with what may show its focus in its place, as the words beside a hidden box do. */
    around(element: Element): Element[]
  }
}

/**
 * How long a button that opens something may take to open it; whoever takes longer is taken for one that opens nothing, and so is one after which nothing is
 * fetched and nothing changes for a while.
 */
const OPEN_MS = 700
const QUIET_MS = 200
const CLOSE_MS = 5_000
const POLL_MS = 50
const OPENED = '[role=dialog], dialog[open], :popover-open, [role=listbox]'

/**
 * What is wrong with a page for a person who has a keyboard alone: all that can be used is reached by Tab, in the order in which it is read and nothing
 * twice, and is seen to have the focus; the last leads on.
 */
export async function tabFaults(page: Page, path: string): Promise<string[]> {
  // What the buttons of the page before could not do is told over this one.
  while (await page.locator('.hf-toast').count()) await comes(page.locator('.hf-toast button').first().click({ timeout: CLOSE_MS }))
  const faults = (await page.evaluate(prepare)).map((fault) => `${path}: ${fault}`)
  await page.locator('.hf-skip').focus()
  if (!(await page.evaluate(() => document.activeElement!.getBoundingClientRect().top >= 0))) faults.push(`${path}: the skip link is not seen`)
  await page.keyboard.press('Enter')
  if (!(await page.evaluate(() => document.activeElement?.id === 'content'))) faults.push(`${path}: the skip link does not lead to the content`)
  const most = (await page.evaluate(() => hfKeyboard.expected.length)) + 60
  for (let presses = 0; ; presses++) {
    if (presses > most) return [...faults, `${path}: Tab does not lead out of it`]
    await page.keyboard.press('Tab')
    const found = await page.evaluate(lookAtFocus)
    if (found === 'left') break
    faults.push(...found.map((fault) => `${path}: ${fault}`))
  }
  return [...faults, ...(await page.evaluate(listMissed)).map((fault) => `${path}: ${fault}`)]
}

/** Runs in the page. */
function prepare(): string[] {
  const main = document.querySelector('main')!
  const isShown = (each: HTMLElement) => each.getClientRects().length > 0 && each.checkVisibility({ visibilityProperty: true }) && !each.closest('[inert]')
  const usable = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [contenteditable], [tabindex]'
  // These lead through what is in them by the arrow keys.
  const composite = '[role=tablist], [role=listbox], [role=radiogroup], [role=menu], [role=group][tabindex="0"]'
  const all = [...main.querySelectorAll<HTMLElement>(usable)].filter(isShown)
  const isOwnStop = (each: HTMLElement) => {
    if (each.tabIndex < 0) return false
    if (!(each instanceof HTMLInputElement) || each.type !== 'radio' || each.checked) return true
    return main.querySelector(`input[type=radio][name="${CSS.escape(each.name)}"]:checked`) === null
  }
  const expected = all.filter(isOwnStop)
  const lookOf = (each: Element) =>
    [null, '::before', '::after']
      .map((part) => getComputedStyle(each, part))
      .map((style) => [style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow, style.borderColor, style.backgroundColor].join())
      .join()
  const nameOf = (each: Element) => `<${each.tagName.toLowerCase()}> ${(each.ariaLabel ?? (each as HTMLElement).innerText).slice(0, 40)}`
  const around = (each: Element) =>
    [each, each.parentElement, each.parentElement?.parentElement, each.nextElementSibling].filter((near) => near instanceof Element)
  const resting = new Map<Element, string>()
  for (const near of expected.flatMap(around)) resting.set(near, lookOf(near))
  globalThis.hfKeyboard = { expected, resting, reached: new Set(), changes: 0, nameOf, lookOf, around }
  const closed = all.filter(
    (each) => each.tabIndex < 0 && each.matches('a, button, input:not([type=file]), select, textarea') && !each.parentElement!.closest(composite),
  )
  const mute = [...main.querySelectorAll<HTMLElement>('*')].filter(
    (each) =>
      getComputedStyle(each).cursor === 'pointer' &&
      getComputedStyle(each.parentElement!).cursor !== 'pointer' &&
      isShown(each) &&
      !each.closest('a[href], button, label, summary, select, input, [tabindex]:not(main)') &&
      !each.querySelector('a[href], button, input, select'),
  )
  return [...closed.map((each) => `nothing leads to ${nameOf(each)}`), ...mute.map((each) => `${nameOf(each)} can be pressed by a pointer alone`)]
}

/** Runs in the page: what is wrong with where the focus is now, or that it has left the content. */
function lookAtFocus(): string[] | 'left' {
  const { resting, reached, last, nameOf, lookOf, around } = globalThis.hfKeyboard
  const now = document.activeElement as HTMLElement
  if (!now?.closest('main')) return 'left'
  const faults: string[] = []
  // Inside a date the browser itself leads from part to part.
  if (now === last && now.matches('[type=date], [type=time]')) return []
  if (reached.has(now)) faults.push(`${nameOf(now)} is reached twice`)
  reached.add(now)
  // What has come since the page was looked at is not known at rest.
  const near = resting.has(now) ? around(now).filter((each) => resting.has(each)) : []
  if (near.length > 0 && near.every((each) => lookOf(each) === resting.get(each))) faults.push(`${nameOf(now)} does not show that it has the focus`)
  const boxOf = (each: Element) => {
    const own = each.getBoundingClientRect()
    return own.width > 2 ? own : (each.closest('label') ?? each.parentElement!).getBoundingClientRect()
  }
  const box = boxOf(now)
  // Of what is taller than the window, such as a table, a part is enough.
  const x = Math.min(Math.max(box.left, 0) + Math.min(box.width, innerWidth) / 2, innerWidth - 1)
  const y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2
  const seen = document.elementFromPoint(x, y)
  const isSeen = seen !== null && (now.contains(seen) || seen.contains(now) || now.closest('label')?.contains(seen) || now.parentElement!.contains(seen))
  if (!isSeen) faults.push(`${nameOf(now)} has the focus where nobody sees it`)
  const before = last?.isConnected ? boxOf(last) : undefined
  if (before && !last!.contains(now) && box.bottom <= before.top + 1 && box.left < before.right) faults.push(`${nameOf(now)} comes after what stands below it`)
  globalThis.hfKeyboard.last = now
  return faults
}

/** Runs in the page. */
function listMissed(): string[] {
  const { expected, reached, nameOf } = globalThis.hfKeyboard
  return expected
    .filter((each) => each.isConnected && !reached.has(each) && !each.matches(':disabled') && each.tabIndex >= 0)
    .map((each) => `Tab does not reach ${nameOf(each)}`)
}

/**
 * What is wrong with what opens on a page, for the same person: Enter or Space opens it and the focus goes there, Escape closes it, and the focus is
 * back. `known` has the buttons that were tried, and whether they opened something: of those alike in each row, one is enough.
 */
export async function openingFaults(page: Page, path: string, known: Map<string, boolean>): Promise<string[]> {
  const faults: string[] = []
  const address = page.url()
  const buttons = page.locator('main').locator('button:enabled, [role=combobox]:enabled, [role=button]')
  for (let at = 0; at < (await buttons.count()); at++) {
    await closeLate(page)
    const button = buttons.nth(at)
    const kind = await button.evaluate((each: HTMLElement) =>
      each.matches('[role=tab]') || each.tabIndex < 0 ? '' : `${each.className} ${each.innerText || each.ariaLabel}`,
    )
    if (kind === '' || known.has(kind) || !(await button.isVisible())) continue
    const found = await openingFaultsOf(page, at % 2 === 0 ? 'Enter' : 'Space', at)
    known.set(kind, found !== undefined)
    faults.push(...(found ?? []).map((fault) => `${path}: ${fault} (${kind})`))
    if (page.url() !== address) {
      await goWithin(page, new URL(address).pathname + new URL(address).search)
      await settled(page)
    }
  }
  await settled(page)
  await closeLate(page)
  return faults
}

/** Closes what a busy machine opened only after its button was taken for one that opens nothing. */
async function closeLate(page: Page): Promise<void> {
  const late = page.locator('[role=dialog]').filter({ visible: true })
  for (let open = await late.count(); open > 0; open--) {
    await page.keyboard.press('Escape')
    await comes(late.nth(open - 1).waitFor({ state: 'detached', timeout: CLOSE_MS }))
  }
}

/** How much is open on a page, and how often it has changed. */
const openOn = (page: Page) =>
  page.evaluate(
    (what) => ({ open: [...document.querySelectorAll(what)].filter((each) => each.checkVisibility()).length, changes: globalThis.hfKeyboard.changes }),
    OPENED,
  )

/** Presses a key on a button, and waits until more is open than before: answers whether it is. */
async function pressToOpen(page: Page, key: string, at: number, before: number): Promise<boolean> {
  await page.evaluate((nth) => {
    const all = [...document.querySelectorAll<HTMLElement>('main :is(button:enabled, [role=combobox]:enabled, [role=button])')]
    const keyboard = globalThis.hfKeyboard
    keyboard.last = all[nth]!
    keyboard.watch ??= new MutationObserver(() => keyboard.changes++)
    keyboard.watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    all[nth]!.focus()
  }, at)
  const underWay = new Set<Request>()
  const onBegun = (request: Request) => void underWay.add(request)
  const onDone = (request: Request) => void underWay.delete(request)
  page.on('request', onBegun).on('requestfinished', onDone).on('requestfailed', onDone)
  try {
    await page.keyboard.press(key)
    let last = -1
    let quietMs = 0
    for (let waitedMs = 0; waitedMs < OPEN_MS && quietMs < QUIET_MS; waitedMs += POLL_MS) {
      const { open, changes } = await openOn(page)
      if (open > before) return true
      quietMs = changes === last && underWay.size === 0 ? quietMs + POLL_MS : 0
      last = changes
      await page.waitForTimeout(POLL_MS)
    }
    return (await openOn(page)).open > before
  } finally {
    page.off('request', onBegun).off('requestfinished', onDone).off('requestfailed', onDone)
    await page.evaluate(() => globalThis.hfKeyboard.watch?.disconnect())
  }
}

/**
 * On a busy machine, what the button before opened late may lie on what this one opens: Escape closed that, and the focus is in neither place. Then this one is
 * tried once more, alone.
 */
async function openingFaultsOf(page: Page, key: string, at: number, isTriedAgain = false): Promise<string[] | undefined> {
  const { open: before } = await openOn(page)
  if (!(await pressToOpen(page, key, at, before))) return undefined
  await page.keyboard.press('Escape')
  const isClosed = await comes(
    page.waitForFunction(
      ({ what, count }) => [...document.querySelectorAll(what)].filter((each) => each.checkVisibility()).length <= count,
      { what: OPENED, count: before },
      // At every frame by default, and frames are then drawn for nothing else.
      { timeout: CLOSE_MS, polling: POLL_MS },
    ),
  )
  if (!isClosed) {
    if (isTriedAgain) return ['Escape does not close what it opens']
    await closeLate(page)
    return openingFaultsOf(page, key, at, true)
  }
  const now = await page.evaluate(() => (document.activeElement === globalThis.hfKeyboard.last ? undefined : document.activeElement!.outerHTML.slice(0, 120)))
  if (now === undefined) return []
  if (isTriedAgain) return [`the focus does not come back, it is at ${now}`]
  await closeLate(page)
  return openingFaultsOf(page, key, at, true)
}
