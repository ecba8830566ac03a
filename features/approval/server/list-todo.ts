import { assetName } from '@holdfast/units'
import { answerPage, type InputOf } from '@holdfast/contract'
import { approvalUrl, reviewUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { type KeyChangeItem, listKeyChangeItems } from '@holdfast/features/key-recovery/server'
import { type ChangeItem, listChangeItems, listSignerOrderItems, type SignerOrderItem } from '@holdfast/features/policy/server'
import {
  approvedBy,
  type ClaimItem,
  describeTransactions,
  listClaimItems,
  orderView,
  type Quorum,
  quorumsOf,
  type ViewContext,
} from '@holdfast/features/transaction/server'
import { IS_SIGNED_FOR } from '@holdfast/features/known-address/server'
import { type OrderRow } from '@holdfast/features/transfer/server'
import { type listTodo as endpoint, ORDER_KINDS, type OrderKind } from '../contract.ts'
import { changeTodo, keyChangeTodo, matchesChange, signerOrderTodo, SOON_MS } from './change-todo.ts'
import { claimTodos } from './claim-todo.ts'
import { kindOfOrder } from './todo-kind.ts'
import { titleOf } from './words.ts'

type Filter = Omit<InputOf<typeof endpoint>, 'fiat'>
type Item = { row: OrderRow; quorum: Quorum; mine: 'decide' | 'decided' | 'initiator' | 'watch' }

/** More than this waits for nobody's eyes; the newest are shown. */
const OPEN_MAX = 1000

/**
 * What waits for the caller (`wait`, what expires first at the top), what the caller asked for (`mine`), and what the caller
 * has decided (`done`). Each item names the page where it is decided; nothing is decided here.
 */
export async function listTodo(context: Pick<ServerContext, 'settings' | 'coSigners' | 'ports'>, view: ViewContext, personId: string, filter: Filter) {
  const open = await itemsOf(view, personId, await openOrders(view))
  const waiting = open.filter((each) => each.mine === 'decide').toSorted((a, b) => Number(a.row.expires_at - b.row.expires_at))
  const asked = open.filter((each) => each.mine === 'initiator')
  const changes = await listChangeItems(view.tx, personId)
  const keys = await listKeyChangeItems({ ...view, context, personId })
  const waitingKeys = keys.filter((each) => each.view.mine === 'decide')
  const toSigners = await ordersToSigners({ ...view, context, personId }, filter)
  const claims = await listClaimItems(view, personId)
  const openChanges = changes.filter((each) => !each.change.row.is_final)
  const waitingChanges = openChanges.filter((each) => each.mine === 'decide')
  const chosen =
    filter.state === 'wait'
      ? waiting
      : filter.state === 'mine'
        ? await itemsOf(view, personId, await askedOrders(view, personId))
        : await itemsOf(view, personId, await decidedOrders(view, personId))
  const wantedOrders = chosen.filter(({ row }) => isWanted(row, filter))
  const keyword = filter.keyword?.toLowerCase() ?? ''
  const ofState = { wait: waitingChanges, mine: changes.filter((each) => each.mine === 'initiator'), done: changes.filter((each) => each.decidedAtMs !== null) }
  const isChangeWanted = (filter.kind === undefined || filter.kind === 'policy_change') && filter.wallet_id === undefined
  const keysOfState = { wait: waitingKeys, mine: keys.filter((each) => each.view.mine === 'initiator'), done: keys.filter((each) => each.decidedAtMs !== null) }
  const policyItems = isChangeWanted ? ofState[filter.state].filter((each) => matchesChange(each, keyword)) : []
  const keyItems = filter.kind === undefined || filter.kind === 'key_change' ? keysOfState[filter.state].filter((each) => isKeyWanted(each, filter)) : []
  const claimsOfState: Record<Filter['state'], ClaimItem[]> = {
    wait: claims.filter((each) => each.mine === 'decide'),
    mine: claims.filter((each) => each.mine === 'initiator'),
    done: claims.filter((each) => each.mine === 'decided'),
  }
  const isClaimWanted = filter.kind === undefined || filter.kind === 'deposit_claim'
  const claimItems = isClaimWanted ? (await claimTodos(context, view, claimsOfState[filter.state])).filter((item) => isShown(item, filter)) : []
  const wantedChanges = [...policyItems, ...toSigners.matching, ...keyItems]
  // Changes of the rules and of keys stand before what is decided by them, and what is about held payments after these.
  const from = (filter.page_no - 1) * filter.page_size
  const to = from + filter.page_size
  const before = wantedChanges.length + claimItems.length
  const list = [
    ...(await describeChanges({ ...view, context, personId }, wantedChanges.slice(from, to))),
    ...cut(claimItems, from - wantedChanges.length, to - wantedChanges.length),
    ...(await describeItems(context, view, cut(wantedOrders, from - before, to - before))),
  ]
  const counts = {
    wait: waiting.length + waitingChanges.length + waitingKeys.length + toSigners.waits + claimsOfState.wait.length,
    mine:
      asked.length +
      openChanges.filter((each) => each.mine === 'initiator').length +
      keys.filter((each) => isAskedFor(each)).length +
      toSigners.asked +
      claimsOfState.mine.filter(({ claim }) => claim.state === 'asked').length,
    ...countKinds(chosen),
    policy_change: ofState[filter.state].length,
    key_change: keysOfState[filter.state].length,
    signer_order: toSigners.ofState,
    deposit_claim: claimsOfState[filter.state].length,
  }
  const toDecide =
    filter.state === 'wait' ? [...wantedChanges.map((each) => ('order' in each ? each.order : each.change).row), ...wantedOrders.map(({ row }) => row)] : []
  const review_url = reviewUrl(
    context,
    toDecide.map((row) => row.intent_hash),
  )
  return { ...answerPage(filter, before + wantedOrders.length, list), counts, review_url }
}

async function describeChanges(viewer: Parameters<typeof changeTodo>[0], changes: readonly (ChangeItem | KeyChangeItem | SignerOrderItem)[]) {
  const items = []
  for (const each of changes) {
    if ('order' in each) items.push(signerOrderTodo(each, viewer.nowMs))
    else items.push('view' in each ? keyChangeTodo(each, viewer.nowMs) : await changeTodo(viewer, each))
  }
  return items
}

/** The orders to the signers that are looked for, and how many there are. */
async function ordersToSigners(viewer: Parameters<typeof listSignerOrderItems>[0], { state, kind, wallet_id, keyword = '' }: Filter) {
  const items = await listSignerOrderItems(viewer)
  const ofState = {
    wait: items.filter(({ view }) => view.mine === 'decide'),
    mine: items.filter(({ view }) => view.mine === 'initiator'),
    done: items.filter(({ decidedAtMs }) => decidedAtMs !== null),
  }
  const isWanted = (kind === undefined || kind === 'signer_order') && wallet_id === undefined
  return {
    matching: isWanted ? ofState[state].filter(({ title }) => title.toLowerCase().includes(keyword.toLowerCase())) : [],
    ofState: ofState[state].length,
    waits: ofState.wait.length,
    asked: ofState.mine.filter(({ order }) => !order.row.is_final).length,
  }
}

/** A part of a list; what lies before its start is no part of it. */
const cut = <T>(list: readonly T[], from: number, to: number): T[] => list.slice(Math.max(0, from), Math.max(0, to))

/** Whether an item that is described already is one that is looked for. */
function isShown(item: { wallet_id: string; title: string; remark: string }, { wallet_id, keyword = '' }: Filter): boolean {
  const word = keyword.toLowerCase()
  return (wallet_id === undefined || item.wallet_id === wallet_id) && [item.title, item.remark].some((text) => text.toLowerCase().includes(word))
}

const isAskedFor = ({ change, view }: KeyChangeItem): boolean => view.mine === 'initiator' && ['approving', 'approved'].includes(change.row.state)

function isKeyWanted({ change, title }: KeyChangeItem, { wallet_id, keyword = '' }: Filter): boolean {
  return (wallet_id === undefined || change.row.wallet_id === wallet_id) && title.toLowerCase().includes(keyword.toLowerCase())
}

/** How many orders there are of each kind. */
function countKinds(items: readonly Item[]): Record<OrderKind, number> {
  const counts = Object.fromEntries(ORDER_KINDS.map((kind) => [kind, 0])) as Record<OrderKind, number>
  for (const { row } of items) counts[kindOfOrder(row)]++
  return counts
}

function isWanted(row: OrderRow, { kind, wallet_id, keyword = '' }: Filter): boolean {
  if (kind !== undefined && kindOfOrder(row) !== kind) return false
  if (wallet_id !== undefined && row.wallet_id !== wallet_id) return false
  const word = keyword.toLowerCase()
  return [row.address_to, row.symbol, row.remark, row.id].some((text) => text.toLowerCase().includes(word))
}

async function openOrders({ tx }: ViewContext): Promise<OrderRow[]> {
  return tx
    .selectFrom('transfer_order')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('state', '=', 'approving')
    .orderBy('created_at', 'desc')
    .limit(OPEN_MAX)
    .execute()
}

async function askedOrders({ tx }: ViewContext, personId: string): Promise<OrderRow[]> {
  return tx
    .selectFrom('transfer_order')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('initiator', '=', personId)
    .orderBy('created_at', 'desc')
    .limit(OPEN_MAX)
    .execute()
}

async function decidedOrders({ tx }: ViewContext, personId: string): Promise<OrderRow[]> {
  return tx
    .selectFrom('transfer_order')
    .selectAll('transfer_order')
    .innerJoin('approval', (join) =>
      join.onRef('approval.org_id', '=', 'transfer_order.org_id').onRef('approval.intent_hash', '=', 'transfer_order.intent_hash'),
    )
    .where('transfer_order.org_id', '=', tx.orgId)
    .where('approval.person_id', '=', personId)
    .orderBy('approval.created_at', 'desc')
    .limit(OPEN_MAX)
    .execute()
}

async function itemsOf(view: ViewContext, personId: string, rows: readonly OrderRow[]): Promise<Item[]> {
  const quorums = await quorumsOf(view, rows)
  return rows.map((row) => {
    const quorum = quorums.get(row.id)!
    return { row, quorum, mine: roleOf(row, quorum, personId) }
  })
}

function roleOf(row: OrderRow, quorum: Quorum, personId: string): Item['mine'] {
  if (row.initiator === personId) return 'initiator'
  if (quorum.voices.some((each) => each.personId === personId)) return 'decided'
  return row.state === 'approving' && quorum.eligible.includes(personId) ? 'decide' : 'watch'
}

async function describeItems(context: Pick<ServerContext, 'settings'>, view: ViewContext, items: readonly Item[]) {
  const orders = await describeTransactions(
    view,
    items.map(({ row, quorum }) => orderView(view, row, quorum, null)),
  )
  const around = await readAround(view, items)
  return items.map(({ row, quorum, mine }, at) => {
    const order = orders[at]!
    const symbol = assetName(order.symbol, order.token_id)
    const { worth, sub_wallet_name, network, amount, to_label, imitates, status, sub_status, created_at } = order
    const isOpen = row.state === 'approving'
    const reminder = around.reminders.get(row.id)
    return {
      item_id: row.id,
      kind: kindOfOrder(row),
      biz_id: row.id,
      title: titleOf({ ...order, symbol }, view.language),
      wallet_id: row.wallet_id,
      sub_wallet_id: row.sub_wallet_id,
      sub_wallet_name,
      symbol,
      network,
      amount,
      worth,
      address_to: row.address_to,
      to_label,
      imitates,
      remark: row.remark,
      initiator: order.initiator,
      node: {
        no: 1,
        total: 1,
        need: quorum.threshold,
        done: approvedBy(quorum).length,
        waiting_for: isOpen ? quorum.eligible.filter((id) => !quorum.voices.some((each) => each.personId === id)).map(view.personName) : [],
      },
      mine,
      state: isOpen ? 'wait' : 'done',
      status,
      sub_status,
      risk: [
        ...(imitates ? ['lookalike' as const] : []),
        // A name alone is no reason to trust: whoever looks may have given it in a book of their own.
        ...(isOpen && row.replaces === null && !around.own.has(row.address_to) && !around.paid.has(row.address_to) ? ['first_seen' as const] : []),
        ...(row.replaces === null && around.own.has(row.address_to) ? ['own' as const] : []),
        ...(isOpen && Number(row.expires_at) - view.nowMs < SOON_MS ? ['expires_soon' as const] : []),
      ],
      reminded: isOpen && reminder ? { at: Number(reminder.reminded_at), by: view.personName(reminder.person_id) } : null,
      approval_url: approvalUrl(context, row.intent_hash),
      expire_at: Number(row.expires_at),
      created_at,
    }
  })
}

/** Which of the destinations are the organisation's own, for which a payment was ever signed, and who reminded of which order. */
async function readAround({ tx }: ViewContext, items: readonly Item[]) {
  if (items.length === 0) return { own: new Set<string>(), paid: new Set<string>(), reminders: new Map<string, never>() }
  const destinations = items.map(({ row }) => row.address_to)
  const own = await tx.selectFrom('address').select('address').where('org_id', '=', tx.orgId).where('address', 'in', destinations).execute()
  const paid = await tx
    .selectFrom('transfer_order')
    .select('address_to')
    .distinct()
    .where('org_id', '=', tx.orgId)
    .where(IS_SIGNED_FOR)
    .where('address_to', 'in', destinations)
    .execute()
  const reminders = await tx
    .selectFrom('order_reminder')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where(
      'order_id',
      'in',
      items.map(({ row }) => row.id),
    )
    .execute()
  return {
    own: new Set(own.map((each) => each.address)),
    paid: new Set(paid.map((each) => each.address_to)),
    reminders: new Map(reminders.map((each) => [each.order_id, each])),
  }
}
