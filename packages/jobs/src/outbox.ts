import { type Database, type OrganisationTx, type SystemTx, takeNumbers, writtenOnce } from '@holdfast/db'
import type { Ports } from '@holdfast/ports'
import { sql } from 'kysely'

export type OutboxEvent = {
  orgId: string
  /** 1, 2, 3 within the organisation, in the order of the commits. */
  sequence: bigint
  topic: string
  payload: unknown
  createdAtMs: number
}

/**
 * Told of an organisation's events in their order, several at a time, and of each once for each commit of what it writes through `tx`; what it does elsewhere
 * may be repeated. It must be quick (add a job for anything slow): it holds a transaction open. Where it throws, it is told of each by itself, and the
 * organisation's events after the one that fails wait.
 */
export type Subscriber = (tx: SystemTx, events: readonly OutboxEvent[]) => Promise<void>

export type Relay = { close(): Promise<void> }

const CHANNEL = 'holdfast_outbox'
const LEASE = 'outbox'
const BATCH = 500
const ORGANISATIONS = 100
const POLL_MS = 1_000
/** What is written so soon after a look is told by the next one: an order writes several events in a row, and each look costs the disk a commit. */
const REST_MS = 50
const RETRY_MS_MIN = 1_000
const RETRY_MS_MAX = 60_000

/** What others shall hear of. `payload` is JSON. */
export type NewEvent = { topic: string; payload: unknown }

/**
 * Writes events, in this order, that others shall hear of when, and only if, this transaction is committed. Do it last: from here to the
 * end of the transaction no other of the organisation can publish, which is what keeps the order. It travels with the end, so that it is not for long.
 */
export async function publish(tx: OrganisationTx, events: readonly NewEvent[], nowMs: number): Promise<void> {
  if (events.length === 0) return
  const topics = events.map(({ topic }) => topic)
  const payloads = events.map(({ payload }) => JSON.stringify(payload))
  write.along(tx, { orgId: tx.orgId, count: events.length, topics, payloads, nowMs })
}

type Writing = { orgId: string; count: number; topics: string[]; payloads: string[]; nowMs: number }

const write = writtenOnce(
  (_, { orgId, count, topics, payloads, nowMs }: Writing) => sql`
    with taken as (${takeNumbers({ orgId }, 'outbox', count)}), written as (
      insert into outbox (org_id, sequence, topic, payload, created_at)
      select ${orgId}::uuid, taken.value - ${count}::int8 + event.place, event.topic, event.payload::jsonb, ${nowMs}::int8
      from taken, unnest(${topics}::text[], ${payloads}::text[]) with ordinality as event (topic, payload, place)
    )
    select pg_notify(${CHANNEL}, '')`,
)

export type RelayOptions = {
  ports: Pick<Ports, 'clock' | 'timer' | 'process'>
  db: Database
  subscribers: Subscriber[]
  pollMs?: number
  report?: (message: string) => void
}

/**
 * Tells the subscribers of every committed event, each organisation's in order, until closed. Any number of servers may
 * relay: one at a time does. A NOTIFY makes it look at once, or `REST_MS` after the last look, and it looks every `pollMs` in any case.
 */
export function relayOutbox(options: RelayOptions): Relay {
  const { ports, db, pollMs = POLL_MS } = options
  const report = options.report ?? ports.process.printError
  const closing = new AbortController()
  let hinted = false
  let wake = () => {}
  const listener = db.listen(CHANNEL, () => {
    // It is awake, or about to be: waking it again would cost as much as the first time.
    if (hinted) return
    hinted = true
    wake()
  })
  const quiet = async () => {
    const sleeping = new AbortController()
    wake = () => sleeping.abort()
    if (!hinted) await ports.timer.sleep(pollMs, AbortSignal.any([sleeping.signal, closing.signal])).catch(() => {})
    hinted = false
  }
  const failures: Failures = new Map()
  let hasLease = false
  const relayNow = async () => {
    if (!hasLease) await makeLease(options.db)
    hasLease = true
    await relayAll(options, failures, report, closing.signal)
  }
  const relaying = (async () => {
    while (!closing.signal.aborted) {
      await quiet()
      await relayNow().catch((cause) => report(`outbox: ${cause instanceof Error ? cause.message : cause}`))
      await ports.timer.sleep(REST_MS, closing.signal).catch(() => {})
    }
  })()
  return {
    close: async () => {
      closing.abort()
      await listener.close()
      await relaying
    },
  }
}

/** Organisations whose next event could not be told, and when to try it again. */
type Failures = Map<string, { count: number; retryAtMs: number }>

