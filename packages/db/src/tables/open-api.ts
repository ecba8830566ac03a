import type { Once, TimeOnce } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/open-api. */
  interface Schema {
    machine_nonce: MachineNonce
  }
}

type MachineNonce = { org_id: Once<string>; machine_id: Once<string>; nonce: Once<string>; over_at: TimeOnce }
