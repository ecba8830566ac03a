import './approval.css'
import type { OutputOf } from '@holdfast/contract'
import { ApprovalLink, useApprovalLinks } from '@holdfast/features/approval-page/console'
import { openBookAuditDrawer } from '@holdfast/features/address-book/console'
import { openChangeDrawer } from '@holdfast/features/policy/console'
import { useFiat } from '@holdfast/features/price/console'
import { KeyReminders } from '@holdfast/features/key-recovery/console'
import { AvailabilityNote, PageKeyNote } from '@holdfast/features/team/console'
import { openOrderDrawer } from '@holdfast/features/transaction/console'
import { useWallets } from '@holdfast/features/wallet/console'
import { Button, DataTable, EmptyState, FilterPicker, PageHeader, Tabs, TextFilter, useDrawers } from '@holdfast/ui'
import { useEndpoint, useRememberedPage } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { type NavigateOptions, useNavigate, useSearchParams } from 'react-router'
import { listTodo, TODO_KINDS, type TodoItem } from '@holdfast/features/proposal/contract'
import { OwnRules } from './own-rules.tsx'
import { readTodoFilters, TODO_STATES, type TodoFilters, writeTodoFilters } from './filters.ts'
import { useTodoColumns } from './todo-columns.tsx'

const PAGE_SIZE = 20

/** What waits for the person, what they requested, and what is decided. */
export function TodoPage() {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const filters = readTodoFilters(search)
  const change = (next: Partial<TodoFilters>, options?: NavigateOptions) =>
    setSearch((present) => writeTodoFilters({ ...readTodoFilters(present), page: 1, ...next }), options)
  const { data } = useEndpoint(listTodo, { state: 'wait', page_no: 1, page_size: 1 }, { isAside: true })
  const count = (each: TodoFilters['state']) => (each === 'done' || !data || data.counts[each] === 0 ? '' : ` (${data.counts[each]})`)
  return (
    <>
      <PageHeader title={t('approval.title')}>{t('approval.note')}</PageHeader>
      <PageKeyNote />
      <AvailabilityNote />
      <KeyReminders />
      <Tabs
        label={t('approval.title')}
        tabs={TODO_STATES.map((each) => ({ key: each, label: `${t(`approval.tab.${each}`)}${count(each)}` }))}
        active={filters.state}
        onChange={(state) => change({ state })}
      >
        <TodoList key={filters.state} filters={filters} onChange={change} />
      </Tabs>
      <OwnRules />
    </>
  )
}

function TodoList({ filters, onChange }: { filters: TodoFilters; onChange: (next: Partial<TodoFilters>, options?: NavigateOptions) => void }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const { state, kind, wallet, keyword, page } = filters
  const isNarrowed = kind !== undefined || wallet !== undefined || keyword !== ''
  const { data, error, refetch, isPlaceholderData } = useEndpoint(
    listTodo,
    {
      state,
      ...useFiat().asked,
      ...(kind === undefined ? {} : { kind }),
      ...(wallet === undefined ? {} : { wallet_id: wallet }),
      ...(keyword === '' ? {} : { keyword }),
      page_no: page,
      page_size: PAGE_SIZE,
    },
    { keepLast: true },
  )
  useRememberedPage({
    name: `todo-${state}`,
    page,
    data,
    isBare: !isNarrowed && page === 1,
    show: (next) => onChange({ page: next }, { replace: true }),
  })
  const navigate = useNavigate()
  const linksTo = useApprovalLinks()
  const open = (item: TodoItem) => {
    if (item.kind === 'policy_change') openChangeDrawer(drawers, item.biz_id, t('approval.kind.policy_change'))
    else if (item.kind === 'address_book') openBookAuditDrawer(drawers, item.biz_id, t('approval.kind.address_book'))
    else if (item.kind === 'signer_order') void navigate('/mpc/teamMember?tab=organisation')
    else if (item.kind === 'standing_order') void navigate('/mpc/standingOrders')
    else if (item.kind === 'batch') void navigate(`/mpc/tools/batchTransfer/transferRecord?batch=${item.biz_id}`)
    else if (item.kind === 'key_change' || item.kind === 'export_key') window.open(linksTo(item.approval_url).href, '_blank', 'noopener')
    else {
      const kind = item.kind === 'deposit_claim' ? 'deposit' : 'withdraw'
      void openOrderDrawer(drawers, { id: item.biz_id, kind, title: t(`transaction.detail.${kind}`) })
    }
  }
  const empty = isNarrowed ? (
    <EmptyState
      drawing="search"
      title={t('approval.noMatch')}
      action={<Button onClick={() => onChange({ kind: undefined, wallet: undefined, keyword: '' })}>{t('approval.clear')}</Button>}
    />
  ) : (
    <EmptyState drawing="done" title={t(`approval.empty.${state}`)}>
      {t(`approval.emptyNote.${state}`)}
    </EmptyState>
  )
  return (
    <DataTable
      name={`todo-${state}`}
      tools={<TodoFilterBar filters={filters} reviewUrl={data?.review_url ?? null} counts={data?.counts} onChange={onChange} />}
      label={t(`approval.tab.${state}`)}
      columns={useTodoColumns(state, open)}
      rows={data?.list}
      rowKey={(item) => item.item_id}
      isLoading={isPlaceholderData}
      error={error}
      onRetry={() => void refetch()}
      empty={<div className="hf-panel">{empty}</div>}
      onOpen={open}
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: (next) => onChange({ page: next }) }}
    />
  )
}

type Counts = OutputOf<typeof listTodo>['counts']
type TodoFilterBarProps = { filters: TodoFilters; reviewUrl: string | null; counts: Counts | undefined; onChange: (next: Partial<TodoFilters>) => void }

function TodoFilterBar({ filters, reviewUrl, counts, onChange }: TodoFilterBarProps) {
  const { t } = useTranslation()
  const { wallets } = useWallets()
  return (
    <search className="hf-filters">
      <TextFilter value={filters.keyword} label={t('approval.search')} search onChange={(keyword) => onChange({ keyword })} />
      <FilterPicker
        label={t('approval.column.kind')}
        value={filters.kind}
        options={TODO_KINDS.map((kind) => ({ value: kind, label: `${t(`approval.kind.${kind}`)} (${counts?.[kind] ?? 0})` }))}
        onChange={(kind) => onChange({ kind })}
      />
      <FilterPicker
        label={t('approval.wallet')}
        value={filters.wallet}
        options={wallets?.map((each) => ({ value: each.wallet_id, label: each.alias ?? each.wallet_name })) ?? []}
        onChange={(wallet) => onChange({ wallet })}
      />
      {reviewUrl !== null && (
        <span className="hf-filter-end">
          <ApprovalLink size="small" href={reviewUrl}>
            {t('approval.reviewAll')}
          </ApprovalLink>
        </span>
      )}
    </search>
  )
}
