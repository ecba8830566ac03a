import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { type MailNeeds, writeMail } from '@holdfast/features/mail/server'
import { quorumOf, type ViewContext } from '@holdfast/features/transaction/server'
import { readOrder } from '@holdfast/features/transfer/server'
import { announceAll } from '@holdfast/jobs'
import { waitsWords } from './words.ts'

const HOUR_MS = 3_600_000

/**
 * Asks those who have not decided an order yet to look at it: their open pages are told, their lists say who asks, and a letter goes to each by mail, without a
 * word on money. Only who asked for the order may, and once an hour. Throws AppError.
 */
export async function remindApprovers(view: ViewContext, needs: MailNeeds, given: { orderId: string; personId: string }) {
  const { tx } = view
  const { ports } = needs
  const order = await readOrder(tx, given.orderId, true)
  if (!order) throw new AppError('order_not_found')
  const { row } = order
  if (row.initiator !== given.personId) throw new AppError('not_permitted', { details: { permission: 'withdraw.remind' } })
  const nowMs = ports.clock.nowMs()
  if (order.state !== 'approving' || row.expires_at < BigInt(nowMs)) throw new AppError('state_changed')
  const times = await countReminder(tx, given, nowMs)
  const { eligible, voices } = await quorumOf(view, row)
  const waiting = eligible.filter((id) => !voices.some((each) => each.personId === id))
  await writeMail(tx, needs, { topic: 'order_waits', aboutId: row.id, personIds: waiting, path: '/mpc/center/wallet/todo', words: waitsWords })
  await announceAll(tx, ports, [{ topic: 'todo.changed', ids: { order_id: row.id } }])
  return { reminded: waiting.map(view.personName), times, again_at: nowMs + HOUR_MS }
}

async function countReminder(tx: OrganisationTx, { orderId, personId }: { orderId: string; personId: string }, nowMs: number): Promise<number> {
  const last = await tx
    .selectFrom('order_reminder')
    .select(['times', 'reminded_at'])
    .where('org_id', '=', tx.orgId)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  const againMs = last === undefined ? 0 : Number(last.reminded_at) + HOUR_MS - nowMs
  if (againMs > 0) throw new AppError('rate_limited', { details: { retry_after: Math.ceil(againMs / 1000) } })
  const reminder = { person_id: personId, times: (last?.times ?? 0) + 1, reminded_at: nowMs }
  await tx
    .insertInto('order_reminder')
    .values({ org_id: tx.orgId, order_id: orderId, ...reminder })
    .onConflict((conflict) => conflict.columns(['org_id', 'order_id']).doUpdateSet(reminder))
    .execute()
  return reminder.times
}
