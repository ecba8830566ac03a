import type { OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { readSums } from '@holdfast/features/batch-transfer/server'
import { recoveryStates } from '@holdfast/features/key/server'
import type { Networks } from '@holdfast/features/network/server'
import { countWaiting, maySpeak, type Proposals } from '@holdfast/features/proposal/server'
import { LOST_RENT, type ToldOfEnergy, toldOfEnergy, type WatchedAddress, watchedAddresses } from '@holdfast/features/tron-tools/server'
import { type NamedSubWallet, readNamedSubWallets } from '@holdfast/features/wallet/server'
import { formatAmount, known } from '@holdfast/units'
import { BATCH_ENDINGS, ENDINGS, type listInbox, MEMBER_NEWS } from '../contract.ts'

type Inbox = OutputOf<typeof listInbox>
type News = Inbox['news'][number]
export type Reader = { personId: string; permissions: ReadonlySet<string>; nowMs: number; networks: Networks; proposals: Proposals }

/** Whoever wants more opens the list of transactions, or the log. */
export const NEWS_MAX = 100
const KEPT_MS = 90 * 86_400_000
const OWN_ORDERS_MAX = 20
/** Sub-statuses of an order that stands still until a person does something. */
const STUCK = ['needs_attention', 'build_failed', 'co_signer_alarm', 'cheat_detected', 'signature_unclear', 'slot_blocked', 'books_broken'] as const

/** What needs a person, and what happened, as far as they may see it: read from where it stands, each part from the end of an index. */
export async function readInbox(tx: OrganisationTx, reader: Reader): Promise<Inbox> {
  const { personId, nowMs, permissions } = reader
  const sinceMs = nowMs - KEPT_MS
  const ifMay = <T>(permission: string, read: () => Promise<T[]>): Promise<T[]> => (permissions.has(permission) ? read() : Promise.resolve([]))
  const [mark, decisions, drills, stoppable, stoppableIn, loosening, stuck, stuckIn, ended, batches, credited, versions, members, reminders, energy, low] =
    await Promise.all([
      tx.selectFrom('inbox_mark').select('seen_until').where('org_id', '=', tx.orgId).where('person_id', '=', personId).executeTakeFirst(),
      permissions.has('approval.read') ? countWaiting(tx, reader.proposals, { personId, nowMs }) : 0,
      ifMay('wallet.read', () => dueDrills(tx, nowMs)),
      ifMay('transaction.read', () => waitingOrders(tx, personId, nowMs)),
      ifMay('transaction.read', () => waitingBatches(tx, personId, nowMs)),
      ifMay('policy.read', () => waitingChanges(tx, personId, nowMs)),
      ifMay('transaction.read', () => stuckOrders(tx, personId)),
      ifMay('transaction.read', () => stuckBatches(tx, personId)),
      ifMay('transaction.read', () => endedOrders(tx, sinceMs)),
      ifMay('transaction.read', () => endedBatches(tx, sinceMs)),
      ifMay('transaction.read', () => creditedDeposits(tx, sinceMs)),
      ifMay('policy.read', () => newVersions(tx, sinceMs)),
      ifMay('member.read', () => memberNews(tx, personId, sinceMs)),
      ifMay('approval.read', () => openReminders(tx, personId, nowMs)),
      ifMay('tools.read', () => toldOfEnergy(tx, { sinceMs, most: NEWS_MAX })),
      ifMay('tools.read', () => watchedAddresses(tx, { lowSinceMs: sinceMs, most: NEWS_MAX })),
    ])
  const named = await readNamedSubWallets(tx, [
    ...[...stoppable, ...stoppableIn, ...stuck, ...stuckIn, ...ended, ...batches, ...credited].map((row) => row.sub_wallet_id),
    ...[...energy, ...low].map(({ subWalletId }) => subWalletId),
  ])
  const view = orderView(reader.networks, named)
  const seenMs = Number(mark?.seen_until ?? 0n)
  const happened = [
    ...ended.map((row) => ({
      kind: 'order' as const,
      at: row.updated_at,
      ending: row.state as (typeof ENDINGS)[number],
      own: row.initiator === personId,
      ...view(row),
    })),
    ...batches.map((row) => ({ ...batchNews(row, named), own: row.initiator === personId })),
    ...credited.map((row) => ({ kind: 'deposit' as const, at: row.credited_at ?? 0n, ...view(row) })),
    ...energy.map((told) => energyNews(told, named)),
    ...low.map((each) => resourceNews(each, named)),
    ...versions.map((row) => ({ kind: 'policy' as const, at: row.created_at, version: Number(row.version) })),
    ...reminders.map((row) => ({ kind: 'reminder' as const, at: row.reminded_at, id: row.order_id, name: row.name })),
    ...members.map((row) => ({
      kind: 'member' as const,
      at: row.at,
      event: row.kind as (typeof MEMBER_NEWS)[number],
      id: row.id,
      person_id: row.person_id,
      name: row.name,
      other: row.kind === 'decided_for' ? row.by : row.kind.startsWith('delegat') ? ((row.detail as { to?: string | null }).to ?? '') : '',
    })),
  ]
  const news = happened
    .map((each) => ({ ...each, at: Number(each.at), key: `${each.kind} ${keyOf(each)}`, unread: Number(each.at) > seenMs }) as News)
    .toSorted((one, other) => other.at - one.at)
    .slice(0, NEWS_MAX)
  return {
    unread: news.filter(({ unread }) => unread).length,
    needs: {
      decisions,
      drills,
      stops: [
        ...loosening.map((row) => ({ kind: 'policy' as const, until: Number(row.waits_until), id: row.id, version: Number(row.base_version) + 1 })),
        ...stoppable.map((row) => ({ kind: 'order' as const, until: Number(row.signable_at), ...view(row) })),
        ...stoppableIn.map((row) => ({ kind: 'batch' as const, until: Number(row.stop_until), ...batchView(row, named) })),
      ],
      orders: stuck.map(view),
      batches: stuckIn.map((row) => batchView(row, named)),
    },
    news,
  }
}

function energyNews({ supply: { id }, subWalletId, atMs, reason }: ToldOfEnergy, named: ReadonlyMap<string, NamedSubWallet>) {
  const { wallet_name, sub_wallet_name } = known(named.get(subWalletId), `sub-wallet ${subWalletId}`)
  const told = reason === LOST_RENT ? ('not_delivered' as const) : ('waits' as const)
  return { kind: 'energy' as const, at: BigInt(atMs), id, told, wallet_name, sub_wallet_name }
}

function resourceNews({ id, subWalletId, low, lowSinceMs }: WatchedAddress, named: ReadonlyMap<string, NamedSubWallet>) {
  const { wallet_name, sub_wallet_name } = known(named.get(subWalletId), `sub-wallet ${subWalletId}`)
  return { kind: 'resource' as const, at: BigInt(lowSinceMs ?? 0), id, low, wallet_name, sub_wallet_name }
}

const keyOf = (each: { at: bigint; id?: string; version?: number; person_id?: string }) => each.id ?? each.version ?? `${each.person_id} ${each.at}`

/** Notes until when a person has seen what happened; never an earlier moment than before, nor one that is still to come. */
export async function markRead(tx: OrganisationTx, personId: string, untilMs: number): Promise<void> {
  await tx
    .insertInto('inbox_mark')
    .values({ org_id: tx.orgId, person_id: personId, seen_until: untilMs })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'person_id']).doUpdateSet({ seen_until: untilMs }).where('inbox_mark.seen_until', '<', BigInt(untilMs)),
    )
    .execute()
}

