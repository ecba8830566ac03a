import './monitor.css'
import { useEndpoint } from '@holdfast/client'
import { usePermission } from '@holdfast/features/session/console'
import { Button, EmptyState, ErrorState, lazyDrawerBody, LoadingState, PageHeader, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { listMonitored } from '../contract.ts'
import { FeePart } from './fee-part.tsx'
import { MonitoredCard } from './monitored-card.tsx'
import { ReceiversPart } from './receivers-part.tsx'

const WatchDrawer = lazyDrawerBody(() => import('./watch-drawer.tsx').then((module) => module.WatchDrawer))

/** What own addresses on TRON have left, when it runs out, who is told, and what fees were burned. */
export function MonitorPage() {
  const { t } = useTranslation('tools')
  const drawers = useDrawers()
  const mayWrite = usePermission('tools.write')
  const { data, error, refetch } = useEndpoint(listMonitored, {})
  const watch = () => void drawers.push({ title: t('tronTools.watch'), body: <WatchDrawer /> })
  const actions = mayWrite && (
    <Button variant="primary" onClick={watch}>
      {t('tronTools.watch')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('tronTools.title')} actions={actions}>
        {t('tronTools.lead')}
      </PageHeader>
      <div className="hf-stack-wide">
        {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />)}
        {data?.length === 0 && (
          <div className="hf-panel">
            <EmptyState title={t('tronTools.none')}>{t('tronTools.noneText')}</EmptyState>
          </div>
        )}
        {data && data.length > 0 && (
          <ul className="hf-tron-list">
            {data.map((each) => (
              <MonitoredCard key={`${each.chain} ${each.address}`} of={each} />
            ))}
          </ul>
        )}
        <ReceiversPart />
        <FeePart />
      </div>
    </>
  )
}
