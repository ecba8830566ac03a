import type { Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/wallet. */
  interface Schema {
    wallet: Wallet
    sub_wallet: SubWallet
    wallet_pin: WalletPin
    sub_wallet_pin: SubWalletPin
    sub_wallet_alias: SubWalletAlias
    coin_focus: CoinFocus
    wallet_coin: WalletCoin
  }
}

type Wallet = {
  org_id: Once<string>
  id: Once<string>
  name: string
  alias: string | null
  state: 'creating' | 'active' | 'failed'
  request_id: Once<string>
  created_by: Once<string>
  created_at: TimeOnce
  updated_at: Time
  archived_at: TimeOrNull
}

type SubWallet = { org_id: Once<string>; id: Once<string>; wallet_id: Once<string>; number: Once<number>; name: string; hidden: boolean; created_at: TimeOnce }

type WalletPin = { org_id: Once<string>; person_id: Once<string>; wallet_id: Once<string>; pinned: boolean; updated_at: Time }

type SubWalletPin = { org_id: Once<string>; person_id: Once<string>; sub_wallet_id: Once<string>; pinned: boolean; updated_at: Time }

type SubWalletAlias = { org_id: Once<string>; sub_wallet_id: Once<string>; alias: string; updated_at: Time }

type CoinFocus = {
  org_id: Once<string>
  person_id: Once<string>
  sub_wallet_id: Once<string>
  chain: Once<string>
  contract: Once<string>
  focused: boolean
  updated_at: Time
}

type WalletCoin = { org_id: Once<string>; wallet_id: Once<string>; chain: Once<string>; contract: Once<string>; is_open: boolean; updated_at: Time }
