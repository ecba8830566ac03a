import '../address-book.css'
import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { LastScreening } from '@holdfast/features/kyt/console'
import { usePermission } from '@holdfast/features/session/console'
import {
  Button,
  type Column,
  DataTable,
  EmptyState,
  FilterPicker,
  IconPlus,
  IconUpload,
  Label,
  lazyDrawerBody,
  Note,
  PageHeader,
  RelativeTime,
  ShortAddress,
  StatusTag,
  TextFilter,
  useDrawers,
} from '@holdfast/ui'
import { readKeyword, readOneOf, readPage, readText, toAddress } from '@holdfast/ui/url-filters'
import { useEndpoint, useRememberedPage } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { getWhitelistConfig, listBook, listBookGroups, whitelistStatuses } from '../../book-contract.ts'
import { type BookEntry, Networks, WhitelistTag } from './book-words.tsx'

const EntryForm = lazyDrawerBody(() => import('./entry-form.tsx').then((module) => module.EntryForm))
const EntryDrawer = lazyDrawerBody(() => import('./entry-drawer.tsx').then((module) => module.EntryDrawer))
const ImportDrawer = lazyDrawerBody(() => import('../import-drawer.tsx').then((module) => module.ImportDrawer))
const GroupForm = lazyDrawerBody(() => import('./group-form.tsx').then((module) => module.GroupForm))

const PAGE_SIZE = 20

type Filters = { keyword: string; status: BookEntry['whitelist_status'] | undefined; group: string | undefined; page: number }

function readFilters(search: URLSearchParams): Filters {
  return { keyword: readKeyword(search), status: readOneOf(search, 'status', whitelistStatuses), group: readText(search, 'group', 36), page: readPage(search) }
}

/** The organisation's address book: whom it pays, and which addresses signers have on their list. */
export function BookTable({ kicker }: { kicker?: string }) {
  const { t } = useTranslation('whiteAddress')
  const drawers = useDrawers()
  const navigate = useNavigate()
  const mayWrite = usePermission('address_book.write')
  const [search, setSearch] = useSearchParams()
  const filters = readFilters(search)
  const change = (next: Partial<Filters>) => {
    const { keyword: q, ...rest } = { ...filters, page: 1, ...next }
    setSearch(toAddress({ q, ...rest }), { replace: true })
  }
  const narrowed = {
    ...(filters.keyword === '' ? {} : { keyword: filters.keyword }),
    ...(filters.status === undefined ? {} : { whitelist_status: filters.status }),
    ...(filters.group === undefined ? {} : { group_id: filters.group }),
  }
  const { data, error, refetch, isPlaceholderData } = useEndpoint(listBook, { ...narrowed, page_no: filters.page, page_size: PAGE_SIZE }, { keepLast: true })
  useRememberedPage({ name: 'address-book', page: filters.page, data, isBare: search.size === 0, show: (page) => change({ page }) })
  const open = ({ id, name }: BookEntry) => void drawers.push({ title: name, body: <EntryDrawer id={id} /> })
  const add = () => void drawers.push({ title: t('book.add'), body: <EntryForm /> }, { maskClosable: false })
  const bring = () => void drawers.push({ title: t('book.import'), body: <ImportDrawer isOfBook /> }, { maskClosable: false })
  const group = () => void drawers.push({ title: t('book.newGroup'), body: <GroupForm /> }, { maskClosable: false })
  const addButton = mayWrite && (
    <Button variant="primary" icon={<IconPlus />} onClick={add}>
      {t('book.add')}
    </Button>
  )
  const isNarrowed = Object.keys(narrowed).length > 0
  return (
    <>
      <PageHeader
        title={t('book.title')}
        kicker={kicker}
        actions={
          <>
            <Button onClick={() => void navigate('/mpc/addressBook/log')}>{t('book.log.open')}</Button>
            {mayWrite && <Button onClick={group}>{t('book.newGroup')}</Button>}
            {mayWrite && (
              <Button icon={<IconUpload />} onClick={bring}>
                {t('personal.import.open')}
              </Button>
            )}
            {addButton}
          </>
        }
      >
        {t('book.note')}
      </PageHeader>
      <Waiting />
      <DataTable
        name="address-book"
        tools={<FilterBar filters={filters} onChange={change} />}
        label={t('book.title')}
        columns={useColumns()}
        rows={data?.list}
        rowKey={({ id }) => id}
        isLoading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        onOpen={open}
        empty={
          <div className="hf-panel">
            {isNarrowed ? (
              <EmptyState
                drawing="search"
                title={t('book.noMatch')}
                action={<Button onClick={() => change({ keyword: '', status: undefined, group: undefined })}>{t('personal.clear')}</Button>}
              />
            ) : (
              <EmptyState title={t('book.none')} {...(addButton ? { action: addButton } : {})}>
                {t('book.noneNote')}
              </EmptyState>
            )}
          </div>
        }
        paging={{ page: filters.page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: (page) => change({ page }) }}
      />
    </>
  )
}

