import type { ColumnType } from 'kysely'
import type { Once, Time, TimeOnce, TimeOrNull } from '../../columns.ts'

declare module '../schema.ts' {
  /** Tables of features/collection. */
  interface Schema {
    collection_config: CollectionConfig
    collection_token: CollectionToken
    collection_allowance: CollectionAllowance
    collection_delegate: CollectionDelegate
  }
}

type CollectionConfig = {
  org_id: Once<string>
  id: Once<string>
  wallet_id: Once<string>
  name: string
  chain: Once<string>
  /** How it gets at tokens: addresses allow it to take some, or its code runs in their name (EIP-7702). */
  way: ColumnType<'allowance' | 'delegation', 'allowance' | 'delegation' | undefined, 'allowance' | 'delegation'>
  target_sub_wallet_id: string
  payer_sub_wallet_id: string
  target_address: string
  contract_address: string
  fee_max: bigint
  transactions: number
  days: number
  is_paused: ColumnType<boolean, boolean | undefined, boolean>
  is_revoking: ColumnType<boolean, boolean | undefined, boolean>
  collect_order_id: string | null
  allow_order_id: string | null
  fuel_order_id: string | null
  publish_txid: string | null
  published_at: TimeOrNull
  created_by: Once<string>
  created_at: TimeOnce
  updated_at: Time
  deleted_at: TimeOrNull
}

type CollectionToken = {
  org_id: Once<string>
  config_id: Once<string>
  contract: Once<string>
  symbol: string
  threshold: bigint
  most: bigint
  is_exact: boolean
  fee_share: number | null
  schedule: string
  is_on: boolean
  created_at: Time
}

type CollectionAllowance = {
  org_id: Once<string>
  config_id: Once<string>
  contract: Once<string>
  address: Once<string>
  sub_wallet_id: string
  allowance: bigint | null
  read_at: Time
}

type CollectionDelegate = {
  org_id: Once<string>
  config_id: Once<string>
  address: Once<string>
  sub_wallet_id: string
  /** Empty if nobody's code runs in the name of the address. */
  delegate: string
  read_at: Time
}
