// Written by npm run openapi from the contracts of the calls.

/** What a call says, what it would do, what it may cost and what the policy says of it, before it is asked for. */
export type OpenCheckCall = {
  input: {
    sub_wallet_id: string
    chain: string
    interactive_contract: string
    amount?: string
    input_data: string
    function?: string
  }
  output: {
    decoded: {
      method: string | null
      title: string
      trade: readonly {
        label: string
        value: string
      }[]
      grants: readonly string[]
      args: readonly {
        label: string
        value: string
      }[]
      warnings: readonly string[]
      grave: boolean
    }
    simulation: {
      fails: string | null
      changes: readonly {
        symbol: string
        contract_address: string | null
        delta: string
        address: string
      }[] | null
      risk: 'none' | 'warn' | 'block'
    }
    policy: {
      denied: boolean
      sentence: string
    }
    gas: {
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
    } | null
  }
}
