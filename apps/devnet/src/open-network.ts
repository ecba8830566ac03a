import type { Ports } from '@holdfast/ports'
import { createTestClient, defineChain, http, publicActions, walletActions } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

export const CHAIN_ID = 31337
export const CHAIN = `eip155:${CHAIN_ID}`
/** The network beside it: another chain with the same accounts and, since they were deployed alike, the same contracts' addresses. */
export const SECOND_CHAIN_ID = 31338
/** The networks' own coins. Their symbols name the networks in many calls, so no two share one. */
export const COIN = 'ETH'
export const SECOND_COIN = 'DEV'
/** The phrase that every development tool knows: whoever reaches this network may spend its play money. */
export const MNEMONIC = 'test test test test test test test test test test test junk'

export type Network = ReturnType<typeof openNetwork>

/** A local network as its own operator uses it: reading, mining, and sending from the account that holds the play money. */
export function openNetwork(ports: Pick<Ports, 'fetch'>, rpcUrl: string, chainId = CHAIN_ID) {
  const chain = defineChain({
    id: chainId,
    name: 'Local development network',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = http(rpcUrl, { fetchFn: ports.fetch, retryCount: 0, maxResponseBodySize: false })
  return createTestClient({ account: mnemonicToAccount(MNEMONIC), chain, mode: 'anvil', transport, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
}
