import { subWalletPath, useSelection } from '@holdfast/features/wallet/console'
import { EmptyState, PageHeader } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { AllowanceList } from './allowance-list.tsx'

/** What others may take of the sub-wallet that is chosen, among the pages of batch transfers. */
export function AllowancesPage() {
  const { t } = useTranslation()
  const { wallet, subWallet } = useSelection()
  return (
    <>
      <PageHeader title={t('contractCall.allowances.title')}>
        {wallet && subWallet && subWalletPath({ wallet_name: wallet.name, sub_wallet_name: subWallet.name })}
      </PageHeader>
      {wallet && subWallet ? (
        <AllowanceList walletId={wallet.id} subWallet={subWallet} />
      ) : (
        <div className="hf-panel">
          <EmptyState
            drawing="coins"
            title={t('contractCall.allowances.noWallet')}
            action={<Link to="/mpc/wallet">{t('contractCall.allowances.toWallets')}</Link>}
          />
        </div>
      )}
    </>
  )
}
