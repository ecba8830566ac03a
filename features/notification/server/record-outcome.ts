import type { OrganisationTx } from '@holdfast/db'
import { writeMail } from '@holdfast/features/mail/server'
import { permissionsOf, roles } from '@holdfast/features/session/server'
import { announce, retryDelayMs } from '@holdfast/jobs'
import type { Attempt, SendingNeeds } from './claim-deliveries.ts'
import { lockRecord, releaseNext } from './release-next.ts'
import type { Outcome } from './send-attempt.ts'
import { TRIES_MAX } from './tell-endpoints.ts'
import { pausedWords } from './words.ts'
import { writeChange } from './write-change.ts'

/** An endpoint is paused after so many failures in a row only when they lasted this long: a restart of it is no reason. */
export const PAUSE_AFTER_MS = 10 * 60_000

/**
 * Writes how a try ended, and what follows: the notification is done, is tried again later or is given up, the next one of its
 * record may go, the endpoint is paused. A server that lost its lease meanwhile writes the end of its try and nothing else.
 */
export async function recordOutcome(needs: SendingNeeds, holder: string, attempt: Attempt, outcome: Outcome): Promise<void> {
  const { db, ports } = needs
  const { orgId, endpointId, recordId, notifyId } = attempt
  await db.asOrganisation(orgId, async (tx) => {
    const nowMs = ports.clock.nowMs()
    await lockRecord(tx, endpointId, recordId)
    await tx
      .updateTable('webhook_attempt')
      .set({
        ended_at: nowMs,
        address: outcome.address,
        duration_ms: outcome.durationMs,
        http_code: outcome.httpCode,
        failure: outcome.failure,
        answer: outcome.answer,
        answer_cut: outcome.isCut,
      })
      .where('org_id', '=', orgId)
      .where('notify_id', '=', notifyId)
      .where('number', '=', attempt.number)
      .execute()
    const row = await tx
      .selectFrom('webhook_delivery')
      .select(['tries_left', 'created_at'])
      .where('org_id', '=', orgId)
      .where('id', '=', notifyId)
      .where('state', '=', 'retrying')
      .where('lease_holder', '=', holder)
      .where('attempts', '=', attempt.number)
      .forUpdate()
      .executeTakeFirst()
    if (!row) return
    const [random = 0] = ports.random.bytes(1)
    await tx
      .updateTable('webhook_delivery')
      .set({
        ...next(outcome, row, nowMs, random),
        lease_holder: null,
        lease_until_at: null,
        http_code: outcome.httpCode,
        failure: outcome.failure,
        duration_ms: outcome.durationMs,
        updated_at: Math.max(nowMs, Number(row.created_at)),
      })
      .where('org_id', '=', orgId)
      .where('id', '=', notifyId)
      .execute()
    if (outcome.failure === null) await releaseNext(tx, endpointId, recordId, nowMs)
    if (!attempt.isTest && outcome.failure !== 'interrupted') await countFor(tx, needs, endpointId, outcome.failure !== null, nowMs)
  })
}

function next({ failure }: Outcome, row: { tries_left: number }, nowMs: number, random: number) {
  if (failure === null) return { state: 'success' as const, next_at: null }
  // A try that was broken off by our own end is nobody's failure: it is made again.
  if (failure === 'interrupted') return { next_at: nowMs, tries_left: row.tries_left + 1 }
  if (row.tries_left === 0) return { state: 'failed' as const, next_at: null }
  return { next_at: nowMs + retryDelayMs(TRIES_MAX - row.tries_left, random) }
}

/** Counts failures in a row, and pauses an endpoint that has failed too often for too long. */
async function countFor(tx: OrganisationTx, needs: SendingNeeds, endpointId: string, hasFailed: boolean, nowMs: number): Promise<void> {
  const { ports } = needs
  const endpoint = await tx
    .selectFrom('webhook_endpoint')
    .select(['failures', 'failing_since_at', 'pause_after', 'paused_at', 'url', 'created_at'])
    .where('org_id', '=', tx.orgId)
    .where('id', '=', endpointId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (!hasFailed && endpoint.failures === 0) return
  const failures = hasFailed ? endpoint.failures + 1 : 0
  const sinceMs = Number(endpoint.failing_since_at ?? nowMs)
  const pauses = hasFailed && endpoint.paused_at === null && failures >= endpoint.pause_after && nowMs - sinceMs >= PAUSE_AFTER_MS
  await tx
    .updateTable('webhook_endpoint')
    .set({
      failures,
      failing_since_at: hasFailed ? sinceMs : null,
      ...(pauses ? { paused_at: nowMs, pause_reason: 'failures' as const } : {}),
    })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', endpointId)
    .execute()
  if (!pauses) return
  await writeChange(tx, ports, { endpointId, personId: null, action: 'auto_pause', detail: { url: endpoint.url, failures } })
  await tellByMail(tx, needs, { endpointId, url: endpoint.url, failures })
  await announce(tx, ports, 'notification.changed', {})
}

/** Nobody may be looking at the console: an e-mail goes to those who can mend it. */
async function tellByMail(tx: OrganisationTx, needs: SendingNeeds, paused: { endpointId: string; url: string; failures: number }): Promise<void> {
  const menders = roles.filter((role) => permissionsOf(role).has('notification.write'))
  const people = await tx.selectFrom('person').select('id').where('org_id', '=', tx.orgId).where('role', 'in', menders).execute()
  await writeMail(tx, needs, {
    topic: 'receiver_paused',
    aboutId: paused.endpointId,
    personIds: people.map(({ id }) => id),
    path: '/mpc/transactionNotification?view=receivers',
    words: pausedWords(paused),
  })
}
