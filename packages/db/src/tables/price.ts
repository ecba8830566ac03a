import type { Once, TimeOnce } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/price. */
  interface Schema {
    /** Read and written through `asSystem`. */
    asset_price: AssetPrice
  }
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
