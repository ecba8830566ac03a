import { ChainError } from '@holdfast/chain-core'
import type { Network, NetworkAsset, Networks } from '@holdfast/features/network/server'
import type { Policy } from '@holdfast/policy'

/** Every asset and collection that the server works with, and token that the organisation asked for, which the policy does not pin, with its network. */
export function addableAssets(networks: Networks, policy: Policy, applied: readonly NetworkAsset[]): { network: Network; asset: NetworkAsset }[] {
  const isPinned = ({ chain, contract }: NetworkAsset) => policy.assets.some((each) => each.chain === chain && each.contract === contract)
  return networks.list().flatMap((network) => {
    const asked = applied.filter(({ chain }) => chain === network.chain)
    return [...network.assets, ...(network.collections ?? []), ...asked].filter((asset) => !isPinned(asset)).map((asset) => ({ network, asset }))
  })
}

/** The same for people to read, beside what each contract says of itself now. */
export function describeAddable(networks: Networks, policy: Policy, applied: readonly NetworkAsset[]) {
  return Promise.all(
    addableAssets(networks, policy, applied).map(async ({ network, asset: { chain, contract, symbol, decimals } }) => ({
      chain,
      contract: contract ?? '',
      network: network.name,
      symbol,
      decimals,
      on_chain: (contract === null ? undefined : await network.node.describeToken?.(contract).catch(ignoreChainError)) ?? null,
    })),
  )
}

function ignoreChainError(cause: unknown): undefined {
  if (!(cause instanceof ChainError)) throw cause
  return undefined
}
