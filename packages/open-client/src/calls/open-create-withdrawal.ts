// Written by npm run openapi from the contracts of the calls.

/** Asks for a payment: an immutable intent, its funds held until it is decided. */
export type OpenCreateWithdrawal = {
  input: {
    request_id: string
    sub_wallet_id: string
    chain: string
    symbol: string
    token_id?: string
    from?: string
    address_to: string
    amount: string
    outputs?: string
    max_fee: string
    fee_tier?: 'economy' | 'normal' | 'fast'
    gross?: '0' | '1'
    memo?: '' | string
    remark?: string
    category?: '' | string
    tags?: string
    expire_hours?: string
    ack?: string
  }
  output: {
    withdraw_id: string
    status: number
    sub_status: string
    intent_hash: string
    approval_url: string
    idempotent: boolean
  }
}
