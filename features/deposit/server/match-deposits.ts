import type { Block, BlockTransfer } from '@holdfast/chain-core'
import type { SystemTx } from '@holdfast/db'
import { assetByContract, hasAsset, type Network, unevenTokens } from '@holdfast/features/network/server'
import type { Random } from '@holdfast/ports'
import { newId } from '@holdfast/units'
import { sql } from 'kysely'
import { holdUncommented } from './hold-uncommented.ts'

/** Less than a millionth of a coin is not worth a line in a history; it is how look-alike addresses are planted there. */
const DUST_DECIMALS = 6

/**
 * More than this is booked of no coin at once: sums of many stay far below what the books can hold. No honest token has so much; a contract may say any
 * number.
 */
export const DEPOSIT_MAX = (1n << 192n) - 1n
/** The sub-status of a payment of more than that. */
export const AMOUNT_TOO_LARGE = 'amount_too_large'
const UNEVEN_TOKEN = 'uneven_token'

/** `heldFor` is the sub-status of a payment that must not be credited, and why. */
export type Match = { orgId: string; subWalletId: string; address: string; symbol: string; transfer: BlockTransfer; heldFor?: string | null }

/** The columns that say of a match what was paid, to whom and by whom; the same for a payment in a block and for one that waits for a block. */
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

/** The transfers of a block, or of what waits for one, that pay an address of any organisation, in a coin this network pins, and in more than dust. */
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
  const held = await holdUncommented(tx, network, matches)
  const isUneven = await unevenTokens(tx, network.chain)
  return held.map((match) => {
    if (match.transfer.amount > DEPOSIT_MAX) return { ...match, heldFor: AMOUNT_TOO_LARGE }
    return isUneven(match.orgId, network.chain, match.transfer.asset.contract ?? '') ? { ...match, heldFor: UNEVEN_TOKEN } : match
  })
}

/**
 * Tokens that no network pins, or that another organisation alone added, and that a block says were sent to an address of any organisation. They are told apart
 * and never booked.
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

/** Whose some addresses of a block are: one question for the block, however many it names. */
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

/** The least amount that is booked, in base units: one millionth of the coin, and never nothing. */
export function leastAmount(decimals: number): bigint {
  return 10n ** BigInt(Math.max(0, decimals - DUST_DECIMALS))
}
