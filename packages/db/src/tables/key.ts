import type { Json, Once, Time, TimeOnce, TimeOrNull } from './columns.ts'

/** Tables of features/key. */
export type KeyTables = {
  wallet_key: WalletKey
  recovery_kit: RecoveryKit
}

type WalletKey = {
  org_id: Once<string>
  key_id: Once<Uint8Array>
  epoch: Once<bigint>
  protocol: Once<string>
  state: 'generating' | 'setting_up' | 'ready' | 'failed'
  public_key: Uint8Array | null
  chain_code: Uint8Array | null
  statements: Uint8Array | null
  progress: Json
  created_at: TimeOnce
  updated_at: Time
}

type RecoveryKit = {
  org_id: Once<string>
  key_id: Once<Uint8Array>
  epoch: Once<bigint>
  kit: Uint8Array
  drill: Uint8Array | null
  created_at: TimeOnce
  verified_at: TimeOrNull
}
