import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nodePorts as ports } from '@holdfast/ports/node'
import type { Page } from 'playwright-core'
import { foundOrganisation } from '../../apps/launcher/src/found-organisation.ts'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { axeFindings } from '../../apps/signer/page/testing/chromium.ts'
import { picture, untilItFits } from './browser.ts'
import { fillOrganisation } from './every-page/fill-organisation.ts'
import { nameOf, VIEWS } from './every-page/list-pages.ts'
import { comes, openPage, settled, walk } from './every-page/walk-pages.ts'
import { type FundedConsole, startFundedConsole } from './funded-console.ts'

// Whatever page a feature brings is walked here by itself: nothing has to be added for a new one.

/** How wide a page is made beside the width of its view, which is the last: each form that it takes, and with something on it the widest. */
const WIDTHS = { full: [360, 768, 1920], empty: [360, 768, 1440] } as const
type Kind = keyof typeof WIDTHS

let console_: FundedConsole
let empty: TerminalMember

before(async () => {
  console_ = await startFundedConsole({ mark: 'Aurora' })
  await fillOrganisation(console_)
  const founded = await foundOrganisation(ports, console_.stack.settings, { name: 'Empty', members: ['Emil Empty', 'Ella Empty', 'Enzo Empty'], threshold: 2 })
  empty = founded.members[0]!
})

after(() => console_?.close())

/** What is wrong with a page as it stands: a width it does not fit, and whatever axe finds of any level. */
async function faultsOf(page: Page, path: string, width: number, kind: Kind): Promise<string[]> {
  const faults: string[] = []
  // What has a place and is not drawn is as wide, and costs far less.
  await page.evaluate(() => void (document.documentElement.style.visibility = 'hidden'))
  for (const each of [...WIDTHS[kind].filter((one) => one !== width), width]) {
    await page.setViewportSize({ width: each, height: 900 })
    await untilItFits(page).catch(() => faults.push(`${path} is wider than ${each} pixels`))
  }
  await page.evaluate(() => void document.documentElement.style.removeProperty('visibility'))
  await settled(page)
  // The strip of tabs is told of a new width with the next picture.
  if (!(await comes(page.waitForFunction(isChosenTabInSight)))) faults.push(`${path}: the chosen tab is out of sight`)
  const found = await axeFindings(page)
  return [...faults, ...found.flatMap(({ id, nodes }) => nodes.map((node) => `${path}: ${id}: ${node.html.slice(0, 200)}`))]
}

/** Runs in the page. */
function isChosenTabInSight(): boolean {
  return [...document.querySelectorAll('main [role=tab][aria-selected=true]')].every((tab) => {
    const { left, right } = tab.getBoundingClientRect()
    const strip = tab.parentElement!.getBoundingClientRect()
    return left >= strip.left - 1 && right <= strip.right + 1
  })
}

for (const view of VIEWS) {
  for (const kind of ['full', 'empty'] as const) {
    test(`every page with ${kind === 'full' ? 'something' : 'nothing'} on it fits, is read out rightly and complains of nothing (${view.name})`, async () => {
      const page = await openPage(console_, kind === 'full' ? console_.org.alice : empty, view)
      const faults: string[] = []
      await walk(page, async (path) => {
        faults.push(...(await faultsOf(page, path, view.width, kind)))
        await picture(page, `page-${nameOf(path)}-${kind}-${view.name}`)
      })
      await page.close()
      assert.deepEqual([...faults, ...console_.watched.faults.splice(0)], [])
    })
  }
}
