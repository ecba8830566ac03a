import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { BrowserContext, Page } from 'playwright-core'
import { foundOrganisation } from '../../apps/launcher/src/found-organisation.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { readSources } from '../read-imports.ts'
import { readPages, readSentences } from '../spec-coverage.ts'
import { GIVE_UP_MS, openBrowser, type Watched } from './browser.ts'
import { type JoinedStack, joinStack } from '../processes/testing/joined-stack.ts'
import { signInBrowser } from './people/sign-in-browser.ts'

// What the console promises and only a browser can show, on the real product. Codes that a server gives only in rare moments are
// put into its answers here; the console does not know the difference.

let stack: JoinedStack
let watched: Watched
let members: TerminalMember[]
let origin: string

before(async () => {
  stack = await joinStack({ hasConsole: true })
  watched = await openBrowser()
  origin = stack.settings.consoleOrigin
  const founded = await foundOrganisation(ports, stack.settings, { name: 'Rules', members: ['Alice Chen', 'Bruno Diaz', 'Chiara Rossi'], threshold: 2 })
  members = founded.members
})

after(async () => {
  await watched?.browser.close()
  await stack?.dispose()
})

const contexts = new Map<number | undefined, BrowserContext>()

/** A new page, in English, of the browser in which a member is signed in; without a member, of one in which nobody is. */
async function openAs(member?: number): Promise<Page> {
  const context = contexts.get(member) ?? (await newContext(member))
  contexts.set(member, context)
  await context.clearCookies({ name: 'lan' })
  return context.newPage()
}

async function newContext(member: number | undefined): Promise<BrowserContext> {
  const context = await watched.browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  context.setDefaultTimeout(GIVE_UP_MS)
  const who = member === undefined ? undefined : members[member]
  if (who) await signInBrowser(context, who, origin)
  return context
}

const at = (path: string) => (url: URL) => url.origin === origin && url.pathname === path
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const kept = (page: Page) => page.evaluate(() => Object.keys(localStorage).filter((key) => /^holdfast\.(user|wallet|sub-wallet)$/.test(key)))

/** Goes to a path without loading the page again, as a link does. */
const goWithin = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)

/** Answers every call of a path with a code, until it is taken back. */
async function refuse(page: Page, path: string, code: string, msg = `sentence of ${path}`): Promise<() => Promise<void>> {
  const pattern = (url: URL) => url.pathname === path
  await page.route(pattern, (route) => route.fulfill({ json: { code, msg, data: '{}' } }))
  return () => page.unroute(pattern)
}

const TODO = '/api/mpc/user/action/items/list'
const WALLETS = '/api/mpc/wallets/asset'
const CREATE = '/api/mpc/wallet/create'

const pages = readPages(readSources())
const routes = readSentences().flatMap((each) => each.routes ?? [])
const LANDED = routes.filter((path) => pages.has(path))
/** Pages that have their code in common with one that comes before them, or whose code is fetched ahead with all that moves money. */
const WITH_CODE_OF_ANOTHER = [
  ...['transferLog', 'web3Log', 'tradeLog'].map((log) => `strategyEngine/senior/${log}`),
  ...['center/collection/edit/:id', 'center/wallet/paySeveral'],
]
/** Pages of areas that do not exist yet. */
const NOT_LANDED = routes.filter((path) => !pages.has(path))

test('every page that exists stands below /mpc and is fetched when it is first asked for (spec 2.1, 2.2, 2.5, 2.6, 2.7, 2.9, 2.10, 2.12, 2.13, 2.17, 2.23, 2.25, 9.20)', async () => {
  const page = await openAs(0)
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(`${message.text()} ${page.url()} ${JSON.stringify(message.location())}`))
  await page.goto(`${origin}/mpc/wallet`)
  await heading(page, 'Wallets').waitFor()
  for (const path of LANDED.filter((each) => each !== 'wallet')) {
    // What the pages before it needed is here; a page that was not asked for brings code of its own.
    const code = WITH_CODE_OF_ANOTHER.includes(path) ? undefined : page.waitForRequest((request) => /\/mpc\/assets\/.+\.js$/.test(request.url()))
    await goWithin(page, `/mpc/${path}`)
    await code
    await page
      .locator('main h1')
      .filter({ hasNotText: /^Wallets$/ })
      .waitFor()
    assert.ok(at(`/mpc/${path}`)(new URL(page.url())), page.url())
  }
  assert.deepEqual(faults, [])
  await page.close()
})

