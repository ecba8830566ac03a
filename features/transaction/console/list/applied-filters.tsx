import { listOpenCoins } from '@holdfast/features/network/contract'
import { listAllSubWallets } from '@holdfast/features/wallet/contract'
import { subWalletLabel, useWallets } from '@holdfast/features/wallet/console'
import { IconClose, Label, shortAddress } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { listLabels } from '../../contract.ts'
import { type Filters, kindOfList, UNFILTERED } from './filters.ts'
import { statusKey, subStatusKey } from '../status.ts'
import { useChosenWallet } from './use-chosen-wallet.ts'

type AppliedFiltersProps = { filters: Filters; names: readonly (keyof Filters)[]; onChange: (next: Partial<Filters>) => void }

/** The filters in use, each with a button that takes it off. */
export function AppliedFilters({ filters, names, onChange }: AppliedFiltersProps) {
  const { t } = useTranslation()
  const wordOf = useWords(filters)
  return (
    <ul className="hf-filter-chips" aria-label={t('transaction.filter.applied')}>
      {names.map((name) => {
        const what = t(`transaction.filterName.${name}`)
        return (
          <li key={name} className="hf-filter-chip">
            <span className="hf-muted">{what}</span> <Label text={wordOf(name)} />
            <button
              type="button"
              className="hf-filter-chip-remove"
              aria-label={t('transaction.filter.remove', { what })}
              title={t('transaction.filter.remove', { what })}
              onClick={() => onChange({ [name]: UNFILTERED[name] })}
            >
              <IconClose />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** What a filter is set to, in words. */
function useWords(filters: Filters): (name: keyof Filters) => string {
  const { t } = useTranslation()
  const { wallets } = useWallets()
  const walletId = useChosenWallet(wallets)
  const { data: subWallets } = useEndpoint(
    listAllSubWallets,
    { wallet_id: walletId ?? '' },
    { enabled: walletId !== undefined && filters.subWallets.length > 0 },
  )
  const { data: labels } = useEndpoint(listLabels, {}, { enabled: filters.initiator !== undefined })
  const { data: coins } = useEndpoint(listOpenCoins, {})
  return (name) => {
    const value = filters[name]
    if (name === 'subWallets') {
      const labels = new Map(subWallets?.map((each) => [each.sub_wallet_id, subWalletLabel(each)]))
      return filters.subWallets.map((id) => labels.get(id) ?? id.slice(0, 8)).join(', ')
    }
    if (name === 'status' && typeof value === 'string') return t(`transaction.stage.${value}`)
    if (name === 'status') return t(statusKey({ type: kindOfList(filters) ?? 'withdraw', status: Number(value) }) ?? '', { defaultValue: String(value) })
    if (name === 'source' || name === 'notify' || name === 'spam') return t(`transaction.${name}.${String(value)}`)
    if (name === 'subStatus') return t(subStatusKey(String(value)) ?? '', { defaultValue: String(value) })
    if (name === 'initiator') return labels?.initiators.find((each) => each.person_id === value)?.name ?? String(value).slice(0, 8)
    if (name === 'chain') return coins?.support_main_chain.find((each) => each.chain === value)?.network ?? String(value)
    return name === 'address' || name === 'txid' ? shortAddress(String(value)) : String(value)
  }
}
