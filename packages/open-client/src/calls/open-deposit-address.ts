// Written by npm run openapi from the contracts of the calls.

/** Where to deposit a coin. The address is shown only while recovery of its key is proven. */
export type OpenDepositAddress = {
  input: {
    sub_wallet_id: string
    chain: string
    symbol: string
  }
  output: {
    symbol: string
    network: string
    enableDeposit: boolean
    text: string
    address: string | null
    confirmations: number
    test_coins: boolean
    memo: string | null
    payment_link: string | null
    memo_max: number | null
    contract_address: string | null
    uneven: boolean
    is_uninitialised: boolean
  }
}