/** The change of the whitelist that people are asked about now. */
function Waiting() {
  const { t } = useTranslation('whiteAddress')
  const { data } = useEndpoint(getWhitelistConfig, {})
  if (!data?.open) return null
  return (
    <div className="hf-book-waiting">
      <Note title={data.open.title}>
        <div className="hf-spread">
          <span>{t('book.waits')}</span>
          <ApprovalLink size="small" href={data.open.approval_url}>
            {t('book.asked.open')}
          </ApprovalLink>
        </div>
      </Note>
    </div>
  )
}

function FilterBar({ filters, onChange }: { filters: Filters; onChange: (next: Partial<Filters>) => void }) {
  const { t } = useTranslation('whiteAddress')
  const { data } = useEndpoint(listBookGroups, {})
  return (
    <search className="hf-filters">
      <TextFilter value={filters.keyword} label={t('personal.search')} search onChange={(keyword) => onChange({ keyword })} />
      <FilterPicker
        label={t('book.whitelist')}
        value={filters.status}
        options={whitelistStatuses.map((value) => ({ value, label: t(`book.status.${value}`) }))}
        onChange={(status) => onChange({ status })}
      />
      <FilterPicker
        label={t('book.group')}
        value={filters.group}
        options={(data?.list ?? []).map(({ id: value, name: label }) => ({ value, label }))}
        onChange={(group) => onChange({ group })}
      />
    </search>
  )
}

function useColumns(): Column<BookEntry>[] {
  const { t } = useTranslation('whiteAddress')
  return [
    {
      key: 'name',
      title: t('personal.name'),
      render: ({ name, needs_review: needsReview }) => (
        <span className="hf-book-name">
          <Label text={name} />
          {needsReview && <StatusTag tone="warn" text={t('book.review')} />}
        </span>
      ),
    },
    { key: 'address', title: t('personal.address'), render: ({ address }) => <ShortAddress address={address} /> },
    { key: 'networks', title: t('book.networks'), wideOnly: true, render: ({ chains }) => <Networks chains={chains} /> },
    {
      key: 'group',
      title: t('book.group'),
      wideOnly: true,
      render: ({ group }) => (group === null ? <span className="hf-faint">--</span> : <Label text={group} />),
    },
    { key: 'whitelist', title: t('book.whitelist'), render: (entry) => <WhitelistTag entry={entry} /> },
    {
      key: 'verified',
      title: t('book.verified'),
      wideOnly: true,
      render: ({ verify }) => <span className={verify === null ? 'hf-faint' : ''}>{t(`book.verify.${verify?.type ?? 'none'}`)}</span>,
    },
    { key: 'screening', title: t('personal.screening'), wideOnly: true, render: ({ kyt }) => <LastScreening screening={kyt} /> },
    {
      key: 'used',
      title: t('personal.used'),
      align: 'end',
      render: ({ last_used_at: at }) => (at === null ? <span className="hf-faint">{t('personal.never')}</span> : <RelativeTime ms={at} />),
    },
  ]
}
