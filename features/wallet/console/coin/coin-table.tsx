import type { OutputOf } from '@holdfast/contract'
import type { WalletPlace } from '@holdfast/features/console-feature'
import { CoinMark } from '@holdfast/features/network/console'
import { useFiat } from '@holdfast/features/price/console'
import { Button, type Column, DataTable, EmptyState, IconMore, Label, Popup, StatusTag } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { checkFocusLimit, focusSymbol, listCoinAssets } from '../../contract.ts'
import { CoinFilterBar, CoinWorth } from './coin-bar.tsx'
import { type CoinFilters, narrowCoins, readCoinFilters, writeCoinFilters } from './coin-filters.ts'
import { readFlowChoice, writeFlowChoice } from '../chart/flow-choice.ts'
import { FlowsPanel } from '../chart/lazy-charts.tsx'
import { IconStar, IconStarred } from '../icons.tsx'
import { Change, CoinAmount, Price, Worth } from '../money.tsx'
import { UnverifiedTable } from './unverified-table.tsx'
import { useWalletParts } from '../wallet-parts.ts'
import { PRICES_EVERY_MS } from '../use-wallets.ts'

export type CoinAsset = OutputOf<typeof listCoinAssets>['list'][number]

/** The holdings of a sub-wallet, coin by coin, and the actions on each. */
export function CoinTable({ walletId, subWallet }: WalletPlace) {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const filters = readCoinFilters(search)
  const change = (next: Partial<CoinFilters>) =>
    setSearch((present) => ({ ...writeCoinFilters({ ...filters, ...next }), ...writeFlowChoice(readFlowChoice(present)) }), { replace: true })
  const { MoneyParts } = useWalletParts()
  const { asked } = useFiat()
  const input = { sub_wallet_id: subWallet.id, ...asked }
  const { data, error, refetch, isPending } = useEndpoint(listCoinAssets, input, { refetchEveryMs: PRICES_EVERY_MS })
  const rows = data && narrowCoins(data.list, filters)
  const isStaking = data?.list.some(({ stake_balance: staked }) => /[1-9]/.test(staked)) ?? false
  const columns = useColumns(walletId, subWallet, isStaking)
  return (
    <div className="hf-stack">
      {data && <CoinWorth walletId={walletId} subWallet={subWallet} data={data} shown={rows ?? []} />}
      <DataTable
        name="coins"
        tools={<CoinFilterBar filters={filters} onChange={change} data={data} />}
        label={t('wallet.coin.table', { name: subWallet.name })}
        columns={columns}
        rows={rows}
        rowKey={(coin) => `${coin.chain} ${coin.symbol}`}
        isLoading={isPending}
        error={error}
        onRetry={() => void refetch()}
        empty={
          <div className="hf-panel">
            {data && data.list.length > 0 ? (
              <EmptyState
                drawing="search"
                title={t('wallet.coin.noMatch')}
                action={<Button onClick={() => change({ hideSmall: false, favouritesOnly: false, keyword: '' })}>{t('wallet.filter.clear')}</Button>}
              />
            ) : (
              <EmptyState drawing="coins" title={t('wallet.coin.none')}>
                {t('wallet.coin.noneNote')}
              </EmptyState>
            )}
          </div>
        }
      />
      {!filters.hideUnverified && <UnverifiedTable subWalletId={subWallet.id} />}
      <h2 className="hf-visually-hidden">{t('wallet.flows.section')}</h2>
      <div className="hf-money">
        <div className="hf-stack">
          <FlowsPanel subWalletId={subWallet.id} />
        </div>
        <MoneyParts subWalletId={subWallet.id} />
      </div>
    </div>
  )
}

