import type { Json, Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/key. */
  interface Schema {
    wallet_key: WalletKey
    key_of_wallet: KeyOfWallet
    added_key: AddedKey
    recovery_kit: RecoveryKit
  }
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

type KeyOfWallet = { org_id: Once<string>; wallet_id: Once<string>; protocol: Once<string>; key_id: Uint8Array; retired_at: TimeOrNull }

type RecoveryKit = {
  org_id: Once<string>
  key_id: Once<Uint8Array>
  epoch: Once<bigint>
  kit: Uint8Array
  drill: Uint8Array | null
  created_at: TimeOnce
  verified_at: TimeOrNull
}

type AddedKey = {
  org_id: Once<string>
  wallet_id: Once<string>
  protocol: string
  key_id: Uint8Array
  owned_at: TimeOrNull
}
