import type { Once } from '../../columns.ts'

declare module '../schema.ts' {
  /** Tables of features/open-api. */
  interface Schema {
    wire_number: WireNumber
  }
}

type WireNumber = { org_id: Once<string>; kind: Once<'sub_wallet' | 'order' | 'deposit' | 'supply'>; number: Once<bigint>; subject_id: Once<string> }
