// Written by npm run openapi from the contracts of the calls.

/** The sub-wallets that the key may name. */
export type OpenWallets = {
  input: Record<string, never>
  output: {
    list: readonly {
      wallet_id: string
      wallet_name: string
      sub_wallet_id: string
      sub_wallet_name: string
    }[]
  }
}
