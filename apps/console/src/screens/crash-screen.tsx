import { browserPorts } from '@holdfast/ports/browser'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { crashReport } from './crash-report.ts'
import { FullScreen } from './full-screen.tsx'

/** The generic error screen: what happened in plain words, a reference to pass on, and the way back. */
export function CrashScreen({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const [report] = useState(() => crashReport(error, { path: location.pathname, nowMs: browserPorts.clock.nowMs(), randomBytes: browserPorts.random.bytes(4) }))
  return (
    <FullScreen title={t('console.crash.title')}>
      <p className="hf-muted">{t('console.crash.text')}</p>
      <p className="hf-small">
        {t('console.crash.reference')}: <code>{report.reference}</code>
      </p>
      <div className="hf-row">
        <button type="button" className="hf-button hf-button-primary" onClick={() => location.reload()}>
          {t('console.crash.reload')}
        </button>
        <a className="hf-button hf-button-default" href="/mpc/wallet">
          {t('console.crash.home')}
        </a>
        <button type="button" className="hf-button hf-button-default" onClick={() => void navigator.clipboard.writeText(report.text)}>
          {t('console.crash.copy')}
        </button>
      </div>
    </FullScreen>
  )
}
