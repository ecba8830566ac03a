import { useEndpoint } from '@holdfast/client'
import { PageHeader } from '@holdfast/ui'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listBasicLog, listOperateLog } from '../../contract.ts'
import { LogTable } from './log-table.tsx'
import { useRestoreRules } from './use-restore-rules.ts'
import { useLogFilter } from './use-log-filter.tsx'

const PAGE_SIZE = 20

function Frame({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <>
      <PageHeader title={title} kicker={<Link to="/mpc/strategyEngine">{t('rules.title')}</Link>}>
        {note}
      </PageHeader>
      {children}
    </>
  )
}

/** Changes of the rules that are asked last. */
export function BasicLogPage() {
  const { t } = useTranslation('strategyEngine')
  const [page, setPage] = useState(1)
  const { narrowed, isNarrowed, toolsOver } = useLogFilter(() => setPage(1))
  const restore = useRestoreRules()
  const { data, error, refetch, isPlaceholderData } = useEndpoint(listBasicLog, { ...narrowed, page_no: page, page_size: PAGE_SIZE }, { keepLast: true })
  return (
    <Frame title={t('rules.log.basic')} note={t('rules.log.basicNote')}>
      <LogTable
        name="rules-log-basic"
        rows={data?.list}
        error={error}
        onRetry={() => void refetch()}
        isLoading={isPlaceholderData}
        paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
        tools={toolsOver(data?.pageTotal)}
        isNarrowed={isNarrowed}
        restore={restore}
      />
    </Frame>
  )
}

function HigherLog({ type }: { type: 'transfer' | 'web3' | 'trade' }) {
  const { t } = useTranslation('strategyEngine')
  const [page, setPage] = useState(1)
  const { narrowed, isNarrowed, toolsOver } = useLogFilter(() => setPage(1))
  const restore = useRestoreRules()
  const input = { scope: 'higher' as const, type, ...narrowed, page_no: page, page_size: PAGE_SIZE }
  const { data, error, refetch, isPlaceholderData } = useEndpoint(listOperateLog, input, { keepLast: true })
  return (
    <Frame title={t(`rules.log.${type}`)} note={t(`rules.log.${type}Note`)}>
      <LogTable
        name={`rules-log-${type}`}
        rows={data?.list}
        error={error}
        onRetry={() => void refetch()}
        isLoading={isPlaceholderData}
        paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
        tools={toolsOver(data?.pageTotal)}
        isNarrowed={isNarrowed}
        restore={restore}
      />
    </Frame>
  )
}

/** Changes of the higher rules about payments. */
export function TransferLogPage() {
  return <HigherLog type="transfer" />
}

/** Changes of the higher rules about contract calls. */
export function CallLogPage() {
  return <HigherLog type="web3" />
}

/** Changes of the higher rules about trades. */
export function TradeLogPage() {
  return <HigherLog type="trade" />
}
