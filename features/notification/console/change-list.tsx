import { EmptyState, Timeline } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { Config } from './notification-page.tsx'

/** Who changed what about the endpoints, newest first. */
export function ChangeList({ changes }: { changes: Config['changes'] }) {
  const { t } = useTranslation()
  if (changes.length === 0)
    return (
      <div className="hf-panel">
        <EmptyState title={t('notification.change.none')} />
      </div>
    )
  const items = changes.map((change, at) => ({
    key: String(at),
    tone: change.action === 'auto_pause' ? ('bad' as const) : change.action === 'remove' ? ('warn' as const) : ('neutral' as const),
    title: t(`notification.change.${change.action}`, { defaultValue: change.action }),
    actor: change.person ?? t('notification.change.server'),
    atMs: change.at,
    note: change.url === null ? undefined : change.old_url === null ? change.url : t('notification.change.fromTo', { from: change.old_url, to: change.url }),
  }))
  return (
    <div className="hf-panel">
      <Timeline items={items} label={t('notification.view.changes')} />
    </div>
  )
}
