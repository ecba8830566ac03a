import type { OutputOf } from '@holdfast/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { listNotifications } from '../contract.ts'
import { percent } from './status.ts'

type Stat = OutputOf<typeof listNotifications>['stat']

/** What the notifications that the filters leave add up to. */
export function Statistics({ stat, onFailed }: { stat: Stat | undefined; onFailed: () => void }) {
  const { t } = useTranslation()
  const waiting = <span className="hf-bar" aria-hidden />
  const none = <span className="hf-faint">--</span>
  return (
    <dl className="hf-notify-stats">
      <Figure label={t('notification.stat.success')}>{stat ? (percent(stat.success_rate) ?? none) : waiting}</Figure>
      <Figure label={t('notification.stat.p95')}>{stat ? (stat.p95_ms === null ? none : t('notification.ms', { ms: stat.p95_ms })) : waiting}</Figure>
      <Figure label={t('notification.stat.waiting')}>{stat ? stat.waiting : waiting}</Figure>
      <Figure label={t('notification.stat.failed')}>
        {stat === undefined ? (
          waiting
        ) : stat.failed === 0 ? (
          0
        ) : (
          <button
            type="button"
            className="hf-text-button hf-notify-failed"
            aria-label={t('notification.stat.showFailed', { count: stat.failed })}
            onClick={onFailed}
          >
            {stat.failed}
          </button>
        )}
      </Figure>
    </dl>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="hf-notify-figure">
      <dt>{label}</dt>
      <dd className="hf-numbers">{children}</dd>
    </div>
  )
}
