import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'

const PAGES = [
  { path: '', word: 'batch.pages.form' },
  { path: '/transferRecord', word: 'batch.pages.record' },
  { path: '/authRecord', word: 'batch.pages.auth' },
] as const

/** The pages of batch transfers. */
export function BatchLinks() {
  const { t } = useTranslation('tools')
  return (
    <nav className="hf-row hf-batch-links" aria-label={t('batch.title')}>
      {PAGES.map(({ path, word }) => (
        <NavLink key={path} end to={`/mpc/tools/batchTransfer${path}`}>
          {t(word)}
        </NavLink>
      ))}
    </nav>
  )
}
