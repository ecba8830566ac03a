import type { Database } from '@holdfast/db'
import { EndpointRefused, type LocalHosts, NO_ADDRESS, readEndpoint, resolveEndpoint } from '@holdfast/features/notification/server'
import { speakersAt } from '@holdfast/features/proposal/server'
import type { Sealer } from '@holdfast/features/session/server'
import { retryDelayMs } from '@holdfast/jobs'
import type { Ports } from '@holdfast/ports'
import { at } from '@holdfast/units'
import { sql } from 'kysely'
import { removeDevice } from './page-calls.ts'
import { pushHeaders } from './push-headers.ts'
import { type PushKey, readPushKey } from './push-key.ts'

export type SendingNeeds = {
  db: Database
  ports: Pick<Ports, 'clock' | 'random' | 'net'>
  sealer: Sealer
  settings: { consoleOrigin: string }
  localHosts: LocalHosts
}

/** A device is told at most once in this time, by all servers together. Longer than a try can last: after it the device is told again where a server died. */
const PER_DEVICE_MS = 60_000
const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 1_024
const AT_ONCE = 16

/** One device that is to be told, and the moment of the youngest of what waits. */
type Due = { org_id: string; person_id: string; endpoint: string; failures: number; newest: bigint }
type Outcome = 'told' | 'gone' | 'failed'

/**
 * Tells the devices for whose people something has begun to wait, can still be stopped, or was reminded of, for themselves or for whom they decide: who is out
 * of office hears of a reminder once they are back. Answers how many were tried.
 */
export async function sendDuePushes(needs: SendingNeeds, signal: AbortSignal): Promise<number> {
  const { clock } = needs.ports
  const claimedAtMs = clock.monotonicMs()
  if (!(await mayBeDue(needs))) return 0
  const due = await claimDue(needs)
  if (due.length === 0) return 0
  const key = await readPushKey(needs)
  await Promise.all(due.map(async (device) => recordPush(needs, device, await sendPush(needs, key, { device, claimedAtMs, signal }))))
  return due.length
}

/** Whether a device may be told where anything is open at all. Mostly none may, and which one is due takes the database longer to plan than to answer. */
async function mayBeDue({ db, ports }: SendingNeeds): Promise<boolean> {
  const nowMs = ports.clock.nowMs()
  const { rows } = await db.readSystem((tx) =>
    sql`select from push_subscription s where s.next_at <= ${nowMs} and (
      exists (select from proposal p where p.org_id = s.org_id and p.is_open)
      or exists (select from proposal p where p.org_id = s.org_id and p.stop_until > ${nowMs})) limit 1`.execute(tx),
  )
  return rows.length > 0
}

/** Moves the next try on before anything is sent, so that no two servers tell a device and no fault tells it again at once. */
async function claimDue({ db, ports }: SendingNeeds): Promise<Due[]> {
  const nowMs = ports.clock.nowMs()
  return db.asSystem(async (tx) => {
    const { rows } = await sql<Due>`
      with due as (
        select s.org_id, s.person_id, s.endpoint, waiting.newest from push_subscription s
          join person m on m.org_id = s.org_id and m.id = s.person_id and m.state = 'active'
          cross join lateral (
            select max(begun) as newest from (
              select greatest(p.created_at, w.since, r.reminded_at) as begun from ${speakersAt(nowMs)} w
                join proposal p on p.org_id = w.org_id and p.subject_id = w.subject_id
                left join order_reminder r on r.org_id = w.org_id and r.order_id = w.subject_id and r.person_id <> w.person_id
                  and not exists (
                    select from absence a where a.org_id = w.org_id and a.person_id = w.person_id
                      and a.ended_at is null and a.from_at <= ${nowMs} and a.to_at > ${nowMs}
                  )
                where w.org_id = s.org_id and w.person_id = s.person_id
                  and p.is_open and p.intent_hash is not null and p.initiator is distinct from s.person_id
              union all
              select greatest(p.stop_since, w.since) from ${speakersAt(nowMs)} w
                join proposal p on p.org_id = w.org_id and p.subject_id = w.subject_id
                where w.org_id = s.org_id and w.person_id = s.person_id and p.stop_until > ${nowMs} and p.initiator is distinct from s.person_id
            ) each
          ) waiting
          where s.next_at <= ${nowMs} and waiting.newest > s.told_at
          order by s.next_at limit ${AT_ONCE} for update of s skip locked
      )
      update push_subscription s set next_at = ${nowMs + PER_DEVICE_MS}, failures = s.failures + 1 from due
        where s.org_id = due.org_id and s.person_id = due.person_id and s.endpoint = due.endpoint
        returning s.org_id, s.person_id, s.endpoint, s.failures, due.newest`.execute(tx)
    return rows
  })
}

type Try = { device: Due; claimedAtMs: number; signal: AbortSignal }

/** Makes one try: the name is resolved anew, every address is checked, and the connection goes to exactly one of them. */
async function sendPush({ ports, settings, localHosts }: SendingNeeds, key: PushKey, { device, claimedAtMs, signal }: Try): Promise<Outcome> {
  const { clock, net } = ports
  try {
    const endpoint = readEndpoint(device.endpoint, localHosts)
    const addresses = await resolveEndpoint(ports, endpoint)
    // Who was held up for so long that another server may have told the device tells it nothing.
    if (clock.monotonicMs() - claimedAtMs > PER_DEVICE_MS - 2 * TIMEOUT_MS) return 'failed'
    const { status } = await net.send({
      url: endpoint.url,
      address: at(addresses, (device.failures - 1) % addresses.length),
      method: 'POST',
      headers: pushHeaders(key, { endpoint: endpoint.url, subject: settings.consoleOrigin, nowMs: clock.nowMs() }),
      body: new Uint8Array(),
      timeoutMs: TIMEOUT_MS,
      answerBytesMax: ANSWER_BYTES_MAX,
      signal,
    })
    if (status === 404 || status === 410) return 'gone'
    return status >= 200 && status <= 299 ? 'told' : 'failed'
  } catch (cause) {
    // An address that may not be used is not kept; a name that does not resolve now may later.
    return cause instanceof EndpointRefused && cause.message !== NO_ADDRESS ? 'gone' : 'failed'
  }
}

async function recordPush({ db, ports }: SendingNeeds, { org_id, person_id, endpoint, failures, newest }: Due, outcome: Outcome): Promise<void> {
  if (outcome === 'gone') return removeDevice(db, { orgId: org_id, personId: person_id, endpoint })
  const [random = 0] = ports.random.bytes(1)
  const delayMs = Math.max(PER_DEVICE_MS, retryDelayMs(failures, random))
  const after = outcome === 'told' ? { told_at: newest, last_told_at: ports.clock.nowMs(), failures: 0 } : { next_at: ports.clock.nowMs() + delayMs }
  await db.asSystem((tx) =>
    tx.updateTable('push_subscription').set(after).where('org_id', '=', org_id).where('person_id', '=', person_id).where('endpoint', '=', endpoint).execute(),
  )
}
