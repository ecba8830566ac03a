import type { Page } from 'playwright-core'
import type { TerminalMember } from '../../../apps/launcher/src/terminal-member.ts'
import { atRest, untilLoaded } from '../browser.ts'
import type { FundedConsole } from '../funded-console.ts'
import { signInBrowser } from '../people/sign-in-browser.ts'
import { PAGES, type View, VIEWS } from './list-pages.ts'

/** A page of a browser of its own, in which a member is signed in and sees the console as they are used to. */
export async function openPage({ stack, watched }: FundedConsole, member: TerminalMember, { lang, colorScheme, width }: View = VIEWS[0]): Promise<Page> {
  const { consoleOrigin } = stack.settings
  const context = await watched.newContext()
  await signInBrowser(context, member, consoleOrigin)
  await context.addCookies([{ name: 'lan', value: lang, url: consoleOrigin }])
  const page = await context.newPage()
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 900 })
  await page.goto(`${consoleOrigin}/mpc/wallet`)
  await settled(page)
  return page
}

/** Goes to a path without loading the page again, as a link does, and waits until the page from before is gone. */
export async function goWithin(page: Page, path: string): Promise<void> {
  const title = await page.locator('main h1').first().elementHandle()
  const isHere = new URL(page.url()).pathname === new URL(path, page.url()).pathname
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)
  // Two paths may show one page, whose title stays.
  if (!isHere) await page.waitForFunction((before) => !before?.isConnected, title, { timeout: 2000 }).catch(() => undefined)
}

/**
 * Lets the console forget every answer that it has, as one that is loaded anew has none: the page that is shown next asks for its own. What keeps them has no
 * name in the page; it is found in the tree that React keeps of it.
 */
export async function forgetAnswers(page: Page): Promise<void> {
  const isForgotten = await page.evaluate(() => {
    type Kept = { getQueryCache?: unknown; clear(): void }
    type Part = { memoizedProps?: { client?: Kept } | null; child: Part | null }
    const [, root] = Object.entries(document.querySelector('#root')!).find(([name]) => name.startsWith('__reactContainer$')) ?? []
    for (let part = (root as { stateNode: { current: Part | null } } | undefined)?.stateNode.current; part; part = part.child) {
      const kept = part.memoizedProps?.client
      if (!kept?.getQueryCache) continue
      kept.clear()
      return true
    }
    return false
  })
  if (!isForgotten) throw new Error('the page has no answers that could be forgotten: this looks for them where they are no longer')
}

/** Whether something comes about, or is given up. */
export const comes = (what: Promise<unknown>): Promise<boolean> =>
  what.then(
    () => true,
    () => false,
  )

/** Waits until a page shows what it has, and nothing moves. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await untilLoaded(page)
  await atRest(page)
}

/** Shows each page, and each tab of a page that has tabs, in turn. */
export async function walk(page: Page, look: (path: string) => Promise<void>): Promise<void> {
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
