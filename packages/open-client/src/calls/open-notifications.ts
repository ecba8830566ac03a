// Written by npm run openapi from the contracts of the calls.

/** Notifications to the organisation’s webhook endpoints, newest first. */
export type OpenNotifications = {
  input: {
    wallet_id?: string
    endpoint_id?: string
    side?: 'deposit' | 'withdraw' | 'web3-trans' | 'batch' | 'collect' | 'fuel' | 'energy' | 'key' | 'test'
    status?: 'retrying' | 'success' | 'failed' | 'stopped'
    keyword?: string
    start_time?: string
    end_time?: string
    after?: string
    page_no?: string
    page_size?: string
  }
  output: {
    pageTotal: number
    has_more: boolean
    list: readonly {
      notify_id: string
      endpoint_id: string
      side: string
      event: string
      seq: number
      biz_id: string | null
      request_id: string | null
      biz_status: number | null
      url: string
      http_code: number | null
      failure_reason: string | null
      answer: string | null
      duration_ms: number | null
      times: number
      max_times: number
      last_at: number | null
      next_at: number | null
      status: 'retrying' | 'success' | 'failed' | 'stopped'
      hold: 'earlier' | 'paused' | null
      created_at: number
    }[]
    next: string | null
    stat: {
      success_rate: number | null
      p95_ms: number | null
      failed: number
      waiting: number
    }
  }
}
