import { Button, Picker, TextFilter } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { SHOWN, SORTS, type WalletFilters } from './wallet-filters.ts'

/** Filters and sorts the wallets. Every change stands in the address at once. */
export function WalletFilterBar({ filters, onChange }: { filters: WalletFilters; onChange: (next: Partial<WalletFilters>) => void }) {
  const { t } = useTranslation()
  const isNarrowed = filters.keyword !== '' || filters.show !== 'all'
  return (
    <search className="hf-filters">
      <TextFilter search value={filters.keyword} label={t('wallet.filter.keyword')} onChange={(keyword) => onChange({ keyword })} />
      <Picker
        className="hf-filter"
        value={filters.show}
        label={t('wallet.filter.show')}
        options={SHOWN.map((value) => ({ value, label: t(`wallet.show.${value}`) }))}
        onChange={(show) => onChange({ show })}
      />
      <Picker
        className="hf-filter"
        value={filters.sort}
        label={t('wallet.filter.sort')}
        options={SORTS.map((value) => ({ value, label: t(`wallet.sort.${value}`) }))}
        onChange={(sort) => onChange({ sort })}
      />
      {isNarrowed && (
        <Button variant="quiet" size="small" onClick={() => onChange({ keyword: '', show: 'all' })}>
          {t('wallet.filter.clear')}
        </Button>
      )}
    </search>
  )
}
