import type { OutputOf } from '@holdfast/contract'
import { useFiat } from '@holdfast/features/price/console'
import { CoinAmount, PRICES_EVERY_MS, Worth } from '@holdfast/features/wallet/console'
import { ErrorState, LoadingState } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listPending } from '../contract.ts'
import { UNFILTERED, writeFilters } from './list/filters.ts'

type Stage = OutputOf<typeof listPending>['stages'][number]

const COINS_SHOWN = 3
/** The number of the state that orders of a stage have in the list. */
const STATUS = { approval: 1000, signature: 1100, confirmation: 1200 } as const

/** What is on its way in and out, by what it waits for: of all wallets, or of one sub-wallet. */
export function PendingPanel({ subWalletId }: { subWalletId?: string }) {
  const { t } = useTranslation()
  const id = useId()
  const { asked } = useFiat()
  const input = { ...asked, ...(subWalletId === undefined ? {} : { sub_wallet_id: subWalletId }) }
  const { data, error, refetch } = useEndpoint(listPending, input, { keepLast: true, refetchEveryMs: PRICES_EVERY_MS })
  return (
    <section className="hf-panel hf-pending" aria-labelledby={id}>
      <div>
        <h3 id={id}>{t('transaction.pending.title')}</h3>
        <p className="hf-small hf-muted">{t('transaction.pending.note')}</p>
      </div>
      {data ? (
        <ul className="hf-pending-list">
          {data.stages.map((stage) => (
            <StageLine key={stage.stage} stage={stage} subWalletId={subWalletId} />
          ))}
        </ul>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState rows={4} />
      )}
    </section>
  )
}

function StageLine({ stage: { stage, count, usd, usd_partial: isPartial, coins }, subWalletId }: { stage: Stage; subWalletId: string | undefined }) {
  const { t } = useTranslation()
  const isOfDeposits = stage === 'deposit'
  const filters = {
    ...UNFILTERED,
    everyWallet: subWalletId === undefined,
    subWallets: subWalletId === undefined ? [] : [subWalletId],
    // Orders about a payment wait as the others do: all that were asked for are orders.
    ...(isOfDeposits ? ({ type: 'deposit', status: 'open' } as const) : ({ type: 'all', source: 'asked', status: STATUS[stage] } as const)),
  }
  const words = t(`transaction.pending.stage.${stage}`)
  return (
    <li className={count === 0 ? 'hf-pending-none' : undefined}>
      <span className="hf-pending-name">
        {count === 0 ? words : <Link to={`/mpc/center/wallet/transactions?${new URLSearchParams(writeFilters(filters))}`}>{words}</Link>}
        <span className="hf-small hf-muted">{t(isOfDeposits ? 'transaction.pending.deposits' : 'transaction.pending.orders', { count })}</span>
      </span>
      <span className="hf-pending-worth">{coins.length > 0 && <Worth value={usd} isPartial={isPartial} />}</span>
      {coins.length > 0 && (
        <span className="hf-pending-coins hf-small hf-muted">
          {coins.slice(0, COINS_SHOWN).map((coin) => (
            <CoinAmount key={`${coin.chain} ${coin.contract_address}`} value={coin.amount} unit={coin.symbol} />
          ))}
          {coins.length > COINS_SHOWN && t('transaction.pending.more', { count: coins.length - COINS_SHOWN })}
        </span>
      )}
    </li>
  )
}
