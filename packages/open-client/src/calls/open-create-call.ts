// Written by npm run openapi from the contracts of the calls.

/** Asks for a call of a contract: an immutable intent, its value and fee held until it is decided. */
export type OpenCreateCall = {
  input: {
    sub_wallet_id: string
    chain: string
    interactive_contract: string
    amount?: string
    input_data: string
    function?: string
    request_id: string
    max_fee: string
    trans_type?: '0' | '1'
    dapp_name?: string
    dapp_url?: string
    dapp_img?: string
    remark?: string
    expire_hours?: string
    ack?: 'true' | 'false'
  }
  output: {
    trans_id: string
    status: number
    sub_status: string
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
    intent_hash: string
    approval_url: string
    idempotent: boolean
  }
}
