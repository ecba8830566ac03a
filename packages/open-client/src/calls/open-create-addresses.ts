// Written by npm run openapi from the contracts of the calls.

/** Makes further addresses for a sub-wallet. They are in the list as soon as all three signers have attested them. */
export type OpenCreateAddresses = {
  input: {
    request_id: string
    sub_wallet_id: string
    chain: string
    count?: string
    label?: '' | string
    addr_type?: string
  }
  output: {
    id: string
    chain: string
    network: string
    addr_type: number
    first: number
    count: number
    made: number
    label: string | null
    created_at: number
    idempotent: boolean
  }
}