test('the bare base path, and any path nobody knows, leads to the wallets (spec 2.3, 2.4)', async () => {
  const page = await openAs(0)
  for (const path of ['/', '/mpc/nothing/here', '/nothing/here', '/wallet']) {
    await page.goto(`${origin}${path}`)
    await page.waitForURL(at('/mpc/wallet'))
  }
  // A router that is only being made hears of no move yet.
  await heading(page, 'Wallets').waitFor()
  for (const path of ['/mpc', '/mpc/', '/mpc/Center/Wallet', '/mpc/kyt', '/nothing']) {
    await goWithin(page, path)
    // The page itself is asked: what the driver knows of its address can be of before.
    await page.waitForFunction(() => location.pathname === '/mpc/wallet')
  }
  await heading(page, 'Wallets').waitFor()
  await page.close()
})

test('a page of an area that does not exist yet is a path nobody knows, and stands nowhere', async () => {
  const page = await openAs(0)
  await page.goto(`${origin}/mpc/teamMember`)
  await heading(page, /./).waitFor()
  for (const path of NOT_LANDED) {
    await goWithin(page, `/mpc/${path.replace(':id', '1')}`)
    await page.waitForURL(at('/mpc/wallet'))
  }
  const links = await page.locator('a[href^="/mpc/"]').evaluateAll((all) => all.map((each) => new URL((each as HTMLAnchorElement).href).pathname))
  assert.deepEqual(
    [...new Set(links)].filter((path) => !pages.has(path.replace('/mpc/', ''))),
    [],
  )
  await page.close()
})

test('who is not signed in signs in at /login, behind a prefix in Chinese, and the cookie keeps the language (spec 2.26, 7.5, 9.15, 9.16, 9.17)', async () => {
  const page = await openAs()
  await page.goto(`${origin}/mpc/center/wallet?tab=recovery`)
  await page.waitForURL(at('/login'))
  assert.equal(new URL(page.url()).searchParams.get('next'), '/mpc/center/wallet?tab=recovery')
  const language = async () => (await page.context().cookies()).filter(({ name }) => name === 'lan')
  const [cookie, ...others] = await language()
  assert.deepEqual([cookie?.value, cookie?.path, cookie?.domain.replace(/^\./, ''), others], ['en_US', '/', 'localhost', []])
  // Browsers shorten 36500 days to 400.
  assert.ok((cookie?.expires ?? 0) > ports.clock.nowMs() / 1000 + 399 * 86_400)
  await page.getByRole('button', { name: '中文' }).click()
  await page.waitForURL(at('/zh-CN/login'))
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN')
  assert.deepEqual(
    (await language()).map(({ value }) => value),
    ['zh_CN'],
  )
  await page.goto(`${origin}/login`)
  await page.waitForURL(at('/zh-CN/login'))
  await page.context().clearCookies({ name: 'lan' })
  await page.goto(`${origin}/zh-CN/login`)
  await heading(page, '登录').waitFor()
  assert.deepEqual(
    (await language()).map(({ value }) => value),
    ['zh_CN'],
  )
  await page.close()
})

