import type { Page } from 'playwright-core'
import { comes, goWithin, settled } from './walk-pages.ts'

const FIELDS = 'main :is(input:is([type=text], [type=search], [type=email], :not([type])):not([role=combobox], [readonly]), textarea):enabled:visible'
const TYPED = 'kept'

/**
 * What is wrong with a page for a person whose network goes: it must say so, be there by itself once there is a network again, both on the way to
 * it and while it stands there, and keep what was typed.
 */
export async function offlineFaults(page: Page, path: string): Promise<string[]> {
  const faults: string[] = []
  const says = async (when: string) => {
    const isSaid = await comes(page.locator('.hf-connection').getByText('No connection').waitFor({ timeout: 10_000 }))
    if (!isSaid) faults.push(`${path} does not say that there is no connection ${when}`)
  }
  const comesBack = async (when: string) => {
    await page.context().setOffline(false)
    const isGone = await comes(page.locator('.hf-connection').waitFor({ state: 'detached', timeout: 20_000 }))
    if (!isGone) faults.push(`${path} still says that there is no connection ${when}`)
    if (!(await comes(settled(page)))) faults.push(`${path} is not there ${when}`)
    for (const alert of await page.locator('main .hf-empty[role=alert]').all()) faults.push(`${path} has not asked again ${when}: ${await alert.innerText()}`)
  }
  await page.context().setOffline(true)
  await goWithin(page, `/mpc/${path}`)
  await says('on the way to it')
  await comesBack('after the way to it')
  const fields = page.locator(FIELDS)
  const typed = async () => (await fields.all()).map((field) => field.inputValue())
  for (const field of await fields.all()) await field.fill(TYPED)
  const before = await Promise.all(await typed())
  await page.context().setOffline(true)
  await says('while it is looked at')
  const tabs = page.locator('main [role=tab]')
  if (before.length === 0 && (await tabs.count()) > 0) await tabs.last().click()
  await comesBack('while it is looked at')
  const after = await Promise.all(await typed())
  if (before.some((value, at) => value !== after[at])) faults.push(`${path} has lost what was typed: ${before.join()} became ${after.join()}`)
  return faults
}
