import type { SystemTx } from '@holdfast/db'
import type { Random } from '@holdfast/ports'
import { newId } from '@holdfast/units'
import { parseUserAgent } from './parse-user-agent.ts'
import type { SignInEvent } from './session-services.ts'

/** Refused tries of one person in an hour that are written one by one; then one line says that more came, and the rest is not written. */
export const REFUSALS_PER_HOUR = 20
const HOUR_MS = 3_600_000
const TEXT_MAX = { ip: 64, userAgent: 400 }

/**
 * Writes a try to sign in into the history of its person, in the caller's transaction. A try that is nobody's has no history to
 * stand in: no organisation may be shown it. However often somebody is tried, a bounded number of rows is written.
 */
export async function writeLoginEvent(tx: SystemTx, random: Pick<Random, 'bytes'>, event: SignInEvent): Promise<void> {
  const { orgId, personId, atMs } = event
  if (orgId === undefined || personId === undefined) return
  const reason = event.result === 'refused' ? await reasonToWrite(tx, { orgId, personId, atMs }, event.reason ?? 'wrong_credential') : null
  if (reason === undefined) return
  const { device, os } = parseUserAgent(event.userAgent)
  await tx
    .insertInto('login_event')
    .values({
      org_id: orgId,
      id: newId(atMs, random),
      person_id: personId,
      method: event.method,
      result: event.result,
      reason,
      ip: event.ip.slice(0, TEXT_MAX.ip),
      user_agent: wellFormed(event.userAgent).slice(0, TEXT_MAX.userAgent),
      device,
      os,
      is_new_device: event.result === 'ok' && !(await isKnownDevice(tx, { orgId, personId, device, os })),
      session_id: event.sessionId === undefined ? null : new Uint8Array(Buffer.from(event.sessionId, 'hex')),
      at: atMs,
    })
    .execute()
}

/** The reason a refusal is written with; undefined if enough of them are written for this hour. */
async function reasonToWrite(
  tx: SystemTx,
  { orgId, personId, atMs }: { orgId: string; personId: string; atMs: number },
  reason: string,
): Promise<string | undefined> {
  const recent = await tx
    .selectFrom('login_event')
    .select('id')
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .where('at', '>', BigInt(atMs - HOUR_MS))
    .where('result', '=', 'refused')
    .limit(REFUSALS_PER_HOUR + 1)
    .execute()
  if (recent.length > REFUSALS_PER_HOUR) return undefined
  return recent.length === REFUSALS_PER_HOUR ? 'too_many' : reason
}

async function isKnownDevice(tx: SystemTx, { orgId, personId, device, os }: { orgId: string; personId: string; device: string; os: string }): Promise<boolean> {
  const known = await tx
    .selectFrom('login_event')
    .select('id')
    .where('org_id', '=', orgId)
    .where('person_id', '=', personId)
    .where('result', '=', 'ok')
    .where('device', '=', device)
    .where('os', '=', os)
    .limit(1)
    .executeTakeFirst()
  return known !== undefined
}

/** The database takes neither a NUL nor half a character. */
function wellFormed(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
