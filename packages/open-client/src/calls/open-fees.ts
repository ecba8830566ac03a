// Written by npm run openapi from the contracts of the calls.

/** The fee of a transfer in three tiers, at most; with data, that of a call of the contract `to`. */
export type OpenFees = {
  input: {
    sub_wallet_id: string
    chain: string
    symbol: string
    token_id?: string
    from?: string
    to: string
    amount: string
    gross?: '0' | '1'
    data?: string
    outputs?: string
    inscription_ids?: string
  }
  output: {
    fee_symbol: string
    tiers: readonly {
      tier: 'economy' | 'normal' | 'fast'
      fee: string
      eta_s: number | null
      expected: string | null
      activation: string | null
      resources: readonly {
        name: 'bandwidth' | 'energy'
        needed: string
        available: string
      }[]
    }[]
    fee_decimals: number
    cap_min: string
    cap_max: string
    fee_balance: string
    min_withdraw: string
    max_withdraw: string
    along: string | null
    max_gross: string | null
    quoted_at: number
    valid_ms: number
  }
}
