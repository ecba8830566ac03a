import { AppError, type InputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { announce } from '@holdfast/jobs'
import type { Ports } from '@holdfast/ports'
import { newId } from '@holdfast/units'
import { sql } from 'kysely'
import { ENDPOINTS_MAX, type saveWebhookEndpoint as saveEndpoint } from '../contract.ts'
import { notificationErrors } from '../errors.ts'
import { notifyTime } from './story.ts'
import { CHANNEL, freshDelivery } from './tell-endpoints.ts'
import { type KeyNeeds, lockKey } from './webhook-keys.ts'
import { writeChange } from './write-change.ts'

type Needs = KeyNeeds & { ports: Pick<Ports, 'clock' | 'random'> }
type Asked = Omit<InputOf<typeof saveEndpoint>, 'google_code'>

/** Wakes the servers that send, and tells open pages. */
async function tell(tx: OrganisationTx, { ports }: Needs): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, '')`.execute(tx)
  await announce(tx, ports, 'notification.changed', {})
}

/** An endpoint that is changed here. Throws AppError for one that stands in the settings of an API key, which people confirm. */
async function lockOwnEndpoint(tx: OrganisationTx, endpointId: string) {
  const row = await lockEndpoint(tx, endpointId)
  if (row.machine_id !== null) throw new AppError(notificationErrors.endpoint_of_key, { details: { app_id: row.machine_id } })
  return row
}

/** An endpoint that is not removed, locked. Throws AppError. */
async function lockEndpoint(tx: OrganisationTx, endpointId: string) {
  const row = await tx
    .selectFrom('webhook_endpoint')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('id', '=', endpointId)
    .where('removed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('resource_not_found')
  return row
}

/** Adds an endpoint, or changes one: what is not sent yet goes to the new address. `url` has been checked. */
export async function saveWebhookEndpoint(tx: OrganisationTx, needs: Needs, personId: string, asked: Asked): Promise<string> {
  const { ports } = needs
  await lockKey(tx, needs)
  const nowMs = ports.clock.nowMs()
  const present = asked.endpoint_id === undefined ? undefined : await lockOwnEndpoint(tx, asked.endpoint_id)
  // Since when each side is told: what was told before goes on without a gap.
  const sides = Object.fromEntries(asked.sides.map((side) => [side, present?.sides[side] ?? nowMs]))
  const settings = { url: asked.url, sides: JSON.stringify(sides), confirmations_step: asked.confirmations_step, pause_after: asked.pause_after }
  const detail = { url: asked.url, sides: asked.sides, confirmations_step: asked.confirmations_step, pause_after: asked.pause_after }
  let endpointId = present?.id
  if (present && endpointId !== undefined) {
    await tx
      .updateTable('webhook_endpoint')
      .set({
        ...settings,
        ...(present.url === asked.url ? {} : { failures: 0, failing_since_at: null }),
        updated_at: Math.max(nowMs, Number(present.updated_at)),
      })
      .where('org_id', '=', tx.orgId)
      .where('id', '=', present.id)
      .execute()
    const old = { url: present.url, sides: Object.keys(present.sides), confirmations_step: present.confirmations_step, pause_after: present.pause_after }
    await writeChange(tx, ports, { endpointId, personId, action: 'save', detail: { ...detail, old } })
  } else {
    endpointId = await addEndpoint(tx, needs, settings)
    await writeChange(tx, ports, { endpointId, personId, action: 'add', detail })
  }
  await tell(tx, needs)
  return endpointId
}

async function addEndpoint(
  tx: OrganisationTx,
  { ports }: Needs,
  settings: { url: string; sides: string; confirmations_step: number; pause_after: number },
): Promise<string> {
  const nowMs = ports.clock.nowMs()
  const { count } = await tx
    .selectFrom('webhook_endpoint')
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .where('org_id', '=', tx.orgId)
    .where('removed_at', 'is', null)
    .where('machine_id', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= BigInt(ENDPOINTS_MAX)) throw new AppError(notificationErrors.too_many_receivers, { details: { limit: ENDPOINTS_MAX } })
  const id = newId(nowMs, ports.random)
  const none = { machine_id: null, paused_at: null, pause_reason: null, failures: 0, failing_since_at: null, removed_at: null }
  await tx
    .insertInto('webhook_endpoint')
    .values({ org_id: tx.orgId, id, ...settings, ...none, created_at: nowMs, updated_at: nowMs })
    .execute()
  return id
}

/** Pauses an endpoint, or lets it go on: then whatever waits is due at once. The same word twice does nothing. */
export async function pauseWebhookEndpoint(tx: OrganisationTx, needs: Needs, personId: string, endpointId: string, isPaused: boolean): Promise<void> {
  const { ports } = needs
  const nowMs = ports.clock.nowMs()
  const row = await lockEndpoint(tx, endpointId)
  if ((row.paused_at !== null) === isPaused) return
  const change = isPaused ? { paused_at: nowMs, pause_reason: 'person' as const } : { paused_at: null, pause_reason: null, failures: 0, failing_since_at: null }
  await tx
    .updateTable('webhook_endpoint')
    .set({ ...change, updated_at: Math.max(nowMs, Number(row.updated_at)) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', endpointId)
    .execute()
  if (!isPaused)
    await tx
      .updateTable('webhook_delivery')
      .set({ next_at: nowMs })
      .where('org_id', '=', tx.orgId)
      .where('endpoint_id', '=', endpointId)
      .where('state', '=', 'retrying')
      .where('next_at', '>', BigInt(nowMs))
      .execute()
  await writeChange(tx, ports, { endpointId, personId, action: isPaused ? 'pause' : 'resume', detail: { url: row.url } })
  await tell(tx, needs)
}

/** Removes an endpoint for good. Its history stays; what was not sent is stopped. */
export async function removeWebhookEndpoint(tx: OrganisationTx, needs: Needs, personId: string, endpointId: string): Promise<void> {
  const row = await lockOwnEndpoint(tx, endpointId)
  await endEndpoint(tx, needs, row)
  await writeChange(tx, needs.ports, { endpointId, personId, action: 'remove', detail: { url: row.url } })
  await tell(tx, needs)
}

/** Marks an endpoint as removed, and stops what was not sent to it. */
export async function endEndpoint(tx: OrganisationTx, { ports }: Pick<Needs, 'ports'>, row: { id: string; created_at: bigint; updated_at: bigint }) {
  const nowMs = ports.clock.nowMs()
  await tx
    .updateTable('webhook_endpoint')
    .set({ removed_at: Math.max(nowMs, Number(row.created_at)), updated_at: Math.max(nowMs, Number(row.updated_at)) })
    .where('org_id', '=', tx.orgId)
    .where('id', '=', row.id)
    .execute()
  await tx
    .updateTable('webhook_delivery')
    .set({ state: 'stopped', next_at: null, lease_holder: null, lease_until_at: null, updated_at: sql<bigint>`greatest(updated_at, ${nowMs}::int8)` })
    .where('org_id', '=', tx.orgId)
    .where('endpoint_id', '=', row.id)
    .where('state', '=', 'retrying')
    .execute()
}

/** Writes a test event for an endpoint. It is tried once, also where the endpoint is paused, and nothing waits for it. */
export async function writeTest(tx: OrganisationTx, needs: Needs, personId: string, endpointId: string): Promise<string> {
  const { ports } = needs
  const nowMs = ports.clock.nowMs()
  const row = await lockEndpoint(tx, endpointId)
  const id = newId(nowMs, ports.random)
  const body = JSON.stringify({ notify_id: id, event: 'test', side: 'test', seq: 1, sent_at: nowMs, notify_time: notifyTime(nowMs) })
  const nothing = { wallet_id: null, request_id: null, biz_status: null }
  await tx
    .insertInto('webhook_delivery')
    .values({
      org_id: tx.orgId,
      id,
      endpoint_id: endpointId,
      record_id: id,
      side: 'test',
      event: 'test',
      seq: 1n,
      body,
      ...nothing,
      ...freshDelivery(nowMs, 1),
    })
    .execute()
  await writeChange(tx, ports, { endpointId, personId, action: 'test', detail: { url: row.url } })
  await sql`select pg_notify(${CHANNEL}, '')`.execute(tx)
  return id
}