/** The row that one relay at a time holds. */
async function makeLease(db: Database): Promise<void> {
  await db.asSystem((tx) =>
    tx
      .insertInto('lease')
      .values({ name: LEASE })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}

async function relayAll({ ports, db, subscribers }: RelayOptions, failures: Failures, report: (message: string) => void, signal: AbortSignal): Promise<void> {
  for (let more = true; more && !signal.aborted; ) {
    more = false
    const resting = [...failures].filter(([, failure]) => ports.clock.monotonicMs() < failure.retryAtMs).map(([orgId]) => orgId)
    const waiting = await findWaiting(db, resting)
    for (const orgId of waiting) {
      const failure = failures.get(orgId)
      const outcome = await relayOrganisation(db, subscribers, orgId, ports.clock.nowMs())
      if (outcome.failed) {
        const count = (failure?.count ?? 0) + 1
        failures.set(orgId, { count, retryAtMs: ports.clock.monotonicMs() + Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (count - 1)) })
        report(`outbox of ${orgId}: ${outcome.failed}`)
      } else {
        failures.delete(orgId)
        // Where all that was found is told, there is nothing to look for: what is written after this look comes with a hint of its own.
        more ||= outcome.published === BATCH || (outcome.published > 0 && waiting.length === ORGANISATIONS)
      }
    }
  }
}

async function findWaiting(db: Database, except: string[]): Promise<string[]> {
  const rows = await db.readSystem((tx) => askWaiting(tx, { except }))
  return rows.map((row) => row.org_id)
}

const askWaiting = writtenOnce((db, { except }: { except: string[] }) =>
  db
    .selectFrom('outbox')
    .select('org_id')
    .distinct()
    .where('published_at', 'is', null)
    .where(sql<boolean>`org_id <> all(${except}::uuid[])`)
    .limit(ORGANISATIONS),
)

const askLease = writtenOnce((db) => db.selectFrom('lease').select('name').where('name', '=', LEASE).forUpdate().skipLocked())
const askEvents = writtenOnce((db, { orgId }: { orgId: string }) =>
  db.selectFrom('outbox').selectAll().where('org_id', '=', orgId).where('published_at', 'is', null).orderBy('sequence').limit(BATCH),
)
const writeTold = writtenOnce((db, { orgId, nowMs, sequences }: { orgId: string; nowMs: number; sequences: bigint[] }) =>
  db.updateTable('outbox').set({ published_at: nowMs }).where('org_id', '=', orgId).where(sql<boolean>`sequence = any(${sequences}::int8[])`),
)
const savepoint = writtenOnce(() => sql`savepoint delivery`)
const releaseSavepoint = writtenOnce(() => sql`release savepoint delivery`)

/** Publishes an organisation's next events in one transaction. Does nothing if another server is at it. */
async function relayOrganisation(db: Database, subscribers: Subscriber[], orgId: string, nowMs: number): Promise<{ published: number; failed?: string }> {
  return db.asSystem(async (tx) => {
    // The second is read once the lease is held, and so after what the last relay has told.
    const [[lease], rows] = await Promise.all([askLease(tx, {}), askEvents(tx, { orgId })])
    if (!lease) return { published: 0 }
    const events = rows.map((row) => ({
      orgId,
      sequence: row.sequence,
      topic: row.topic,
      payload: row.payload,
      createdAtMs: Number(row.created_at),
    }))
    const { told, failed } = await deliverAll(tx, subscribers, events)
    if (told.length > 0) writeTold.along(tx, { orgId, nowMs, sequences: told.map(({ sequence }) => sequence) })
    return { published: told.length, ...(failed === undefined ? {} : { failed }) }
  })
}

/** Delivers events together; where that fails, one after another up to the one that cannot be told. */
async function deliverAll(tx: SystemTx, subscribers: Subscriber[], events: readonly OutboxEvent[]): Promise<{ told: readonly OutboxEvent[]; failed?: string }> {
  if (events.length === 0 || (await deliver(tx, subscribers, events)) === undefined) return { told: events }
  for (const [i, event] of events.entries()) {
    const why = await deliver(tx, subscribers, [event])
    if (why !== undefined) return { told: events.slice(0, i), failed: `event ${event.sequence} (${event.topic}): ${why}` }
  }
  return { told: events }
}

/** What went wrong, or undefined. A failed delivery leaves nothing in the transaction. */
async function deliver(tx: SystemTx, subscribers: Subscriber[], events: readonly OutboxEvent[]): Promise<string | undefined> {
  savepoint.along(tx, {})
  try {
    for (const subscriber of subscribers) await subscriber(tx, events)
    releaseSavepoint.along(tx, {})
    return undefined
  } catch (cause) {
    await sql`rollback to savepoint delivery`.execute(tx)
    return cause instanceof Error ? cause.message : String(cause)
  }
}
