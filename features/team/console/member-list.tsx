import { type Column, DataTable, EmptyState, FilterPicker, Label, RelativeTime, TextFilter, useDrawers } from '@holdfast/ui'
import { useEndpoint, useRememberedPage } from '@holdfast/client'
import { readKeyword, readOneOf, readPage, toAddress } from '@holdfast/ui/url-filters'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { listMembers, memberRoles, memberStates } from '../contract.ts'
import { Approves, Keys, type Member, MemberState } from './member-parts.tsx'
import { openMemberDrawer } from './open-drawers.tsx'

const PAGE_SIZE = 20

type Filters = { keyword: string; role: (typeof memberRoles)[number] | undefined; state: (typeof memberStates)[number] | undefined; page: number }

function readFilters(search: URLSearchParams): Filters {
  return { keyword: readKeyword(search), role: readOneOf(search, 'role', memberRoles), state: readOneOf(search, 'state', memberStates), page: readPage(search) }
}

function writeFilters({ keyword, ...others }: Filters): Record<string, string> {
  return toAddress({ q: keyword, ...others })
}

/** The members: roles, ways to sign in, approval keys, and which approvals the policy asks of each. */
export function MemberList() {
  const { t } = useTranslation('teamMember')
  const [search, setSearch] = useSearchParams()
  const filters = readFilters(search)
  const change = (next: Partial<Filters>) => setSearch(writeFilters({ ...filters, page: 1, ...next }), { replace: true })
  useOpenMember()
  const { keyword, role, state, page } = filters
  const { data, error, refetch, isPlaceholderData } = useEndpoint(
    listMembers,
    { ...(keyword === '' ? {} : { keyword }), ...(role ? { role } : {}), ...(state ? { state } : {}), page_no: page, page_size: PAGE_SIZE },
    { keepLast: true },
  )
  useRememberedPage({ name: 'members', page, data, isBare: search.size === 0, show: (next) => change({ page: next }) })
  return (
    <DataTable
      name="members"
      label={t('list')}
      tools={<FilterBar filters={filters} onChange={change} />}
      columns={useColumns()}
      rows={data?.list}
      rowKey={(row) => row.user_id}
      isLoading={isPlaceholderData}
      error={error}
      onRetry={() => void refetch()}
      empty={
        <div className="hf-panel">
          <EmptyState drawing="search" title={t('noMatch')} />
        </div>
      }
      onOpen={(row) => setSearch({ ...writeFilters(filters), member: row.user_id })}
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: (next) => change({ page: next }) }}
    />
  )
}

function FilterBar({ filters, onChange }: { filters: Filters; onChange: (next: Partial<Filters>) => void }) {
  const { t } = useTranslation('teamMember')
  return (
    <search className="hf-filters">
      <TextFilter value={filters.keyword} label={t('filter.keyword')} search onChange={(keyword) => onChange({ keyword })} />
      <FilterPicker
        label={t('filter.role')}
        value={filters.role}
        options={memberRoles.map((role) => ({ value: role, label: t(`role.${role}`) }))}
        onChange={(role) => onChange({ role })}
      />
      <FilterPicker
        label={t('filter.state')}
        value={filters.state}
        anyLabel={t('filter.present')}
        options={memberStates.map((state) => ({ value: state, label: t(`state.${state}`) }))}
        onChange={(state) => onChange({ state })}
      />
    </search>
  )
}

function useColumns(): Column<Member>[] {
  const { t } = useTranslation('teamMember')
  return [
    {
      key: 'name',
      title: t('column.name'),
      width: 264,
      render: (row) => (
        <span className="hf-stack-tight">
          <Label text={row.nick_name} />
          <span className="hf-small hf-faint hf-member-account">
            <Label text={row.account_masked} />
          </span>
        </span>
      ),
    },
    { key: 'role', title: t('column.role'), render: (row) => t(`role.${row.workspace_role}`, { defaultValue: row.workspace_role }) },
    { key: 'state', title: t('column.state'), render: (row) => <MemberState {...row} /> },
    { key: 'approves', title: t('column.approves'), render: (row) => <Approves member={row} /> },
    { key: 'keys', title: t('column.key'), render: (row) => <Keys member={row} /> },
    {
      key: 'ways',
      title: t('column.ways'),
      wideOnly: true,
      render: (row) =>
        row.ways.length === 0 ? (
          <span className="hf-faint">--</span>
        ) : (
          <span className="hf-nowrap">{row.ways.map((way) => t(`way.${way}`)).join(t('comma'))}</span>
        ),
    },
    {
      key: 'seen',
      title: t('column.seen'),
      align: 'end',
      render: (row) => (row.last_seen_at === null ? <span className="hf-faint">--</span> : <RelativeTime ms={row.last_seen_at} />),
    },
    { key: 'joined', title: t('column.joined'), align: 'end', wideOnly: true, startsHidden: true, render: (row) => <RelativeTime ms={row.joined_at} /> },
  ]
}

/** Opens the member that the address names, and takes it out of the address when the drawer closes. */
function useOpenMember(): void {
  const { t } = useTranslation('teamMember')
  const drawers = useDrawers()
  const [search, setSearch] = useSearchParams()
  const member = search.get('member')
  useEffect(() => {
    if (member === null) return undefined
    let isHere = true
    void openMemberDrawer(drawers, member, t('detail.title')).then(() => {
      if (isHere) setSearch((present) => writeFilters(readFilters(present)), { replace: true })
    })
    return () => {
      isHere = false
      drawers.close()
    }
    // The drawer follows the address only; words that change with the language must not open it again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [member, drawers])
}
