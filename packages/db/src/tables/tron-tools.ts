import type { OrderId, SubWalletId } from '@holdfast/units'
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
  updated_by: string
  updated_at: Time
}

type TronAccount = { org_id: Once<string>; chain: Once<string>; address: Once<string>; is_on: boolean; updated_at: Time }

/** What was lent for one payment, or because somebody asked for it (`order_id` is null), and what came of it. */
type TronSupply = {
  org_id: Once<string>
  id: Once<string>
  chain: Once<string>
  address: Once<string>
  order_id: Once<OrderId | null>
  state: 'waiting' | 'lending' | 'ready' | 'burning' | 'stopped' | 'returning' | 'over'
  reason: string | null
  needed: bigint
  lacked: bigint
  price: bigint
  lender: string | null
  stake: bigint | null
  lend_order_id: OrderId | null
  return_order_id: OrderId | null
  used: bigint | null
  covered: bigint | null
  burned: bigint | null
  created_at: TimeOnce
  updated_at: Time
}
