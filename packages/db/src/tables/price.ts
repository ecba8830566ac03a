import type { Once, TimeOnce } from './columns.ts'

/** Tables of features/price. */
export type PriceTables = {
  /** Read and written through `asSystem`. */
  asset_price: AssetPrice
}

type AssetPrice = {
  chain: Once<string>
  contract: Once<string>
  currency: Once<string>
  quoted_at: TimeOnce
  price: Once<bigint>
  source: Once<string>
  source_zh: Once<string | null>
}
