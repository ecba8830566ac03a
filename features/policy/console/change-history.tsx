import type { OutputOf } from '@holdfast/contract'
import { type Column, DataTable, EmptyState, Label, StatusTag, Time, useDrawers } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listPolicyChanges } from '../contract.ts'
import { CHANGE_TONES } from './change-parts.tsx'
import { openChangeDrawer } from './open-change-drawer.tsx'

type Row = OutputOf<typeof listPolicyChanges>['list'][number]

const PAGE_SIZE = 10

/** Every change that was proposed, newest first, with how it ended. */
export function ChangeHistory() {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useEndpoint(listPolicyChanges, { page_no: page, page_size: PAGE_SIZE }, { keepLast: true })
  const columns: Column<Row>[] = [
    { key: 'version', title: t('history.version'), render: (row) => t('change.title', { version: row.version }) },
    { key: 'state', title: t('history.state'), render: (row) => <StatusTag tone={CHANGE_TONES[row.state]} text={t(`change.state.${row.state}`)} /> },
    { key: 'what', title: t('history.what'), wideOnly: true, render: (row) => <Label text={row.lines.join(' ')} /> },
    { key: 'by', title: t('history.by'), render: (row) => <Label text={row.initiator.name} /> },
    { key: 'at', title: t('history.at'), align: 'end', render: (row) => <Time ms={row.created_at} /> },
  ]
  return (
    <section className="hf-stack" aria-labelledby="changes">
      <h2 id="changes">{t('history.title')}</h2>
      <DataTable
        label={t('history.title')}
        columns={columns}
        rows={data?.list}
        rowKey={(row) => row.id}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <div className="hf-panel">
            <EmptyState title={t('history.none')}>{t('history.noneNote')}</EmptyState>
          </div>
        }
        onOpen={(row) => openChangeDrawer(drawers, row.id, t('change.title', { version: row.version }))}
        paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
      />
    </section>
  )
}
