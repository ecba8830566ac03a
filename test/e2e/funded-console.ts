import type { Page } from 'playwright-core'
import type { TerminalMember } from '../../apps/launcher/src/terminal-member.ts'
import { foundFunded, type FundedOrganisation } from '../processes/testing/funded-organisation.ts'
import { type JoinedStack, joinStack } from '../processes/testing/joined-stack.ts'
import type { TestStack } from '../processes/testing/start-test-stack.ts'
import { openBrowser, type Watched } from './browser.ts'
import { signInBrowser } from './people/sign-in-browser.ts'

/** A running product whose organisation holds coins, and a browser to look at it with. */
export type FundedConsole = {
  stack: JoinedStack
  org: FundedOrganisation
  watched: Watched
  /** A page of a browser in which a member is signed in, at a path such as `/mpc/wallet`. Each member has one browser context of their own. */
  open(member: TerminalMember, path: string): Promise<Page>
  close(): Promise<void>
}

/** Starts the product, or takes the one given, founds an organisation from the terminal, and brings its members' sessions into browsers. */
export async function startFundedConsole({
  amount = '10',
  mark = 'Test',
  others = [],
  own,
}: {
  amount?: string
  mark?: string
  /** Members beside Alice, Bruno and Chiara, by their first names. */
  others?: readonly string[]
  /** A product of the test's own, whose programs it may stop. */
  own?: TestStack
} = {}): Promise<FundedConsole> {
  const stack = own ?? (await joinStack({ hasConsole: true }))
  const org = await foundFunded(stack, { amount, mark, others })
  const watched = await openBrowser()
  const contexts = new Map<string, ReturnType<Watched['newContext']>>()
  const contextOf = (member: TerminalMember) => {
    const known = contexts.get(member.personId) ?? watched.newContext()
    contexts.set(member.personId, known)
    return known
  }
  return {
    stack,
    org,
    watched,
    open: async (member, path) => {
      const context = await contextOf(member)
      await signInBrowser(context, member, stack.settings.consoleOrigin)
      const page = await context.newPage()
      await page.goto(`${stack.settings.consoleOrigin}${path}`)
      return page
    },
    close: async () => {
      await watched.browser.close()
      await stack.dispose()
    },
  }
}
