import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'

const PAGES = ['', '/accountList', '/messageNotification'] as const

/** The pages of the agent. */
export function AgentLinks() {
  const { t } = useTranslation('tools')
  return (
    <nav className="hf-row hf-tron-links" aria-label={t('tronAgent.title')}>
      {PAGES.map((each) => (
        <NavLink key={each} end to={`/mpc/tools/tronAutoAgent${each}`}>
          {t(`tronAgent.pages.${each === '' ? 'agent' : each === '/accountList' ? 'accounts' : 'notices'}`)}
        </NavLink>
      ))}
    </nav>
  )
}
