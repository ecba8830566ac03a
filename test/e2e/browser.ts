import { addAuthenticator, axeFindings, launchChromium } from '../../apps/signer/page/testing/chromium.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'

const PICTURES = process.env.HOLDFAST_PICTURES
/** Whatever has not come by then does not come: how long it takes where others use the processor as well is nothing that a test decides. */
export const GIVE_UP_MS = 180_000
const SERIOUS = ['serious', 'critical']
const LEVELS = ['minor', 'moderate', ...SERIOUS]

/** Nobody waits for a movement here: what moves has arrived at once, as for people who ask their system for that. */
const CONTEXT = { viewport: { width: 1280, height: 900 }, locale: 'en-US', acceptDownloads: true, reducedMotion: 'reduce' } as const

/** Debian's Chromium, with what went wrong in any page of it. */
export type Watched = {
  browser: Browser
  context: BrowserContext
  faults: string[]
  /** A context with cookies of its own, watched like the first. */
  newContext(): Promise<BrowserContext>
}

export async function openBrowser(): Promise<Watched> {
  const browser = await launchChromium()
  const faults: string[] = []
  const newContext = async () => {
    const context = await browser.newContext(CONTEXT)
    context.setDefaultTimeout(GIVE_UP_MS)
    // A blocked script or style is a console error too, so this sees violations of the content security policy.
    context.on('page', (page) => watch(page, faults))
    return context
  }
  return { browser, context: await newContext(), faults, newContext }
}

function watch(page: Page, faults: string[]): void {
  page.on('console', (message) => message.type() === 'error' && faults.push(`console of ${page.url()}: ${message.text()} (${message.location().url})`))
  page.on('pageerror', (error) => faults.push(`error in ${page.url()}: ${error.message}`))
}

/** One person's browser: keys and sessions of its own. What goes wrong in any page of it is written to `faults`. */
export type Person = { context: BrowserContext; page: Page; faults: string[] }

/** Opens a browser for one person, with an authenticator that checks who they are, or without any passkeys at all. */
export async function openPerson(
  browser: Browser,
  faults: string[],
  { passkeys, locale = CONTEXT.locale }: { passkeys: boolean; locale?: string },
): Promise<Person> {
  const permissions = ['clipboard-read', 'clipboard-write']
  const context = await browser.newContext({ ...CONTEXT, locale, permissions })
  context.setDefaultTimeout(GIVE_UP_MS)
  context.on('page', (page) => watch(page, faults))
  if (!passkeys) await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'))
  const page = await context.newPage()
  if (passkeys) await addAuthenticator(page)
  const person = { context, page, faults }
  personOf.set(page, person)
  return person
}

const personOf = new WeakMap<Page, Person>()

/**
 * Looks at a page as it stands: a picture in light on a wide screen and in dark on a telephone. It waits for a page wider than its
 * window to fit, and whatever axe finds serious goes to the faults of the person whose page it is.
 */
export async function lookAt(page: Page, name: string, appearances: readonly ('light' | 'dark')[] = ['light', 'dark']): Promise<void> {
  const faults = personOf.get(page)!.faults
  for (const colorScheme of appearances) {
    const width = colorScheme === 'light' ? 1280 : 390
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await untilItFits(page)
    await picture(page, `${name}-${colorScheme}-${width}`)
    faults.push(...(await seriousFaults(page)))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

/** A picture of the page as it stands, in the folder that HOLDFAST_PICTURES names, where it names one. */
export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true })
}

/** How often a page is asked again, in milliseconds. By default it is at every frame, and frames are drawn for nothing else: a tenth of a core in vain. */
const ASKED = { polling: 50 }

/** Waits until the page is no wider than its window; it takes its other form a moment after its width, and one that stays too wide never passes. */
export async function untilItFits(page: Page): Promise<void> {
  await page.waitForFunction(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth, undefined, ASKED)
}

/** Waits until everything is there that was asked for: no bars in the place of what comes, and nothing that says it is busy. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.hf-loading, .hf-bar, [aria-busy=true]') === null, undefined, ASKED)
}

/** Waits until nothing is on its way from one colour, width or place to another: what is half faded has no contrast to judge. */
export async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() => document.getAnimations().every((each) => each.playState !== 'running'), undefined, ASKED)
}

/** The violations that axe finds in a page at rest, a line each, of whatever level; of some rules only, where they are named. */
export async function axeFaults(page: Page, rules?: string[], levels: readonly string[] = LEVELS): Promise<string[]> {
  await atRest(page)
  return (await axeFindings(page, rules))
    .filter(({ impact }) => levels.includes(impact ?? 'critical'))
    .flatMap(({ id, nodes }) => nodes.map((node) => `${page.url()}: ${id}: ${node.html.slice(0, 200)}`))
}

/** Those of the serious kinds alone, where drawers may lie over each other and say the same. */
export async function seriousFaults(page: Page, rules?: string[]): Promise<string[]> {
  return axeFaults(page, rules, SERIOUS)
}
