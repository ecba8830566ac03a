import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { atRest, picture, seriousFaults, untilItFits } from './browser.ts'

/**
 * Tests of one story: each step stands on the one before, so what comes after a step that failed is not tried. `explain` is told of
 * the failure and throws it with what helps to understand it.
 */
export function story(explain?: (cause: unknown) => Promise<never>): (name: string, step: () => void | Promise<void>) => void {
  let isBroken = false
  return (name, step) => {
    void test(name, async () => {
      assert.ok(!isBroken, 'a step before this one failed')
      isBroken = true
      try {
        await step()
      } catch (cause) {
        await explain?.(cause)
        throw cause
      }
      isBroken = false
    })
  }
}

/** A page that was looked at before, in other words: of all that is looked at, they change only whether it is wider than its window. */
export async function lookAtWords(shown: Page, name: string): Promise<void> {
  for (const width of [1280, 390, 1920]) {
    await shown.setViewportSize({ width, height: 900 })
    await untilItFits(shown)
    await atRest(shown)
    await picture(shown, `${name}-${width}`)
  }
  await shown.setViewportSize({ width: 1280, height: 900 })
}

/** A page as it stands: pictures of every width and of the dark, nothing wider than its window, nothing serious for axe. */
export async function lookAllOver(shown: Page, name: string): Promise<void> {
  await lookAtWords(shown, name)
  for (const colorScheme of ['dark', 'light'] as const) {
    await shown.emulateMedia({ colorScheme })
    await shown.waitForFunction((scheme: string) => [undefined, scheme].includes(document.documentElement.dataset.theme), colorScheme as string)
    await atRest(shown)
    if (colorScheme === 'dark') await picture(shown, `${name}-dark`)
    // Of what axe judges, the dark changes the colours alone.
    assert.deepEqual(await seriousFaults(shown, colorScheme === 'dark' ? ['color-contrast'] : undefined), [], `${name}, ${colorScheme}`)
  }
}

/**
 * Acknowledges what there is to acknowledge of a payment and goes on to its review. What the form asks for can still change while answers
 * arrive, so a person looks again where they are not let on.
 */
export async function review(page: Page): Promise<void> {
  const send = page.getByRole('button', { name: 'Send for approval' })
  for (let tries = 0; tries < 20; tries++) {
    for (const box of await page.locator('.hf-warnings').getByRole('checkbox').all()) await box.check()
    await page.getByRole('button', { name: 'Review' }).click()
    if (await isThere(send, 3_000)) return
  }
  throw new Error('the form of the payment did not let on to its review')
}

/**
 * Sends what was reviewed, and answers with the address of its approval page. Where no answer came in time a person presses again; the same
 * request makes one order.
 */
export async function sendForApproval(page: Page): Promise<string> {
  const approvals = page.getByRole('link', { name: 'Open the approval page' })
  for (let tries = 0; tries < 4; tries++) {
    await page
      .getByRole('button', { name: 'Send for approval' })
      .click({ timeout: 3_000 })
      .catch(() => undefined)
    if (await isThere(approvals, 15_000)) return (await approvals.getAttribute('href'))!
  }
  throw new Error(`the payment was not sent: ${await page.locator('.hf-toasts').innerText()}`)
}

const isThere = (what: Locator, timeout: number): Promise<boolean> =>
  what.waitFor({ timeout }).then(
    () => true,
    () => false,
  )
