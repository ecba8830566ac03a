import { BuildError, ChainError } from '@holdfast/chain-core'
import type { ServerContext } from '@holdfast/features/context'
import type { Network, NetworkAsset } from '@holdfast/features/network/server'
import type { StandingOrderIntent } from '@holdfast/intent'
import type { FeeTerms, Holding } from './choose/chosen.ts'

export type Place = { network: Network; asset: NetworkAsset; coin: NetworkAsset; max: bigint; maxShare: bigint }

/** The network of an asset, and what the standing order lets a transaction there cost; undefined if this server does not know the network or the asset. */
export function placeOf(
  { networks }: Pick<ServerContext, 'networks'>,
  { fees }: Pick<StandingOrderIntent, 'fees'>,
  { asset: { chain, contract } }: StandingOrderIntent['assets'][number],
): Place | undefined {
  const network = networks.find(chain)
  const asset = networks.byContract(chain, contract ?? '')
  const coin = networks.byContract(chain, '')
  const fee = fees.find((each) => each.asset.chain === chain)
  return network && asset && coin && fee && { network, asset, coin, max: fee.max, maxShare: fee.maxShare }
}

/**
 * What a transaction costs now; undefined if the network's node does not say, and `token_refuses` where the token lets this address pay nothing, as one that its
 * issuer froze. All other addresses of a network are taken to pay the same.
 */
export async function feeNow(
  { network, asset, max, maxShare }: Place,
  { from, to, amount }: { from: string; to: string; amount: bigint },
): Promise<FeeTerms | 'token_refuses' | undefined> {
  try {
    const [slow, normal, fast] = await network.node.estimateFee({ from, to, asset: { chain: asset.chain, contract: asset.contract }, amount })
    return { estimates: [slow.feeMax, normal.feeMax, fast.feeMax], max, maxShare }
  } catch (cause) {
    if (cause instanceof BuildError && cause.obstacle.kind === 'token_refuses') return 'token_refuses'
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

/** So many addresses are asked about in one look, until one of them may pay. */
const ASKED_MAX = 50

/** What a look learnt from asking for a fee: who may pay how much, and the addresses that the token lets pay nothing. */
export type Asked = { pays: { from: string; amount: bigint } | undefined; refused: ReadonlySet<string> }

/** What a transaction costs now for the first address that may pay, and those before it that may not. */
export async function firstFeeNow(place: Place, holdings: readonly Holding[], to: string): Promise<{ fee: FeeTerms | undefined; asked: Asked }> {
  const refused = new Set<string>()
  for (const { address, available } of holdings.slice(0, ASKED_MAX)) {
    const fee = await feeNow(place, { from: address, to, amount: available })
    if (fee !== 'token_refuses') return { fee, asked: { pays: fee && { from: address, amount: available }, refused } }
    refused.add(address)
  }
  return { fee: undefined, asked: { pays: undefined, refused } }
}
