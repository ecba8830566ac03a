import type { Once, Time, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/tron-tools. */
  interface Schema {
    tron_target: TronTarget
    tron_sample: TronSample
    tron_receiver: TronReceiver
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
