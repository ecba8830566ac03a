import type { OutputOf } from '@holdfast/contract'
import type { WalletPlace } from '@holdfast/features/console-feature'
import { useFiat } from '@holdfast/features/price/console'
import { usePermission } from '@holdfast/features/session/console'
import { Button, Checkbox, exactMoney, ExportMenu, IconPlus, lazyDrawerBody, Popup, TextFilter, useDrawers, useIsPhone } from '@holdfast/ui'
import { writeCsv } from '@holdfast/units'
import { useTranslation } from 'react-i18next'
import type { listCoinAssets } from '../../contract.ts'
import type { CoinFilters } from './coin-filters.ts'
import type { CoinAsset } from './coin-table.tsx'
import { IconFunnel } from '../icons.tsx'
import { Worth } from '../money.tsx'

const CoinSearchDrawer = lazyDrawerBody(() => import('./coin-search-drawer.tsx').then((module) => module.CoinSearchDrawer))

type CoinsOf = OutputOf<typeof listCoinAssets>

type CoinWorthProps = WalletPlace & { data: CoinsOf; shown: readonly CoinAsset[] }

/** The bar over the coins: their total value, and the controls that add to or save the list. */
export function CoinWorth({ walletId, subWallet, data, shown }: CoinWorthProps) {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const { fiat } = useFiat()
  const mayOpen = usePermission('wallet.update')
  const add = () => void drawers.push({ title: t('wallet.coinSearch.title'), body: <CoinSearchDrawer walletId={walletId} /> })
  const read = async () => ({
    name: `${subWallet.name} coins`,
    csv: writeCsv([
      ['coin', 'network', 'contract', 'available', 'held', 'staked', 'pending', 'price', 'value', 'currency'].map((key) => t(`wallet.coin.${key}`)),
      ...shown.map((coin) => [
        coin.symbol,
        coin.network,
        coin.contract_address ?? '',
        coin.normal_balance,
        coin.lock_balance,
        coin.stake_balance,
        coin.pending_balance,
        coin.price ?? '',
        coin.usd ?? '',
        fiat,
      ]),
    ]),
  })
  return (
    <div className="hf-sub-wallet-worth">
      <div>
        <Worth value={data.usd_balance} isPartial={data.usd_partial} large />
        <p className="hf-small hf-faint">
          {data.price_source === null ? t('wallet.totals.noPrices') : t('wallet.totals.prices', { source: data.price_source })}
        </p>
      </div>
      <span className="hf-filter-end">
        <ExportMenu size="small" label={t('wallet.export')} disabled={shown.length === 0} read={read} />
        {mayOpen && (
          <Button size="small" icon={<IconPlus />} onClick={add}>
            {t('wallet.coinSearch.open')}
          </Button>
        )}
      </span>
    </div>
  )
}

type CoinFilterBarProps = { filters: CoinFilters; onChange: (next: Partial<CoinFilters>) => void; data: CoinsOf | undefined }

/** All filters of the coins. */
export function CoinFilterBar({ filters, onChange, data }: CoinFilterBarProps) {
  const { t } = useTranslation()
  const { fiat } = useFiat()
  const isPhone = useIsPhone()
  const switches = (
    <>
      <Checkbox checked={filters.hideSmall} onChange={(hideSmall) => onChange({ hideSmall })}>
        {t('wallet.coin.hideSmall', { one: exactMoney('1', fiat) })}
      </Checkbox>
      <Checkbox checked={filters.favouritesOnly} onChange={(favouritesOnly) => onChange({ favouritesOnly })}>
        {t('wallet.coin.favourites')}
      </Checkbox>
      <Checkbox checked={filters.hideUnverified} onChange={(hideUnverified) => onChange({ hideUnverified })}>
        {t('wallet.coin.hideUnverified')}
        {data && data.unverified_count > 0 && <span className="hf-count">{data.unverified_count}</span>}
      </Checkbox>
    </>
  )
  return (
    <search className="hf-filters hf-coin-filters">
      <TextFilter search value={filters.keyword} label={t('wallet.coin.search')} onChange={(keyword) => onChange({ keyword })} />
      {isPhone ? (
        <Popup label={t('wallet.coin.filters')} className="hf-icon-button" face={<IconFunnel />}>
          <div className="hf-table-choices">{switches}</div>
        </Popup>
      ) : (
        switches
      )}
    </search>
  )
}
