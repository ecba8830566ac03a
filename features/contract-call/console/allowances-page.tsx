import { chosenOf, subWalletLabel, subWalletPath, useCurrentWallet, useSelection, walletLabel } from '@holdfast/features/wallet/console'
import { EmptyState, ErrorState, LoadingState, PageHeader } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { AllowanceList } from './allowance-list.tsx'

/** What others may take of the sub-wallet in use, among the pages of batch transfers. */
export function AllowancesPage() {
  const { t } = useTranslation()
  const { wallet, isKnown, error, refetch } = useCurrentWallet()
  const chosenId = useSelection().subWallet?.id
  const subWallet = wallet && chosenOf(wallet.sub_wallet_list, ({ sub_wallet_id: id }) => id, chosenId)
  return (
    <>
      <PageHeader title={t('contractCall.allowances.title')}>
        {wallet && subWallet && subWalletPath({ wallet_name: walletLabel(wallet), sub_wallet_name: subWalletLabel(subWallet) })}
      </PageHeader>
      {wallet && subWallet ? (
        <AllowanceList walletId={wallet.wallet_id} subWallet={{ id: subWallet.sub_wallet_id, name: subWalletLabel(subWallet) }} />
      ) : isKnown ? (
        <div className="hf-panel">
          <EmptyState
            drawing="coins"
            title={t('contractCall.allowances.noWallet')}
            action={<Link to="/mpc/wallet">{t('contractCall.allowances.toWallets')}</Link>}
          />
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState rows={8} />
      )}
    </>
  )
}
