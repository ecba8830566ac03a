import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { p256 } from '@noble/curves/nist.js'
import { toHex } from '@holdfast/encoding'
import type { TerminalMember } from '../../../apps/launcher/src/terminal-member.ts'
import { fillOrganisation } from '../every-page/fill-organisation.ts'
import { APPROVAL_PAGE, nameOf, PAGES, PICTURES, type View, VIEWS } from '../every-page/list-pages.ts'
import { goWithin, openPage, settled } from '../every-page/walk-pages.ts'
import { atRest } from '../browser.ts'
import { startFundedConsole } from '../funded-console.ts'
import { differenceOf } from './compare-pictures.ts'

// Keeps a small picture of every page with something on it, and of the approval page, for people who read about the product before they run it. Addresses,
// hashes and times are new in each run, because the signers and the server live in the present: a picture that differs by no more than those stays as it is.

const MOST_DIFFERENT = 0.002
/** A telephone's page is narrow, so that its words stay legible at the larger scale. */
const SCALES = { 1440: 0.6, 390: 0.7 } as const
const HEIGHTS = { 1440: 900, 390: 844 } as const
const QUALITY = 60

const console_ = await startFundedConsole({ mark: 'Aurora' })
try {
  const waiting = await fillOrganisation(console_)
  for (const view of VIEWS) {
    mkdirSync(`${PICTURES}/${view.name}`, { recursive: true })
    const page = await openPage(console_, console_.org.alice, view)
    // What a new organisation does first would stand over what the wallets hold.
    await page.locator('.hf-first-steps-head > .hf-button').click()
    for (const path of PAGES) {
      await goWithin(page, `/mpc/${path}`)
      await settled(page)
      await keepPicture(page, view, nameOf(path))
    }
    await page.goto(`${console_.stack.settings.approvalOrigin}/`)
    await lendKey(page, console_.org.chiara)
    await page.goto(`${console_.stack.settings.approvalOrigin}/#/order/${waiting.hash}`)
    await page.reload()
    await page.getByText('Chiara Aurora').first().waitFor()
    if (view.lang === 'zh_CN') await page.getByText('中文', { exact: true }).click()
    await atRest(page)
    await keepPicture(page, view, APPROVAL_PAGE)
    await page.close()
    dropOthers(view)
  }
} finally {
  await console_.close()
}

async function keepPicture(page: Page, { name, width }: View, of: string): Promise<void> {
  const path = `${PICTURES}/${name}/${of}.webp`
  await page.mouse.move(0, 0)
  await page.setViewportSize({ width, height: HEIGHTS[width] })
  await atRest(page)
  const devtools = await page.context().newCDPSession(page)
  const clip = { x: 0, y: 0, width, height: HEIGHTS[width], scale: SCALES[width] }
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip })
  await devtools.detach()
  const picture = Buffer.from(data, 'base64')
  const kept = read(path)
  const difference = kept && (await differenceOf(page, picture, kept))
  if (difference && difference.size === difference.keptSize && difference.share <= MOST_DIFFERENT) return
  writeFileSync(path, picture)
  console.log(`${path}: ${picture.length} bytes`)
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** Pictures of pages that are gone. */
function dropOthers({ name }: View): void {
  const wanted = new Set([...PAGES.map(nameOf), APPROVAL_PAGE].map((each) => `${each}.webp`))
  for (const file of readdirSync(`${PICTURES}/${name}`)) if (!wanted.has(file)) rmSync(`${PICTURES}/${name}/${file}`)
}

/** Puts a member's approval key into a browser, as if it had been made there. */
async function lendKey(page: Page, { name, personId, keys }: TerminalMember): Promise<void> {
  const publicKey = p256.getPublicKey(keys.approvalKey, false)
  const part = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const jwk = { kty: 'EC', crv: 'P-256', d: part(keys.approvalKey), x: part(publicKey.slice(1, 33)), y: part(publicKey.slice(33)) }
  const record = {
    id: toHex(keys.credentialId),
    personId,
    personName: name,
    kind: 'device',
    publicKey: toHex(p256.getPublicKey(keys.approvalKey, true)),
    backupEligible: false,
    acceptedGenesis: console_.org.fingerprint,
    createdAtMs: 0,
  }
  await page.evaluate(
    async ({ key, kept }) => {
      const privateKey = await crypto.subtle.importKey('jwk', key, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
      await new Promise((resolve, reject) => {
        const opening = indexedDB.open('holdfast-approval', 1)
        opening.onerror = reject
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('keys', 'readwrite')
          transaction.objectStore('keys').put({ ...kept, privateKey })
          transaction.oncomplete = resolve
        }
      })
    },
    { key: jwk, kept: record },
  )
}
