import type { Page } from 'playwright-core'
import { goWithin } from './walk-pages.ts'

/**
 * Goes to a path of the console such as `/mpc/wallet`, as a link of it does, which takes a tenth of what loading takes. Where the page stands at this very
 * path, or something is open that would ask to be kept, it is loaded.
 */
export async function goTo(page: Page, path: string): Promise<void> {
  const [from, to] = [new URL(page.url()), new URL(path, page.url())]
  const isWithin = from.pathname.startsWith('/mpc/') && from.pathname !== to.pathname && (await page.getByRole('dialog').count()) === 0
  if (isWithin) await goWithin(page, path)
  else await page.goto(to.href)
}