test('a page whose code is gone is replaced by the notice of an update, whose button loads it again with a time stamp (spec 2.29, 8.11)', async () => {
  const page = await openAs(1)
  const blocked = /\/mpc\/assets\/todo-page.*\.js$/
  // What the console asks to learn which build is served.
  const served = (url: URL) => url.pathname === '/mpc/'
  for (const [cookie, text, refresh, title] of [
    ['en_US', 'A new version is ready. Reload to continue.', 'Reload', 'To-do'],
    ['zh_CN', 'MPC 系统有新的更新，请在进行更新之前刷新系统。', '刷新', '待办'],
  ] as const) {
    await page.context().addCookies([{ name: 'lan', value: cookie, domain: 'localhost', path: '/' }])
    await page.route(blocked, (route) => route.abort())
    await page.route(served, (route) => route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/mpc/assets/index-another.js"></script>' }))
    await page.goto(`${origin}/mpc/wallet`)
    await page.getByRole('link', { name: title }).waitFor()
    await page.getByRole('link', { name: title }).click()
    await heading(page, text).waitFor()
    assert.equal(await page.getByRole('navigation').count(), 0)
    await page.unroute(blocked)
    await page.unroute(served)
    await page.getByRole('button', { name: refresh, exact: true }).click()
    await page.waitForURL((url) => at('/mpc/center/wallet/todo')(url) && /^\?t=\d{13}$/.test(url.search))
    await heading(page, title).waitFor()
  }
  await page.route(/\/zh-cn-entry.*\.js$/, (route) => route.abort())
  await page.route(served, (route) => route.fulfill({ contentType: 'text/html', body: 'another build' }))
  await page.goto(`${origin}/mpc/wallet`)
  await heading(page, 'MPC 系统有新的更新，请在进行更新之前刷新系统。').waitFor()
  await page.close()
})

test('a lost connection is no update: the page stays with what was typed, says so, and goes on once the server answers', async () => {
  const page = await openAs(1)
  await page.route(/\/mpc\/assets\/team-page.*\.js$/, (route) => route.abort())
  // What moves money is fetched after the sign-in and needs no connection later.
  await Promise.all([page.waitForResponse(/\/mpc\/assets\/payments.*\.js$/), page.goto(`${origin}/mpc/wallet`)])
  await page.getByRole('link', { name: 'Team' }).waitFor()
  await page.context().setOffline(true)
  await page.unroute(/\/mpc\/assets\/team-page.*\.js$/)
  await page.getByRole('link', { name: 'Team' }).click()
  await page.getByRole('status').filter({ hasText: 'No connection.' }).waitFor()
  assert.equal(await page.getByRole('navigation').count(), 1)
  assert.equal(await heading(page, /new version/).count(), 0)
  await page.context().setOffline(false)
  await heading(page, 'Team').waitFor()
  await page.getByRole('status').filter({ hasText: 'No connection.' }).waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).search, '')
  await page.unrouteAll()
  await page.close()
})

test('an error that nobody caught puts a screen in place of the console, with a reference and a way back (spec 2.30, 8.12)', async () => {
  const page = await openAs(1)
  await page.goto(`${origin}/mpc/center/wallet`)
  for (const kind of ['error', 'rejection']) {
    await page.getByRole('navigation').waitFor()
    await page.evaluate((which) => {
      if (which === 'error') setTimeout(() => (undefined as unknown as () => void)(), 0)
      else void Promise.reject(new TypeError('boom'))
    }, kind)
    await heading(page, 'This page stopped working').waitFor()
    assert.equal(await page.getByRole('navigation').count(), 0)
    assert.match((await page.locator('code').textContent()) ?? '', /^[0-9A-F]{8}$/)
    await page.getByRole('link', { name: 'Back to the wallets' }).click()
    await page.waitForURL(at('/mpc/wallet'))
  }
  await page.close()
})

test('in a window that is lower than the navigation, it is scrolled by itself to the open page, and the page stays', async () => {
  const page = await openAs(0)
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.goto(`${origin}/mpc/wallet`)
  await heading(page, 'Wallets').waitFor()
  const lowest = page.getByRole('navigation').getByRole('link').last()
  const { bottom, height } = await lowest.evaluate((link) => {
    link.closest('aside')!.scrollTo(0, 10_000)
    return { bottom: link.getBoundingClientRect().bottom, height: innerHeight }
  })
  assert.ok(bottom <= height, `the last link ends at ${bottom} of ${height} pixels`)
  await page.goto(new URL((await lowest.getAttribute('href'))!, origin).href)
  await page.waitForFunction(() => {
    const { bottom: end = Infinity } = document.querySelector('.hf-nav a.active')?.getBoundingClientRect() ?? {}
    return end <= innerHeight
  })
  await page.close()
})

