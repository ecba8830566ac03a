import { coinOption } from '@holdfast/features/network/console'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { browserPorts } from '@holdfast/ports/browser'
import { Button, Checkbox, FilterPicker, TextFilter } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { dayBefore } from '@holdfast/ui/url-filters'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AppliedFilters } from './applied-filters.tsx'
import { type Filters, kindOfList, narrowedBy, type Stage, STAGES, statusOf, UNFILTERED } from './filters.ts'
import { MoreFilters } from './more-filters.tsx'
import { statusesOf, statusKey } from '../status.ts'

type FilterBarProps = { filters: Filters; onChange: (next: Partial<Filters>) => void }

const PERIODS = [0, 7, 30, 90] as const
/** Days of the person's own choice. */
const OWN_PERIOD = 'own'

/** Narrows the list. Every change stands in the address at once; what is in use stands below, to be taken off again. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const narrowed = narrowedBy(filters)
  return (
    <search className="hf-filter-area">
      <div className="hf-filters">
        <TextFilter value={filters.keyword} label={t('transaction.filter.keyword')} search onChange={(keyword) => onChange({ keyword })} />
        <StatusFilter filters={filters} onChange={onChange} />
        <CoinFilter filters={filters} onChange={onChange} />
        <PeriodFilter filters={filters} onChange={onChange} />
        <Button variant="quiet" onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'transaction.filter.fewer' : 'transaction.filter.more')}
        </Button>
        <Checkbox checked={filters.everyWallet} onChange={(everyWallet) => onChange({ everyWallet, subWallets: [] })}>
          {t('transaction.filter.everyWallet')}
        </Checkbox>
      </div>
      {isOpen && <MoreFilters filters={filters} onChange={onChange} />}
      {narrowed.length > 0 && (
        <div className="hf-filter-foot">
          <AppliedFilters filters={filters} names={narrowed} onChange={onChange} />
          <Button variant="quiet" size="small" onClick={() => onChange({ ...UNFILTERED, type: filters.type, everyWallet: filters.everyWallet })}>
            {t('transaction.filter.clear')}
          </Button>
        </div>
      )}
    </search>
  )
}

/** On a tab of several kinds the stages that all of them share; on the others their own states too. */
function StatusFilter({ filters, onChange }: FilterBarProps) {
  const { t } = useTranslation()
  const kind = kindOfList(filters)
  const stages = (Object.keys(STAGES) as Stage[]).map((stage) => ({ value: stage as string, label: t(`transaction.stage.${stage}`) }))
  const states = kind ? statusesOf(kind).map((status) => ({ value: String(status), label: t(statusKey({ type: kind, status }) ?? '') })) : []
  return (
    <FilterPicker
      label={t('transaction.filter.status')}
      value={filters.status?.toString()}
      options={[...stages, ...states]}
      onChange={(status) => onChange({ status: statusOf(status ?? '') })}
    />
  )
}

function CoinFilter({ filters, onChange }: FilterBarProps) {
  const { t } = useTranslation()
  const { data } = useEndpoint(listOpenCoins, {})
  // One choice for a symbol, whichever networks it is on, with the logo of the first.
  const coins = new Map(data?.coin_list.toReversed().map((coin) => [coin.symbol, coin]))
  return (
    <FilterPicker
      label={t('transaction.filter.coin')}
      value={filters.symbol}
      options={[...coins.values()].toReversed().map((coin) => ({ ...coinOption(coin.symbol, coin.symbol, coin), label: coin.symbol }))}
      onChange={(symbol) => onChange({ symbol })}
    />
  )
}

/** A period by its name; exact days stand with the further filters. */
function PeriodFilter({ filters, onChange }: FilterBarProps) {
  const { t } = useTranslation()
  const nowMs = browserPorts.clock.nowMs()
  const present = filters.to === undefined && filters.from !== undefined ? PERIODS.find((days) => dayBefore(nowMs, days) === filters.from) : undefined
  const isOwn = present === undefined && (filters.from !== undefined || filters.to !== undefined)
  return (
    <FilterPicker
      label={t('transaction.filter.period')}
      value={isOwn ? OWN_PERIOD : present?.toString()}
      options={[
        ...PERIODS.map((days) => ({ value: String(days), label: t(`transaction.period.${days}`) })),
        ...(isOwn ? [{ value: OWN_PERIOD, label: t('transaction.period.own') }] : []),
      ]}
      onChange={(days) => onChange({ from: days === undefined || days === OWN_PERIOD ? undefined : dayBefore(nowMs, Number(days)), to: undefined })}
    />
  )
}
