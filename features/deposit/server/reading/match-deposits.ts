import type { Block, BlockTransfer } from '@holdfast/chain-core'
import type { SystemTx } from '@holdfast/db'
import { assetByContract, hasAsset, type Network } from '@holdfast/features/network/server'
import type { Random } from '@holdfast/ports'
import { newId } from '@holdfast/units'
import { sql } from 'kysely'
import { holdArrivals } from '../holds/index.ts'

/** Less than a millionth of a coin is not worth a line in a history; it is how look-alike addresses are planted there. */
const DUST_DECIMALS = 6

/** `heldFor` is the sub-status of a payment that must not be credited, and why. */
export type Match = { orgId: string; subWalletId: string; address: string; symbol: string; transfer: BlockTransfer; heldFor?: string | null }

/** The columns that state what a match paid, to whom and by whom; the same for a payment in a block and for a pending one. */
export function arrivalOf({ orgId, subWalletId, address, symbol, transfer }: Match, random: Random, nowMs: number) {
  return {
    org_id: orgId,
    id: newId(nowMs, random),
    chain: transfer.asset.chain,
    txid: transfer.txid,
    tx_index: transfer.index,
    sub_wallet_id: subWalletId,
    address,
    contract: transfer.asset.contract ?? '',
    symbol,
    amount: transfer.amount,
    from_address: transfer.from,
    created_at: nowMs,
    updated_at: nowMs,
  }
}

/** The transfers of a block, or of pending transactions, that pay an address of any organisation, in a coin this network lists, and in more than dust. */
export async function matchDeposits(tx: SystemTx, network: Network, block: Pick<Block, 'transfers'>): Promise<Match[]> {
  const candidates = block.transfers.flatMap((transfer) => {
    const asset = transfer.asset.chain === network.chain ? assetByContract(network, transfer.asset.contract ?? '') : undefined
    const counts = asset && transfer.amount >= leastAmount(asset.decimals) && transfer.from !== transfer.to
    return counts ? [{ transfer, symbol: asset.symbol }] : []
  })
  if (candidates.length === 0) return []
  const owners = await ownersOf(
    tx,
    network,
    candidates.map(({ transfer }) => transfer.to),
  )
  const matches = candidates.flatMap(({ transfer, symbol }) =>
    owners(transfer.to)
      .filter(({ orgId }) => hasAsset(network, orgId, transfer.asset.contract ?? ''))
      .map((owner) => ({ ...owner, symbol, transfer })),
  )
  return holdArrivals(tx, network, matches)
}

/**
 * Tokens that no network lists, or that another organisation alone added, and that a block says were sent to an address of any organisation. They are kept
 * apart and never credited.
 */
export async function matchUnverified(tx: SystemTx, network: Network, block: Block): Promise<Omit<Match, 'symbol'>[]> {
  const claimed = (block.unknownTransfers ?? []).filter(({ asset }) => !assetByContract(network, asset.contract ?? ''))
  const others = block.transfers.filter(({ asset }) => network.added?.some(({ contract }) => contract === asset.contract))
  const unknown = [...claimed, ...others].filter(({ from, to }) => from !== to)
  if (unknown.length === 0) return []
  const owners = await ownersOf(
    tx,
    network,
    unknown.map(({ to }) => to),
  )
  return unknown.flatMap((transfer) =>
    owners(transfer.to)
      .filter(({ orgId }) => !assetByContract(network, transfer.asset.contract ?? '') || !hasAsset(network, orgId, transfer.asset.contract ?? ''))
      .map((owner) => ({ ...owner, transfer })),
  )
}

type Owner = Pick<Match, 'orgId' | 'subWalletId' | 'address'>

/** The owners of some addresses of a block: one query for the block, however many it names. */
export async function ownersOf(tx: SystemTx, { chain }: Network, addresses: readonly string[]): Promise<(address: string) => Owner[]> {
  const asked = [...new Set(addresses)]
  const owned = await tx
    .selectFrom('address')
    .select(['org_id as orgId', 'sub_wallet_id as subWalletId', 'address'])
    .where('chain', '=', chain)
    .where(sql<boolean>`address = any(${asked}::text[])`)
    .execute()
  const byAddress = Map.groupBy(owned, ({ address }) => address)
  return (address) => byAddress.get(address) ?? []
}

/** The least amount that is credited, in base units: one millionth of the coin, and never zero. */
export function leastAmount(decimals: number): bigint {
  return 10n ** BigInt(Math.max(0, decimals - DUST_DECIMALS))
}
