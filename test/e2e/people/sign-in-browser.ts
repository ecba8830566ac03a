import type { BrowserContext } from 'playwright-core'
import type { TerminalMember } from '../../../apps/launcher/src/terminal-member.ts'

/** Brings a member's session from the terminal into a browser. */
export async function signInBrowser(context: BrowserContext, member: TerminalMember, consoleOrigin: string): Promise<void> {
  const [, name, value] = /(__Host-[^=]+)=([^;]+)/.exec(member.cookieJar.header() ?? '') ?? []
  if (!name || !value) throw new Error(`${member.name} is not signed in`)
  // Such a cookie is taken for a secure address only; a browser then sends it to this machine's own name as well.
  const url = consoleOrigin.replace('http:', 'https:')
  await context.addCookies([{ name, value, url, secure: true, httpOnly: true, sameSite: 'Strict' }])
}
