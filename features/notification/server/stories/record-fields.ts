import type { SystemTx } from '@holdfast/db'
import { contractFields, type Networks } from '@holdfast/features/network/server'
import { formatAmount } from '@holdfast/units'

/** What records are told by: the networks with their coins, and how far each chain has been read. */
export type RecordContext = { networks: Networks; heights: ReadonlyMap<string, bigint> }

export async function openRecordContext(tx: SystemTx, networks: Networks): Promise<RecordContext> {
  const rows = await tx.selectFrom('chain_cursor').select(['chain', 'height']).execute()
  return { networks, heights: new Map(rows.map((row) => [row.chain, row.height])) }
}

/** Blocks on top of a block, at most as many as make it final; 0 if it stands in none or the chain has not been read so far. */
export function confirmationsOf({ networks, heights }: RecordContext, chain: string, height: bigint | null): { done: number; need: number } {
  const need = networks.find(chain)?.finalityBlocks ?? 0
  const tip = heights.get(chain)
  if (height === null || tip === undefined || tip < height) return { done: 0, need }
  return { done: Math.min(need, Number(tip - height)), need }
}

/** How a record's coin and amounts are told. Where the server no longer knows the coin's decimals, the amount is in base units only. */
export function assetFields({ networks }: RecordContext, { chain, contract, symbol }: { chain: string; contract: string; symbol: string }) {
  const asset = networks.byContract(chain, contract)
  const coin = networks.byContract(chain, '')
  const amountIn = (of: typeof asset, value: bigint) => (of ? formatAmount(value, of.decimals) : null)
  return {
    base_symbol: coin?.symbol ?? null,
    coinAmount: (value: bigint) => amountIn(coin, value),
    fields: (amount: bigint) => ({
      symbol,
      base_symbol: coin?.symbol ?? null,
      chain,
      ...contractFields(contract),
      amount: amountIn(asset, amount),
      amount_base_units: String(amount),
    }),
  }
}
