import { loadInboxBell } from '@holdfast/features/inbox/console'
import { NetworkHealth } from '@holdfast/features/network/console'
import { keepUser, useRestoredDraft, useUserInfo } from '@holdfast/features/session/console'
import { getOrganisation } from '@holdfast/features/setup/contract'
import { SettingsPartsContext } from '@holdfast/features/settings/console'
import { FreezeBanner } from '@holdfast/features/policy/console'
import { WalletPartsContext, WalletSwitcher } from '@holdfast/features/wallet/console'
import { type LiveState, useEndpoint, useLiveUpdates } from '@holdfast/client'
import { lazyPart } from '@holdfast/ui'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { MemberPages } from '../member-pages.tsx'
import { useServices } from '../services-context.ts'
import { settingsParts } from '../settings-parts.tsx'
import { walletParts } from '../wallet-parts.tsx'
import { CommandPalette } from './command-palette.tsx'
import { Mark } from './mark.tsx'
import { Navigation } from './navigation.tsx'
import { LanguageSwitch, ThemeSwitch } from './preferences.tsx'
import { UserMenu } from './user-menu.tsx'

const InboxBell = lazyPart(loadInboxBell)

/** The frame around every page of somebody who is signed in. */
export function Shell() {
  const { t } = useTranslation()
  const { leave } = useServices()
  const live = useLiveUpdates(leave)
  const main = useRef<HTMLElement>(null)
  useKnownUser()
  useRestoredDraft()
  useConnection(live)
  useFocusOnNavigation(main)
  // Whoever is signed in opens something soon.
  useEffect(() => void import('../drawer-host.ts').catch(() => undefined), [])
  useEffect(() => void import('../preload-payments.ts').then(({ preloadPayments }) => preloadPayments()).catch(() => undefined), [])
  return (
    <div className="hf-shell">
      <a className="hf-skip" href="#content">
        {t('console.skip')}
      </a>
      <aside className="hf-side">
        <Brand />
        <Navigation />
      </aside>
      <div className="hf-column">
        <header className="hf-header">
          <Link to="/mpc/wallet" className="hf-brand-small hf-phone-only" aria-label={t('console.home')}>
            <Mark />
          </Link>
          <WalletSwitcher />
          <div className="hf-header-end">
            <CommandPalette />
            <InboxBell />
            <NetworkHealth isOffline={live === 'offline'} />
            <div className="hf-wide-only">
              <LanguageSwitch />
              <ThemeSwitch />
            </div>
            <UserMenu />
          </div>
        </header>
        <main ref={main} id="content" className="hf-content" tabIndex={-1}>
          <FreezeBanner />
          <WalletPartsContext value={walletParts}>
            <SettingsPartsContext value={settingsParts}>
              <MemberPages />
            </SettingsPartsContext>
          </WalletPartsContext>
        </main>
      </div>
    </div>
  )
}

function Brand() {
  const { t } = useTranslation()
  const { data } = useUserInfo()
  const { data: organisation } = useEndpoint(getOrganisation, {})
  return (
    <Link to="/mpc/wallet" className="hf-brand">
      <Mark />
      <span className="hf-brand-text">
        <span className="hf-brand-name">Holdfast{organisation?.demo && <span className="hf-brand-demo">{t('console.demo')}</span>}</span>
        <span className="hf-brand-organisation">{data?.organisation.name}</span>
      </span>
    </Link>
  )
}

/** Keeps who is signed in, so that the next visit can fetch their pages while it asks the server. */
function useKnownUser(): void {
  const { data } = useUserInfo()
  useEffect(() => {
    if (data) keepUser(localStorage, { userId: data.user_id, name: data.nick_name })
  }, [data])
}

/** Where the events end, the server may be away. What could not be fetched meanwhile is asked for again once it answers. */
function useConnection(live: LiveState): void {
  const { connection } = useServices()
  const queries = useQueryClient()
  useEffect(() => {
    if (live === 'offline') void connection.check()
  }, [live, connection])
  useEffect(() => {
    const askAgain = () => {
      if (connection.state() === 'good') void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
    }
    return connection.subscribe(askAgain)
  }, [connection, queries])
}

/** A new page begins at its top, and a screen reader begins to read it. */
function useFocusOnNavigation(main: React.RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname, main])
}
