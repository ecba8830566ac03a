import { Picker } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { useSelectionStore } from './selection.ts'
import { useCurrentWallet, useWallets, walletLabel } from './use-wallets.ts'

/** Changes the wallet that the pages are about. Nothing if there is none to choose. */
export function WalletSwitcher({ onChoose }: { onChoose?: () => void }) {
  const { t } = useTranslation()
  const store = useSelectionStore()
  const { wallets } = useWallets()
  const { wallet } = useCurrentWallet()
  if (!wallets || wallets.length === 0) return null
  return (
    <Picker
      className="hf-wallet-switcher"
      value={wallet?.wallet_id}
      label={t('wallet.switcher')}
      options={wallets.map((each) => ({ value: each.wallet_id, label: walletLabel(each) }))}
      onChange={(id) => {
        const next = wallets.find((each) => each.wallet_id === id)
        if (next) store.chooseWallet({ id: next.wallet_id, name: walletLabel(next) })
        onChoose?.()
      }}
    />
  )
}
