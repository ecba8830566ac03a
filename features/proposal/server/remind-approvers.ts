import { AppError } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { equalBytes } from '@holdfast/encoding'
import { type MailAbout, type MailNeeds, writeMail } from '@holdfast/features/mail/server'
import { announceAll } from '@holdfast/jobs'
import { uuidToBytes } from '@holdfast/units'
import type { DescribedItem, TodoItem } from '../contract.ts'
import { proposalErrors } from '../errors.ts'
import { delegatesFor } from './delegated.ts'
import type { Proposals, Viewer } from './proposal-kind.ts'

const HOUR_MS = 3_600_000

/** The e-mail that reminds an approver. Only the console and the approval page say what it is about. */
const WORDS: MailAbout['words'] = {
  'en-US': { subject: 'Something is waiting for your approval', text: 'Something is waiting for your approval. A colleague is reminding you to look at it:' },
  'zh-CN': { subject: '有事项等待您审批', text: '有事项等待您审批，同事提醒您尽快处理：' },
}

/**
 * Asks those who have not decided something yet to look at it, and who decides for one of them: their open pages, lists and messages show the reminder, their
 * devices are told again, and an e-mail goes to each, without a word about what it is. Who says that they are away gets none, and is told on their devices once
 * they are back. Whoever asked for it may, and whoever governs, once an hour. Throws AppError.
 */
export async function remindApprovers(tx: OrganisationTx, needs: MailNeeds, proposals: Proposals, given: { itemId: string; personId: string }) {
  const { ports } = needs
  const { itemId, personId } = given
  const proposal = await tx
    .selectFrom('proposal')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('subject_id', '=', itemId)
    .where('intent_hash', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!proposal) throw new AppError(proposalErrors.order_not_found)
  if (proposal.initiator !== personId && !(await governs(tx, proposals, personId)))
    throw new AppError('not_permitted', { details: { permission: 'withdraw.remind' } })
  const nowMs = ports.clock.nowMs()
  if (!proposal.is_open || (proposal.expires_at !== null && proposal.expires_at < BigInt(nowMs))) throw new AppError('state_changed')
  const named = await tx
    .selectFrom('proposal_person')
    .innerJoin('person', (join) => join.onRef('person.org_id', '=', 'proposal_person.org_id').onRef('person.id', '=', 'proposal_person.person_id'))
    .select(['person.id', 'person.name', 'spoken_at'])
    .where('proposal_person.org_id', '=', tx.orgId)
    .where('subject_id', '=', itemId)
    .orderBy('person.name')
    .execute()
  const unspoken = named.filter(({ spoken_at }) => spoken_at === null)
  const waiting = [...unspoken, ...(await readDelegates(tx, proposals, proposal, { named, nowMs }))].filter(
    ({ id }, at, all) => id !== personId && all.findIndex((each) => each.id === id) === at,
  )
  if (waiting.length === 0) throw new AppError('state_changed')
  const absent = await proposals.absentNow(tx, nowMs)
  const [left, asked] = [waiting.filter(({ id }) => absent.has(id)), waiting.filter(({ id }) => !absent.has(id))]
  if (asked.length === 0) throw new AppError(proposalErrors.everybody_absent, { details: { names: namesOf(left).join(', ') } })
  const times = await countReminder(tx, given, nowMs)
  const personIds = asked.map(({ id }) => id)
  await writeMail(tx, needs, { topic: 'order_waits', aboutId: itemId, personIds, path: '/mpc/center/wallet/todo', words: WORDS })
  await announceAll(tx, ports, [{ topic: 'todo.changed', ids: { order_id: itemId } }])
  return { reminded: namesOf(asked), absent: namesOf(left), times, again_at: nowMs + HOUR_MS }
}

type Named = { id: string; name: string; spoken_at: bigint | null }

/** Who may decide a proposal for one of those it waits for. */
async function readDelegates(
  tx: OrganisationTx,
  proposals: Proposals,
  { kind, initiator }: { kind: string; initiator: string | null },
  { named, nowMs }: { named: readonly Named[]; nowMs: number },
): Promise<{ id: string; name: string }[]> {
  const idsOf = (hasSpoken: boolean) => named.filter(({ spoken_at }) => (spoken_at !== null) === hasSpoken).map(({ id }) => id)
  const ids = delegatesFor({ kind, initiator, waiting: idsOf(false), spoken: idsOf(true) }, await proposals.decidingNow(tx, nowMs))
  if (ids.length === 0) return []
  return tx.selectFrom('person').select(['id', 'name']).where('org_id', '=', tx.orgId).where('id', 'in', ids).orderBy('name').execute()
}

const namesOf = (people: readonly { name: string }[]): string[] => people.map(({ name }) => name)

async function governs(tx: OrganisationTx, { policyInForce }: Proposals, personId: string): Promise<boolean> {
  const person = uuidToBytes(personId)
  return (await policyInForce(tx)).governance.approvers.some((each) => equalBytes(each, person))
}

async function countReminder(tx: OrganisationTx, { itemId, personId }: { itemId: string; personId: string }, nowMs: number): Promise<number> {
  const last = await tx
    .selectFrom('order_reminder')
    .select(['times', 'reminded_at'])
    .where('org_id', '=', tx.orgId)
    .where('order_id', '=', itemId)
    .executeTakeFirst()
  const againMs = last === undefined ? 0 : Number(last.reminded_at) + HOUR_MS - nowMs
  if (againMs > 0) throw new AppError('rate_limited', { details: { retry_after: Math.ceil(againMs / 1000) } })
  const reminder = { person_id: personId, times: (last?.times ?? 0) + 1, reminded_at: nowMs }
  await tx
    .insertInto('order_reminder')
    .values({ org_id: tx.orgId, order_id: itemId, ...reminder })
    .onConflict((conflict) => conflict.columns(['org_id', 'order_id']).doUpdateSet(reminder))
    .execute()
  return reminder.times
}

/** What is said of reminders beside an item of any kind: who reminded last, and from when on the viewer may, where anybody is there. */
export async function readReminders({ tx, personId, nowMs }: Viewer, proposals: Proposals, ids: readonly string[]) {
  const reminders = await tx
    .selectFrom('order_reminder as r')
    .innerJoin('person as p', (join) => join.onRef('p.org_id', '=', 'r.org_id').onRef('p.id', '=', 'r.person_id'))
    .select(['r.order_id', 'r.reminded_at', 'p.name'])
    .where('r.org_id', '=', tx.orgId)
    .where('r.order_id', 'in', ids.length > 0 ? [...ids] : [tx.orgId])
    .execute()
  const last = new Map(reminders.map((each) => [each.order_id, { at: Number(each.reminded_at), by: each.name }]))
  const isGovernor = ids.length > 0 && (await governs(tx, proposals, personId))
  return ({ item_id, kind, state, expire_at, mine, node }: DescribedItem, isReachable: boolean): Pick<TodoItem, 'reminded' | 'remind_at'> => {
    const reminded = (state === 'wait' && last.get(item_id)) || null
    const others = node.waiting_for.length - (mine === 'decide' ? 1 : 0)
    const isOpen = state === 'wait' && (expire_at === null || expire_at >= nowMs)
    const may = isOpen && isReachable && kind !== 'deposit_claim' && others > 0 && (mine === 'initiator' || isGovernor)
    return { reminded, remind_at: may ? (reminded ? reminded.at + HOUR_MS : nowMs) : null }
  }
}
