import { useApi } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { CHANGE_TONES, openChangeDrawer } from '@holdfast/features/policy/console'
import { usePermission, useSession } from '@holdfast/features/session/console'
import { Button, type Column, confirm, DataTable, EmptyState, IconBack, Label, type Paging, StatusTag, Time, useDrawers } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type listOperateLog, restoreRules } from '../../contract.ts'
import { writeKept } from '../draft/kept-draft.ts'

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
}

/** Who changed what of the rules, how it ended, and the way back to that version. */
export function LogTable({ name, rows, error, onRetry, isLoading = false, paging, none }: LogTableProps) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const mayWrite = usePermission('strategy.write')
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
    ...(mayWrite ? [{ key: 'actions', title: '', render: (row: Row) => (row.can_restore ? <Restore version={row.version} /> : null) }] : []),
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

/** Loads the rules of a version into the draft, where they are looked at and proposed like any other change. */
function Restore({ version }: { version: number }) {
  const { t } = useTranslation('strategyEngine')
  const { client } = useApi()
  const drawers = useDrawers()
  const navigate = useNavigate()
  const personId = useSession()?.session?.person_id ?? ''
  const [isLoading, setLoading] = useState(false)
  const restore = async () => {
    const answer = await confirm(drawers, {
      type: 'warning',
      title: t('rules.log.restoreTitle', { version }),
      content: t('rules.log.restoreText'),
      confirmText: t('rules.log.restore'),
    })
    if (answer.outcome !== 'confirm') return
    setLoading(true)
    const found = await client.call(restoreRules, { version }).catch(() => undefined)
    setLoading(false)
    if (!found) return
    writeKept(sessionStorage, { personId, draft: found.draft })
    void navigate('/mpc/strategyEngine')
  }
  return (
    <Button size="small" icon={<IconBack />} loading={isLoading} onClick={() => void restore()}>
      {t('rules.log.restore')}
    </Button>
  )
}
