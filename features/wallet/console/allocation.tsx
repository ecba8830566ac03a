import type { OutputOf } from '@holdfast/contract'
import { CoinMark } from '@holdfast/features/network/console'
import { Label } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { listWallets } from '../contract.ts'
import { Change, CoinAmount, Price, Worth } from './money.tsx'

type Coin = NonNullable<OutputOf<typeof listWallets>['stat']>['by_coin'][number]

const COLOURS = 6
const SHOWN_MAX = 8

/** The composition of the total: a bar of the shares, and each coin with its amount, its price and its value beneath. */
export function Allocation({ coins }: { coins: readonly Coin[] }) {
  const { t } = useTranslation()
  const parts = coins.filter((coin) => coin.pct !== null && /[1-9]/.test(coin.pct))
  return (
    <div className="hf-stack">
      {parts.length > 0 && (
        <div className="hf-shares" aria-hidden>
          {parts.map((coin, at) => (
            <span key={keyOf(coin)} className={`hf-share-${Math.min(at, COLOURS - 1)}`} style={{ flexGrow: Number(coin.pct) }} />
          ))}
        </div>
      )}
      <ul className="hf-share-list" aria-label={t('wallet.totals.coins')}>
        {coins.slice(0, SHOWN_MAX).map((coin, at) => (
          <li key={keyOf(coin)}>
            <span className={`hf-share-dot hf-share-${Math.min(at, COLOURS - 1)}`} aria-hidden />
            <span className="hf-share-coin">
              <CoinMark chain={coin.chain} contract={coin.contract_address} symbol={coin.symbol} />
              <span className="hf-coin">
                <span className="hf-coin-symbol">
                  <Label text={coin.symbol} />
                </span>
                <span className="hf-coin-network" title={coin.network}>
                  {coin.network}
                </span>
              </span>
            </span>
            <span className="hf-share-price hf-muted">
              <Price value={coin.price} /> <Change percent={coin.price_change} />
            </span>
            <span className="hf-share-amount">
              <CoinAmount value={coin.amount} summary />
            </span>
            <span className="hf-share-value">
              <Worth value={coin.usd} />
            </span>
            <span className="hf-share-pct hf-faint hf-numbers">{coin.pct === null ? '--' : `${coin.pct}%`}</span>
          </li>
        ))}
      </ul>
      {coins.length > SHOWN_MAX && <p className="hf-small hf-muted">{t('wallet.totals.more', { count: coins.length - SHOWN_MAX })}</p>}
    </div>
  )
}

function keyOf({ chain, symbol }: Coin): string {
  return `${chain} ${symbol}`
}