async function dueDrills(tx: OrganisationTx, nowMs: number): Promise<Inbox['needs']['drills']> {
  const states = await recoveryStates(tx, undefined, nowMs)
  const due = [...states].filter(([, keys]) => keys.some(({ depositsOpen, overdue, retired }) => !retired && (overdue || !depositsOpen))).map(([id]) => id)
  if (due.length === 0) return []
  const rows = await tx
    .selectFrom('wallet')
    .select((row) => ['id as wallet_id', row.fn.coalesce('alias', 'name').as('wallet_name')])
    .where('org_id', '=', tx.orgId)
    .where('id', 'in', due)
    .where('state', '=', 'active')
    .orderBy('created_at')
    .execute()
  return rows
}

const ORDER_COLUMNS = ['id', 'chain', 'contract', 'symbol', 'amount', 'sub_wallet_id', 'remark'] as const

function stuckOrders(tx: OrganisationTx, personId: string) {
  return tx
    .selectFrom('transfer_order')
    .select(ORDER_COLUMNS)
    .where('org_id', '=', tx.orgId)
    .where('initiator', '=', personId as never)
    .where('is_final', '=', false)
    .where('sub_status', 'in', STUCK)
    .where('batch_id', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(OWN_ORDERS_MAX)
    .execute()
}

/** Orders that wait by the delay of their rule, which the reader can still stop, for themselves or for whom they decide: the soonest to be signed first. */
function waitingOrders(tx: OrganisationTx, personId: string, nowMs: number) {
  return tx
    .selectFrom('transfer_order as o')
    .select(['o.id', 'o.chain', 'o.contract', 'o.symbol', 'o.amount', 'o.sub_wallet_id', 'o.remark', 'o.signable_at'])
    .where('o.org_id', '=', tx.orgId)
    .where('o.is_final', '=', false)
    .where('o.state', '=', 'approved')
    .where('o.sub_status', '=', 'cooling')
    .where('o.signable_at', '>', BigInt(nowMs))
    .where(maySpeak(['o.org_id', 'o.id'], { personId, nowMs }))
    .orderBy('o.signable_at')
    .limit(OWN_ORDERS_MAX)
    .execute()
}

/** The same of batches, each as a whole: its lines wait together. */
async function waitingBatches(tx: OrganisationTx, personId: string, nowMs: number) {
  const rows = await tx
    .selectFrom('proposal as p')
    .innerJoin('batch_transfer as b', (join) => join.onRef('b.org_id', '=', 'p.org_id').onRef('b.id', '=', 'p.subject_id'))
    .select([...BATCH_COLUMNS, 'p.stop_until'])
    .where('p.org_id', '=', tx.orgId)
    .where('p.stop_until', '>', BigInt(nowMs))
    .where(maySpeak(['p.org_id', 'p.subject_id'], { personId, nowMs }))
    .where('b.state', '=', 'approved')
    .orderBy('p.stop_until')
    .limit(OWN_ORDERS_MAX)
    .execute()
  const sums = await readSums(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const { lines, wrong } = sums(row.id)
    return { ...row, lines: lines - wrong }
  })
}

