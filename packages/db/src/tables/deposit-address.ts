import type { Json, Later, Once, TimeOnce } from './columns.ts'

declare module './schema.ts' {
  /** Tables of features/deposit-address. */
  interface Schema {
    address: Address
    deposit_comment: DepositComment
  }
}

type Address = {
  org_id: Once<string>
  chain: Once<string>
  address: Once<string>
  /** What people compare: the last four characters, in small letters. */
  address_end: Later<string>
  sub_wallet_id: Once<string>
  path: Once<number[]>
  label: string | null
  attestations: Json
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
