// Written by npm run openapi from the contracts of the calls.

/** The addresses of a sub-wallet that people pay in to. */
export type OpenAddresses = {
  input: {
    sub_wallet_id: string
    chain?: string
    symbol?: string
    keyword?: string
    state?: 'all' | 'unused' | 'used' | 'funded'
    after?: string
    page_no?: string
    page_size?: string
  }
  output: {
    pageTotal: number
    has_more: boolean
    list: readonly {
      id: string
      chain: string
      network: string
      address: string | null
      memo: string | null
      payment_link: string | null
      addr_type: number
      label: string | null
      enableDeposit: boolean
      text: string
      balance: readonly {
        symbol: string
        amount: string
      }[]
      last_in_at: number | null
      created_at: number
    }[]
    next: string | null
  }
}
