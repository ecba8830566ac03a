import type { Database, Schema } from '@holdfast/db'
import { retryDelayMs } from '@holdfast/jobs'
import { type Mailer, type MailFailure, SEND_MS_MAX } from '@holdfast/mail'
import type { Ports } from '@holdfast/ports'
import { known } from '@holdfast/units'
import type { Selectable } from 'kysely'

/** `mailer` is undefined if whoever runs the server has set no mail server. */
export type SendingNeeds = { db: Database; ports: Pick<Ports, 'clock' | 'random'>; mailer: Mailer | undefined }

/** How long a server that took an e-mail has it for itself: longer than a try can last. After that the e-mail is sent again, by any server. */
const LEASE_MS = 2 * SEND_MS_MAX
/** An e-mail that no mail server took for so long is given up: what it says is old by then, and the console says it too. */
export const GIVE_UP_AFTER_MS = 24 * 3_600_000
const AT_ONCE = 8

type Row = Selectable<Schema['mail']>
type Failure = MailFailure | 'no_server'

/** Takes e-mails that are due, so many at once, gives each to the mail server and writes down what came of it. Answers how many that were. */
export async function sendDueMail(needs: SendingNeeds, holder: string, signal: AbortSignal): Promise<number> {
  const { clock } = needs.ports
  const claimedAtMs = clock.monotonicMs()
  const mails = await claimMail(needs, holder)
  // A server that was held up for so long that its lease could run out during a try makes none.
  const isLate = clock.monotonicMs() - claimedAtMs > LEASE_MS - SEND_MS_MAX
  await Promise.all(mails.map(async (mail) => recordMail(needs, holder, mail, isLate ? 'interrupted' : await deliverMail(needs, mail, signal))))
  return mails.length
}

/** Leases and counts a try before anything is sent, so an e-mail is sent by one server at a time, and by another if that one dies. */
async function claimMail({ db, ports }: SendingNeeds, holder: string): Promise<Row[]> {
  return db.asSystem(async (tx) => {
    const nowMs = ports.clock.nowMs()
    const rows = await tx
      .selectFrom('mail')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('next_at', '<=', BigInt(nowMs))
      .where((row) => row.or([row('lease_until_at', 'is', null), row('lease_until_at', '<=', BigInt(nowMs))]))
      .orderBy('next_at')
      .orderBy('id')
      .limit(AT_ONCE)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { org_id, id, attempts } of rows) {
      const taken = { attempts: attempts + 1, lease_holder: holder, lease_until_at: nowMs + LEASE_MS }
      await tx.updateTable('mail').set(taken).where('org_id', '=', org_id).where('id', '=', id).execute()
    }
    return rows
  })
}

async function deliverMail({ mailer }: SendingNeeds, row: Row, signal: AbortSignal): Promise<Failure | undefined> {
  if (!mailer) return 'no_server'
  return mailer.send(
    { id: row.id, to: known(row.address, `the address of mail ${row.id}`), subject: row.subject, text: row.body, writtenAtMs: Number(row.created_at) },
    signal,
  )
}

/** Writes nothing if the lease was lost meanwhile. */
async function recordMail({ db, ports }: SendingNeeds, holder: string, row: Row, failure: Failure | undefined): Promise<void> {
  const [random = 0] = ports.random.bytes(1)
  await db.asSystem((tx) =>
    tx
      .updateTable('mail')
      .set({ ...standingAfter(row, failure, ports.clock.nowMs(), random), lease_holder: null, lease_until_at: null })
      .where('org_id', '=', row.org_id)
      .where('id', '=', row.id)
      .where('state', '=', 'waiting')
      .where('lease_holder', '=', holder)
      .where('attempts', '=', row.attempts + 1)
      .execute(),
  )
}

function standingAfter({ created_at, attempts }: Row, failure: Failure | undefined, nowMs: number, random: number) {
  const end = { next_at: null, ended_at: Math.max(nowMs, Number(created_at)) }
  if (failure === undefined) return { ...end, state: 'sent' as const, reason: null }
  const giveUpAtMs = Number(created_at) + GIVE_UP_AFTER_MS
  if (failure === 'refused' || failure === 'no_server' || nowMs >= giveUpAtMs) return { ...end, state: 'not_sent' as const, reason: failure }
  // A try that was broken off by our own end is nobody's failure: it is made again.
  if (failure === 'interrupted') return { next_at: nowMs, attempts }
  return { next_at: Math.min(giveUpAtMs, nowMs + retryDelayMs(attempts + 1, random)), reason: failure }
}
