// Written by npm run openapi from the contracts of the calls.

/** A batch: what its file said, what it pays and costs, and how far it is. */
export type OpenBatch = {
  input: {
    batch_id: string
  }
  output: {
    batch_id: string
    state: 'checked' | 'approving' | 'approved' | 'stopped' | 'finished' | 'rejected' | 'cancelled' | 'expired' | 'superseded'
    is_final: boolean
    reason: string | null
    waits_for: string | null
    wallet_id: string
    sub_wallet_id: string
    wallet_name: string
    sub_wallet_name: string
    chain: string
    network: string
    symbol: string
    file_name: string
    initiator: {
      person_id: string
      name: string
    }
    retry_of: string | null
    execution: 'strict' | 'partial' | null
    mode: 'single' | 'contract'
    remark: string
    approval_url: string | null
    lines: number
    wrong: number
    total: string
    paid: string
    counts: Record<string, never>
    created_at: number
    expire_at: number | null
    address_from: string | null
    available: string
    fee_symbol: string
    fee_available: string
    fee_paid: string
    fees: {
      transactions: number
      together: number
      tiers: readonly {
        tier: 'economy' | 'normal' | 'fast'
        cap: string
        total: string
      }[]
    } | null
    by_contract: {
      address: string
      readiness: 'ready' | 'not_deployed' | 'allowance_low' | 'untold'
      allowance: string | null
      fees: {
        transactions: number
        together: number
        tiers: readonly {
          tier: 'economy' | 'normal' | 'fast'
          cap: string
          total: string
        }[]
      } | null
    } | null
    warnings: Record<string, never>
  }
}
