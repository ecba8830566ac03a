import { useWallets } from '@holdfast/features/wallet/console'
import { Button, DayRange, FilterPicker, TextFilter } from '@holdfast/ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NOTIFY_STATES } from '../contract.ts'
import { type Filters, isNarrowed, SHOWN_SIDES } from './filters.ts'
import type { EndpointRow } from './status.ts'

type Props = { filters: Filters; endpoints: readonly EndpointRow[]; onChange: (next: Partial<Filters>) => void; children: ReactNode }

/** Narrows the list, with what is done to all of it at the end. Every change stands in the address at once. */
export function FilterBar({ filters, endpoints, onChange, children }: Props) {
  const { t } = useTranslation()
  const { wallets = [] } = useWallets()
  const clear = () => onChange({ side: undefined, status: undefined, receiver: undefined, wallet: undefined, keyword: '', from: undefined, to: undefined })
  return (
    <search className="hf-filters">
      <TextFilter value={filters.keyword} label={t('notification.filter.keyword')} search onChange={(keyword) => onChange({ keyword })} />
      <FilterPicker
        label={t('notification.filter.side')}
        value={filters.side}
        options={SHOWN_SIDES.map((side) => ({ value: side, label: t(`notification.side.${side}`) }))}
        onChange={(side) => onChange({ side })}
      />
      <FilterPicker
        label={t('notification.filter.state')}
        value={filters.status}
        options={NOTIFY_STATES.map((status) => ({ value: status, label: t(`notification.state.${status}`) }))}
        onChange={(status) => onChange({ status })}
      />
      {endpoints.length > 1 && (
        <FilterPicker
          label={t('notification.filter.receiver')}
          value={filters.receiver}
          options={endpoints.map((endpoint) => ({ value: endpoint.endpoint_id, label: endpoint.url }))}
          onChange={(receiver) => onChange({ receiver })}
        />
      )}
      {wallets.length > 1 && (
        <FilterPicker
          label={t('notification.filter.wallet')}
          value={filters.wallet}
          options={wallets.map((each) => ({ value: each.wallet_id, label: each.alias ?? each.wallet_name }))}
          onChange={(wallet) => onChange({ wallet })}
        />
      )}
      <DayRange
        label={t('notification.filter.days')}
        fromLabel={t('notification.filter.from')}
        toLabel={t('notification.filter.to')}
        from={filters.from}
        to={filters.to}
        onChange={onChange}
      />
      {isNarrowed(filters) && (
        <Button variant="quiet" size="small" onClick={clear}>
          {t('notification.filter.clear')}
        </Button>
      )}
      <span className="hf-filter-end">{children}</span>
    </search>
  )
}
