import { networkOption } from '@holdfast/features/network/console'
import { listOpenCoins } from '@holdfast/features/network/contract'
import { listAllSubWallets } from '@holdfast/features/wallet/contract'
import { subWalletLabel, useWallets } from '@holdfast/features/wallet/console'
import { DayRange, FilterPicker, ManyPicker, TextFilter } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { listLabels } from '../../contract.ts'
import { type Filters, NOTIFY_STATES, SOURCES, SPAM } from './filters.ts'
import { SUB_STATUSES } from '../status.ts'
import { useChosenWallet } from './use-chosen-wallet.ts'

type MoreFiltersProps = { filters: Filters; onChange: (next: Partial<Filters>) => void }

const AMOUNT = /^((0|[1-9]\d{0,30})(\.\d{1,36})?)?$/
const ADDRESS = /^[!-~]{0,200}$/

/** The filters that are asked for less often. */
export function MoreFilters({ filters, onChange }: MoreFiltersProps) {
  const { t } = useTranslation()
  const { data: labels } = useEndpoint(listLabels, {})
  const { data: coins } = useEndpoint(listOpenCoins, {})
  const options = (values: readonly string[] | undefined) => values?.map((value) => ({ value, label: value })) ?? []
  const exact = (name: 'address' | 'txid' | 'requestId', limit: number) => (
    <TextFilter
      value={filters[name] ?? ''}
      label={t(`transaction.filter.${name}`)}
      maxLength={limit}
      accept={(text) => ADDRESS.test(text)}
      onChange={(text) => onChange({ [name]: text || undefined })}
    />
  )
  return (
    <div className="hf-more-filters">
      {!filters.everyWallet && <SubWalletFilter filters={filters} onChange={onChange} />}
      <FilterPicker
        label={t('transaction.filter.chain')}
        value={filters.chain}
        options={coins?.support_main_chain.map(({ chain, network }) => networkOption(chain, network)) ?? []}
        onChange={(chain) => onChange({ chain })}
      />
      <FilterPicker
        label={t('transaction.filter.initiator')}
        value={filters.initiator}
        options={labels?.initiators.map((each) => ({ value: each.person_id, label: each.name })) ?? []}
        onChange={(initiator) => onChange({ initiator })}
      />
      <FilterPicker
        label={t('transaction.filter.source')}
        value={filters.source}
        options={SOURCES.map((value) => ({ value, label: t(`transaction.source.${value}`) }))}
        onChange={(source) => onChange({ source: SOURCES.find((each) => each === source) })}
      />
      <FilterPicker
        label={t('transaction.filter.subStatus')}
        value={filters.subStatus}
        options={SUB_STATUSES.map((value) => ({ value, label: t(`transaction.subStatus.${value}`) }))}
        onChange={(subStatus) => onChange({ subStatus })}
      />
      <FilterPicker
        label={t('transaction.filter.notify')}
        value={filters.notify}
        options={NOTIFY_STATES.map((value) => ({ value, label: t(`transaction.notify.${value}`) }))}
        onChange={(notify) => onChange({ notify: NOTIFY_STATES.find((each) => each === notify) })}
      />
      <FilterPicker
        label={t('transaction.filter.spam')}
        value={filters.spam}
        options={SPAM.map((value) => ({ value, label: t(`transaction.spam.${value}`) }))}
        onChange={(spam) => onChange({ spam: SPAM.find((each) => each === spam) })}
      />
      <FilterPicker
        label={t('transaction.filter.category')}
        value={filters.category}
        options={options(labels?.categories)}
        onChange={(category) => onChange({ category })}
      />
      <FilterPicker label={t('transaction.filter.tag')} value={filters.tag} options={options(labels?.tags)} onChange={(tag) => onChange({ tag })} />
      <DayRange
        label={t('transaction.filter.days')}
        fromLabel={t('transaction.filter.from')}
        toLabel={t('transaction.filter.to')}
        from={filters.from}
        to={filters.to}
        onChange={onChange}
      />
      <div className="hf-filter-pair" role="group" aria-label={t('transaction.filter.amounts')}>
        <AmountFilter label={t('transaction.filter.amountMin')} value={filters.amountMin} onChange={(amountMin) => onChange({ amountMin })} />
        <AmountFilter label={t('transaction.filter.amountMax')} value={filters.amountMax} onChange={(amountMax) => onChange({ amountMax })} />
      </div>
      {exact('address', 200)}
      {exact('txid', 200)}
      {exact('requestId', 128)}
    </div>
  )
}

function SubWalletFilter({ filters, onChange }: MoreFiltersProps) {
  const { t } = useTranslation()
  const { wallets } = useWallets()
  const walletId = useChosenWallet(wallets)
  const { data } = useEndpoint(listAllSubWallets, { wallet_id: walletId ?? '' }, { enabled: walletId !== undefined })
  return (
    <ManyPicker
      label={t('transaction.filter.subWallets')}
      values={filters.subWallets}
      options={data?.map((each) => ({ value: each.sub_wallet_id, label: subWalletLabel(each) })) ?? []}
      onChange={(subWallets) => onChange({ subWallets })}
    />
  )
}

function AmountFilter({ label, value, onChange }: { label: string; value: string | undefined; onChange: (value: string | undefined) => void }) {
  return (
    <TextFilter
      value={value ?? ''}
      label={label}
      maxLength={60}
      inputMode="decimal"
      accept={(text) => AMOUNT.test(text)}
      onChange={(text) => onChange(text || undefined)}
    />
  )
}
