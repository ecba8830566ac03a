import { useEndpoint } from '@holdfast/client'
import { CallError, type OutputOf } from '@holdfast/contract'
import { resourceErrors } from '@holdfast/features/resource/errors'
import { Amount, BarChart, ErrorState, formatDay, LoadingState, Picker, useLocale, useNow } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FEE_GROUPS, readFeeUsage } from '../contract.ts'

type Group = (typeof FEE_GROUPS)[number]
const DAY_MS = 86_400_000
const RANGES = ['7', '30', '90'] as const

/** What payments burned, by day, by sub-wallet or by kind. */
export function FeePart() {
  const { t } = useTranslation('tools')
  const [chosen, setGroup] = useState<string>('day')
  const group = FEE_GROUPS.find((each) => each === chosen) ?? 'day'
  const [days, setDays] = useState('30')
  // The end of today in UTC: the same question all day long.
  const end = Math.ceil(useNow() / DAY_MS) * DAY_MS
  const { data, error, refetch } = useEndpoint(readFeeUsage, { start_time: end - Number(days) * DAY_MS, end_time: end, group })
  const hasNone = error instanceof CallError && error.code === resourceErrors.tron_no_data.code
  return (
    <section className="hf-stack" aria-labelledby="tron-fees">
      <div className="hf-spread">
        <div>
          <h2 id="tron-fees">{t('tronTools.fees.title')}</h2>
          <p className="hf-small hf-muted">{t('tronTools.fees.note', { count: Number(days) })}</p>
        </div>
        <div className="hf-row">
          <Picker
            label={t('tronTools.fees.range')}
            value={days}
            options={RANGES.map((value) => ({ value, label: t('tronTools.fees.days', { count: Number(value) }) }))}
            onChange={setDays}
          />
          <Picker
            label={t('tronTools.fees.by')}
            value={group}
            options={FEE_GROUPS.map((value) => ({ value, label: t(`tronTools.fees.group.${value}`) }))}
            onChange={setGroup}
          />
        </div>
      </div>
      {hasNone ? (
        <p className="hf-panel hf-muted">{t('tronTools.fees.none')}</p>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Burned usage={data} group={group} />
      ) : (
        <LoadingState rows={4} />
      )}
    </section>
  )
}

function Burned({
  usage: { burned_trx: burned, rented_trx: rented, saved_trx: saved, symbol, list },
  group,
}: {
  usage: OutputOf<typeof readFeeUsage>
  group: Group
}) {
  const { t } = useTranslation('tools')
  const locale = useLocale()
  const nameOf = ({ key, name }: { key: string; name: string }) =>
    group === 'day' ? formatDay(Number(key), locale, 'UTC') : group === 'kind' ? t(`tronTools.fees.kind.${key}`) : name
  const bars = (of: 'burned_trx' | 'rented_trx') =>
    list.filter((each) => Number(each[of]) > 0).map((each) => ({ key: each.key, name: nameOf(each), value: each[of] }))
  return (
    <>
      <BarChart
        title={t('tronTools.fees.burned')}
        note={<Amount value={burned} unit={symbol} />}
        bars={bars('burned_trx')}
        barTitle={t(`tronTools.fees.group.${group}`)}
        valueTitle={t('tronTools.fees.burned')}
        unit={symbol}
      />
      {Number(rented) > 0 && (
        <BarChart
          title={t('tronTools.fees.rented')}
          note={<Amount value={rented} unit={symbol} />}
          bars={bars('rented_trx')}
          barTitle={t(`tronTools.fees.group.${group}`)}
          valueTitle={t('tronTools.fees.rented')}
          unit={symbol}
        />
      )}
      {saved !== null && (
        <p className="hf-small hf-muted">
          {t('tronTools.fees.saved')} <Amount value={saved} unit={symbol} />
        </p>
      )}
    </>
  )
}
