import { answerPage, type InputOf } from '@holdfast/contract'
import { countKept, type OrganisationTx } from '@holdfast/db'
import { at } from '@holdfast/units'
import { type DescribedItem, type listTodo as endpoint, TODO_KINDS, type TodoItem, type TodoKind } from '../contract.ts'
import { REVIEW_MAX, reviewUrl } from '@holdfast/features/approval-url'
import { permissionsOf } from '@holdfast/features/session/server'
import { type RawBuilder, sql } from 'kysely'
import { asksForAnother, maySpeak, readSeats } from './delegated.ts'
import { type Proposals, registered, type Viewer } from './proposal-kind.ts'
import { readAbsent } from './read-absent.ts'
import { readReminders } from './remind-approvers.ts'

type Filter = Omit<InputOf<typeof endpoint>, 'fiat'>
/** What a list is narrowed by. */
type Wanted = Partial<Pick<Filter, 'kind' | 'wallet_id' | 'keyword'>>
type Condition = RawBuilder<boolean>
type Whose = Pick<Viewer, 'personId' | 'nowMs'>
/** The rows of one tab: `p` is the proposal, `w` the viewer's decision. */
type Tab = {
  name: Filter['state']
  holds: Condition
  order: RawBuilder<unknown>
  /** The moment from which on a row stays in the tab for ever; absent if it may leave. */
  staysSince: RawBuilder<unknown>
}

/**
 * A page of what waits for a person (`wait`), what they requested (`mine`) and what they decided (`done`). Each item names the page where it is decided;
 * nothing is decided here. Waiting items are sorted by rank, the earliest to expire on top; the others by age, newest first. The order is total: new items
 * make pages skip nothing.
 */
export async function listProposals(viewer: Viewer, proposals: Proposals, filter: Filter) {
  const { tx, context, personId } = viewer
  const delegators = await delegatorsOf(tx, proposals, viewer)
  const tabs = await tabsOf(tx, proposals, { personId, delegators })
  const tab = tabs[filter.state]
  const wanted = wantedBy(filter)
  const all = countKinds(viewer, tab)
  const [kinds, matching, rows, hashes, wait, mine] = await Promise.all([
    all,
    filter.kind || filter.wallet_id || filter.keyword ? countKinds(viewer, tab, filter) : all,
    readRows(tx, personId, tab, { wanted, from: (filter.page_no - 1) * filter.page_size, most: filter.page_size }),
    filter.state === 'wait' ? hashesOf(tx, personId, tab, wanted) : [],
    countOf(tx, personId, tabs.wait.holds),
    countOf(tx, personId, sql`${tabs.mine.holds} and p.is_open`),
  ])
  const total = Object.values(matching).reduce((sum, each) => sum + each, 0)
  const review_url = filter.state === 'wait' && total > 1 ? reviewUrl(context, hashes) : null
  return { ...answerPage(filter, total, await describe(viewer, proposals, { rows, delegators })), counts: { wait, mine, ...kinds }, review_url }
}

/** How many proposals wait for one person's decision, their own or one for another. */
export async function countWaiting(tx: OrganisationTx, proposals: Proposals, whose: Whose): Promise<number> {
  const { wait } = await tabsFor(tx, proposals, whose)
  return countOf(tx, whose.personId, wait.holds)
}

/**
 * The hashes of what waits for one person on the approval page: what they decide, in the order of their list, and behind it what was approved and they can
 * still stop, the soonest to end first.
 */
export async function hashesWaiting(tx: OrganisationTx, proposals: Proposals, { personId, nowMs }: Whose): Promise<Uint8Array[]> {
  const { wait } = await tabsFor(tx, proposals, { personId, nowMs })
  const stoppable = {
    holds: sql<boolean>`p.stop_until > ${nowMs} and ${maySpeak(['p.org_id', 'p.subject_id'], { personId, nowMs })}`,
    order: sql`p.stop_until, p.subject_id`,
  }
  const [asked, stops] = await Promise.all([hashesOf(tx, personId, wait, sql`true`), hashesOf(tx, personId, stoppable, sql`true`)])
  return [...asked, ...stops].slice(0, REVIEW_MAX)
}

/** Their word is asked for by name, and they have not given it. */
const IS_NAMED = sql<boolean>`w.person_id is not null and w.spoken_at is null`

/** For whom somebody decides now beside themselves, by id. */
async function delegatorsOf(tx: OrganisationTx, proposals: Proposals, { personId, nowMs }: Whose): Promise<string[]> {
  const deciding = await proposals.decidingNow(tx, nowMs)
  return deciding.filter(({ delegateId }) => delegateId === personId).map(({ delegatorId }) => delegatorId)
}

/** The tabs of somebody, whatever is listed: for whom else they decide is asked for it. */
const tabsFor = async (tx: OrganisationTx, proposals: Proposals, whose: Whose) =>
  tabsOf(tx, proposals, { personId: whose.personId, delegators: await delegatorsOf(tx, proposals, whose) })

type Deciding = { personId: string; delegators: readonly string[] }

