// Written by npm run openapi from the contracts of the calls.

/** Asks for a batch: its lines are approved as one order, and its money is held. Nothing is asked for where one line is wrong. */
export type OpenCreateBatch = {
  input: {
    request_id: string
    sub_wallet_id: string
    chain: string
    symbol: string
    lines: string
    fee_tier?: 'economy' | 'normal' | 'fast'
    max_fee: string
    remark?: string
  }
  output: {
    batch_id: string
    state: string
    intent_hash: string
    approval_url: string
    idempotent: boolean
  }
}
