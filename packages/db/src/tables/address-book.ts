import type { Filled, Json, Later, Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/address-book. */
  interface Schema {
    personal_address: PersonalAddress
    book_group: BookGroup
    book_entry: BookEntry
    book_event: BookEvent
  }
}

type PersonalAddress = {
  org_id: Once<string>
  id: Once<string>
  person_id: Once<string>
  chain: Once<string>
  address: Once<string>
  address_start: Later<string>
  address_end: Later<string>
  memo: Once<string>
  name: string
  note: string
  created_at: TimeOnce
  updated_at: Time
  removed_at: TimeOrNull
}

type BookGroup = { org_id: Once<string>; id: Once<string>; name: Once<string>; created_at: TimeOnce }

export type Verification = 'satoshi_test' | 'signature' | 'call_back'

type BookEntry = {
  org_id: Once<string>
  id: Once<string>
  name: string
  address: Once<string>
  address_start: Later<string>
  address_end: Later<string>
  chains: Json<string[]>
  memo: string
  group_id: string | null
  note: string
  vasp: string
  listed_by: string | null
  unlisted_by: string | null
  leaves: boolean
  cooling_ms: Filled<bigint>
  verified: Verification | null
  verified_by: string | null
  verified_at: TimeOrNull
  proof: string | null
  reviewed_at: Time
  created_by: Once<string>
  created_at: TimeOnce
  updated_at: Time
  removed_at: TimeOrNull
}

export type BookAction = 'added' | 'imported' | 'edited' | 'removed' | 'proposed' | 'proposed_off' | 'verified' | 'reviewed' | 'group_added'

type BookEvent = {
  org_id: Once<string>
  id: Once<string>
  entry_id: Once<string | null>
  action: Once<BookAction>
  name: Once<string>
  person_id: Once<string>
  order_id: Once<string | null>
  at: TimeOnce
}
