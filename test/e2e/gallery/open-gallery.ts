import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { build } from 'vite'

const ROOT = new URL('../../../', import.meta.url).pathname
const ORIGIN = 'http://gallery.localhost'
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}
// As strict with scripts as the console's own server is: what would run there by accident would be refused and reported here.
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'"
const NOW = new Date('2026-11-21T10:00:00Z')

export type GalleryView = { part?: string; theme?: 'light' | 'dark'; language?: 'en-US' | 'zh-CN'; text?: number }

/** Builds the gallery and answers for its origin in a browser. `stop` removes what was built. */
export async function buildGallery(context: BrowserContext): Promise<{ stop: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'hf-gallery-'))
  await build({ configFile: join(ROOT, 'apps/console/gallery/vite.config.ts'), logLevel: 'warn', build: { outDir: folder } })
  await context.route(`${ORIGIN}/**`, async (route) => {
    const path = join(folder, new URL(route.request().url()).pathname.replace(/\/$/, '/index.html'))
    if (!existsSync(path)) return route.fulfill({ status: 404 })
    return route.fulfill({
      body: readFileSync(path),
      contentType: TYPES[extname(path)] ?? 'application/octet-stream',
      headers: { 'content-security-policy': POLICY },
    })
  })
  return { stop: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Shows one view of the gallery, at a fixed moment and without movement. */
export async function showGallery(page: Page, view: GalleryView): Promise<void> {
  await page.clock.setFixedTime(NOW)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const search = new URLSearchParams(Object.entries(view).map(([name, value]) => [name, String(value)]))
  await page.goto(`${ORIGIN}/?${search}`)
  await page.locator('.gallery-story').first().waitFor()
  await page.evaluate(() => document.fonts.ready)
  // Charts are drawn once they know their width.
  await page.waitForFunction(() => [...document.querySelectorAll('.hf-plot')].every((plot) => plot.querySelector('svg')))
}
