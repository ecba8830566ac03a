import '../transaction.css'
import { useFiat } from '@holdfast/features/price/console'
import { usePermission } from '@holdfast/features/session/console'
import { useWallets } from '@holdfast/features/wallet/console'
import { Button, DataTable, EmptyState, IconDownload, PageHeader, Tabs, useDrawers } from '@holdfast/ui'
import { useEndpoint, useRememberedPage } from '@holdfast/client'
import { readOneOf } from '@holdfast/ui/url-filters'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { listTransactions } from '../../contract.ts'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, narrowedBy, readFilters, toInput, UNFILTERED, withFilters, writeFilters, TYPES } from './filters.ts'
import { openExportDrawer, openOrderDrawer } from '../open-order-drawer.tsx'
import { SavedViews } from './saved-views.tsx'
import type { Row } from '../row.ts'
import { useTransactionColumns } from './transaction-columns.tsx'
import { useChosenWallet } from './use-chosen-wallet.ts'
import { useFiltersOfWallet } from './use-filters-of-wallet.ts'
import { kindParameter } from '../use-order-actions.ts'

const PAGE_SIZE = 20

/** Deposits and withdrawals, newest first; each opens its whole story. */
export function TransactionsPage() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const filters = readFilters(search)
  const change = (next: Partial<Filters>) => setSearch((present) => writeFilters({ ...readFilters(present), page: 1, ...next }))
  useOpenOrder()
  return (
    <>
      <PageHeader title={t('transaction.title')}>{t('transaction.note')}</PageHeader>
      <Tabs
        label={t('transaction.filter.type')}
        tabs={TYPES.map((key) => ({ key, label: t(`transaction.tab.${key}`) }))}
        active={filters.type}
        onChange={(type) => change({ type, status: typeof filters.status === 'number' ? undefined : filters.status })}
      >
        <TransactionList filters={filters} onChange={change} />
      </Tabs>
    </>
  )
}

function TransactionList({ filters, onChange }: { filters: Filters; onChange: (next: Partial<Filters>) => void }) {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const { wallets, error: walletError, refetch: refetchWallets } = useWallets()
  const walletId = useChosenWallet(wallets)
  useFiltersOfWallet(filters, walletId, (filtersOf) => setSearch((present) => withFilters(present, filtersOf), { replace: true }))
  const input = toInput(filters, walletId)
  const { asked } = useFiat()
  const query = { ...input, ...asked, page_no: filters.page, page_size: PAGE_SIZE }
  const { data, error, refetch, isPlaceholderData } = useEndpoint(listTransactions, query, { enabled: wallets !== undefined, keepLast: true })
  useRememberedPage({
    name: 'transactions',
    page: filters.page,
    data,
    isBare: search.size === 0,
    show: (page) => setSearch((present) => writeFilters({ ...readFilters(present), page }), { replace: true }),
  })
  const open = (row: Pick<Row, 'id' | 'type'>) => setSearch({ ...writeFilters(filters), order: row.id, ...kindParameter(row.type) })
  const columns = useTransactionColumns(open)
  const tools = (
    <div className="hf-list-tools">
      {data && data.pageTotal > 0 && <span className="hf-small hf-muted hf-numbers hf-grow">{t('transaction.list.count', { count: data.pageTotal })}</span>}
      <SavedViews
        query={new URLSearchParams(writeFilters({ ...filters, page: 1 })).toString()}
        onOpen={(kept) => setSearch(writeFilters(readFilters(new URLSearchParams(kept))))}
      />
      <ExportButton input={input} total={data?.pageTotal ?? 0} />
    </div>
  )
  return (
    <div className="hf-stack">
      <FilterBar filters={filters} onChange={onChange} />
      <DataTable
        name="transactions"
        label={t('transaction.title')}
        columns={columns}
        rows={data?.list}
        rowKey={(row) => row.id}
        isLoading={isPlaceholderData}
        error={error ?? (wallets ? undefined : walletError)}
        onRetry={() => void (wallets ? refetch() : refetchWallets())}
        empty={
          <div className="hf-panel">
            <Nothing filters={filters} onChange={onChange} />
          </div>
        }
        onOpen={open}
        tools={tools}
        paging={{ page: filters.page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: (page) => onChange({ page }) }}
      />
    </div>
  )
}

function Nothing({ filters, onChange }: { filters: Filters; onChange: (next: Partial<Filters>) => void }) {
  const { t } = useTranslation()
  if (narrowedBy(filters).length === 0) return <EmptyState title={t('transaction.list.none')}>{t('transaction.list.noneNote')}</EmptyState>
  const clear = () => onChange({ ...UNFILTERED, type: filters.type, everyWallet: filters.everyWallet })
  return <EmptyState drawing="search" title={t('transaction.list.noMatch')} action={<Button onClick={clear}>{t('transaction.filter.clear')}</Button>} />
}

function ExportButton({ input, total }: { input: ReturnType<typeof toInput>; total: number }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayExport = usePermission('export.create')
  if (!mayExport) return null
  return (
    <Button
      size="small"
      icon={<IconDownload />}
      disabled={total === 0}
      onClick={() => openExportDrawer(drawers, { input, total, title: t('transaction.export.title') })}
    >
      {t('transaction.export.open')}
    </Button>
  )
}

/** Opens the order that the address names, and takes it out of the address when its drawer closes. */
function useOpenOrder(): void {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const [search, setSearch] = useSearchParams()
  const order = search.get('order')
  const kind = readOneOf(search, 'kind', ['deposit', 'pull']) ?? 'withdraw'
  useEffect(() => {
    if (order === null) return undefined
    let isHere = true
    void openOrderDrawer(drawers, { id: order, kind, title: t(`transaction.detail.${kind}`) }).then(() => {
      if (isHere) setSearch((present) => writeFilters(readFilters(present)), { replace: true })
    })
    return () => {
      isHere = false
      drawers.close()
    }
    // The drawer follows the address only; words that change with the language must not open it again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [order, kind, drawers])
}
