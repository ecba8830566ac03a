import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { ORDER_KINDS } from '../contract.ts'
import { type MailAbout, type MailNeeds, writeMail } from '@holdfast/features/mail/server'
import { announceAll } from '@holdfast/jobs'
import { proposalErrors } from '../errors.ts'

const HOUR_MS = 3_600_000

/** The e-mail that reminds an approver. Only the console and the approval page say what the order is. */
const WORDS: MailAbout['words'] = {
  'en-US': { subject: 'An order waits for your approval', text: 'An order waits for your approval. Whoever asked for it reminds you:' },
  'zh-CN': { subject: '有一笔订单等待您审批', text: '有一笔订单等待您审批，申请人提醒您处理：' },
}

/**
 * Asks those who have not decided an order yet to look at it: their open pages and lists show the reminder, and an e-mail goes to each, without a
 * word about money. Only the requester may, and once an hour. Throws AppError.
 */
export async function remindApprovers(tx: OrganisationTx, needs: MailNeeds, given: { orderId: string; personId: string }) {
  const { ports } = needs
  const order = await tx
    .selectFrom('proposal')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('subject_id', '=', given.orderId)
    .where('kind', 'in', ORDER_KINDS)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!order) throw new AppError(proposalErrors.order_not_found)
  if (order.initiator !== given.personId) throw new AppError('not_permitted', { details: { permission: 'withdraw.remind' } })
  const nowMs = ports.clock.nowMs()
  if (!order.is_open || (order.expires_at !== null && order.expires_at < BigInt(nowMs))) throw new AppError('state_changed')
  const times = await countReminder(tx, given, nowMs)
  const waiting = await tx
    .selectFrom('proposal_person')
    .innerJoin('person', (join) => join.onRef('person.org_id', '=', 'proposal_person.org_id').onRef('person.id', '=', 'proposal_person.person_id'))
    .select(['person.id', 'person.name'])
    .where('proposal_person.org_id', '=', tx.orgId)
    .where('subject_id', '=', given.orderId)
    .where('spoken_at', 'is', null)
    .orderBy('person.name')
    .execute()
  const personIds = waiting.map(({ id }) => id)
  await writeMail(tx, needs, { topic: 'order_waits', aboutId: given.orderId, personIds, path: '/mpc/center/wallet/todo', words: WORDS })
  await announceAll(tx, ports, [{ topic: 'todo.changed', ids: { order_id: given.orderId } }])
  return { reminded: waiting.map(({ name }) => name), times, again_at: nowMs + HOUR_MS }
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
