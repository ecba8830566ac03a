import type { Json, Once, Time, TimeOnce, TimeOrNull } from '../columns.ts'

declare module './schema.ts' {
  /** Tables of features/notification. */
  interface Schema {
    webhook_key: WebhookKey
    webhook_endpoint: WebhookEndpoint
    webhook_record: WebhookRecord
    webhook_delivery: WebhookDelivery
    webhook_attempt: WebhookAttempt
    webhook_change: WebhookChange
  }
}

type WebhookKey = {
  org_id: Once<string>
  number: Once<bigint>
  key_id: Once<string>
  public_key: Once<Uint8Array>
  sealed_secret: string
  created_at: TimeOnce
  retired_at: TimeOrNull
}

type WebhookEndpoint = {
  org_id: Once<string>
  id: Once<string>
  url: string
  /** Of an endpoint that an API key has of its own: the key. */
  machine_id: Once<string | null>
  /** Side -> since when it is told, milliseconds since 1970. */
  sides: Json<Record<string, number>>
  confirmations_step: number
  pause_after: number
  paused_at: TimeOrNull
  pause_reason: 'person' | 'failures' | null
  failures: number
  failing_since_at: TimeOrNull
  created_at: TimeOnce
  updated_at: Time
  removed_at: TimeOrNull
}

type WebhookRecord = {
  org_id: Once<string>
  endpoint_id: Once<string>
  record_id: Once<string>
  side: Once<string>
  seq: bigint
  source_seq: bigint
  told: string
  confirmations: bigint
}

type WebhookDelivery = {
  org_id: Once<string>
  id: Once<string>
  endpoint_id: Once<string>
  record_id: Once<string>
  wallet_id: Once<string | null>
  side: Once<string>
  event: Once<string>
  seq: Once<bigint>
  request_id: Once<string | null>
  biz_status: Once<number | null>
  body: Once<string>
  state: 'retrying' | 'success' | 'failed' | 'stopped'
  attempts: number
  tries_left: number
  tries_max: number
  next_at: TimeOrNull
  last_at: TimeOrNull
  lease_holder: string | null
  lease_until_at: TimeOrNull
  http_code: number | null
  failure: string | null
  duration_ms: number | null
  created_at: TimeOnce
  updated_at: Time
}

type WebhookAttempt = {
  org_id: Once<string>
  notify_id: Once<string>
  number: Once<number>
  url: Once<string>
  address: string | null
  headers: Json<Record<string, string>>
  at: TimeOnce
  ended_at: TimeOrNull
  duration_ms: number | null
  http_code: number | null
  failure: string | null
  answer: string | null
  answer_cut: boolean
}

type WebhookChange = {
  org_id: Once<string>
  id: Once<string>
  endpoint_id: Once<string | null>
  person_id: Once<string | null>
  action: Once<string>
  detail: Json<Record<string, unknown>>
  at: TimeOnce
}
