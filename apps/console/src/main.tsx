import './configure-zod.ts'
import '@holdfast/ui/styles.css'
import './styles/index.css'
import { readUser } from '@holdfast/features/session/console'
import { browserPorts } from '@holdfast/ports/browser'
import { type Locale, mendPartsBy, readLanguage, writeLanguage } from '@holdfast/ui'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { isChunkFailure } from './chunk-failure.ts'
import { createConnection } from './connection.ts'
import { loadPageTexts, startTranslation } from './i18n/start-translation.ts'
import { preloadPage } from './routes.tsx'
import { ConnectionScreen } from './screens/connection-notice.tsx'
import { UpdateNotice } from './screens/update-notice.tsx'
import { createServices } from './services.ts'

const CHINESE_LOGIN = '/zh-CN/login'

const entry = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? ''
const connection = createConnection({ ...browserPorts, entry, window })
mendPartsBy(connection)

/** The language of this visit: the prefix of the sign-in page where there is one, else the cookie. */
function firstLocale(): Locale {
  const nowMs = browserPorts.clock.nowMs()
  const kept = readLanguage(document, location.hostname, nowMs)
  if (location.pathname !== CHINESE_LOGIN || kept === 'zh-CN') return kept
  writeLanguage(document, 'zh-CN', location.hostname, nowMs)
  return 'zh-CN'
}

async function start(): Promise<void> {
  // Who was here before most likely still is: their page is fetched while the server is asked.
  const isLikelySignedIn = readUser(localStorage) !== undefined
  if (isLikelySignedIn) preloadPage(location.pathname)
  const services = createServices(await startTranslation(firstLocale()), connection, preloadPage)
  if (isLikelySignedIn) void loadPageTexts(services.translation).catch(() => undefined)
  show(<App services={services} />)
}

/** React drew the page a second time and it held: nothing to put a screen in the console's place for, but something to find. */
function noteRecovered(error: unknown): void {
  globalThis.console.warn('React recovered from', error instanceof Error ? (error.cause ?? error) : error)
}

function show(console: ReactNode): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no place for the console')
  createRoot(root, { onRecoverableError: noteRecovered }).render(console)
}

// What is fetched before the first page is shown can be gone too.
start().catch(async (error: unknown) => {
  if (!isChunkFailure(error)) throw error
  show((await connection.ask()) === 'other' ? <UpdateNotice /> : <ConnectionScreen />)
})
