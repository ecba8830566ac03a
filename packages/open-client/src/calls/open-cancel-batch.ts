// Written by npm run openapi from the contracts of the calls.

/** Takes a batch back. Lines that no signer was asked for are not paid; those that were are paid or not as the chain says. */
export type OpenCancelBatch = {
  input: {
    batch_id: string
    remark?: string
  }
  output: {
    batch_id: string
    state: 'checked' | 'approving' | 'approved' | 'stopped' | 'finished' | 'rejected' | 'cancelled' | 'expired' | 'superseded'
  }
}
