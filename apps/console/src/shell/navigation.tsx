import { bringIntoView, closePopup, IconMore, lazyPart, Popup, Shortcut } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { getPermissions } from '@holdfast/features/session/contract'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, type NavLinkProps, useLocation } from 'react-router'
import { features, inOrder } from '../features.ts'
import { useServices } from '../services-context.ts'

/** The ways to pages, the most used first; the shortcut of each also stands in the command palette. */
const navigation = inOrder((feature) => feature.navigation).map(({ path, badge, ...entry }) => ({
  ...entry,
  to: `/mpc/${path}`,
  Badge: badge && lazyPart(badge),
}))

/** The ways that the person has. What their rights leave nothing of is shown once it is known that they have it. */
export function useNavigation() {
  const { data } = useEndpoint(getPermissions, {})
  return useMemo(() => navigation.filter(({ permission }) => permission === undefined || data?.pms.includes(permission)), [data])
}

/** The ways that only the command palette shows. */
export const places = features.flatMap((feature) => feature.places ?? []).map(({ path, ...entry }) => ({ ...entry, to: `/mpc/${path}`, shortcut: undefined }))

/** How many entries the bar of a telephone has room for beside the one that opens the others. */
const ON_TELEPHONE = 4

/** The way to each page: a column at the side; on a telephone a bar at the foot with the most used ones, and the others under "More". */
export function Navigation() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const entries = useNavigation()
  const list = useRef<HTMLElement>(null)
  // On a low window the column is scrolled by itself, and the page that is open may stand below what is seen of it.
  useEffect(() => bringIntoView(list.current?.querySelector<HTMLElement>('a.active') ?? null), [pathname, entries])
  return (
    <nav ref={list} className="hf-nav" aria-label={t('console.navigation')}>
      <ul>
        {entries.map(({ to, label, Icon, shortcut, Badge, under }, at) => (
          <li key={to} className={[at < ON_TELEPHONE ? '' : 'hf-nav-rest', under === undefined ? '' : 'hf-nav-under'].join(' ').trim() || undefined}>
            <PageLink to={to} className="hf-nav-link">
              <Icon className="hf-nav-icon" />
              <span className="hf-nav-text">{t(label.key, { ns: label.namespace })}</span>
              <span aria-hidden className="hf-nav-keys">
                <Shortcut keys={shortcut} />
              </span>
              {Badge && <Badge />}
            </PageLink>
          </li>
        ))}
        <li className="hf-nav-more">
          <More />
        </li>
      </ul>
    </nav>
  )
}

/** The way to a page, which is fetched as soon as a pointer or the focus comes near. */
function PageLink({ to, ...rest }: NavLinkProps & { to: string }) {
  const { preloadPage } = useServices()
  const preload = () => preloadPage(to)
  return <NavLink to={to} end onPointerEnter={preload} onFocus={preload} {...rest} />
}

function More() {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const rest = useNavigation().slice(ON_TELEPHONE)
  const face = (
    <>
      <IconMore className="hf-nav-icon" />
      <span className="hf-nav-text">{t('console.more')}</span>
      {/* What waits on one of those pages is seen before they are opened. */}
      {rest.map(({ to, Badge }) => Badge && <Badge key={to} />)}
    </>
  )
  return (
    <Popup label={t('console.more')} isNamedByFace className={rest.some(({ to }) => to === pathname) ? 'hf-nav-link active' : 'hf-nav-link'} face={face}>
      <ul className="hf-menu">
        {rest.map(({ to, label, Icon, Badge }) => (
          <li key={to}>
            <PageLink to={to} className="hf-menu-item hf-menu-link" onClick={(event) => closePopup(event.currentTarget)}>
              <Icon className="hf-nav-icon" />
              {t(label.key, { ns: label.namespace })}
              {Badge && <Badge />}
            </PageLink>
          </li>
        ))}
      </ul>
    </Popup>
  )
}
