import { useEndpoint } from '@holdfast/client'
import { listMultiAddresses } from '@holdfast/features/deposit-address/contract'
import { usePermission } from '@holdfast/features/session/console'
import { PickField, shortAddress } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { type Coin, unitOf } from './draft.ts'
import { type PayingAddress, payFrom } from './pay-from.ts'

/** So many of the addresses that have something are offered. */
const SHOWN_MAX = 200

type PayFrom = { rows: PayingAddress[]; payer: PayingAddress; isWhole: boolean }

/** The addresses of a sub-wallet that can pay in a coin, and which of them does; nothing where there is no choice. Networks of coins spend by coins. */
export function usePayFrom(subWalletId: string, coin: Coin | undefined, chosen: string | undefined): { payFrom: PayFrom | undefined; isPending: boolean } {
  const mayRead = usePermission('address.read')
  const isAsked = mayRead && coin !== undefined && coin.token_id === undefined && !coin.chain.startsWith('bip122:')
  const { chain = '', symbol = '' } = coin ?? {}
  const asked = { sub_wallet_id: subWalletId, chain, symbol, state: 'funded' as const, page_size: SHOWN_MAX }
  const { data, isPending } = useEndpoint(listMultiAddresses, asked, { enabled: isAsked })
  if (!isAsked || !data) return { payFrom: undefined, isPending: isAsked && isPending }
  const found = payFrom(data.list, chosen, coin)
  return { payFrom: found && { ...found, isWhole: data.pageTotal <= SHOWN_MAX }, isPending: false }
}

/** Which address of the sub-wallet pays: each has what it has itself. */
export function FromField({ payFrom: { rows, payer, isWhole }, coin, onChange }: { payFrom: PayFrom; coin: Coin; onChange: (address: string) => void }) {
  const { t } = useTranslation()
  return (
    <PickField
      label={t('withdrawal.form.from')}
      value={payer.address}
      options={rows.map(({ address, label, available, is_default: isFirst }) => ({
        value: address,
        label: `${label ?? (isFirst ? t('withdrawal.form.fromFirst') : shortAddress(address))} · ${available} ${unitOf(coin)}`,
        detail: shortAddress(address),
      }))}
      onChange={onChange}
      hint={t(isWhole ? 'withdrawal.form.fromNote' : 'withdrawal.form.fromMore', { count: SHOWN_MAX })}
    />
  )
}
