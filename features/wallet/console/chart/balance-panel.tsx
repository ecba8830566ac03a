import { useFiat } from '@holdfast/features/price/console'
import { ErrorState, LoadingState, TimeChart } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { BALANCE_RANGES, getBalanceHistory } from '../../contract.ts'
import { useAmountsHidden } from '../amounts-hidden.ts'
import { RangeChoice } from './range-choice.tsx'
import { PRICES_EVERY_MS } from '../use-wallets.ts'

type Range = (typeof BALANCE_RANGES)[number]

/** The value of the holdings over time: of all wallets, or of one sub-wallet. The range stands in the address. */
export function BalancePanel({ subWalletId }: { subWalletId?: string }) {
  const { t } = useTranslation()
  const [search, setSearch] = useSearchParams()
  const [hidden] = useAmountsHidden()
  const range = BALANCE_RANGES.find((each) => each === search.get('range')) ?? '7d'
  const choose = (next: Range) =>
    setSearch(
      (present) => {
        const changed = new URLSearchParams(present)
        if (next === '7d') changed.delete('range')
        else changed.set('range', next)
        return changed
      },
      { replace: true },
    )
  const { fiat, asked } = useFiat()
  const input = { range, ...asked, ...(subWalletId === undefined ? {} : { sub_wallet_id: subWalletId }) }
  const { data, error, refetch } = useEndpoint(getBalanceHistory, input, { keepLast: true, refetchEveryMs: PRICES_EVERY_MS })
  if (!data) return <div className="hf-panel">{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />}</div>
  const isKnown = data.points.some(({ usd }) => usd !== null && /[1-9]/.test(usd))
  const points = hidden || !isKnown ? [] : data.points.map(({ at, usd }) => ({ atMs: at, value: usd }))
  return (
    <TimeChart
      title={t('wallet.history.title')}
      actions={<RangeChoice label={t('wallet.history.range')} ranges={BALANCE_RANGES} range={range} onChange={choose} />}
      area
      unit={fiat}
      series={[{ key: 'value', name: t('wallet.history.value'), points }]}
      empty={<p className="hf-chart-empty hf-muted">{t(hidden ? 'wallet.money.hidden' : 'wallet.history.none')}</p>}
    />
  )
}
