import type { ColumnType } from 'kysely'
import type { Json, Later, Once, Time, TimeOnce } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/deposit-address. */
  interface Schema {
    address: Address
    deposit_comment: DepositComment
    address_request: AddressRequest
    address_batch: AddressBatch
  }
}

type Address = {
  org_id: Once<string>
  chain: Once<string>
  address: Once<string>
  /** What people compare: the last four characters, in small letters. */
  address_end: Later<string>
  address_start: Later<string>
  sub_wallet_id: Once<string>
  path: Once<number[]>
  /** The last index of the path: 0 of the first address of a sub-wallet on a network. */
  number: ColumnType<number, number | undefined, never>
  /** 1 if it is given to people who pay in, 2 if it is of the system. */
  addr_type: ColumnType<number, number | undefined, never>
  label: string | null
  /** Of the first addresses alone; others are attested in batches. */
  attestations: Json
  created_at: TimeOnce
}

type AddressRequest = {
  org_id: Once<string>
  id: Once<string>
  sub_wallet_id: Once<string>
  chain: Once<string>
  first: Once<number>
  count: Once<number>
  addr_type: Once<number>
  made: number
  label: Once<string | null>
  requested_by: Once<string>
  created_at: TimeOnce
  updated_at: Time
}

type AddressBatch = {
  org_id: Once<string>
  sub_wallet_id: Once<string>
  chain: Once<string>
  first: Once<number>
  count: Once<number>
  statements: Once<Uint8Array>
  created_at: TimeOnce
}

type DepositComment = {
  org_id: Once<string>
  chain: Once<string>
  address: Once<string>
  comment: Once<string>
  label: string | null
  created_at: TimeOnce
}
