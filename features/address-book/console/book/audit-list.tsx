import { useEndpoint } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { Button, type Column, DataTable, EmptyState, FilterPicker, IconBack, Label, lazyDrawerBody, RelativeTime, useDrawers } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { auditStates, listBookAudits } from '../../book-contract.ts'
import { openBookAuditDrawer } from './open-audit-drawer.tsx'

const RestoreDrawer = lazyDrawerBody(() => import('./restore-drawer.tsx').then((module) => module.RestoreDrawer))

type Audit = OutputOf<typeof listBookAudits>['list'][number]

const PAGE_SIZE = 20

/** What people were asked about the whitelist, and what became of it. */
export function AuditList() {
  const { t } = useTranslation('whiteAddress')
  const drawers = useDrawers()
  const mayWrite = usePermission('address_book.write')
  const [page, setPage] = useState(1)
  const [state, setState] = useState<Audit['state']>()
  const asked = { ...(state && { state }), page_no: page, page_size: PAGE_SIZE }
  const { data, error, refetch, isPlaceholderData } = useEndpoint(listBookAudits, asked, { keepLast: true })
  const narrow = (next: Audit['state'] | undefined) => {
    setState(next)
    setPage(1)
  }
  const restore = (version: number) =>
    void drawers.push({ title: t('book.restore.title', { version }), body: <RestoreDrawer version={version} /> }, { maskClosable: false })
  const columns: Column<Audit>[] = [
    { key: 'at', title: t('book.log.at'), render: ({ created_at: at }) => <RelativeTime ms={at} /> },
    { key: 'title', title: t('book.log.what'), render: ({ title }) => <Label text={title} wrap /> },
    { key: 'state', title: t('book.audit.state'), render: ({ state: is }) => t(`book.audit.${is}`) },
    { key: 'approved', title: t('book.audit.approvals'), render: ({ approved, need }) => t('book.audit.of', { have: approved.length, need }) },
    { key: 'who', title: t('book.log.who'), wideOnly: true, render: ({ initiator }) => <Label text={initiator.name} /> },
    {
      key: 'version',
      title: t('book.audit.version'),
      align: 'end',
      wideOnly: true,
      render: ({ state: is, version }) => (is === 'followed' ? <span className="hf-numbers">{version}</span> : <span className="hf-faint">--</span>),
    },
    {
      key: 'actions',
      title: t('personal.actions'),
      hidesTitle: true,
      align: 'end',
      render: ({ can_restore: canRestore, version }) =>
        mayWrite &&
        canRestore && (
          <Button size="small" icon={<IconBack />} onClick={() => restore(version)}>
            {t('book.restore.open')}
          </Button>
        ),
    },
  ]
  return (
    <DataTable
      name="address-book-audits"
      label={t('book.audit.title')}
      tools={
        <FilterPicker
          label={t('book.audit.state')}
          value={state}
          options={auditStates.map((value) => ({ value, label: t(`book.audit.${value}`) }))}
          onChange={narrow}
        />
      }
      columns={columns}
      rows={data?.list}
      rowKey={({ id }) => id}
      isLoading={isPlaceholderData}
      error={error}
      onRetry={() => void refetch()}
      onOpen={({ id, title }) => openBookAuditDrawer(drawers, id, title)}
      empty={<EmptyState title={t('book.audit.none')} />}
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
    />
  )
}