async function tabsOf(tx: OrganisationTx, { kinds }: Proposals, { personId, delegators }: Deciding): Promise<Record<Filter['state'], Tab>> {
  const person = await tx.selectFrom('person').select('role').where('org_id', '=', tx.orgId).where('id', '=', personId).executeTakeFirst()
  const rights = person ? permissionsOf(person.role) : new Set<string>()
  const byRight = kinds.filter(({ decidedBy }) => 'right' in decidedBy && rights.has(decidedBy.right)).flatMap((each) => each.kinds)
  const isOthers = sql<boolean>`p.initiator is distinct from ${personId}::uuid`
  return {
    wait: {
      name: 'wait',
      staysSince: sql`null::int8`,
      // Whoever asks is named only under a rule that wants their own signature.
      holds: sql`p.is_open and (${IS_NAMED} or ${asksForAnother(personId, delegators)} or (${isOthers} and p.kind = any(${byRight}::text[])))`,
      order: sql`p.rank, p.expires_at, p.subject_id`,
    },
    mine: { name: 'mine', staysSince: sql`p.created_at`, holds: sql`p.initiator = ${personId}::uuid`, order: sql`p.created_at desc, p.subject_id desc` },
    done: { name: 'done', staysSince: sql`w.spoken_at`, holds: sql`w.spoken_at is not null`, order: sql`w.spoken_at desc, p.subject_id desc` },
  }
}

function wantedBy({ kind, wallet_id: walletId, keyword = '' }: Wanted): Condition {
  const conditions = [
    ...(kind === undefined ? [] : [sql`p.kind = ${kind}`]),
    ...(walletId === undefined ? [] : [sql`p.wallet_id = ${walletId}::uuid`]),
    ...(keyword === '' ? [] : [sql`strpos(lower(p.words), lower(${keyword})) > 0`]),
  ]
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`
}

const tableFor = (personId: string) =>
  sql`proposal p left join proposal_person w on w.org_id = p.org_id and w.subject_id = p.subject_id and w.person_id = ${personId}::uuid`

const ofOrganisation = (tx: OrganisationTx, holds: Condition) => sql<boolean>`p.org_id = ${tx.orgId}::uuid and ${holds}`

const rowsOf = (tx: OrganisationTx, personId: string, holds: Condition) => sql`${tableFor(personId)} where ${ofOrganisation(tx, holds)}`

/** How many of a tab there are of each kind, or of those that are wanted. A kind and a wallet never change; the matches of a keyword do. */
async function countKinds({ tx, personId, nowMs }: Viewer, { name, holds, staysSince }: Tab, wanted: Wanted = {}): Promise<Record<TodoKind, number>> {
  const isKept = name !== 'wait' && !wanted.keyword
  const key = isKept ? JSON.stringify(['proposals', name, personId, wanted.kind, wanted.wallet_id]) : undefined
  const where = ofOrganisation(tx, sql`${holds} and ${wantedBy(wanted)}`)
  const counts = await countKept(tx, nowMs, { key, from: tableFor(personId), where, staysSince, group: sql`p.kind` })
  return Object.fromEntries(TODO_KINDS.map((kind) => [kind, counts.get(kind) ?? 0])) as Record<TodoKind, number>
}

async function countOf(tx: OrganisationTx, personId: string, holds: Condition): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) as count from ${rowsOf(tx, personId, holds)}`.execute(tx)
  return Number(at(rows, 0).count)
}

type Row = { id: string; kind: TodoKind }

async function readRows(tx: OrganisationTx, personId: string, tab: Tab, page: { wanted: Condition; from: number; most: number }): Promise<Row[]> {
  const { rows } = await sql<Row>`select p.subject_id as id, p.kind from ${rowsOf(tx, personId, tab.holds)} and ${page.wanted}
    order by ${tab.order} limit ${page.most} offset ${page.from}`.execute(tx)
  return rows
}

/** The hashes of the items to go through one after another, in the order of the list. */
async function hashesOf(tx: OrganisationTx, personId: string, tab: Pick<Tab, 'holds' | 'order'>, wanted: Condition): Promise<Uint8Array[]> {
  const { rows } = await sql<{ hash: Uint8Array }>`select p.intent_hash as hash from ${rowsOf(tx, personId, tab.holds)} and ${wanted}
    and p.intent_hash is not null order by ${tab.order} limit ${REVIEW_MAX}`.execute(tx)
  return rows.map(({ hash }) => hash)
}

type Listed = { rows: readonly Row[]; delegators: readonly string[] }

/** Lets every kind describe its own. */
async function describe(viewer: Viewer, proposals: Proposals, { rows, delegators }: Listed): Promise<TodoItem[]> {
  const items = new Map<string, DescribedItem>()
  const groups = Map.groupBy(rows, ({ kind }) => registered(proposals, kind))
  for (const [kind, own] of groups) {
    const described = await kind.todo(
      viewer,
      own.map(({ id }) => id),
    )
    for (const item of described) items.set(item.item_id, item)
  }
  const ids = rows.map(({ id }) => id)
  const { tx, personId } = viewer
  const [remindersOf, absent, seats] = await Promise.all([
    readReminders(viewer, proposals, ids),
    readAbsent(viewer, proposals, rows),
    readSeats(tx, { personId, delegators, ids }),
  ])
  // What the table counts it as is what it is shown as: what was asked for before its kind had a name of its own keeps the one it had.
  return rows.flatMap(({ id, kind }) => {
    const item = items.get(id)
    const away = absent.get(id)
    if (!item) return []
    const decides_for = seats.get(id) ?? []
    const mine = item.mine === 'watch' && decides_for.length > 0 ? ('decide' as const) : item.mine
    return [{ ...item, kind, mine, decides_for, ...remindersOf(item, away?.isReachable ?? true), absent: away?.said ?? null } as TodoItem]
  })
}
