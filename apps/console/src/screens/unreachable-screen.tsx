import { useTranslation } from 'react-i18next'
import { FullScreen } from './full-screen.tsx'

/** What is seen where the server does not answer at all. */
export function UnreachableScreen() {
  const { t } = useTranslation()
  return (
    <FullScreen title={t('console.unreachable.title')}>
      <p className="hf-muted">{t('console.unreachable.text')}</p>
      <button type="button" className="hf-button hf-button-primary" onClick={() => location.reload()}>
        {t('ui.error.retry')}
      </button>
    </FullScreen>
  )
}
