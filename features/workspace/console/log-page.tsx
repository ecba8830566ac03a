import { useApi, useEndpoint } from '@holdfast/client'
import { LogTable, useLogFilter } from '@holdfast/features/strategy/console'
import { listOperateLog } from '@holdfast/features/strategy/contract'
import { lazyDrawerBody, Note, PageHeader, useDrawers } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { restoreWorkspace } from '../contract.ts'
import { useWorkspace } from './use-workspace.ts'

const ReviewDraft = lazyDrawerBody(() => import('./edit-drawer.tsx').then((module) => module.ReviewDraft))

const PAGE_SIZE = 20
const WIDTH = 900

/** Changes of who approves parts of the workspace, and of how long loosening waits. */
export function WorkspaceLogPage() {
  const { t } = useTranslation('strategyEngine')
  const [page, setPage] = useState(1)
  const { narrowed, isNarrowed, toolsOver } = useLogFilter(() => setPage(1))
  const { data, error, refetch, isPlaceholderData } = useEndpoint(
    listOperateLog,
    { scope: 'workspace', ...narrowed, page_no: page, page_size: PAGE_SIZE },
    { keepLast: true },
  )
  return (
    <>
      <PageHeader title={t('workspace.log.title')} kicker={<Link to="/mpc/workspaceStrategyEngine">{t('workspace.title')}</Link>}>
        {t('workspace.log.lead')}
      </PageHeader>
      <LogTable
        name="workspace-log"
        rows={data?.list}
        error={error}
        onRetry={() => void refetch()}
        isLoading={isPlaceholderData}
        paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
        tools={toolsOver(data?.pageTotal)}
        isNarrowed={isNarrowed}
        none={t('workspace.log.none')}
        restore={useRestore()}
      />
    </>
  )
}

/** Opens what a version said as a draft on top of the one in force, to be looked at and proposed; nothing for whoever may not propose now. */
function useRestore(): ((version: number) => Promise<void>) | undefined {
  const { t } = useTranslation('strategyEngine')
  const { client } = useApi()
  const drawers = useDrawers()
  const { canEdit } = useWorkspace()
  if (!canEdit) return undefined
  return async (version) => {
    const found = await client.call(restoreWorkspace, { version }).catch(() => undefined)
    if (!found) return
    const parts = found.left_out.map((key) => t(`workspace.part.${key}`)).join(t('rules.say.comma'))
    const body = (
      <ReviewDraft draft={found.draft}>
        {parts !== '' && (
          <Note tone="warn" title={t('workspace.log.leftOut', { parts })}>
            {t('workspace.log.leftOutText')}
          </Note>
        )}
      </ReviewDraft>
    )
    void drawers.push({ title: t('workspace.log.restore', { version }), body }, { width: WIDTH, maskClosable: false })
  }
}
