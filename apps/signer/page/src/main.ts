import { type Locale, LOCALES } from '@holdfast/intent'
import { browserPorts } from '@holdfast/ports/browser'
import { known } from '@holdfast/units'
import type { App, View } from './app.ts'
import { delegationView } from './view/delegation-view.ts'
import { element } from './view/element.ts'
import { homeView, sentenceView } from './view/home-view.ts'
import { type KeyStore, openKeyStore } from './keys/key-store.ts'
import { keyView } from './view/key-view.ts'
import { orderView } from './view/order-view.ts'
import { mark } from './view/mark.ts'
import { PageError } from './page-error.ts'
import { parseRoute } from './route.ts'
import { reviewView } from './view/review-view.ts'
import { standingView } from './view/standing-view.ts'
import { stopView } from './view/stop-view.ts'
import { setupView } from './view/setup-view.ts'
import { signerApi } from './read/signer-api.ts'
import { chooseLocale, LOCALE_NAMES, WORDS } from './words/choose-locale.ts'

const REMEMBERED = 'locale'

let locale: Locale = chooseLocale(remembered(), navigator.languages)
let view: View = sentenceView((words) => words.loading)

function remembered(): string | null {
  // Storage may be switched off; the page then begins in the browser's language each time.
  try {
    return localStorage.getItem(REMEMBERED)
  } catch {
    return null
  }
}

function setLocale(chosen: Locale): void {
  locale = chosen
  try {
    localStorage.setItem(REMEMBERED, chosen)
  } catch {
    // As above.
  }
  draw()
}

function place(id: string): HTMLElement {
  return known(document.getElementById(id), `the place ${id} of the page`)
}

function draw(): void {
  const words = WORDS[locale]
  const active = document.activeElement
  const focused = active?.id
  const caret = active instanceof HTMLTextAreaElement ? ([active.selectionStart, active.selectionEnd] as const) : null
  document.documentElement.lang = locale
  document.title = `Holdfast · ${words.pageName}`
  const other = known(
    LOCALES.find((each) => each !== locale),
    'the other language',
  )
  const change = element('button', { type: 'button', id: 'language', class: 'plain', lang: other, onclick: () => setLocale(other) }, LOCALE_NAMES[other])
  place('top').replaceChildren(
    element('p', { class: 'brand' }, mark(), element('strong', {}, 'Holdfast'), element('span', { class: 'dim' }, words.pageName)),
    change,
  )
  place('view').replaceChildren(...view.draw(words, locale))
  place('foot').replaceChildren(element('p', {}, words.foot(location.origin)))
  const again = focused ? document.getElementById(focused) : null
  again?.focus({ preventScroll: true })
  if (caret && again instanceof HTMLTextAreaElement) again.setSelectionRange(...caret)
}

function open(app: App): void {
  view.stop()
  const route = parseRoute(location.hash)
  if (route.name === 'home') view = homeView(app)
  else if (route.name === 'bad') view = sentenceView((words) => words.errors.badRoute)
  else if (route.name === 'key') view = keyView(app, route.token)
  else if (route.name === 'stop') view = stopView(app, route.genesis)
  else if (route.name === 'delegation') view = delegationView(app, route.genesis, route.prefilled)
  else if (route.name === 'standing') view = standingView(app, route.genesis)
  else if (route.name === 'review') view = reviewView(app, route.hashes)
  else view = route.name === 'setup' ? setupView(app, route.token) : orderView(app, route.hash)
  draw()
  scrollTo(0, 0)
}

async function start(): Promise<void> {
  draw()
  const keys = await openKeyStore().catch(() => null)
  const app: App = {
    ...browserPorts,
    api: signerApi(browserPorts.fetch, () => locale),
    keys: keys ?? NO_KEYS,
    origin: location.origin,
    rpId: location.hostname,
    open: (route) => (location.hash = route),
    redraw: draw,
    say: (sentence) => place('said').replaceChildren(sentence(WORDS[locale])),
    reveal: (id) => document.getElementById(id)?.focus(),
  }
  addEventListener('hashchange', () => {
    open(app)
    document.getElementById('title')?.focus()
  })
  open(app)
}

const NO_KEYS: KeyStore = {
  all: () => Promise.reject(new PageError('noKeyStore')),
  put: () => Promise.reject(new PageError('noKeyStore')),
}

void start()