/** The same of a change of the policy that loosens it: one is open at a time. */
function waitingChanges(tx: OrganisationTx, personId: string, nowMs: number) {
  return tx
    .selectFrom('policy_change as c')
    .select(['c.id', 'c.base_version', 'c.waits_until'])
    .where('c.org_id', '=', tx.orgId)
    .where('c.is_final', '=', false)
    .where('c.state', '=', 'approved')
    .where('c.endorsements', 'is', null)
    .where('c.waits_until', '>', BigInt(nowMs))
    .where(maySpeak(['c.org_id', 'c.id'], { personId, nowMs }))
    .execute()
}

function endedOrders(tx: OrganisationTx, sinceMs: number) {
  return tx
    .selectFrom('transfer_order')
    .select([...ORDER_COLUMNS, 'state', 'initiator', 'updated_at'])
    .where('org_id', '=', tx.orgId)
    .where('is_final', '=', true)
    .where('state', 'in', ENDINGS)
    .where('replaces', 'is', null)
    .where('batch_id', 'is', null)
    .where('updated_at', '>=', BigInt(sinceMs))
    .orderBy('updated_at', 'desc')
    .limit(NEWS_MAX)
    .execute()
}

const BATCH_COLUMNS = ['b.id', 'b.file_name', 'b.sub_wallet_id', 'b.remark'] as const

/** Batches of the reader of which lines stand still, with how many those are. */
async function stuckBatches(tx: OrganisationTx, personId: string) {
  const rows = await tx
    .selectFrom('transfer_order as o')
    .innerJoin('batch_transfer as b', (join) => join.onRef('b.org_id', '=', 'o.org_id').onRef('b.id', '=', 'o.batch_id'))
    .select((row) => [...BATCH_COLUMNS, row.fn.countAll<bigint>().as('count')])
    .where('o.org_id', '=', tx.orgId)
    .where('o.initiator', '=', personId as never)
    .where('o.is_final', '=', false)
    .where('o.sub_status', 'in', STUCK)
    .groupBy(['b.org_id', 'b.id'])
    .orderBy('b.created_at', 'desc')
    .limit(OWN_ORDERS_MAX)
    .execute()
  return rows.map(({ count, ...row }) => ({ ...row, lines: Number(count) }))
}

/** Batches that ended: each is told of once, and its lines are not. */
async function endedBatches(tx: OrganisationTx, sinceMs: number) {
  const rows = await tx
    .selectFrom('batch_transfer as b')
    .select([...BATCH_COLUMNS, 'b.state', 'b.initiator', 'b.updated_at'])
    .where('b.org_id', '=', tx.orgId)
    .where('b.is_final', '=', true)
    .where('b.intent', 'is not', null)
    .where('b.state', 'in', BATCH_ENDINGS)
    .where('b.updated_at', '>=', BigInt(sinceMs))
    .orderBy('b.updated_at', 'desc')
    .limit(NEWS_MAX)
    .execute()
  const sums = await readSums(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const { lines, wrong, counts } = sums(row.id)
    return { ...row, lines: lines - wrong, paid: counts.completed, failed: counts.failed }
  })
}

