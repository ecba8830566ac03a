import type { OutputOf } from '@holdfast/contract'
import { useTranslation } from 'react-i18next'
import type { listWallets } from '../contract.ts'
import { Allocation } from './allocation.tsx'
import { Change, Worth } from './money.tsx'

type Stat = NonNullable<OutputOf<typeof listWallets>['stat']>

/** All wallets together: the value, its change over the last day, and the coins it consists of. */
export function PortfolioPanel({ stat }: { stat: Stat }) {
  const { t } = useTranslation()
  const isEmpty = stat.by_coin.length === 0
  return (
    <section className="hf-panel hf-portfolio" aria-labelledby="portfolio">
      <div className="hf-stack-tight">
        <h2 id="portfolio" className="hf-small hf-muted hf-portfolio-title">
          {t('wallet.totals.title')}
        </h2>
        <Worth value={stat.usd_balance} isPartial={stat.usd_partial} large />
        {!isEmpty && stat.usd_24h_change_pct !== null && (
          <p className="hf-small">
            <Change percent={stat.usd_24h_change_pct} /> <span className="hf-muted">{t('wallet.totals.day')}</span>
          </p>
        )}
      </div>
      {stat.usd_partial && <p className="hf-small hf-muted">{t('wallet.totals.partial')}</p>}
      {isEmpty ? <p className="hf-muted">{t('wallet.totals.none')}</p> : <Allocation coins={stat.by_coin} />}
      <p className="hf-small hf-faint">{stat.price_source === null ? t('wallet.totals.noPrices') : t('wallet.totals.prices', { source: stat.price_source })}</p>
    </section>
  )
}
