import type { OrderId } from '@holdfast/units'
import type { Once, Time, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/machine-link. */
  interface Schema {
    machine_link: MachineLink
    machine_told: MachineTold
  }
}

type MachineLink = {
  org_id: Once<string>
  machine_id: Once<string>
  version: string
  seen_at: Time
  /** How far its journal has come, by `mark`, which it signed. */
  place: bigint
  mark: Uint8Array
}

type MachineTold = { org_id: Once<string>; order_id: Once<OrderId>; machine_id: Once<string>; told_at: TimeOrNull }