/** `isStaking`: staked coin is a part of the value that no other column shows. */
function useColumns(walletId: string, subWallet: WalletPlace['subWallet'], isStaking: boolean): Column<CoinAsset>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'coin',
      title: t('wallet.coin.coin'),
      render: (coin) => (
        <span className="hf-coin-cell">
          <FocusButton subWalletId={subWallet.id} coin={coin} />
          <CoinMark chain={coin.chain} contract={coin.contract_address} symbol={coin.symbol} />
          <span className="hf-coin">
            <span className="hf-coin-symbol">
              <Label text={coin.symbol} />
            </span>
            <span className="hf-coin-network">{coin.network}</span>
            {coin.uneven && <StatusTag tone="warn" text={t('wallet.coin.uneven')} />}
          </span>
        </span>
      ),
    },
    { key: 'available', title: t('wallet.coin.available'), align: 'end', render: (coin) => <Available coin={coin} /> },
    { key: 'held', title: t('wallet.coin.held'), align: 'end', render: (coin) => <CoinAmount value={coin.lock_balance} /> },
    { key: 'staked', startsHidden: !isStaking, title: t('wallet.coin.staked'), align: 'end', render: (coin) => <CoinAmount value={coin.stake_balance} /> },
    {
      key: 'pending',
      startsHidden: true,
      title: t('wallet.coin.pending'),
      align: 'end',
      render: (coin) => <CoinAmount value={coin.pending_balance} />,
    },
    { key: 'usd', title: t('wallet.coin.value'), align: 'end', render: (coin) => <Worth value={coin.usd} /> },
    {
      key: 'price',
      title: t('wallet.coin.price'),
      align: 'end',
      render: (coin) => (
        <span className="hf-coin hf-coin-price">
          <Price value={coin.price} />
          <span className="hf-small" title={t('wallet.coin.change')}>
            <Change percent={coin.price_change} />
          </span>
        </span>
      ),
    },
    {
      key: 'actions',
      title: t('wallet.coin.actions'),
      hidesTitle: true,
      align: 'end',
      width: 1,
      render: (coin) => <CoinActions walletId={walletId} subWallet={subWallet} coin={coin} />,
    },
  ]
}

/** The available amount, and beneath it the pending one. The row says of which coin. */
function Available({ coin }: { coin: CoinAsset }) {
  const { t } = useTranslation()
  const isComing = /[1-9]/.test(coin.pending_balance)
  return (
    <>
      <CoinAmount value={coin.normal_balance} />
      {isComing && (
        <span className="hf-coin-pending">
          +<CoinAmount value={coin.pending_balance} /> {t('wallet.coin.coming')}
        </span>
      )}
    </>
  )
}

function FocusButton({ subWalletId, coin }: { subWalletId: string; coin: CoinAsset }) {
  const { t } = useTranslation()
  const send = useSend(focusSymbol)
  const { data: marks } = useEndpoint(checkFocusLimit, { sub_wallet_id: subWalletId })
  // A mark can always be taken away.
  const isFull = !coin.focus && marks !== undefined && marks.used >= marks.limit
  const said = isFull ? 'wallet.coin.focusFull' : coin.focus ? 'wallet.coin.unfocus' : 'wallet.coin.focus'
  const words = t(said, { symbol: coin.symbol, limit: marks?.limit })
  return (
    <button
      type="button"
      className={coin.focus ? 'hf-icon-button hf-icon-on' : 'hf-icon-button'}
      aria-label={words}
      title={words}
      aria-pressed={coin.focus}
      disabled={isFull}
      onClick={() => send.mutate({ sub_wallet_id: subWalletId, chain: coin.chain, symbol: coin.symbol, focus: coin.focus ? 0 : 1 })}
    >
      {coin.focus ? <IconStarred /> : <IconStar />}
    </button>
  )
}

function CoinActions({ walletId, subWallet, coin }: WalletPlace & { coin: CoinAsset }) {
  const { t } = useTranslation()
  const { CoinActions: Composed, CoinMenu } = useWalletParts()
  const { chain, network, symbol, contract_address: contract, enable_withdraw: isPayable } = coin
  const historyWords = t('wallet.coin.history', { symbol })
  const history = `/mpc/center/wallet/transactions?${new URLSearchParams({ sub: subWallet.id, chain, symbol })}`
  const place = { walletId, subWallet, coin: { chain, network, symbol, contract, isPayable } }
  return (
    <span className="hf-coin-actions">
      <Composed {...place} />
      <Popup label={t('wallet.coin.more', { symbol, network })} className="hf-icon-button" face={<IconMore />}>
        <ul className="hf-menu">
          <CoinMenu {...place} />
          <li>
            <Link className="hf-menu-item" to={history}>
              {historyWords}
            </Link>
          </li>
        </ul>
      </Popup>
    </span>
  )
}
