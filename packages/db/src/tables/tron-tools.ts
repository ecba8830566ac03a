import type { OrderId, SubWalletId } from '@holdfast/units'
import type { ColumnType } from 'kysely'
import type { Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/tron-tools. */
  interface Schema {
    tron_target: TronTarget
    tron_sample: TronSample
    tron_receiver: TronReceiver
    tron_agent: TronAgent
    tron_account: TronAccount
    tron_supply: TronSupply
  }
}

type TronTarget = {
  org_id: Once<string>
  id: Once<string>
  chain: Once<string>
  address: Once<string>
  sub_wallet_id: Once<string>
  watched: boolean
  energy_min: bigint
  net_min: bigint
  coin_min: bigint
  receivers: string[]
  /** Null where nothing was low at the last look. */
  low: ('energy' | 'net' | 'trx')[] | null
  low_since: TimeOrNull
  updated_at: Time
}

type TronSample = {
  org_id: Once<string>
  chain: Once<string>
  address: Once<string>
  slot: Once<number>
  at: Time
  energy_limit: bigint
  energy_used: bigint
  net_limit: bigint
  net_used: bigint
  coin: bigint
}

type TronReceiver = { org_id: Once<string>; person_id: Once<string>; told: boolean; updated_at: Time }

type TronAgent = {
  org_id: Once<string>
  chain: Once<string>
  is_on: boolean
  /** Whose first address lends. */
  sub_wallet_id: SubWalletId
  fallback: 'burn' | 'wait' | 'stop'
  budget_day: bigint
  burn_max: bigint
  /** Who is asked to lend after it, in this sequence. */
  further_lenders: Filled<string[]>
  rents: Filled<boolean>
  /** Whose first address pays for rented energy. */
  payer_sub_wallet_id: SubWalletId | null
  rent_day: Filled<bigint>
  rent_max: Filled<bigint>
  updated_by: string
  updated_at: Time
}

type TronAccount = { org_id: Once<string>; chain: Once<string>; address: Once<string>; is_on: boolean; updated_at: Time }

/** What the database fills in where nothing is said. */
type Filled<T> = ColumnType<T, T | undefined, T>

/** What was lent or rented for one payment, or because somebody asked for it (`order_id` is null), and what came of it. */
type TronSupply = {
  org_id: Once<string>
  id: Once<string>
  chain: Once<string>
  address: Once<string>
  order_id: Once<OrderId | null>
  state: 'waiting' | 'lending' | 'renting' | 'ready' | 'burning' | 'stopped' | 'returning' | 'over'
  reason: string | null
  needed: bigint
  lacked: bigint
  price: bigint
  lender: string | null
  stake: bigint | null
  lend_order_id: OrderId | null
  return_order_id: OrderId | null
  /** Who was passed over before, and why. */
  passed: ColumnType<{ by: 'lend' | 'rent'; who: string; reason: string }[], string | undefined, string>
  rent_order_id: OrderId | null
  /** The name under which whoever rents energy out knows the order. */
  rental: string | null
  rented: bigint | null
  rent: bigint | null
  /** When it was decided to rent. */
  rented_at: TimeOrNull
  used: bigint | null
  covered: bigint | null
  burned: bigint | null
  /** When it was read what was used, covered and burned; null until then. */
  burned_at: TimeOrNull
  /** When people were told of it last, and what. */
  told_at: TimeOrNull
  told_reason: string | null
  created_at: TimeOnce
  updated_at: Time
}
