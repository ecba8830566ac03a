import type { OutputOf } from '@holdfast/contract'
import type { WalletPlace } from '@holdfast/features/console-feature'
import { ExplorerLinks, NetworkChip, networkOption } from '@holdfast/features/network/console'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { usePermission } from '@holdfast/features/session/console'
import {
  Address,
  Button,
  type Column,
  DataTable,
  EmptyState,
  ExportMenu,
  FilterPicker,
  IconEdit,
  IconPlus,
  Label,
  lazyDrawerBody,
  Note,
  TextFilter,
  Time,
  useDrawers,
} from '@holdfast/ui'
import { useApi, useEndpoint, useRememberedPage } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { exportAddresses, listUserAddresses } from '../contract.ts'
import { ADDRESS_STATES, type AddressFilters, readAddressFilters, writeAddressFilters } from './address-filters.ts'
import { CommentText } from './deposit-comment.tsx'
import { openNewAddresses } from './open-new-addresses.tsx'
import { coinNames, copyNotice } from './deposit-message.ts'
import { IconQr, CoinAmount } from '@holdfast/features/wallet/console'

const QrDrawer = lazyDrawerBody(() => import('./address-drawers.tsx').then((module) => module.QrDrawer))
const LabelDrawer = lazyDrawerBody(() => import('./address-drawers.tsx').then((module) => module.LabelDrawer))

export type AddressRow = OutputOf<typeof listUserAddresses>['list'][number]
type SymbolsOf = (chain: string) => string
type SubWallet = WalletPlace['subWallet']

const PAGE_SIZE = 20

/** The addresses of a sub-wallet that people pay in to: whole, named, with what arrived last. */
export function AddressList({ subWallet }: WalletPlace) {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const filters = readAddressFilters(search)
  const change = (next: Partial<AddressFilters>) => setSearch(writeAddressFilters({ ...filters, page: 1, ...next }), { replace: true })
  const narrowed = {
    sub_wallet_id: subWallet.id,
    ...(filters.chain === undefined ? {} : { chain: filters.chain }),
    ...(filters.keyword === '' ? {} : { keyword: filters.keyword }),
    ...(filters.state === undefined ? {} : { state: filters.state }),
  }
  const { data, error, refetch, isPlaceholderData } = useEndpoint(
    listUserAddresses,
    { ...narrowed, page_no: filters.page, page_size: PAGE_SIZE },
    { keepLast: true },
  )
  useRememberedPage({
    name: `addresses-${subWallet.id}`,
    page: filters.page,
    data,
    isBare: filters.keyword === '' && filters.chain === undefined && filters.state === undefined && filters.page === 1,
    show: (page) => change({ page }),
  })
  const isBare = filters.keyword === '' && filters.chain === undefined && filters.state === undefined
  const coins = useEndpoint(listOpenCoins, {})
  const symbolsOf: SymbolsOf = (chain) =>
    coinNames((coins.data?.coin_list ?? []).filter((each) => each.chain === chain && each.if_open).map((each) => each.symbol))
  const closed = data?.list.find((row) => !row.enableDeposit)
  return (
    <div className="hf-stack">
      {closed && <Note tone="bad">{closed.text}</Note>}
      <DataTable
        name="addresses"
        tools={<AddressBar subWallet={subWallet} filters={filters} onChange={change} narrowed={narrowed} />}
        label={t('depositAddress.list.table', { name: subWallet.name })}
        columns={useColumns(subWallet, symbolsOf)}
        rows={data?.list}
        rowKey={(row) => row.id}
        isLoading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <div className="hf-panel">
            {isBare ? (
              <EmptyState title={t('depositAddress.list.none')}>{t('depositAddress.list.noneNote')}</EmptyState>
            ) : (
              <EmptyState
                drawing="search"
                title={t('depositAddress.list.noMatch')}
                action={<Button onClick={() => change({ keyword: '', chain: undefined, state: undefined })}>{t('wallet.filter.clear')}</Button>}
              />
            )}
          </div>
        }
        paging={{ page: filters.page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: (page) => change({ page }) }}
      />
    </div>
  )
}

type AddressBarProps = {
  subWallet: SubWallet
  filters: AddressFilters
  onChange: (next: Partial<AddressFilters>) => void
  narrowed: { sub_wallet_id: string; chain?: string; keyword?: string; state?: (typeof ADDRESS_STATES)[number] }
}

