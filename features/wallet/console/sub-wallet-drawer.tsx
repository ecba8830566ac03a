import type { OutputOf } from '@holdfast/contract'
import type { Fiat } from '@holdfast/features/price/contract'
import { useFiat } from '@holdfast/features/price/console'
import { usePermission } from '@holdfast/features/session/console'
import {
  Button,
  type Column,
  DataTable,
  DrawerBody,
  EmptyState,
  ExportMenu,
  IconEdit,
  IconPlus,
  Label,
  lazyDrawerBody,
  Picker,
  TextFilter,
  useDrawerPage,
  useDrawers,
} from '@holdfast/ui'
import { useApi, useEndpoint, useSend } from '@holdfast/client'
import { writeCsv } from '@holdfast/units'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { listSubWallets, updateShowStatus, updateTop } from '../contract.ts'
import { IconEye, IconEyeOff, IconPin, IconPinned } from './icons.tsx'
import { Worth } from './money.tsx'
import { useSelectionStore } from './selection.ts'
import type { Chosen } from './selection-store.ts'
import { subWalletLabel, type Wallet, walletLabel } from './use-wallets.ts'

const NameDrawer = lazyDrawerBody(() => import('./name-drawer.tsx').then((module) => module.NameDrawer))

type Row = OutputOf<typeof listSubWallets>['sub_wallet_list'][number]
type Status = 'shown' | 'hidden' | 'every'

const PAGE_SIZE = 20
const EXPORT_PAGE_SIZE = 200
const STATUS = { shown: 1, hidden: 2, every: undefined } as const
/** Every sub-wallet of a wallet: to find, name, pin, hide and enter. */
export function SubWalletDrawer({ wallet }: { wallet: Wallet }) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const navigate = useNavigate()
  const store = useSelectionStore()
  const [keyword, setKeyword] = useState('')
  const [status, setStatus] = useState<Status>('shown')
  const [page, setPage] = useState(1)
  const { asked } = useFiat()
  const narrowed = {
    wallet_id: wallet.wallet_id,
    ...asked,
    ...(keyword === '' ? {} : { keyword }),
    ...(STATUS[status] ? { app_show_status: STATUS[status] } : {}),
  }
  const { data, error, refetch, isPlaceholderData } = useEndpoint(listSubWallets, { ...narrowed, page_no: page, page_size: PAGE_SIZE }, { keepLast: true })
  const enter = (subWallet: Chosen) => {
    store.chooseWallet({ id: wallet.wallet_id, name: walletLabel(wallet) })
    store.chooseSubWallet(subWallet)
    close()
    void navigate('/mpc/center/wallet')
  }
  return (
    <DrawerBody>
      <Tools {...{ wallet, enter, keyword, setKeyword, status, setStatus, setPage, narrowed }} />
      <DataTable
        label={t('wallet.subWallets.table')}
        columns={useColumns(wallet)}
        rows={data && [...data.top_sub_wallet_list, ...data.sub_wallet_list]}
        rowKey={(row) => row.sub_wallet_id}
        isLoading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        onOpen={(row) => enter({ id: row.sub_wallet_id, name: subWalletLabel(row) })}
        empty={<EmptyState title={t('wallet.subWallets.none')} />}
        paging={{ page, pageSize: PAGE_SIZE, total: data?.pageTotal ?? 0, onChange: setPage }}
      />
    </DrawerBody>
  )
}

type ToolsProps = {
  wallet: Wallet
  enter: (subWallet: Chosen) => void
  keyword: string
  setKeyword: (keyword: string) => void
  status: Status
  setStatus: (status: Status) => void
  setPage: (page: number) => void
  narrowed: { wallet_id: string; fiat?: Fiat; keyword?: string; app_show_status?: number }
}

function Tools({ wallet, enter, keyword, setKeyword, status, setStatus, setPage, narrowed }: ToolsProps) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayCreate = usePermission('wallet.create')
  const read = useExport(wallet, narrowed)
  const create = async () => {
    const made = await drawers.push<Chosen>({
      title: t('wallet.subWallet.title'),
      body: <NameDrawer kind="subWallet" walletId={wallet.wallet_id} present="" />,
    })
    if (made) enter(made)
  }
  return (
    <search className="hf-filters">
      <TextFilter
        search
        value={keyword}
        label={t('wallet.subWallets.search')}
        onChange={(next) => {
          setKeyword(next)
          setPage(1)
        }}
      />
      <Picker
        className="hf-filter"
        value={status}
        label={t('wallet.subWallets.status')}
        options={(['shown', 'hidden', 'every'] as const).map((value) => ({ value, label: t(`wallet.subWallets.${value}`) }))}
        onChange={(next) => {
          setStatus(next)
          setPage(1)
        }}
      />
      <ExportMenu size="small" label={t('wallet.export')} read={read} />
      {mayCreate && (
        <Button size="small" icon={<IconPlus />} onClick={() => void create()}>
          {t('wallet.subWallet.open')}
        </Button>
      )}
    </search>
  )
}