test('a refused call is told once for all, by its own sentence, unless its caller deals with it (spec 8.1, 8.2, 8.3)', async () => {
  const page = await openAs(1)
  const counted = () => page.waitForResponse((response) => response.url().includes(TODO) && new URL(response.url()).searchParams.get('page_size') === '1')
  await refuse(page, WALLETS, '100011', 'first sentence')
  const first = counted()
  await page.goto(`${origin}/mpc/wallet`)
  await page.locator('.hf-toast', { hasText: 'first sentence' }).waitFor()
  await (await first).finished()
  await refuse(page, TODO, '100011', 'second sentence')
  // The number beside the link was read a while ago, and is asked for again with the page. The clock must not be moved before the page has taken
  // in the answer: that answer would then be as new as the moved clock.
  await page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const earlier = Date.now
    Date.now = () => earlier() + 60_000
  })
  const again = counted()
  await page.getByRole('link', { name: 'To-do' }).click()
  await again
  // The page that asked says it in its own place, and nothing says it besides.
  await page.getByRole('main').getByText('second sentence').waitFor()
  assert.equal(await page.locator('.hf-toast', { hasText: 'second sentence' }).count(), 0)
  await page.unrouteAll()
  await refuse(page, TODO, '200137', 'silent sentence')
  await page.reload()
  await page.getByRole('main').getByText('silent sentence').waitFor()
  assert.equal(await page.locator('.hf-toast').count(), 0)
  await page.close()
})

test('a call that the user may not make leads to /custody/notPms, and from there back (spec 2.27, 8.5)', async () => {
  const page = await openAs(1)
  await refuse(page, TODO, '110249')
  await page.goto(`${origin}/mpc/center/wallet/todo`)
  await page.waitForURL(at('/custody/notPms'))
  await heading(page, 'You do not have access to this page').waitFor()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Back to the wallets' }).click()
  await heading(page, 'Wallets').waitFor()
  await page.close()
})

test('who may what is asked of the server, and where the asking fails nothing is offered (spec 6.1)', async () => {
  const page = await openAs(0)
  await page.goto(`${origin}/mpc/wallet`)
  await page.getByRole('button', { name: 'Create wallet' }).first().waitFor()
  await refuse(page, '/api/fund/user/getWallet', '100001')
  await page.reload()
  await page.locator('.hf-toast', { hasText: 'sentence of /api/fund/user/getWallet' }).waitFor()
  await heading(page, 'Wallets').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Create wallet' }).count(), 0)
  await page.close()
})

