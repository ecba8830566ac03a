import assert from 'node:assert/strict'
import { after, afterEach, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type ApprovalServer, type Founding, startApprovalServer } from './approval-server.ts'
import { axeFindings, launchChromium, openBrowser } from './chromium.ts'

/** Set to a folder, the tests leave pictures of every view in it. */
export const PICTURES = process.env.HOLDFAST_PICTURES

/** Opens approval pages of a server that a suite has for itself; after each test nothing may have complained. */
export function openPages() {
  let server: ApprovalServer
  let browser: Browser
  const complaints: string[][] = []

  before(async () => {
    server = await startApprovalServer()
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    await server?.close()
  })
  afterEach(async () => {
    server.lies = {}
    for (const context of browser.contexts()) await context.close()
    assert.deepEqual(complaints.splice(0).flat(), [], 'the browser complained')
  })

  async function open(route: string, options: Parameters<typeof openBrowser>[1] = {}): Promise<Page> {
    const opened = await openBrowser(browser, options)
    complaints.push(opened.complaints)
    await opened.page.goto(`${server.origin}/${route}`)
    return opened.page
  }

  async function look(page: Page, name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 })
        // A colour that is still on its way to another is none that people read.
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is wider than ${width} pixels`)
        if (PICTURES) await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}-${width}.png`, fullPage: true })
      }
      // Of what axe judges, the dark changes the colours alone.
      const violations = await axeFindings(page, colorScheme === 'dark' ? ['color-contrast'] : undefined)
      assert.deepEqual(
        violations.map((each) => `${each.id}: ${each.nodes.map((node) => node.html).join(' ')}`),
        [],
        `${name}, ${colorScheme}`,
      )
    }
    await page.setViewportSize({ width: 1280, height: 900 })
  }

  /** Founds an organisation of three in one browser, as the demo does. */
  async function foundDemo(page: Page, founding: Founding): Promise<void> {
    await page.goto(`${server.origin}/#/setup/${founding.demoToken}`)
    await page.click('#demo')
    await page.waitForSelector('a.button')
  }

  const demo = (changes: Partial<Parameters<ApprovalServer['addFounding']>[0]> = {}) =>
    server.addFounding({
      name: 'Acme Treasury',
      demo: true,
      threshold: 2n,
      names: ['Anna Ruiz', 'Bo Chen', 'Cem Kaya'],
      ...changes,
    })

  return {
    get server() {
      return server
    },
    open,
    look,
    foundDemo,
    demo,
    /** What the browser complained of until now was provoked. */
    forgive: () => void complaints.splice(0),
  }
}
