// Written by npm run openapi from the contracts of the calls.

/** The lines of a batch, and what became of each. */
export type OpenBatchRows = {
  input: {
    batch_id: string
    state?: 'pending' | 'processing' | 'completed' | 'failed' | 'not_executed' | 'flagged'
    after?: string
    page_no?: string
    page_size?: string
  }
  output: {
    pageTotal: number
    has_more: boolean
    list: readonly {
      line: number
      address: string
      amount: string
      memo: string | null
      state: 'pending' | 'processing' | 'completed' | 'failed' | 'not_executed'
      errors: readonly {
        code: string
        msg: string
      }[]
      warnings: readonly {
        kind: 'duplicate' | 'lookalike' | 'contract' | 'first_seen'
        msg: string
      }[]
      order_id: string | null
      txid: string | null
      sub_status: string | null
      can_retry: boolean
      retried_in: string | null
    }[]
    next: string | null
  }
}
