import { existsSync } from 'node:fs'
import axe, { type AxeResults, type Result, type RunOptions } from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** Chromium without windows draws and answers alike and takes a third less of the processor; where it is missing, the one with windows does. */
const EXECUTABLES = [process.env.CHROMIUM_PATH, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].filter((path) => path !== undefined)
const EXECUTABLE = EXECUTABLES.find((path) => existsSync(path))
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
]

/** Why the browser tests cannot run here; false if they can. */
export const noChromium = EXECUTABLE ? false : `no Chromium at ${EXECUTABLES.join(' or ')}: install it or set CHROMIUM_PATH`

/** Debian's Chromium, or the one that CHROMIUM_PATH names. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE ?? EXECUTABLES[0]!, args: ARGUMENTS })
}

/** A person's browser, with keys of its own, that remembers everything its console and its policy complained about. */
export async function openBrowser(
  browser: Browser,
  options: { locale?: string; dark?: boolean; width?: number } = {},
): Promise<{ context: BrowserContext; page: Page; complaints: string[] }> {
  const context = await browser.newContext({
    locale: options.locale ?? 'en-US',
    colorScheme: options.dark ? 'dark' : 'light',
    viewport: { width: options.width ?? 1280, height: 900 },
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 400/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { context, page, complaints }
}

/** What axe finds in a page, by all its rules or by those that are named. */
export async function axeFindings(page: Page, rules?: string[]): Promise<Result[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async (runOnly) => {
    const here = (globalThis as unknown as { axe: { run(root: Document, options: RunOptions): Promise<AxeResults> } }).axe
    return (await here.run(document, { resultTypes: ['violations'], ...(runOnly && { runOnly }) })).violations
  }, rules)
}

/** A passkey that was made before: its id, and its private half in PKCS #8, both in Base64. */
export type Passkey = { credentialId: string; privateKey: string; rpId: string }

/** Gives the browser a security key that verifies its user, built in like a laptop's, and that holds these passkeys. */
export async function addAuthenticator(page: Page, options: { backupEligible?: boolean; userVerified?: boolean; passkeys?: Passkey[] } = {}): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: options.userVerified ?? true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: options.backupEligible ?? false,
      defaultBackupState: options.backupEligible ?? false,
    },
  })
  for (const credential of options.passkeys ?? []) {
    await session.send('WebAuthn.addCredential', { authenticatorId, credential: { isResidentCredential: false, signCount: 0, ...credential } })
  }
}