async function creditedDeposits(tx: OrganisationTx, sinceMs: number) {
  const rows = await tx
    .selectFrom('deposit')
    .select(['id', 'chain', 'contract', 'symbol', 'amount', 'sub_wallet_id', 'credited_at'])
    .where('org_id', '=', tx.orgId)
    .where('state', '=', 'credited')
    .where('credited_at', '>=', BigInt(sinceMs))
    .orderBy('credited_at', 'desc')
    .limit(NEWS_MAX)
    .execute()
  return rows.map((row) => ({ ...row, remark: '' }))
}

function newVersions(tx: OrganisationTx, sinceMs: number) {
  return tx
    .selectFrom('policy_version')
    .select(['version', 'created_at'])
    .where('org_id', '=', tx.orgId)
    .where('version', '>', 1n)
    .where('created_at', '>=', BigInt(sinceMs))
    .orderBy('version', 'desc')
    .limit(NEWS_MAX)
    .execute()
}

/** What became of members. That somebody decided for another is for the two of them. */
function memberNews(tx: OrganisationTx, personId: string, sinceMs: number) {
  return tx
    .selectFrom('member_event as e')
    .innerJoin('person as p', (join) => join.onRef('p.org_id', '=', 'e.org_id').onRef('p.id', '=', 'e.person_id'))
    .innerJoin('person as by', (join) => join.onRef('by.org_id', '=', 'e.org_id').onRef('by.id', '=', 'e.actor'))
    .select(['e.id', 'e.person_id', 'e.kind', 'e.at', 'e.detail', 'p.name', 'by.name as by'])
    .where('e.org_id', '=', tx.orgId)
    .where('e.kind', 'in', MEMBER_NEWS)
    .where((row) => row.or([row('e.kind', '<>', 'decided_for'), row('e.person_id', '=', personId), row('e.actor', '=', personId)]))
    .where('e.at', '>=', BigInt(sinceMs))
    .orderBy('e.at', 'desc')
    .limit(NEWS_MAX)
    .execute()
}

/** Of what still waits for the reader, for themselves or for whom they decide. */
function openReminders(tx: OrganisationTx, personId: string, nowMs: number) {
  return tx
    .selectFrom('order_reminder as r')
    .innerJoin('proposal as p', (join) => join.onRef('p.org_id', '=', 'r.org_id').onRef('p.subject_id', '=', 'r.order_id'))
    .innerJoin('person as by', (join) => join.onRef('by.org_id', '=', 'r.org_id').onRef('by.id', '=', 'r.person_id'))
    .select(['r.order_id', 'r.reminded_at', 'by.name'])
    .where('r.org_id', '=', tx.orgId)
    .where('p.is_open', '=', true)
    .where(maySpeak(['p.org_id', 'p.subject_id'], { personId, nowMs }))
    .where('r.person_id', '<>', personId)
    .orderBy('r.reminded_at', 'desc')
    .limit(NEWS_MAX)
    .execute()
}

type BatchLike = { id: string; file_name: string; sub_wallet_id: string; remark: string; lines: number }

function batchView({ id, file_name, sub_wallet_id, remark, lines }: BatchLike, named: ReadonlyMap<string, NamedSubWallet>) {
  const { wallet_name, sub_wallet_name } = known(named.get(sub_wallet_id), `the sub-wallet of ${id}`)
  return { id, file_name, lines, wallet_name, sub_wallet_name, remark }
}

type EndedBatch = BatchLike & { state: string; updated_at: bigint; paid: number; failed: number }

const batchNews = (row: EndedBatch, named: ReadonlyMap<string, NamedSubWallet>) => ({
  kind: 'batch' as const,
  at: row.updated_at,
  ending: row.state as (typeof BATCH_ENDINGS)[number],
  ...{ paid: row.paid, failed: row.failed },
  ...batchView(row, named),
})

type OrderLike = { id: string; chain: string; contract: string; symbol: string; amount: bigint; sub_wallet_id: string; remark: string }

const orderView = (networks: Networks, named: ReadonlyMap<string, NamedSubWallet>) => (row: OrderLike) => {
  const { wallet_name, sub_wallet_name } = known(named.get(row.sub_wallet_id), `the sub-wallet of ${row.id}`)
  return {
    id: row.id,
    symbol: row.symbol,
    amount: formatAmount(row.amount, networks.byContract(row.chain, row.contract)?.decimals ?? 0),
    wallet_name,
    sub_wallet_name,
    remark: row.remark,
  }
}
