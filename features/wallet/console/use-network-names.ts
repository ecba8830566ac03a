import { listOpenCoins } from '@holdfast/features/network/contract'
import { useEndpoint } from '@holdfast/client'

/** The name of a network for people, by its chain; the chain itself if it is not known. */
export function useNetworkNames(): (chain: string) => string {
  const { data } = useEndpoint(listOpenCoins, {})
  return (chain) => data?.support_main_chain.find((each) => each.chain === chain)?.network ?? chain
}
