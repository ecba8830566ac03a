import { type Client, createClient, systemErrors } from '@holdfast/contract'
import { reactionTo } from '@holdfast/features/error-catalogue'
import { getPermissions } from '@holdfast/features/session/contract'
import { createSessionStore, forgetUser, type SessionStore } from '@holdfast/features/session/console'
import { createSelectionStore, type SelectionStore } from '@holdfast/features/wallet/console'
import { browserPorts } from '@holdfast/ports/browser'
import { createDrawerStack, createToaster, type Drawers, type Locale, loginPath, toCookieLanguage, type Toaster } from '@holdfast/ui'
import { createPageCache, createQueryClient, endpointKey, type PageCache, reactTo, upload, watchPresence } from '@holdfast/client'
import type { QueryClient } from '@tanstack/react-query'
import type { i18n } from 'i18next'
import type { Connection } from './connection.ts'
import { type MovedHistory, watchHistory } from './moved-history.ts'

/** Shows another page of the console. */
export type Navigator = (path: string, options?: { replace?: boolean }) => void

export type Services = {
  translation: i18n
  client: Client
  session: SessionStore
  selection: SelectionStore
  drawers: Drawers
  toaster: Toaster
  queries: QueryClient
  presence: ReturnType<typeof watchPresence>
  /** Page numbers of lists, for whoever comes back to one. */
  pages: PageCache
  /** Forgets everything about the session in this page and shows the sign-in page; while the person is signing out, only once that was answered. */
  leave(): void
  connection: Connection
  /** Begins to fetch what a path shows, for whoever is about to go there. */
  preloadPage(path: string): void
  movedHistory: MovedHistory
  /** How to show another page; the pages bring it once they exist. */
  takeNavigator(navigator: Navigator): void
}

const NOT_PERMITTED = '/custody/notPms'

/** Everything the console works with, made once when the page starts. */
export function createServices(translation: i18n, connection: Connection, preloadPage: Services['preloadPage']): Services {
  const { clock, timer, fetch } = browserPorts
  const session = createSessionStore()
  const selection = createSelectionStore(localStorage)
  const drawers: Drawers = createDrawerStack()
  const toaster = createToaster(timer)
  const queries = createQueryClient()
  const presence = watchPresence(clock, window)
  const movedHistory = watchHistory(window)
  let navigate: Navigator = (path) => location.assign(path)
  const locale = () => translation.language as Locale

  const pages = createPageCache(clock)

  const leave = () => {
    if (session.isSigningOut()) return
    session.left()
    forgetUser(localStorage)
    selection.forgetWallet()
    pages.clear()
    drawers.close()
    const path = loginPath(locale())
    if (location.pathname !== path) navigate(`${path}?next=${encodeURIComponent(location.pathname + location.search)}`, { replace: true })
    queries.clear()
  }
  const client = createClient({
    baseUrl: '',
    fetch,
    upload,
    timer,
    headers: () => ({
      language: toCookieLanguage(locale()),
      openToken: session.openToken(),
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC',
    }),
    onRefusal: (error, isShown) => {
      // The person's rights changed: the page learns its new open token, so that the next try can succeed.
      if (error.is(systemErrors.open_token_stale)) {
        void session.load(client, { again: true }).catch(() => undefined)
        void queries.invalidateQueries({ queryKey: endpointKey(getPermissions) })
      }
      reactTo(reactionTo(error.code), error, isShown, {
        toast: toaster.error,
        leaveSession: leave,
        showNotPermitted: () => navigate(NOT_PERMITTED),
        forgetWallet: selection.forgetWallet,
        forgetSubWallet: selection.forgetSubWallet,
        closeDrawer: drawers.close,
        path: () => location.pathname,
      })
    },
  })
  drawers.onClosed(({ refresh }) => {
    if (refresh) void queries.invalidateQueries()
  })
  return {
    translation,
    client,
    session,
    selection,
    drawers,
    toaster,
    queries,
    presence,
    movedHistory,
    pages,
    leave,
    connection,
    preloadPage,
    takeNavigator: (navigator) => {
      navigate = navigator
    },
  }
}
