import { listOpenCoins } from '@holdfast/features/network/contract'
import { EmptyState, ErrorState, LoadingState } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { CoinList } from './coin-list.tsx'
import { CoinMap } from './coin-map.tsx'
import { CoinSummary } from './coin-summary.tsx'
import { InscriptionList } from './inscription-list.tsx'
import { TokenList } from './token-list.tsx'

/** By CAIP-2, the chains whose money is coins. */
const CHAINS_OF_COINS = 'bip122:'

export type Place = { subWallet: { id: string; name: string }; chain: string; network: string }

/** The coins of a sub-wallet on each network that has them, and the inscriptions on them. */
export function CoinsPart({ subWallet }: Pick<Place, 'subWallet'>) {
  const { t } = useTranslation()
  const { data, error, refetch } = useEndpoint(listOpenCoins, {})
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={6} />
  const networks = data.support_main_chain.filter(({ chain }) => chain.startsWith(CHAINS_OF_COINS))
  if (networks.length === 0) {
    return (
      <div className="hf-panel">
        <EmptyState title={t('utxo.noNetwork')}>{t('utxo.noNetworkNote')}</EmptyState>
      </div>
    )
  }
  return (
    <div className="hf-stack">
      {networks.map(({ chain, network, symbol, decimals }) => (
        <section key={chain} className="hf-stack" aria-label={network}>
          <h2>{network}</h2>
          <CoinSummary subWallet={subWallet} chain={chain} network={network} coin={{ symbol, decimals }} />
          <CoinMap subWallet={subWallet} chain={chain} network={network} />
          <CoinList key={`${subWallet.id} ${chain}`} subWallet={subWallet} chain={chain} network={network} />
        </section>
      ))}
      <TokenList subWallet={subWallet} />
      <InscriptionList subWallet={subWallet} />
    </div>
  )
}
