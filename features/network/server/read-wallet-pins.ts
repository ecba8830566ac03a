import { ChainError } from '@holdfast/chain-core'
import type { Asset } from '@holdfast/intent'
import { known } from '@holdfast/units'
import { agreedAnswer } from './final-view.ts'
import type { NetworkAsset, Networks } from './types.ts'

/** Whether holders of a token have wallets of it of their own, so that a policy has to pin those before the token can be paid. */
export function hasTokenWallets(networks: Pick<Networks, 'find'>, { chain, contract }: Pick<NetworkAsset, 'chain' | 'contract'>): boolean {
  return contract !== null && networks.find(chain)?.node.tokenWallets !== undefined
}

/**
 * The entries by which a policy pins the wallets of these tokens, where holders have such. Two sources must say the same where there are two; what no source
 * tells,
 * or two tell unlike, is left out, and then nobody pays that token until a version of the policy pins it.
 */
export async function readWalletPins(networks: Pick<Networks, 'find' | 'require'>, tokens: readonly NetworkAsset[]): Promise<Asset[]> {
  const found = await Promise.all(tokens.filter((each) => hasTokenWallets(networks, each)).map((each) => pinOf(networks, each)))
  return found.filter((each) => each !== undefined)
}

async function pinOf(networks: Pick<Networks, 'require'>, { chain, contract, symbol, decimals }: NetworkAsset): Promise<Asset | undefined> {
  const { node, witnesses = [] } = networks.require(chain)
  const sources = [node, ...witnesses]
  const token = known(contract, `the contract of ${symbol}`)
  try {
    const wallets = await agreedAnswer({ height: 0n, sources }, `the wallets of ${token}`, (source) =>
      known(source.tokenWallets, `what a source of ${chain} says of wallets of tokens`).call(source, token),
    )
    return { chain, contract: wallets, symbol, decimals: BigInt(decimals) }
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}
