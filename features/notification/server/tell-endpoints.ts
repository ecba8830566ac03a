import { actForOrganisation, inParts, type OrganisationTx, type Schema, type SystemTx, writtenOnce } from '@holdfast/db'
import type { ServerContext } from '@holdfast/features/context'
import { forEachApart, type OutboxEvent, type Subscriber } from '@holdfast/jobs'
import { known, newId } from '@holdfast/units'
import { type Insertable, sql } from 'kysely'
import * as z from 'zod'
import type { Side } from '../contract.ts'
import { batchStory } from './stories/batch-story.ts'
import { collectingStories } from './stories/collecting-stories.ts'
import { depositStories } from './stories/deposit-stories.ts'
import { energyStory } from './stories/energy-story.ts'
import { keyStories } from './stories/key-stories.ts'
import { orderStory } from './stories/order-story.ts'
import { openRecordContext, type RecordContext } from './stories/record-fields.ts'
import { resourceStory } from './stories/resource-story.ts'
import { notifyTime, type Step, type Story, untoldSteps } from './story.ts'

/** Tries of one notification, which take about a day: 5 s, 10 s, 20 s and so on up to six hours between them. */
export const TRIES_MAX = 16

/** Wakes the servers that send notifications. */
export const CHANNEL = 'holdfast_notifications'

type Needs = Pick<ServerContext, 'ports' | 'networks'>
type TimeNeeds = Pick<ServerContext, 'ports' | 'settings' | 'db'>
/** An endpoint, with since when it hears of each side. */
export type Listening = { id: string; sides: Record<string, number>; confirmationsStep: number }

const topics = {
  'batch.changed': z.object({ batch_id: z.string() }),
  'order.changed': z.object({ order_id: z.string() }),
  'deposit.changed': z.object({ deposit_id: z.string().optional(), sub_wallet_id: z.string().optional() }),
  'tron.changed': z.object({ supply_id: z.string().optional(), target_id: z.string().optional() }),
}

/**
 * Turns events of the outbox into notifications, in the transaction that marks the events as told: what a record came to becomes one
 * notification for each endpoint that listens, once. Nothing is sent here.
 */
export function notificationSubscriber(needs: Needs): Subscriber {
  return async (tx, events) => {
    const heard = events.filter(({ topic }) => Object.hasOwn(topics, topic))
    const [first] = heard
    if (!first) return
    const endpoints = await listeners(tx, first.orgId)
    if (endpoints.length === 0) return
    const context = await openRecordContext(tx, needs.networks)
    await actForOrganisation(tx, first.orgId, async (own) => {
      await tellAll(own, needs, await storiesOf(own, context, heard, endpoints), endpoints)
    })
  }
}

/** What there is to do about records of a side, which time alone brings. */
const STORIES_OF_TIME: readonly { side: Side; read: (tx: OrganisationTx, needs: TimeNeeds) => Promise<Story[]> }[] = [
  { side: 'key', read: keyStories },
  { side: 'collect', read: collectingStories },
]

/**
 * Tells the endpoints that listen to keys or to collection what there is to do about them now. What time alone brings, such as a drill that became due, is in
 * no event of the outbox, so this is to be called again and again; nothing is told twice.
 */
export async function tellWhatTimeBrings(needs: TimeNeeds, isStopped: () => boolean, report: (cause: unknown) => void = () => {}): Promise<void> {
  const organisations = await needs.db.asSystem((tx) =>
    tx
      .selectFrom('webhook_endpoint')
      .select('org_id')
      .distinct()
      .where('removed_at', 'is', null)
      .where('machine_id', 'is', null)
      .where((row) => row.or(STORIES_OF_TIME.map(({ side }) => listensTo(side))))
      .execute(),
  )
  const causes = await forEachApart(organisations, async ({ org_id: orgId }) => {
    if (isStopped()) return
    await needs.db.asOrganisation(orgId, async (tx) => {
      const endpoints = await listeners(tx, orgId)
      for (const { side, read } of STORIES_OF_TIME)
        if (endpoints.some(({ sides }) => Object.hasOwn(sides, side))) await tellAll(tx, needs, await read(tx, needs), endpoints)
    })
  })
  causes.forEach(report)
}

