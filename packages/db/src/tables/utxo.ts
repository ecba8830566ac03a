import type { Once, Time, TimeOnce } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/utxo. */
  interface Schema {
    coin_lock: CoinLock
    inscription: Inscription
    inscription_reading: InscriptionReading
    inscribed: Inscribed
    brc20_token: Brc20Token
    brc20_entry: Brc20Entry
  }
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
  /** A BRC-20 transfer that has moved, which is worth nothing any more. */
  is_used: Once<boolean>
  created_at: TimeOnce
}

type InscriptionReading = { chain: Once<string>; from_height: Once<bigint> }

/** The place of every inscription of a chain, whoever has it. */
type Inscribed = {
  chain: Once<string>
  inscription_id: Once<string>
  outpoint: Once<string>
  place: Once<bigint>
  content_type: Once<string | null>
  size: Once<bigint>
  head: Once<Uint8Array>
  is_cursed: Once<boolean>
  height: Once<bigint>
  gone_height: bigint | null
}

type Brc20Token = {
  chain: Once<string>
  ticker: Once<string>
  inscription_id: Once<string>
  max: Once<bigint>
  per_mint: Once<bigint>
  decimals: Once<number>
  height: Once<bigint>
}

/** What an event changed for one holder; balances are those after it. The holder is empty if a mint went to no address. */
type Brc20Entry = {
  chain: Once<string>
  height: Once<bigint>
  place: Once<number>
  holder: Once<string>
  kind: Once<'mint' | 'inscribe' | 'send'>
  ticker: Once<string>
  inscription_id: Once<string>
  amount: Once<bigint>
  available: Once<bigint>
  transferable: Once<bigint>
  minted: Once<bigint | null>
}
