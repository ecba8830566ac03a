// Written by npm run openapi from the contracts of the calls.

/** Hands in what the screener says of an order, signed by its key. The same again answers the same; a later word takes the place of an earlier one. */
export type OpenScreen = {
  input: {
    order_hash: string
    provider: string
    level: 'low' | 'medium' | 'high' | 'severe' | 'unknown'
    screened_at: number
    report_hash: string
    signature: string
  }
  output: {
    order_id: string
    state: string
  }
}