const listensTo = (side: Side) => sql<boolean>`sides ? ${side}`

async function listeners(tx: SystemTx | OrganisationTx, orgId: string): Promise<Listening[]> {
  const rows = await askListeners(tx, { orgId })
  return rows.map((row) => ({ id: row.id, sides: row.sides, confirmationsStep: row.confirmations_step }))
}

const askListeners = writtenOnce((db, { orgId }: { orgId: string }) =>
  db
    .selectFrom('webhook_endpoint')
    .select(['id', 'sides', 'confirmations_step'])
    .where('org_id', '=', orgId)
    .where('removed_at', 'is', null)
    .where('machine_id', 'is', null)
    .orderBy('id'),
)

/** Writes what endpoints are still to be told of some records, and wakes the servers that send. */
export async function tellAll(tx: OrganisationTx, needs: Pick<Needs, 'ports'>, stories: readonly Story[], endpoints: readonly Listening[]): Promise<void> {
  let written = 0
  for (const endpoint of endpoints) {
    const heard = stories.filter((story) => Object.hasOwn(endpoint.sides, story.side))
    if (heard.length > 0) written += await tellEndpoint(tx, needs, endpoint, heard)
  }
  if (written > 0) await sql`select pg_notify(${CHANNEL}, '')`.execute(tx)
}

type Events = readonly Pick<OutboxEvent, 'topic' | 'payload'>[]

/** The stories of what some events are about, each record once: it is told as it stands now, as far as one of these endpoints has not been told of it yet. */
export async function storiesOf(tx: OrganisationTx, context: RecordContext, events: Events, endpoints: readonly Pick<Listening, 'id'>[]): Promise<Story[]> {
  const payloads = <T extends keyof typeof topics>(topic: T) =>
    events.filter((event) => event.topic === topic).map(({ payload }) => topics[topic].parse(payload) as z.infer<(typeof topics)[T]>)
  const stories = await depositStories(tx, context, payloads('deposit.changed'))
  for (const orderId of new Set(payloads('order.changed').map(({ order_id }) => order_id))) {
    const story = await orderStory(tx, context, orderId, await toldToAll(tx, orderId, endpoints))
    if (story) stories.push(story)
  }
  for (const batchId of new Set(payloads('batch.changed').map(({ batch_id }) => batch_id))) {
    const story = await batchStory(tx, context, batchId)
    if (story) stories.push(story)
  }
  for (const supplyId of new Set(payloads('tron.changed').flatMap(({ supply_id: id }) => (id === undefined ? [] : [id])))) {
    const story = await energyStory(tx, supplyId)
    if (story) stories.push(story)
  }
  for (const targetId of new Set(payloads('tron.changed').flatMap(({ target_id: id }) => (id === undefined ? [] : [id])))) {
    const story = await resourceStory(tx, targetId)
    if (story) stories.push(story)
  }
  return stories
}

/** How far all of these endpoints have been told of a record, so that nothing before need be read again. Others are told by somebody else, and do not count. */
async function toldToAll(tx: OrganisationTx, recordId: string, endpoints: readonly Pick<Listening, 'id'>[]): Promise<bigint> {
  const records = await tx
    .selectFrom('webhook_record')
    .select('source_seq')
    .where('org_id', '=', tx.orgId)
    .where('record_id', '=', recordId)
    .where(sql<boolean>`endpoint_id = any(${endpoints.map(({ id }) => id)}::uuid[])`)
    .execute()
  if (records.length < endpoints.length) return 0n
  return records.reduce((least, { source_seq: seq }) => (seq < least ? seq : least), records[0]?.source_seq ?? 0n)
}

