import { TodoBadge } from '@holdfast/features/approval/console'
import { KeyBadge } from '@holdfast/features/key-recovery/console'
import { closePopup, IconBolt, IconBuilding, IconGrid, IconKey, IconMore, IconSwap, IconTask, IconWallet, Popup, Shortcut } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { NavLink, type NavLinkProps, useLocation } from 'react-router'
import { useServices } from '../services-context.ts'

/** The pages of the navigation, the most used first; the shortcut of each also stands in the command palette. */
export const NAVIGATION_ENTRIES = [
  { to: '/mpc/wallet', key: 'wallets', Icon: IconGrid, shortcut: 'g w' },
  { to: '/mpc/center/wallet', key: 'centre', Icon: IconWallet, shortcut: 'g c' },
  { to: '/mpc/center/wallet/transactions', key: 'transactions', Icon: IconSwap, shortcut: 'g t' },
  { to: '/mpc/center/wallet/todo', key: 'todo', Icon: IconTask, shortcut: 'g d' },
  { to: '/mpc/center/wallet/keyRecovery', key: 'keys', Icon: IconKey, shortcut: 'g k' },
  { to: '/mpc/transactionNotification', key: 'notifications', Icon: IconBolt, shortcut: 'g n' },
  { to: '/mpc/teamMember', key: 'organisation', Icon: IconBuilding, shortcut: 'g o' },
] as const

/** How many entries the bar of a telephone has room for beside the one that opens the others. */
const ON_TELEPHONE = 4

/** The way to each page: a column at the side; on a telephone a bar at the foot with the most used ones, and the others under "More". */
export function Navigation() {
  const { t } = useTranslation()
  return (
    <nav className="hf-nav" aria-label={t('console.navigation')}>
      <ul>
        {NAVIGATION_ENTRIES.map(({ to, key, Icon, shortcut }, at) => (
          <li key={key} className={at < ON_TELEPHONE ? undefined : 'hf-nav-rest'}>
            <PageLink to={to} className="hf-nav-link">
              <Icon className="hf-nav-icon" />
              <span className="hf-nav-text">{t(`console.nav.${key}`)}</span>
              <span aria-hidden className="hf-nav-keys">
                <Shortcut keys={shortcut} />
              </span>
              {key === 'todo' && <TodoBadge />}
              {key === 'keys' && <KeyBadge />}
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
  const rest = NAVIGATION_ENTRIES.slice(ON_TELEPHONE)
  const face = (
    <>
      <IconMore className="hf-nav-icon" />
      <span className="hf-nav-text">{t('console.more')}</span>
      {/* What waits on one of those pages is seen before they are opened. */}
      <KeyBadge />
    </>
  )
  return (
    <Popup label={t('console.more')} className={rest.some(({ to }) => to === pathname) ? 'hf-nav-link active' : 'hf-nav-link'} face={face}>
      <ul className="hf-menu">
        {rest.map(({ to, key, Icon }) => (
          <li key={key}>
            <PageLink to={to} className="hf-menu-item hf-menu-link" onClick={(event) => closePopup(event.currentTarget)}>
              <Icon className="hf-nav-icon" />
              {t(`console.nav.${key}`)}
              {key === 'keys' && <KeyBadge />}
            </PageLink>
          </li>
        ))}
      </ul>
    </Popup>
  )
}
