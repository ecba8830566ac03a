import './wallet.css'
import { usePermission } from '@holdfast/features/session/console'
import { Button, EmptyState, ErrorState, IconPlus, LoadingState, PageHeader, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useAmountsHidden } from './amounts-hidden.ts'
import { readFlowChoice, writeFlowChoice } from './chart/flow-choice.ts'
import { BalancePanel, FlowsPanel } from './chart/lazy-charts.tsx'
import { IconEye, IconEyeOff } from './icons.tsx'
import { openCreateWalletDrawer } from './open-create-wallet-drawer.tsx'
import { PortfolioPanel } from './portfolio-panel.tsx'
import { useArchivedWallets, useWallets, type Wallet } from './use-wallets.ts'
import { WalletCard } from './wallet-card.tsx'
import { WalletFilterBar } from './wallet-filter-bar.tsx'
import { useWalletParts } from './wallet-parts.ts'
import { narrowWallets, readWalletFilters, type WalletFilters, writeWalletFilters } from './wallet-filters.ts'

/** Every wallet of the organisation: their total value, and the state of each. */
export function WalletPage() {
  const { t } = useTranslation()
  const drawers = useDrawers()
  const mayCreate = usePermission('wallet.create')
  const { wallets, archivedCount, stat, error, refetch } = useWallets()
  const create = () => openCreateWalletDrawer(drawers, t('wallet.create.title'))
  const createButton = mayCreate && (
    <Button variant="primary" icon={<IconPlus />} onClick={create}>
      {t('wallet.create.open')}
    </Button>
  )
  const { HomeParts, MoneyParts } = useWalletParts()
  const hasWallets = wallets !== undefined && wallets.length + archivedCount > 0
  return (
    <>
      <PageHeader
        title={t('wallet.title')}
        actions={
          <>
            {hasWallets && <VeilButton />}
            <Link className="hf-button hf-button-default hf-button-middle" to="/mpc/wallet/personalBook">
              <span>{t('wallet.personalBook')}</span>
            </Link>
            {hasWallets && createButton}
          </>
        }
      >
        {t('wallet.note')}
      </PageHeader>
      <HomeParts />
      {!wallets && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={8} />)}
      {wallets && !hasWallets && (
        <div className="hf-panel">
          <EmptyState drawing="coins" title={t('wallet.empty.title')} action={createButton}>
            {t(mayCreate ? 'wallet.empty.text' : 'wallet.empty.ask')}
          </EmptyState>
        </div>
      )}
      {hasWallets && (
        <div className="hf-stack-wide">
          {stat && (
            <div className="hf-wallet-overview">
              <PortfolioPanel stat={stat} />
              <BalancePanel />
              <FlowsPanel />
              <MoneyParts />
            </div>
          )}
          <WalletList wallets={wallets} />
        </div>
      )}
    </>
  )
}

function VeilButton() {
  const { t } = useTranslation()
  const [hidden, toggle] = useAmountsHidden()
  const words = t(hidden ? 'wallet.money.show' : 'wallet.money.hide')
  return (
    <Button icon={hidden ? <IconEyeOff /> : <IconEye />} onClick={toggle}>
      {words}
    </Button>
  )
}

function WalletList({ wallets }: { wallets: readonly Wallet[] }) {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const filters = readWalletFilters(search)
  const change = (next: Partial<WalletFilters>) =>
    setSearch((present) => ({ ...writeWalletFilters({ ...filters, ...next }), ...chartsOf(present) }), { replace: true })
  const isArchive = filters.show === 'archived'
  const archive = useArchivedWallets(isArchive)
  const shown = narrowWallets(isArchive ? (archive.wallets ?? []) : wallets, filters)
  return (
    <section className="hf-stack" aria-label={t('wallet.list')}>
      <WalletFilterBar filters={filters} onChange={change} />
      {isArchive && !archive.wallets ? (
        archive.error ? (
          <ErrorState error={archive.error} onRetry={() => void archive.refetch()} />
        ) : (
          <LoadingState rows={4} />
        )
      ) : shown.length === 0 ? (
        <div className="hf-panel">
          <EmptyState
            drawing="search"
            title={t('wallet.filter.none')}
            action={<Button onClick={() => change({ keyword: '', show: 'all' })}>{t('wallet.filter.clear')}</Button>}
          />
        </div>
      ) : (
        <ul className="hf-wallets" aria-label={t('wallet.list')}>
          {shown.map((wallet) => (
            <li key={wallet.wallet_id}>
              <WalletCard wallet={wallet} isAway={isArchive} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** What the charts show stands in the same address and stays there. */
function chartsOf(search: URLSearchParams): Record<string, string> {
  const range = search.get('range')
  return { ...(range === null ? {} : { range }), ...writeFlowChoice(readFlowChoice(search)) }
}
