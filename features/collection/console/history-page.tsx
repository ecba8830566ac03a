import { useEndpoint } from '@holdfast/client'
import { FlowChart, ShareChart, summaryMoney } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { getRunStatistics } from '../contract.ts'
import { OfWallet } from './of-collector.tsx'
import { RunList } from './run-list.tsx'

/** What was collected by contract. */
export function RunsPage() {
  const { t } = useTranslation('collection')
  return (
    <OfWallet title={t('collector.run.title')} lead={t('collector.run.lead')}>
      {(walletId) => (
        <div className="hf-stack-wide">
          <Statistics walletId={walletId} />
          <RunList walletId={walletId} />
        </div>
      )}
    </OfWallet>
  )
}

function Statistics({ walletId }: { walletId: string }) {
  const { t } = useTranslation('collection')
  const { data } = useEndpoint(getRunStatistics, { wallet_id: walletId, period: '30' })
  if (!data || data.count === 0) return null
  const { count, value, fee, fee_pct: percent, days } = data
  const sum = value === null ? undefined : { count, value: summaryMoney(value, 'USD'), fee: summaryMoney(fee, 'USD'), percent: percent ?? 0 }
  return (
    <>
      <FlowChart
        title={t('collector.chart.title')}
        note={sum ? t('collector.chart.sum', sum) : t('collector.chart.noPrices')}
        days={days.map((day) => ({ atMs: day.day, in: day.value, out: '0', fee: day.fee }))}
        names={{ in: t('collector.chart.collected'), out: t('collector.chart.back'), fee: t('collector.chart.fees') }}
        dayTitle={t('collector.chart.day')}
        unit="USD"
      />
      <ShareChart title={t('collector.chart.share')} days={days.map((day) => ({ atMs: day.day, percent: day.fee_pct }))} />
    </>
  )
}
