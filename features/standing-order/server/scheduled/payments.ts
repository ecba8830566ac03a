import type { OrganisationTx } from '@holdfast/db'
import { dueMs, lastMs, type StandingOrderIntent } from '@holdfast/intent'
import { isCounted } from '@holdfast/features/transfer/server'
import { bytesToUuid } from '@holdfast/units'
import { sql } from 'kysely'
import { type Attempt, type Due, type PaymentState, stateOf } from '../choose/choose-due.ts'
import type { Reason } from '../choose/chosen.ts'

export type Schedule = Extract<StandingOrderIntent['does'], { kind: 'schedule' }>

/** Why a date is not paid, as it was found last. `detail`: base units, of which the reason says what they are. */
export type DueReason = { day: number; reason: Reason; detail: string | null }

/** A date of a schedule as people see it. */
export type Payment = { due: Due; state: PaymentState; order: Attempt | null; reason: string | null; detail: string | null }

/**
 * The orders that were opened under a standing order, by the day that they pay. The name under which they are counted ends in it. One that ended before signers
 * were told to begin is void, whether its time was over, its policy was replaced or its place on the chain was lost: no signature of it exists, nor does any
 * signer count it. No person's decision is among these, since nobody takes such an order back: people stop the standing order.
 */
export async function attemptsOf(tx: OrganisationTx, standingOrderId: string): Promise<Map<number, Attempt[]>> {
  const rows = await tx
    .selectFrom('transfer_order as o')
    .select(['id', 'rule_id', 'state', 'is_final', 'created_at', 'contract', 'symbol', 'amount', isCounted.as('is_counted')])
    .where('org_id', '=', tx.orgId)
    .where('standing_order_id', '=', standingOrderId)
    .where('replaces', 'is', null)
    .orderBy('created_at')
    .execute()
  const attempts = new Map<number, Attempt[]>()
  for (const { id, rule_id: ruleId, state, is_final: isFinal, is_counted: counts, created_at: atMs, ...pays } of rows) {
    const day = Number(ruleId?.split('/')[2])
    if (!Number.isInteger(day)) continue
    // What a signer refused for the order's own sake, it would refuse again.
    const ended = state === 'completed' ? 'paid' : counts || state === 'refused' ? 'spent' : 'void'
    attempts.set(day, [...(attempts.get(day) ?? []), { orderId: id, state: isFinal ? ended : 'open', atMs: Number(atMs), pays }])
  }
  return attempts
}

/** The dates of a schedule with what was tried for each; also those of earlier versions that something was opened for. */
export function duesOf(schedule: Schedule, attempts: ReadonlyMap<number, readonly Attempt[]>): Due[] {
  const days = [...new Set([...schedule.days.map(Number), ...attempts.keys()])].toSorted((a, b) => a - b)
  return days.map((day) => ({
    day,
    dueAtMs: Number(dueMs(schedule, BigInt(day))),
    lastAtMs: Number(lastMs(schedule, BigInt(day))),
    attempts: attempts.get(day) ?? [],
  }))
}

/** Every date of a schedule, and how it stands with it. */
export async function paymentsOf(
  tx: OrganisationTx,
  standing: Pick<StandingOrderIntent, 'id'>,
  schedule: Schedule,
  { nowMs, isStopped }: { nowMs: number; isStopped: boolean },
): Promise<Payment[]> {
  const id = bytesToUuid(standing.id)
  const [attempts, reasons] = await Promise.all([
    attemptsOf(tx, id),
    tx.selectFrom('scheduled_reason').select(['day', 'reason', 'detail']).where('org_id', '=', tx.orgId).where('standing_order_id', '=', id).execute(),
  ])
  return duesOf(schedule, attempts).map((due) => {
    const state = stateOf(due, nowMs, isStopped)
    const said = state === 'late' || state === 'skipped' ? reasons.find(({ day }) => day === due.day) : undefined
    return { due, state, order: due.attempts.at(-1) ?? null, reason: said?.reason ?? null, detail: said?.detail ?? null }
  })
}

/** Keeps why dates are not paid, in the place of what was said of each before. Answers whether anything is new. */
export async function writeDueReasons(tx: OrganisationTx, standingOrderId: string, said: readonly DueReason[], nowMs: number): Promise<boolean> {
  if (said.length === 0) return false
  const { rows } = await sql`
    insert into scheduled_reason (org_id, standing_order_id, day, reason, detail, at)
    select ${tx.orgId}::uuid, ${standingOrderId}::uuid, said.day, said.reason, said.detail, ${nowMs}::int8
      from unnest(${said.map(({ day }) => day)}::int[], ${said.map(({ reason }) => reason)}::text[], ${said.map(({ detail }) => detail)}::text[])
        as said (day, reason, detail)
    on conflict (org_id, standing_order_id, day) do update set reason = excluded.reason, detail = excluded.detail, at = excluded.at
      where (scheduled_reason.reason, scheduled_reason.detail) is distinct from (excluded.reason, excluded.detail)
    returning 1`.execute(tx)
  return rows.length > 0
}
