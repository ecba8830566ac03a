import { listOpenCoins } from '@holdfast/features/network/contract'
import { Note } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { getDepositAddress } from '../contract.ts'

/** How many characters of an address say whether it bounces. */
const KIND_CHARACTERS = 2

/** Says that coin which is sent bounceable comes back, as long as no contract runs at an address. */
export function BounceNote({ address, symbol }: { address: string; symbol: string }) {
  const { t } = useTranslation()
  return (
    <Note tone="warn" title={t('depositAddress.bounceTitle')}>
      {t('depositAddress.bounce', { begin: address.slice(0, KIND_CHARACTERS), symbol })}
    </Note>
  )
}

/** The same beside an address that takes every coin of its network, asked for here. Nothing if nothing bounces. */
export function AskedBounceNote({ subWalletId, chain, address }: { subWalletId: string; chain: string; address: string }) {
  const { data: coins } = useEndpoint(listOpenCoins, {})
  const own = coins?.support_main_chain.find((network) => network.chain === chain)?.symbol
  const { data } = useEndpoint(getDepositAddress, { sub_wallet_id: subWalletId, chain, symbol: own ?? '' }, { enabled: own !== undefined })
  return data?.is_uninitialised && own !== undefined ? <BounceNote address={address} symbol={own} /> : null
}