function AddressBar({ subWallet, filters, onChange, narrowed }: AddressBarProps) {
  const { t } = useTranslation()
  const { client } = useApi()
  const { data } = useEndpoint(listOpenCoins, {})
  const networks = new Map(data?.support_main_chain.map(({ chain, network }) => [chain, network]))
  const read = async () => {
    const parts: string[] = []
    for (let after: string | null | undefined; after !== null; ) {
      const part = await client.call(exportAddresses, { ...narrowed, ...(after === undefined ? {} : { after }) })
      parts.push(part.csv)
      after = part.next
    }
    return { name: `${subWallet.name} addresses`, csv: parts.join('') }
  }
  const mayMake = usePermission('address.create')
  const drawers = useDrawers()
  const words = t('depositAddress.make.open')
  return (
    <search className="hf-filters">
      <TextFilter search value={filters.keyword} label={t('depositAddress.list.search')} onChange={(keyword) => onChange({ keyword })} />
      <FilterPicker
        label={t('depositAddress.list.network')}
        value={filters.chain}
        options={[...networks].map((each) => networkOption(...each))}
        onChange={(chain) => onChange({ chain })}
      />
      <FilterPicker
        label={t('depositAddress.list.state')}
        value={filters.state}
        options={ADDRESS_STATES.map((value) => ({ value, label: t(`depositAddress.list.states.${value}`) }))}
        onChange={(state) => onChange({ state: ADDRESS_STATES.find((each) => each === state) })}
      />
      <span className="hf-filter-end">
        {mayMake && (
          <Button size="small" icon={<IconPlus />} onClick={() => openNewAddresses(drawers, { title: words, subWalletId: subWallet.id, chain: filters.chain })}>
            {words}
          </Button>
        )}
        <ExportMenu size="small" label={t('wallet.export')} read={read} />
      </span>
    </search>
  )
}

function useColumns(subWallet: SubWallet, symbolsOf: SymbolsOf): Column<AddressRow>[] {
  const { t } = useTranslation()
  const noticeOf = (row: AddressRow) => copyNotice({ symbol: symbolsOf(row.chain), network: row.network, enableDeposit: row.enableDeposit })
  return [
    {
      key: 'address',
      title: t('depositAddress.list.address'),
      render: (row) => {
        if (row.address === null) return <span className="hf-muted">{t('depositAddress.list.hidden')}</span>
        const notice = noticeOf(row)
        return (
          <span className="hf-stack-tight hf-address-cell">
            <Address address={row.address} copyMessage={t(notice.key, notice.values)} copyIsWarning={notice.isWarning} />
            <ExplorerLinks chain={row.chain} address={row.address} />
            {row.memo !== null && <CommentText comment={row.memo} />}
          </span>
        )
      },
    },
    {
      key: 'network',
      title: t('depositAddress.list.network'),
      render: (row) => (
        <span className="hf-coin hf-address-network">
          <NetworkChip chain={row.chain} network={row.network} />
          <span className="hf-coin-network">{t('depositAddress.list.takes', { coins: symbolsOf(row.chain) })}</span>
        </span>
      ),
    },
    { key: 'label', title: t('depositAddress.list.label'), render: (row) => <AddressLabel subWallet={subWallet} row={row} /> },
    {
      key: 'balance',
      title: t('depositAddress.list.balance'),
      align: 'end',
      render: (row) =>
        row.balance.length === 0 ? (
          <span className="hf-faint">0</span>
        ) : (
          <span className="hf-coin hf-coin-end">
            {row.balance.map(({ symbol, amount }) => (
              <CoinAmount key={symbol} value={amount} unit={symbol} />
            ))}
          </span>
        ),
    },
    {
      key: 'last',
      title: t('depositAddress.list.last'),
      align: 'end',
      render: (row) =>
        row.last_in_at === null ? (
          <span className="hf-faint">{t('depositAddress.list.never')}</span>
        ) : (
          <span className="hf-address-last">
            <Time ms={row.last_in_at} />
          </span>
        ),
    },
    {
      key: 'actions',
      title: t('wallet.coin.actions'),
      hidesTitle: true,
      align: 'end',
      width: 1,
      render: (row) => <QrButton subWallet={subWallet} row={row} symbols={symbolsOf(row.chain)} />,
    },
  ]
}

function AddressLabel({ subWallet, row }: { subWallet: SubWallet; row: AddressRow }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayName = usePermission('address.create')
  const { address } = row
  const words = t('depositAddress.list.rename')
  return (
    <span className="hf-address-label">
      {row.label === null ? <span className="hf-faint">{t('depositAddress.list.unnamed')}</span> : <Label text={row.label} />}
      {mayName && address !== null && (
        <button
          type="button"
          className="hf-icon-button"
          aria-label={words}
          title={words}
          onClick={() =>
            void drawers.push({
              title: words,
              body: <LabelDrawer subWalletId={subWallet.id} chain={row.chain} address={address} memo={row.memo} present={row.label ?? ''} />,
            })
          }
        >
          <IconEdit />
        </button>
      )}
    </span>
  )
}

function QrButton({ subWallet, row, symbols }: { subWallet: SubWallet; row: AddressRow; symbols: string }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const { address } = row
  if (address === null) return null
  const words = t('depositAddress.list.qr')
  const { chain, network, label, enableDeposit } = row
  const shown = { subWalletId: subWallet.id, chain, address, shared: row, network, symbols, label, enableDeposit }
  return (
    <button
      type="button"
      className="hf-icon-button"
      aria-label={words}
      title={words}
      onClick={() => void drawers.push({ title: words, body: <QrDrawer {...shown} /> })}
    >
      <IconQr />
    </button>
  )
}
