import type { Block, BlockTransfer } from '@holdfast/chain-core'
import type { SystemTx } from '@holdfast/db'
import { assetByContract, type Network } from '@holdfast/features/network/server'

/** Less than a millionth of a coin is not worth a line in a history; it is how look-alike addresses are planted there. */
const DUST_DECIMALS = 6

export type Match = { orgId: string; subWalletId: string; address: string; symbol: string; transfer: BlockTransfer }

/** The transfers of a block that pay an address of any organisation, in a coin this network pins, and in more than dust. */
export async function matchDeposits(tx: SystemTx, network: Network, block: Block): Promise<Match[]> {
  const candidates = block.transfers.flatMap((transfer) => {
    const asset = transfer.asset.chain === network.chain ? assetByContract(network, transfer.asset.contract ?? '') : undefined
    const counts = asset && transfer.amount >= leastAmount(asset.decimals) && transfer.from !== transfer.to
    return counts ? [{ transfer, symbol: asset.symbol }] : []
  })
  if (candidates.length === 0) return []
  const recipients = [...new Set(candidates.map(({ transfer }) => transfer.to))]
  const owned = await tx
    .selectFrom('address')
    .select(['org_id', 'sub_wallet_id', 'address'])
    .where('chain', '=', network.chain)
    .where('address', 'in', recipients)
    .execute()
  return candidates.flatMap(({ transfer, symbol }) =>
    owned
      .filter((each) => each.address === transfer.to)
      .map((each) => ({ orgId: each.org_id, subWalletId: each.sub_wallet_id, address: each.address, symbol, transfer })),
  )
}

/** Tokens no network pins that a block says were sent to an address of any organisation. They are told apart and never booked. */
export async function matchUnverified(tx: SystemTx, network: Network, block: Block): Promise<Omit<Match, 'symbol'>[]> {
  const unknown = (block.unknownTransfers ?? []).filter(({ asset, from, to }) => from !== to && !assetByContract(network, asset.contract ?? ''))
  if (unknown.length === 0) return []
  const recipients = [...new Set(unknown.map(({ to }) => to))]
  const owned = await tx
    .selectFrom('address')
    .select(['org_id', 'sub_wallet_id', 'address'])
    .where('chain', '=', network.chain)
    .where('address', 'in', recipients)
    .execute()
  return unknown.flatMap((transfer) =>
    owned
      .filter((each) => each.address === transfer.to)
      .map((each) => ({ orgId: each.org_id, subWalletId: each.sub_wallet_id, address: each.address, transfer })),
  )
}

/** The least amount that is booked, in base units: one millionth of the coin, and never nothing. */
export function leastAmount(decimals: number): bigint {
  return 10n ** BigInt(Math.max(0, decimals - DUST_DECIMALS))
}
