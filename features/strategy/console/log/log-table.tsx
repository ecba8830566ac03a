import '../rules.css'
import type { OutputOf } from '@holdfast/contract'
import { CHANGE_TONES, openChangeDrawer } from '@holdfast/features/policy/console'
import { Button, type Column, DataTable, EmptyState, IconBack, Label, type Paging, StatusTag, Time, useDrawers } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { listOperateLog } from '../../contract.ts'

type Row = OutputOf<typeof listOperateLog>['list'][number]

type LogTableProps = {
  /** By which the browser remembers how a person wants the table. */
  name: string
  rows: readonly Row[] | undefined
  error: unknown
  onRetry: () => void
  isLoading?: boolean
  paging?: Paging
  none?: string
  /** Puts what a version said onto the one in force, as a draft; without it nobody is offered that. */
  restore?: ((version: number) => Promise<void>) | undefined
}

/** Who changed what by changes of the policy, how it ended, and the way back to that version. */
export function LogTable({ name, rows, error, onRetry, isLoading = false, paging, none, restore }: LogTableProps) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const columns: Column<Row>[] = [
    { key: 'at', title: t('rules.log.at'), render: ({ at }) => <Time ms={at} /> },
    { key: 'who', title: t('rules.log.who'), render: ({ user }) => <Label text={user.name} /> },
    { key: 'what', title: t('rules.log.what'), render: (row) => <What row={row} /> },
    {
      key: 'result',
      title: t('rules.log.result'),
      render: ({ flow }) => <StatusTag tone={CHANGE_TONES[flow.state]} text={t(`change.state.${flow.state}`)} />,
    },
    { key: 'version', title: t('rules.log.version'), align: 'end', render: ({ version }) => <span className="hf-numbers">{version}</span> },
    ...(restore
      ? [
          {
            key: 'actions',
            title: t('rules.log.restore'),
            hidesTitle: true,
            render: (row: Row) => row.can_restore && <Restore version={row.version} restore={restore} />,
          },
        ]
      : []),
  ]
  return (
    <DataTable
      name={name}
      label={t('rules.log.title')}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      isLoading={isLoading}
      error={error}
      onRetry={onRetry}
      empty={
        <div className="hf-panel">
          <EmptyState title={t('rules.log.none')}>{none ?? t('rules.log.noneText')}</EmptyState>
        </div>
      }
      onOpen={(row) => openChangeDrawer(drawers, row.id, t('change.title', { version: row.version }))}
      {...(paging && { paging })}
    />
  )
}

function What({ row: { lines, target } }: { row: Row }) {
  const [first = target, ...others] = lines
  const { t } = useTranslation('strategyEngine')
  return (
    <span className="hf-rule-log">
      <Label text={first} wrap />
      {others.length > 0 && <span className="hf-small hf-faint">{t('rules.log.more', { count: others.length })}</span>}
    </span>
  )
}

function Restore({ version, restore }: { version: number; restore: (version: number) => Promise<void> }) {
  const { t } = useTranslation('strategyEngine')
  const [isLoading, setLoading] = useState(false)
  const run = () => {
    setLoading(true)
    void restore(version).finally(() => setLoading(false))
  }
  return (
    <Button size="small" icon={<IconBack />} loading={isLoading} onClick={run}>
      {t('rules.log.restore')}
    </Button>
  )
}
