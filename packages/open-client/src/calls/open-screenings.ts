// Written by npm run openapi from the contracts of the calls.

/** The orders that wait for what this screener says of them, the oldest first: a hundred at most, of the sub-wallets that its key may name. */
export type OpenScreenings = {
  input: Record<string, never>
  output: {
    organisation: string
    list: readonly {
      order_hash: string
      intent: string
      order_id: string
      kind: string
      sub_wallet_id: string
      chain: string
      from: string
      asset: string
      symbol: string
      amount: string
      pays: readonly {
        to: string
        amount: string
        memo: string | null
      }[]
      expire_at: number
      within_ms: number
      levels: readonly string[]
      last: {
        level: 'low' | 'medium' | 'high' | 'severe' | 'unknown'
        provider: string
        at: number
      } | null
    }[]
  }
}
