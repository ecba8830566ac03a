import './keys.css'
import { usePermissionAnswer } from '@holdfast/features/session/console'
import { EmptyState, ErrorState, LoadingState, Note, PageHeader, Pager } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listKeys } from '../contract.ts'
import { KeyCard } from './key-card.tsx'
import { KeyReminders } from './key-reminders.tsx'

/** A card is as tall as several lines of a list. */
const PAGE_SIZE = 10
const AT_WORK_POLL_MS = 2_000
/** That a signer comes or goes is in no event of the server's. */
const IDLE_POLL_MS = 10_000

/** The life of every wallet's key: who holds what of it, whether it could be recovered, and giving it new shares. */
export function KeyPage() {
  const { t } = useTranslation('privateKeyRecovery')
  const mayHandle = usePermissionAnswer('key.kit')
  return (
    <>
      <PageHeader title={t('page.title')}>{t('page.note')}</PageHeader>
      {/* What a key's own card says is not said twice. */}
      <KeyReminders only="exports" />
      {mayHandle === undefined ? <LoadingState rows={8} /> : mayHandle ? <KeyList /> : <Note>{t('notYours')}</Note>}
    </>
  )
}

function KeyList() {
  const { t } = useTranslation('privateKeyRecovery')
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useEndpoint(
    listKeys,
    { page_no: page, page_size: PAGE_SIZE },
    // The work of the signers is watched while it lasts.
    { keepLast: true, refetchEveryMs: (keys) => (keys?.list.some(({ change }) => change?.state === 'approved') ? AT_WORK_POLL_MS : IDLE_POLL_MS) },
  )
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />
  if (data.pageTotal === 0) {
    return (
      <div className="hf-panel">
        <EmptyState title={t('page.empty')}>{t('page.emptyNote')}</EmptyState>
      </div>
    )
  }
  return (
    <div className="hf-stack-wide">
      {data.list.map((each) => (
        <KeyCard key={each.key_id} of={each} />
      ))}
      <Pager page={page} pageSize={PAGE_SIZE} total={data.pageTotal} onChange={setPage} />
    </div>
  )
}