/** Reads every sub-wallet that matches as a CSV file, page by page. */
function useExport(wallet: Wallet, narrowed: ToolsProps['narrowed']) {
  const { t } = useTranslation()
  const { client } = useApi()
  return async () => {
    const lines = [['name', 'alias', 'number', 'value', 'created'].map((key) => t(`wallet.subWallets.${key}`, { currency: narrowed.fiat ?? 'USD' }))]
    for (let page = 1; ; page++) {
      const answer = await client.call(listSubWallets, { ...narrowed, page_no: page, page_size: EXPORT_PAGE_SIZE })
      for (const row of [...answer.top_sub_wallet_list, ...answer.sub_wallet_list]) {
        lines.push([row.sub_wallet_name, row.alias ?? '', String(row.sub_wallet_num), row.usd_balance ?? '', new Date(row.created_at).toISOString()])
      }
      if (page * EXPORT_PAGE_SIZE >= answer.pageTotal) break
    }
    return { name: `${walletLabel(wallet)} sub-wallets`, csv: writeCsv(lines) }
  }
}

function useColumns(wallet: Wallet): Column<Row>[] {
  const { t } = useTranslation()
  const { fiat } = useFiat()
  return [
    {
      key: 'name',
      title: t('wallet.subWallets.name'),
      render: (row) => (
        <span className="hf-coin">
          <span className="hf-coin-symbol">
            <Label text={subWalletLabel(row)} />
          </span>
          {row.alias !== null && (
            <span className="hf-coin-network">
              <Label text={row.sub_wallet_name} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'number',
      title: t('wallet.subWallets.number'),
      align: 'end',
      wideOnly: true,
      render: (row) => <span className="hf-numbers hf-muted">{row.sub_wallet_num}</span>,
    },
    { key: 'coins', title: t('wallet.subWallets.coins'), align: 'end', render: (row) => <span className="hf-numbers hf-muted">{row.coin_count}</span> },
    {
      key: 'value',
      title: t('wallet.subWallets.value', { currency: fiat }),
      align: 'end',
      render: (row) => <Worth value={row.usd_balance} isPartial={row.usd_partial} />,
    },
    { key: 'actions', title: t('wallet.coin.actions'), hidesTitle: true, align: 'end', width: 1, render: (row) => <RowActions wallet={wallet} row={row} /> },
  ]
}

function RowActions({ wallet, row }: { wallet: Wallet; row: Row }) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayRename = usePermission('wallet.create')
  const mayHide = usePermission('wallet.update')
  const pin = useSend(updateTop)
  const hide = useSend(updateShowStatus)
  const name = subWalletLabel(row)
  const ids = { wallet_id: wallet.wallet_id, sub_wallet_id: row.sub_wallet_id }
  const isHidden = row.app_show_status === 2
  const rename = () =>
    void drawers.push({
      title: t('wallet.alias.title'),
      body: <NameDrawer kind="alias" walletId={wallet.wallet_id} subWalletId={row.sub_wallet_id} present={row.alias ?? ''} />,
    })
  const action = (words: string, icon: React.ReactNode, act: () => void, isOn?: boolean) => (
    <button
      type="button"
      className={isOn ? 'hf-icon-button hf-icon-on' : 'hf-icon-button'}
      aria-label={words}
      title={words}
      {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
      onClick={act}
    >
      {icon}
    </button>
  )
  return (
    <span className="hf-card-tools">
      {mayRename && action(t('wallet.card.rename', { name }), <IconEdit />, rename)}
      {mayHide &&
        action(t(isHidden ? 'wallet.subWallets.showOne' : 'wallet.subWallets.hideOne', { name }), isHidden ? <IconEyeOff /> : <IconEye />, () =>
          hide.mutate({ wallet_id: wallet.wallet_id, sub_wallet_ids: [row.sub_wallet_id], app_show_status: isHidden ? 1 : 2 }),
        )}
      {action(
        t(row.top ? 'wallet.card.unpin' : 'wallet.card.pin', { name }),
        row.top ? <IconPinned /> : <IconPin />,
        () => pin.mutate({ ...ids, top: !row.top }),
        row.top,
      )}
    </span>
  )
}