/** Writes what one endpoint is still to be told of some records. Answers how many notifications that were. */
async function tellEndpoint(tx: OrganisationTx, { ports }: Pick<Needs, 'ports'>, endpoint: Listening, stories: readonly Story[]): Promise<number> {
  const ids = stories.map((story) => story.recordId)
  // The records' rows are the lock: a notification that is being settled releases the next one of its record under it.
  const records = await tx
    .selectFrom('webhook_record')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('endpoint_id', '=', endpoint.id)
    .where('record_id', 'in', ids)
    .orderBy('record_id')
    .forUpdate()
    .execute()
  const undone = await tx
    .selectFrom('webhook_delivery')
    .select('record_id')
    .distinct()
    .where('org_id', '=', tx.orgId)
    .where('endpoint_id', '=', endpoint.id)
    .where('record_id', 'in', ids)
    .where('state', 'in', ['retrying', 'failed'])
    .execute()
  const deliveries: Insertable<Schema['webhook_delivery']>[] = []
  const changed: Insertable<Schema['webhook_record']>[] = []
  for (const story of stories) {
    const record = records.find((each) => each.record_id === story.recordId)
    const before = record && { sourceSeq: record.source_seq, marker: record.told, confirmations: Number(record.confirmations) }
    const { steps, told } = untoldSteps(
      story,
      before,
      known(endpoint.sides[story.side], `since when an endpoint hears of ${story.side}`),
      endpoint.confirmationsStep,
    )
    const seq = record?.seq ?? 0n
    const isHeld = undone.some((each) => each.record_id === story.recordId)
    for (const [at, step] of steps.entries())
      deliveries.push({ org_id: tx.orgId, ...notificationOf(ports, endpoint.id, story, step, seq + BigInt(at) + 1n, isHeld || at > 0) })
    if (steps.length === 0 && told.confirmations === before?.confirmations) continue
    if (!record && steps.length === 0) continue
    const changes = { seq: seq + BigInt(steps.length), source_seq: told.sourceSeq, told: told.marker, confirmations: BigInt(told.confirmations) }
    changed.push({ org_id: tx.orgId, endpoint_id: endpoint.id, record_id: story.recordId, side: story.side, ...changes })
  }
  for (const part of inParts(deliveries)) await tx.insertInto('webhook_delivery').values(part).execute()
  for (const part of inParts(changed))
    await tx
      .insertInto('webhook_record')
      .values(part)
      .onConflict((conflict) =>
        conflict.columns(['org_id', 'endpoint_id', 'record_id']).doUpdateSet((row) => ({
          seq: row.ref('excluded.seq'),
          source_seq: row.ref('excluded.source_seq'),
          told: row.ref('excluded.told'),
          confirmations: row.ref('excluded.confirmations'),
        })),
      )
      .execute()
  return deliveries.length
}

function notificationOf(ports: Needs['ports'], endpointId: string, story: Story, step: Step, seq: bigint, isHeld: boolean) {
  const nowMs = ports.clock.nowMs()
  const id = newId(nowMs, ports.random)
  const { side, recordId, walletId, requestId } = story
  const body = JSON.stringify({ notify_id: id, event: step.event, side, seq: Number(seq), sent_at: nowMs, notify_time: notifyTime(nowMs), ...step.fields })
  return {
    id,
    endpoint_id: endpointId,
    record_id: recordId,
    wallet_id: walletId,
    side,
    event: step.event,
    seq,
    request_id: requestId,
    biz_status: step.status,
    body,
    ...freshDelivery(nowMs, TRIES_MAX),
    next_at: isHeld ? null : nowMs,
  }
}

/** The columns of a notification that nobody has tried to send. */
export function freshDelivery(nowMs: number, tries: number) {
  const none = { last_at: null, lease_holder: null, lease_until_at: null, http_code: null, failure: null, duration_ms: null }
  return { ...none, state: 'retrying' as const, attempts: 0, tries_left: tries, tries_max: tries, next_at: nowMs, created_at: nowMs, updated_at: nowMs }
}
