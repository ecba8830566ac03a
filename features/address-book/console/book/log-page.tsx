import { type Column, DataTable, EmptyState, FilterPicker, Label, PageHeader, Tabs, Time } from '@holdfast/ui'
import { readOneOf, toAddress } from '@holdfast/ui/url-filters'
import { useEndpoint } from '@holdfast/client'
import { usePermission } from '@holdfast/features/session/console'
import { listMembers } from '@holdfast/features/team/contract'
import type { OutputOf } from '@holdfast/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { bookActions, listBookLog } from '../../book-contract.ts'
import { AuditList } from './audit-list.tsx'

type Event = OutputOf<typeof listBookLog>['list'][number]

const PAGE_SIZE = 20

const TABS = ['events', 'audits'] as const

/** Who did what with the address book, and what people were asked about the whitelist. */
export function BookLogPage() {
  const { t } = useTranslation('whiteAddress')
  const [search, setSearch] = useSearchParams()
  const tab = readOneOf(search, 'tab', TABS) ?? 'events'
  return (
    <>
      <PageHeader title={t('book.log.title')} kicker={<Link to="/mpc/addressBook">{t('book.title')}</Link>} />
      <Tabs
        label={t('book.log.title')}
        tabs={TABS.map((key) => ({ key, label: t(`book.log.tab.${key}`) }))}
        active={tab}
        onChange={(key) => setSearch(toAddress({ tab: key === 'events' ? undefined : key }), { replace: true })}
      >
        {tab === 'events' ? <Events /> : <AuditList />}
      </Tabs>
    </>
  )
}

function Events() {
  const { t } = useTranslation('whiteAddress')
  const [page, setPage] = useState(1)
  const [narrowed, setNarrowed] = useState<{ action?: Event['action']; user?: string }>({})
  const { action, user } = narrowed
  const isNarrowed = Object.keys(narrowed).length > 0
  const narrow = (next: typeof narrowed) => {
    setNarrowed(next)
    setPage(1)
  }
  const { data: members } = useEndpoint(listMembers, { page_no: 1, page_size: 200 }, { enabled: usePermission('member.read') })
  const { data, error, refetch, isPlaceholderData } = useEndpoint(listBookLog, { ...narrowed, page_no: page, page_size: PAGE_SIZE }, { keepLast: true })
  const columns: Column<Event>[] = [
    { key: 'at', title: t('book.log.at'), render: ({ at }) => <Time ms={at} /> },
    { key: 'action', title: t('book.log.what'), render: ({ action }) => t(`book.log.${action}`) },
    { key: 'name', title: t('personal.name'), render: ({ name }) => <Label text={name} /> },
    { key: 'person', title: t('book.log.who'), render: ({ person }) => <Label text={person.name} /> },
  ]
  return (
    <DataTable
      name="address-book-log"
      label={t('book.log.title')}
      tools={
        (isNarrowed || (data?.pageTotal ?? 0) > 0) && (
          <search className="hf-filters">
            <FilterPicker
              label={t('book.log.what')}
              value={action}
              options={bookActions.map((value) => ({ value, label: t(`book.log.${value}`) }))}
              onChange={(next) => narrow({ ...(next && { action: next }), ...(user && { user }) })}
            />
            {members && (
              <FilterPicker
                label={t('book.log.who')}
                value={user}
                options={members.list.map(({ user_id: value, nick_name: label }) => ({ value, label }))}
                onChange={(next) => narrow({ ...(action && { action }), ...(next && { user: next }) })}
              />
            )}
          </search>
        )
      }
      columns={columns}
      rows={data?.list}
      rowKey={({ id }) => id}
      isLoading={isPlaceholderData}
      error={error}
      onRetry={() => void refetch()}
      empty={<EmptyState title={t(isNarrowed ? 'book.log.noneFits' : 'book.log.none')} />}
      paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
    />
  )
}
