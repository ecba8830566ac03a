import './address-book.css'
import type { OutputOf } from '@holdfast/contract'
import { NetworkChip, networkOption } from '@holdfast/features/network/console'
import { LastScreening } from '@holdfast/features/kyt/console'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { usePermission } from '@holdfast/features/session/console'
import {
  Button,
  type Column,
  confirm,
  CopyButton,
  DataTable,
  EmptyState,
  ExportMenu,
  FilterPicker,
  IconBuilding,
  IconEdit,
  IconPlus,
  IconTrash,
  IconUpload,
  Label,
  lazyDrawerBody,
  PageHeader,
  RelativeTime,
  ShortAddress,
  StatusTag,
  TextFilter,
  useDrawers,
} from '@holdfast/ui'
import { useEndpoint, useRememberedPage, useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { listPersonalBook, removePersonal } from '../contract.ts'
import { type BookFilters, readBookFilters, writeBookFilters } from './book-filters.ts'
import { useBookExport } from './use-book-export.ts'

const ContactDrawer = lazyDrawerBody(() => import('./contact-drawer.tsx').then((module) => module.ContactDrawer))
const EntryForm = lazyDrawerBody(() => import('./book/entry-form.tsx').then((module) => module.EntryForm))
const ImportDrawer = lazyDrawerBody(() => import('./import-drawer.tsx').then((module) => module.ImportDrawer))

type Entry = OutputOf<typeof listPersonalBook>['list'][number]

const PAGE_SIZE = 20

/** A person's own contacts. They suggest and name; they allow nothing. */
export function PersonalBookPage() {
  const { t } = useTranslation('whiteAddress')
  const drawers = useDrawers()
  const [search, setSearch] = useSearchParams()
  const filters = readBookFilters(search)
  const change = (next: Partial<BookFilters>) => setSearch(writeBookFilters({ ...filters, page: 1, ...next }), { replace: true })
  const narrowed = { ...(filters.keyword === '' ? {} : { keyword: filters.keyword }), ...(filters.chain === undefined ? {} : { chain: filters.chain }) }
  const { data, error, refetch, isPlaceholderData } = useEndpoint(
    listPersonalBook,
    { ...narrowed, page_no: filters.page, page_size: PAGE_SIZE },
    { keepLast: true },
  )
  useRememberedPage({ name: 'personal-book', page: filters.page, data, isBare: search.size === 0, show: (page) => change({ page }) })
  const read = useBookExport(narrowed)
  const isNarrowed = filters.keyword !== '' || filters.chain !== undefined
  const add = () => void drawers.push({ title: t('personal.add'), body: <ContactDrawer /> }, { maskClosable: false })
  const edit = (entry: Entry) => void drawers.push({ title: t('personal.edit'), body: <ContactDrawer entry={entry} /> }, { maskClosable: false })
  const bring = () => void drawers.push({ title: t('personal.import.title'), body: <ImportDrawer /> }, { maskClosable: false })
  const addButton = (
    <Button variant="primary" icon={<IconPlus />} onClick={add}>
      {t('personal.add')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('personal.title')}
        actions={
          <>
            <Button icon={<IconUpload />} onClick={bring}>
              {t('personal.import.open')}
            </Button>
            <ExportMenu label={t('personal.export')} disabled={!data || data.pageTotal === 0} read={read} />
            {addButton}
          </>
        }
      >
        {t('personal.note')}
      </PageHeader>
      <DataTable
        name="personal-book"
        tools={<BookFilterBar filters={filters} onChange={change} />}
        label={t('personal.title')}
        columns={useColumns(edit)}
        rows={data?.list}
        rowKey={(entry) => entry.id}
        isLoading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        onOpen={edit}
        empty={
          <div className="hf-panel">
            {isNarrowed ? (
              <EmptyState
                drawing="search"
                title={t('personal.noMatch')}
                action={<Button onClick={() => change({ keyword: '', chain: undefined })}>{t('personal.clear')}</Button>}
              />
            ) : (
              <EmptyState title={t('personal.none')} action={addButton}>
                {t('personal.noneNote')}
              </EmptyState>
            )}
          </div>
        }
        paging={{ page: filters.page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: (page) => change({ page }) }}
      />
    </>
  )
}

function BookFilterBar({ filters, onChange }: { filters: BookFilters; onChange: (next: Partial<BookFilters>) => void }) {
  const { t } = useTranslation('whiteAddress')
  const { data } = useEndpoint(listOpenCoins, {})
  const networks = new Map(data?.support_main_chain.map(({ chain, network }) => [chain, network]))
  return (
    <search className="hf-filters">
      <TextFilter value={filters.keyword} label={t('personal.search')} search onChange={(keyword) => onChange({ keyword })} />
      <FilterPicker
        label={t('personal.network')}
        value={filters.chain}
        options={[...networks].map((each) => networkOption(...each))}
        onChange={(chain) => onChange({ chain })}
      />
    </search>
  )
}

function useColumns(edit: (entry: Entry) => void): Column<Entry>[] {
  const { t } = useTranslation('whiteAddress')
  return [
    {
      key: 'name',
      title: t('personal.name'),
      render: (entry) => (
        <span className="hf-book-name">
          <Label text={entry.name} />
          {entry.similar && <StatusTag tone="warn" text={t('personal.similar')} />}
        </span>
      ),
    },
    {
      key: 'address',
      title: t('personal.address'),
      render: (entry) => (
        <span className="hf-book-address">
          <ShortAddress address={entry.address} />
          <CopyButton
            text={entry.address}
            label={t('personal.copy', { name: entry.name })}
            message={t('personal.copied', { name: entry.name, network: entry.network })}
          />
        </span>
      ),
    },
    { key: 'network', title: t('personal.network'), render: (entry) => <NetworkChip chain={entry.chain} network={entry.network} /> },
    { key: 'memo', title: t('personal.memo'), wideOnly: true, render: (entry) => (entry.memo === '' ? <Nothing /> : <Label text={entry.memo} />) },
    {
      key: 'note',
      title: t('personal.remark'),
      wideOnly: true,
      render: (entry) =>
        entry.note === '' ? (
          <Nothing />
        ) : (
          <span className="hf-book-note">
            <Label text={entry.note} />
          </span>
        ),
    },
    { key: 'screening', title: t('personal.screening'), wideOnly: true, render: ({ kyt }) => <LastScreening screening={kyt} /> },
    {
      key: 'used',
      title: t('personal.used'),
      align: 'end',
      render: (entry) => (entry.last_used_at === null ? <span className="hf-faint">{t('personal.never')}</span> : <RelativeTime ms={entry.last_used_at} />),
    },
    { key: 'actions', title: t('personal.actions'), hidesTitle: true, align: 'end', width: 1, render: (entry) => <RowActions entry={entry} edit={edit} /> },
  ]
}

function Nothing() {
  return <span className="hf-faint">--</span>
}

function RowActions({ entry, edit }: { entry: Entry; edit: (entry: Entry) => void }) {
  const { t } = useTranslation('whiteAddress')
  const drawers = useDrawers()
  const send = useSend(removePersonal)
  const [editWords, removeWords] = [t('personal.editOne', { name: entry.name }), t('personal.removeOne', { name: entry.name })]
  const remove = async () => {
    const answer = await confirm(drawers, {
      type: 'remove',
      title: t('personal.removeTitle'),
      content: t('personal.removeText', { name: entry.name }),
      confirmText: t('personal.removeTitle'),
    })
    if (answer.outcome === 'confirm') send.mutate({ ids: [entry.id] })
  }
  const propose = () => void drawers.push({ title: t('book.add'), body: <EntryForm from={entry} /> }, { maskClosable: false })
  const mayPropose = usePermission('address_book.write')
  return (
    <span className="hf-book-tools">
      {mayPropose && (
        <button type="button" className="hf-icon-button" aria-label={t('personal.propose')} title={t('personal.propose')} onClick={propose}>
          <IconBuilding />
        </button>
      )}
      <button type="button" className="hf-icon-button" aria-label={editWords} title={editWords} onClick={() => edit(entry)}>
        <IconEdit />
      </button>
      <button type="button" className="hf-icon-button" aria-label={removeWords} title={removeWords} onClick={() => void remove()}>
        <IconTrash />
      </button>
    </span>
  )
}
