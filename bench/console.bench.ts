/**
 * Measures the console: what a browser fetches before a page shows (brotli), how soon it shows and answers at a quarter of this
 * machine's speed, and how a table of 100,000 rows scrolls. Run: `npm run bench console`.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { nodePorts, projectFolder } from '@holdfast/ports/node'
import type { CDPSession, Page } from 'playwright-core'
import { buildPages } from '../apps/launcher/src/build-pages.ts'
import { launchChromium } from '../apps/signer/page/testing/chromium.ts'
import { buildGallery, showGallery } from '../test/e2e/gallery/open-gallery.ts'
import { type Asked, BUDGETS, measureConsole } from './console-sizes.ts'

const SLOWDOWN = 4
const ROUNDS = 5
const FRAMES = 240
const SCROLL_PX_PER_FRAME = 240
const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.html': 'text/html' }

const print = (figure: string, values: Record<string, unknown>) => console.log(JSON.stringify({ figure, ...values }))
const median = (numbers: readonly number[]) => Math.round(numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0)
const root = await projectFolder(import.meta.url)

await buildPages(nodePorts, root, ['console'], () => undefined)
const dist = `${root}/apps/console/dist`
printSizes()
await printFirstPaint()
await printLongTable()

function printSizes(): void {
  const sizes = measureConsole(dist)
  const asked = (what: string, { bytes, files }: Asked, budget: Asked) =>
    print(`console, JavaScript ${what}`, { bytes, budget: budget.bytes, files, atMost: budget.files, compression: 'brotli' })
  asked('of the sign-in page', sizes.signIn, BUDGETS.signIn)
  asked('of the wallet page in all', sizes.wallet, BUDGETS.wallet)
  asked('that is fetched ahead', sizes.ahead, BUDGETS.ahead)
  for (const [route, of] of Object.entries(sizes.routes).slice(0, 12)) asked(`that ${route} adds`, of, BUDGETS.route)
}

/** Serves the built console as the product's server does, compressed beforehand; the calls that the sign-in page makes are answered. */
async function serveConsole(): Promise<{ origin: string; stop: () => void }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (path.startsWith('/api/')) {
      response.setHeader('content-type', 'application/json')
      return response.end(
        JSON.stringify({
          code: '0',
          msg: '',
          data: { signed_in: false, organisation_ready: true, demo: false, methods: ['passkey', 'password'], session: null },
        }),
      )
    }
    const name = /^\/mpc\/.+\.\w+$/.test(path) ? path.slice('/mpc/'.length) : 'index.html'
    try {
      const body = readFileSync(join(dist, `${name}.br`))
      response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream', 'content-encoding': 'br' })
      return response.end(body)
    } catch {
      response.statusCode = 404
      return response.end()
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}

async function slowed(page: Page, rate: number): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  return session
}

async function printFirstPaint(): Promise<void> {
  const { origin, stop } = await serveConsole()
  const browser = await launchChromium()
  try {
    const paints: number[] = []
    const wholes: number[] = []
    const answers: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      // Nothing is in the cache: a new context each time.
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
      const page = await context.newPage()
      await slowed(page, SLOWDOWN)
      await page.goto(`${origin}/login`)
      await page.locator('button').first().waitFor()
      wholes.push(await page.evaluate(() => performance.now()))
      paints.push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0))
      answers.push(await answerTimeMs(page))
      await context.close()
    }
    print('console, first contentful paint of the sign-in page', { ms: median(paints), budgetMs: 1500, slowdown: SLOWDOWN, rounds: ROUNDS })
    print('console, the whole sign-in page', { ms: median(wholes), firstPaintMs: median(paints), slowdown: SLOWDOWN, rounds: ROUNDS })
    print('console, from a click to the next picture on the sign-in page', { ms: median(answers), budgetMs: 200, slowdown: SLOWDOWN, rounds: ROUNDS })
  } finally {
    await browser.close()
    stop()
  }
}

/** From a click on the first button until the frame after it was drawn. */
async function answerTimeMs(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((done) => {
        const startedMs = performance.now()
        document.querySelector<HTMLElement>('header button')?.click()
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - startedMs)))
      }),
  )
}

async function printLongTable(): Promise<void> {
  const browser = await launchChromium()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const gallery = await buildGallery(context)
  try {
    const page = await context.newPage()
    await showGallery(page, { part: 'long-table' })
    const session = await slowed(page, 1)
    for (const rate of [1, SLOWDOWN]) {
      await session.send('Emulation.setCPUThrottlingRate', { rate })
      const { times, workMs } = await scrolled(page)
      const sorted = times.toSorted((one, other) => one - other)
      const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10
      print('console, a frame while 100,000 rows are scrolled', {
        medianMs: at(0.5),
        p95Ms: at(0.95),
        workMedianMs: Math.round(workMs * 10) / 10,
        slowdown: rate,
        frames: FRAMES,
        rowsInPage: await page.locator('tbody tr').count(),
      })
    }
  } finally {
    await browser.close()
    gallery.stop()
  }
}

/** Scrolls a little more at each frame; how long each frame took, and how long the page itself worked in it. */
async function scrolled(page: Page): Promise<{ times: number[]; workMs: number }> {
  return await page.evaluate(
    ({ frames, step }) =>
      new Promise((done) => {
        const box = document.querySelector('.hf-table-scroll')!
        box.scrollTop = 0
        const times: number[] = []
        const works: number[] = []
        let last = 0
        const channel = new MessageChannel()
        let begunMs = 0
        // A message is answered after the frame's scripts, layout and painting are done.
        channel.port1.onmessage = () => works.push(performance.now() - begunMs)
        const frame = (now: number) => {
          if (last > 0) times.push(now - last)
          last = now
          begunMs = performance.now()
          box.scrollTop += step
          channel.port2.postMessage(0)
          if (times.length < frames) requestAnimationFrame(frame)
          else done({ times, workMs: works.toSorted((one, other) => one - other)[Math.floor(works.length / 2)] ?? 0 })
        }
        requestAnimationFrame(frame)
      }),
    { frames: FRAMES, step: SCROLL_PX_PER_FRAME },
  )
}