test('200005 forgets the wallet and closes the drawer; 200125 forgets it in the wallet centre, and elsewhere asks again (spec 2.28, 3.2, 8.6, 8.7)', async () => {
  const page = await openAs(0)
  const choose = () =>
    page.evaluate(() => {
      for (const key of ['holdfast.wallet', 'holdfast.sub-wallet']) localStorage.setItem(key, '{"id":"x","name":"X"}')
    })
  const createIn = async () => {
    await page.getByRole('button', { name: 'Create wallet' }).first().click()
    await page.getByLabel('Wallet name').fill('New')
    await page.getByRole('dialog').getByRole('button', { name: 'Create wallet' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await page.goto(`${origin}/mpc/wallet`)
  await choose()
  await page.reload()
  const takeBack = await refuse(page, CREATE, '200125')
  await page.getByRole('button', { name: 'Create wallet' }).first().waitFor()
  const again = page.waitForResponse((response) => new URL(response.url()).pathname === WALLETS)
  await createIn()
  await again
  assert.deepEqual((await kept(page)).toSorted(), ['holdfast.sub-wallet', 'holdfast.user', 'holdfast.wallet'])
  await takeBack()
  await refuse(page, CREATE, '200005')
  await createIn()
  assert.deepEqual(await kept(page), ['holdfast.user'])
  await choose()
  await refuse(page, TODO, '200125')
  await page.goto(`${origin}/mpc/center/wallet/todo`)
  await page.waitForFunction(() => localStorage.getItem('holdfast.wallet') === null)
  await page.close()
})

test('a text that Chinese lacks is shown in English (spec 1.2)', async () => {
  const page = await openAs(0)
  await page.context().addCookies([{ name: 'lan', value: 'zh_CN', domain: 'localhost', path: '/' }])
  await page.route(/\/zh-cn-pages.*\.js$/, async (route) => {
    const response = await route.fetch()
    const words = await response.text()
    const without = words.replace(/nav:(["'`])待办\1/, 'gone:1')
    if (without === words) throw new Error('the pages have no Chinese word of that name: the test names one that is gone')
    await route.fulfill({ response, body: without })
  })
  // With the hashes in the page the browser would not run it.
  await page.route(at('/mpc/wallet'), async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace(/<script type="importmap">.*?<\/script>/, '') })
  })
  await page.goto(`${origin}/mpc/wallet`)
  await page.getByRole('navigation').getByRole('link', { name: 'To-do' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: '交易记录' }).waitFor()
  await page.close()
})

test('signing out, or being signed out by 110909, leaves nothing of the user and leads to signing in (spec 3.1, 4.8, 8.4)', async () => {
  for (const way of ['told', 'asked'] as const) {
    const page = await openAs(2)
    await page.goto(`${origin}/mpc/wallet`)
    await page.evaluate(() => {
      localStorage.setItem('holdfast.wallet', '{"id":"x","name":"X"}')
      // It comes back once the page knows who is signed in, and not before.
      localStorage.removeItem('holdfast.user')
    })
    await page.reload()
    await page.waitForFunction(() => localStorage.getItem('holdfast.user') !== null)
    if (way === 'told') {
      await refuse(page, TODO, '110909')
      // The page may ask by itself before the link is clicked, and is then gone.
      const asked = page.getByRole('link', { name: 'To-do' }).click()
      await Promise.race([asked.catch(() => {}), page.waitForURL(at('/login'))])
    } else {
      const session = (await page.context().cookies()).find(({ name }) => name === '__Host-holdfast')?.value
      await page.getByRole('button', { name: 'Account of Chiara Rossi' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL(at('/login'))
      assert.ok(session && !(await page.context().cookies()).some(({ value }) => value === session), 'the cookie of the session is still there')
    }
    await page.waitForURL(at('/login'))
    await heading(page, 'Sign in').waitFor()
    assert.deepEqual(await kept(page), [])
    // The open token lived in memory alone: going back asks the server, which knows nobody.
    if (way === 'asked') {
      await page.goto(`${origin}/mpc/wallet`)
      await page.waitForURL(at('/login'))
    }
    await page.close()
  }
})

test('a script that is not the one that was built does not run, and nothing in the page makes markup out of text', async () => {
  // Those that were built do run: the first test has shown every page without a complaint.
  const page = await openAs(0)
  await page.goto(`${origin}/mpc/wallet`)
  await heading(page, 'Wallets').waitFor()
  const refused = await page.evaluate(() => {
    try {
      document.createElement('div').innerHTML = '<b>x</b>'
      return ''
    } catch (error) {
      return error instanceof Error ? error.name : ''
    }
  })
  assert.equal(refused, 'TypeError')
  // One that is imported by a call, and the one that the page begins with.
  for (const script of [/\/team-page-.*\.js$/, /\/index-.*\.js$/]) {
    const other = await openAs(0)
    await other.route(script, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `globalThis.didRun = true;${await response.text()}` })
    })
    const said = other.waitForEvent('console', (message) => /integrity/i.test(message.text()))
    await other.goto(`${origin}/mpc/teamMember`)
    await said
    assert.equal(await other.evaluate(() => 'didRun' in globalThis), false, String(script))
    await other.close()
  }
  await page.close()
})
