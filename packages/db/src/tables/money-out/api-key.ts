import type { Json, Once, Time, TimeOnce, TimeOrNull } from '../../columns.ts'

declare module '../schema.ts' {
  /** Tables of features/api-key. */
  interface Schema {
    machine_use: MachineUse
    machine_settings: MachineSettings
    machine_call: MachineCall
    machine_nonce: MachineNonce
    machine_rsa: MachineRsa
  }
}

type MachineUse = { org_id: Once<string>; machine_id: Once<string>; used_at: Time; used_from: string }

type MachineSettings = {
  org_id: Once<string>
  machine_id: Once<string>
  version: Once<number>
  document: Json
  base_version: Once<number>
  change_id: Once<string | null>
  made_by: Once<string | null>
  made_at: TimeOnce
  state: 'waiting' | 'with_policy' | 'in_force' | 'refused'
  decided_by: string | null
  decided_at: TimeOrNull
}

type MachineCall = {
  org_id: Once<string>
  id: Once<string>
  machine_id: Once<string>
  at: TimeOnce
  method: Once<string>
  path: Once<string>
  request_id: Once<string | null>
  address: Once<string>
  http_status: Once<number>
  code: Once<string>
  refused: Once<string | null>
  duration_ms: Once<number>
  body: Once<string>
}

type MachineNonce = { org_id: Once<string>; machine_id: Once<string>; nonce: Once<string>; over_at: TimeOnce }

type MachineRsa = { org_id: Once<string>; machine_id: Once<string>; public_key: Once<string>; sealed_secret: string; created_at: TimeOnce }
