import type { Once, Time, TimeOnce, TimeOrNull } from './columns.ts'

declare module './schema.ts' {
  /** Tables of features/address-book. */
  interface Schema {
    personal_address: PersonalAddress
  }
}

type PersonalAddress = {
  org_id: Once<string>
  id: Once<string>
  person_id: Once<string>
  chain: Once<string>
  address: Once<string>
  memo: Once<string>
  name: string
  note: string
  created_at: TimeOnce
  updated_at: Time
  removed_at: TimeOrNull
}
