import { getDepositAddress } from '@holdfast/features/deposit-address/contract'
import { listSubWallets, listWallets } from '@holdfast/features/wallet/contract'
import { Picker, useDebounced, useToast } from '@holdfast/ui'
import { useApi, useEndpoint } from '@holdfast/client'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Coin } from './draft.ts'

type OwnWalletFieldProps = {
  /** The sub-wallet that pays; nobody pays to themselves. */
  fromId: string
  coin: Pick<Coin, 'chain' | 'symbol'> | undefined
  onPick: (destination: { address: string; memo: string }) => void
}

const SUGGESTIONS = 50

/**
 * Pays to another sub-wallet of the organisation: puts its deposit address, and its comment if payers share the address, into the form, which checks them
 * like any others.
 */
export function OwnWalletField({ fromId, coin, onPick }: OwnWalletFieldProps) {
  const { t } = useTranslation()
  const { client } = useApi()
  const toast = useToast()
  const { data: all } = useEndpoint(listWallets, {})
  const wallets = [...(all?.top_wallet ?? []), ...(all?.wallet_list ?? [])].filter((each) => each.state === 'active' && !each.retired)
  const [chosen, setChosen] = useState<string>()
  const [text, setText] = useState('')
  const keyword = useDebounced(text)
  const walletId = chosen ?? wallets[0]?.wallet_id ?? ''
  const { data } = useEndpoint(
    listSubWallets,
    { wallet_id: walletId, page_no: 1, page_size: SUGGESTIONS, app_show_status: 1, ...(keyword === '' ? {} : { keyword }) },
    { enabled: walletId !== '', keepLast: true },
  )
  const others = [...(data?.top_sub_wallet_list ?? []), ...(data?.sub_wallet_list ?? [])].filter((each) => each.sub_wallet_id !== fromId)
  if (!coin || (others.length === 0 && keyword === '' && wallets.length < 2)) return null
  const take = async (subWalletId: string) => {
    const answer = await client.call(getDepositAddress, { sub_wallet_id: subWalletId, chain: coin.chain, symbol: coin.symbol }).catch(() => undefined)
    if (!answer) return
    if (answer.address === null) toast.error(answer.text, 'own-wallet')
    else onPick({ address: answer.address, memo: answer.memo ?? '' })
  }
  return (
    <div className="hf-own-wallet">
      {wallets.length > 1 && (
        <Picker
          label={t('withdrawal.own.wallet')}
          value={walletId}
          options={wallets.map((each) => ({ value: each.wallet_id, label: each.alias ?? each.wallet_name }))}
          onChange={setChosen}
        />
      )}
      <Picker
        label={t('withdrawal.own.pick')}
        placeholder={t('withdrawal.own.pick')}
        value={undefined}
        options={others.map((each) => ({ value: each.sub_wallet_id, label: each.alias ?? each.sub_wallet_name }))}
        onSearch={setText}
        onChange={(id) => void take(id)}
      />
    </div>
  )
}
