import { listOpenCoins } from '@holdfast/features/network/contract'
import { EmptyState, ErrorState, LoadingState } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { AccountResources } from './account-resources.tsx'

/** By CAIP-2, the chains that give resources for stake. */
const CHAINS_OF_RESOURCES = 'tron:'

export type Place = { subWallet: { id: string; name: string }; chain: string; network: string }

/** What a sub-wallet has of bandwidth and energy, on each network that knows them. */
export function ResourcesPart({ subWallet }: Pick<Place, 'subWallet'>) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(listOpenCoins, {})
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />
  const networks = data.support_main_chain.filter(({ chain }) => chain.startsWith(CHAINS_OF_RESOURCES))
  if (networks.length === 0) {
    return (
      <div className="hf-panel">
        <EmptyState title={t('resource.noNetwork')}>{t('resource.noNetworkNote')}</EmptyState>
      </div>
    )
  }
  return (
    <div className="hf-stack">
      {networks.map(({ chain, network }) => (
        <section key={chain} className="hf-stack" aria-label={network}>
          <h2>{network}</h2>
          <AccountResources subWallet={subWallet} chain={chain} network={network} />
        </section>
      ))}
    </div>
  )
}
