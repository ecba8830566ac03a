// Written by npm run openapi from the contracts of the calls.

/** Takes an order back while it waits for approval, or cannot be built and no signer has begun with it; its funds are free again. */
export type OpenCancelWithdrawal = {
  input: {
    withdraw_id: string
    remark?: string
  }
  output: {
    status: number
    sub_status: string
  }
}
