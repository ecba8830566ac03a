import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { noChromium } from './chromium.ts'
import { openPages } from './open-pages.ts'

/** What Chromium says of the page's manifest, and what keeps the page from being installed. */
async function manifestOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  const { url, data = '{}', errors } = await session.send('Page.getAppManifest')
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // A window without an address bar of its own is what these tests have.
  const reasons = installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')
  return { url, manifest: JSON.parse(data) as { name: string; icons: { src: string; sizes: string }[] }, errors, reasons }
}

describe('the approval page on a device', { skip: noChromium }, () => {
  const pages = openPages()
  const { open, look, foundDemo, demo } = pages

  it('can be installed: its manifest and icons are whole, and the browser complains of nothing', async () => {
    const page = await open('')
    await page.waitForSelector('#push')
    const { url, manifest, errors, reasons } = await manifestOf(page)
    assert.deepEqual([url, errors, reasons, manifest.name], [`${pages.server.origin}/manifest.webmanifest`, [], [], 'Holdfast approvals'])
    for (const { src, sizes } of manifest.icons) {
      const size = await page.evaluate(async (path) => {
        const picture = new Image()
        picture.src = path
        await picture.decode()
        return `${picture.naturalWidth}x${picture.naturalHeight}`
      }, src)
      assert.equal(size, sizes)
    }
  })

  it('registers its one worker under its policy, which lets no other script be one', async () => {
    const founding = demo()
    const page = await open('')
    await foundDemo(page, founding)
    await page.context().grantPermissions(['notifications'], { origin: pages.server.origin })
    await page.goto(`${pages.server.origin}/`)
    await look(page, 'home-push')
    await page.click('text=Notify Bo Chen on this device')
    // Without its vendor's push service this browser gets no address for pushes, and the page says so.
    await page.waitForSelector('text=This browser does not support notifications')
    await look(page, 'home-push-cannot')
    const worker = await page.evaluate(async () => (await navigator.serviceWorker.getRegistration('/'))?.active?.scriptURL)
    assert.equal(worker, `${pages.server.origin}/sw.js`)
    assert.equal(await page.locator('text=Stop notifying').count(), 0)
    await page.click('#language')
    await page.waitForSelector('text=此浏览器无法接收通知')
    await look(page, 'home-push-zh')
    const refusals = await page.evaluate(async () => {
      const refused = (act: () => unknown) =>
        Promise.resolve()
          .then(act)
          .then(
            () => 'done',
            (cause: Error) => cause.name,
          )
      const { trustedTypes } = globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
      return [
        await refused(() => navigator.serviceWorker.register('/page.js')),
        await refused(() => trustedTypes.createPolicy('other', { createScriptURL: (url: string) => url })),
        await refused(() => trustedTypes.createPolicy('holdfast-worker', { createScriptURL: (url: string) => url })),
      ]
    })
    assert.deepEqual(refusals, ['TypeError', 'TypeError', 'TypeError'])
    pages.forgive()
  })

  it('says what to do where the person or the browser blocks notifications', async () => {
    const founding = demo()
    const page = await open('')
    await foundDemo(page, founding)
    await page.goto(`${pages.server.origin}/`)
    await page.evaluate(() => Object.defineProperty(Notification, 'requestPermission', { value: () => Promise.resolve('denied') }))
    await page.click('text=Notify Bo Chen on this device')
    await page.waitForSelector('text=The browser blocks notifications from this page')
    assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0)
  })
})
