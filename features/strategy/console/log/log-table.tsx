import '../rules.css'
import type { OutputOf } from '@holdfast/contract'
import { CHANGE_TONES, openChangeDrawer } from '@holdfast/features/policy/console'
import { Button, type Column, DataTable, EmptyState, IconBack, Label, type Paging, StatusTag, Time, useDrawers } from '@holdfast/ui'
import { type ReactNode, useState } from 'react'
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
  /** Stands above the table: what it is narrowed by. */
  tools?: ReactNode
  isNarrowed?: boolean
  none?: string
  /** The rule whose part of each change is told; without it the whole change is. */
  ruleId?: string
  /** Puts what a version said onto the one in force, as a draft; without it nobody is offered that. */
  restore?: ((version: number) => Promise<void>) | undefined
}

/** Who changed what by changes of the policy, how it ended, and the way back to that version. */
export function LogTable({ name, rows, error, onRetry, isLoading = false, paging, tools, isNarrowed = false, none, ruleId, restore }: LogTableProps) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const columns: Column<Row>[] = [
    { key: 'at', title: t('rules.log.at'), render: ({ at }) => <Time ms={at} /> },
    { key: 'who', title: t('rules.log.who'), render: ({ user }) => <Label text={user.name} /> },
    { key: 'what', title: t('rules.log.what'), render: (row) => (ruleId === undefined ? <What row={row} /> : <OfRule row={row} ruleId={ruleId} />) },
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
          {isNarrowed ? <EmptyState title={t('rules.log.noneFits')} /> : <EmptyState title={t('rules.log.none')}>{none ?? t('rules.log.noneText')}</EmptyState>}
        </div>
      }
      onOpen={(row) => openChangeDrawer(drawers, row.id, t('change.title', { version: row.version }))}
      {...(paging && { paging })}
      {...(tools !== undefined && { tools })}
    />
  )
}

/** A list has no room to compare keys; the change itself has every digit. */
const shortened = (line: string) => line.replaceAll(/[0-9a-f]{24,}/g, (key) => `${key.slice(0, 8)}…${key.slice(-8)}`)

/** How many lines of a change stand in the list; the change itself opens with all of them. */
const SHOWN = 3

function What({ row: { lines, target } }: { row: Row }) {
  const { t } = useTranslation('strategyEngine')
  const told = lines.length === 0 ? [target] : lines
  return (
    <span className="hf-rule-log">
      {told.slice(0, SHOWN).map((line) => (
        <Label key={line} text={shortened(line)} wrap />
      ))}
      {told.length > SHOWN && <span className="hf-small hf-faint">{t('rules.log.more', { count: told.length - SHOWN })}</span>}
    </span>
  )
}

export const isAboutRule = ({ diff }: Pick<Row, 'diff'>, ruleId: string) => diff.some(({ path }) => path === `rules/${ruleId}`)

/** What a change made of one rule, and what it said before. */
function OfRule({ row: { diff }, ruleId }: { row: Row; ruleId: string }) {
  const { t } = useTranslation('strategyEngine')
  const own = diff.find((each) => isAboutRule({ diff: [each] }, ruleId))
  if (!own) return null
  return (
    <span className="hf-rule-log">
      <Label text={own.new ?? t('rules.log.dropped')} wrap />
      {own.old !== null && (
        <span className="hf-small hf-faint">
          {t('rules.log.before')} <Label text={own.old} wrap />
        </span>
      )}
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
