import { useCurrentWallet } from '@holdfast/features/wallet/console'
import { EmptyState, ErrorState, LoadingState, PageHeader } from '@holdfast/ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

type OfWalletProps = {
  title: string
  lead?: string
  actions?: (walletId: string) => ReactNode
  children: (walletId: string) => ReactNode
}

/** A page about the wallet in use, which the switcher of the console chooses. */
export function OfWallet({ title, lead, actions, children }: OfWalletProps) {
  const { t } = useTranslation('coSigner')
  const { wallet, isKnown, error, refetch } = useCurrentWallet()
  return (
    <>
      <PageHeader title={title} actions={wallet && actions?.(wallet.wallet_id)}>
        {lead}
      </PageHeader>
      {wallet ? (
        <div key={wallet.wallet_id}>{children(wallet.wallet_id)}</div>
      ) : isKnown ? (
        <EmptyState drawing="coins" title={t('collect.noWallet')} action={<Link to="/mpc/wallet">{t('collect.toWallets')}</Link>} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <LoadingState rows={8} />
      )}
    </>
  )
}
