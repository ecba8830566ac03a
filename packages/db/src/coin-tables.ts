import type { Once, Time, TimeOnce } from './schema.ts'

/** Chains of coins: see 0120-coins.sql and 0121-payouts.sql. */
export type CoinTables = {
  coin_lock: CoinLock
  order_coin: OrderCoin
  order_output: OrderOutput
  inscription: Inscription
}

type CoinLock = {
  org_id: Once<string>
  id: Once<string>
  chain: Once<string>
  address: Once<string>
  outpoint: Once<string>
  reason: Once<string>
  locked_by: Once<string>
  locked_at: TimeOnce
  unlocked_by: string | null
  unlocked_at: Time | null
}
type OrderCoin = { org_id: Once<string>; order_id: Once<string>; place: Once<number>; outpoint: Once<string> }
type OrderOutput = { org_id: Once<string>; order_id: Once<string>; place: Once<number>; address: Once<string>; amount: Once<bigint> }
type Inscription = {
  org_id: Once<string>
  chain: Once<string>
  /** `<txid>i<number>` of the revealing transaction. */
  inscription_id: Once<string>
  outpoint: Once<string>
  /** Which satoshi of the coin it is on. */
  place: Once<bigint>
  address: Once<string>
  coin_amount: Once<bigint>
  content_type: Once<string | null>
  size: Once<bigint>
  head: Once<Uint8Array>
  height: Once<bigint>
  gone_height: bigint | null
  created_at: TimeOnce
}
