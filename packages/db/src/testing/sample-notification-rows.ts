import type { OrganisationTx } from '../run-transaction.ts'

/** For tests: one row in every table of notifications, in those of mail and pushes, and of the inbox. */
export async function insertNotificationRows(
  tx: OrganisationTx,
  given: { uuidOf: (part: string) => string; bytesOf: (part: string) => Uint8Array; nowMs: number; orderId: string; personId: string; walletId: string },
): Promise<void> {
  const { uuidOf, bytesOf, nowMs, orderId, personId, walletId } = given
  const [endpointId, notifyId] = [uuidOf('endpoint'), uuidOf('notification')]
  const own = { org_id: tx.orgId }
  const record = { ...own, endpoint_id: endpointId, record_id: orderId, side: 'withdraw', seq: 1n }
  const url = 'https://receiver.example/hook?a=“b”'
  const keyId = Buffer.from(bytesOf('webhook key')).toString('hex').slice(0, 16)
  await tx
    .insertInto('inbox_mark')
    .values({ ...own, person_id: personId, seen_until: nowMs })
    .execute()
  await tx
    .insertInto('webhook_key')
    .values({ ...own, number: 1n, key_id: keyId, public_key: bytesOf('webhook key'), sealed_secret: 'sealed', created_at: nowMs, retired_at: null })
    .execute()
  await tx
    .insertInto('webhook_endpoint')
    .values({
      ...own,
      id: endpointId,
      url,
      machine_id: null,
      sides: JSON.stringify({ withdraw: nowMs }),
      confirmations_step: 1,
      pause_after: 20,
      paused_at: null,
      pause_reason: null,
      failures: 0,
      failing_since_at: null,
      created_at: nowMs,
      updated_at: nowMs,
      removed_at: null,
    })
    .execute()
  await tx
    .insertInto('webhook_record')
    .values({ ...record, source_seq: 1n, told: 'approving/approving', confirmations: 0n })
    .execute()
  await tx
    .insertInto('webhook_delivery')
    .values({
      ...record,
      id: notifyId,
      wallet_id: walletId,
      event: 'withdraw.approving',
      request_id: 'r1',
      biz_status: 1000,
      body: '{"line":"\\n"}',
      state: 'success',
      attempts: 1,
      tries_left: 15,
      tries_max: 16,
      next_at: null,
      last_at: nowMs,
      lease_holder: null,
      lease_until_at: null,
      http_code: 200,
      failure: null,
      duration_ms: 12,
      created_at: nowMs,
      updated_at: nowMs,
    })
    .execute()
  await tx
    .insertInto('webhook_attempt')
    .values({
      ...own,
      notify_id: notifyId,
      number: 1,
      url,
      address: '::1',
      headers: JSON.stringify({ 'X-Signature': 'a' }),
      at: nowMs,
      ended_at: nowMs,
      duration_ms: 12,
      http_code: 200,
      failure: null,
      answer: '<b>\\N\ttab</b>',
      answer_cut: false,
    })
    .execute()
  await tx
    .insertInto('webhook_change')
    .values({ ...own, id: uuidOf('webhook change'), endpoint_id: endpointId, person_id: personId, action: 'save', detail: JSON.stringify({ url }), at: nowMs })
    .execute()
  await tx
    .insertInto('mail')
    .values({
      ...own,
      id: uuidOf('mail'),
      person_id: personId,
      topic: 'receiver_paused',
      about_id: endpointId,
      address: 'o’hara@mail.example',
      subject: 'A “receiver”',
      body: '.\r\n暂停',
      state: 'sent',
      reason: null,
      attempts: 1,
      next_at: null,
      lease_holder: null,
      lease_until_at: null,
      created_at: nowMs,
      ended_at: nowMs,
    })
    .execute()
  await tx
    .insertInto('push_subscription')
    .values({ ...own, person_id: personId, endpoint: 'https://push.example/a=“b”', created_at: nowMs, told_at: nowMs, next_at: nowMs, failures: 0 })
    .execute()
  await tx
    .insertInto('mail_choice')
    .values({ ...own, person_id: personId, wanted: true, address: null, language: 'zh-CN', updated_at: nowMs })
    .execute()
}
