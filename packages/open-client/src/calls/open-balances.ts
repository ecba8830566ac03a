// Written by npm run openapi from the contracts of the calls.

/** What a sub-wallet holds, coin by coin. */
export type OpenBalances = {
  input: {
    sub_wallet_id: string
    base_symbol?: string
    fiat?: 'USD' | 'EUR' | 'GBP' | 'CHF' | 'CNY' | 'HKD' | 'JPY' | 'KRW' | 'SGD' | 'AUD' | 'CAD' | 'INR'
  }
  output: {
    usd_balance: string | null
    usd_partial: boolean
    price_source: string | null
    list: readonly {
      symbol: string
      base_symbol: string
      chain: string
      network: string
      contract_address: string | null
      decimals: number
      token_standard: 'native' | 'ERC20' | 'TRC20' | 'jetton' | 'BRC20'
      normal_balance: string
      lock_balance: string
      stake_balance: string
      collecting_balance: string
      pending_balance: string
      usd: string | null
      price: string | null
      price_change: string | null
      focus: boolean
      verified: boolean
      uneven: boolean
      enable_deposit: boolean
      enable_withdraw: boolean
    }[]
    unverified_count: number
  }
}
