import { type DescribedOrder, ORDER_KINDS, type OrderItem } from '@holdfast/features/proposal/contract'
import { approvalUrl } from '@holdfast/features/approval-url'
import { IS_SIGNED_FOR } from '@holdfast/features/known-address/server'
import { expiresSoon, nameDeciders, peopleAmong, type ProposalKind, type Viewer } from '@holdfast/features/proposal/server'
import {
  delayOf,
  endLease,
  kindOfOrder,
  moveOrder,
  noteOrder,
  type Order,
  orderAnnouncements,
  type OrderRow,
  pokeTransfers,
  quorumOfOrder,
  readOrder,
  ruleByScreening,
} from '@holdfast/features/transfer/server'
import { askAlong } from '@holdfast/db'
import { announceAll } from '@holdfast/jobs'
import { lockSubWallets } from '@holdfast/ledger'
import { assetName, at, known } from '@holdfast/units'
import { describeTransactions, orderView, type Quorum, quorumsOf, type ViewContext } from '@holdfast/features/transaction/server'
import { coinOfPlace } from './coin-of-place.ts'
import { askIfContract, destinationFacts } from './destination-facts.ts'
import { orderAround } from './order-around.ts'
import { openViewOf } from './open-view-of.ts'
import { titleOf } from './words.ts'

/** Orders that a chain carries out, of every kind. */
export const orderProposalKind: ProposalKind<Order> = {
  kinds: ORDER_KINDS,
  todo: describeOrders,
  decidedBy: {
    read: readOrder,
    // While an order waits after its last approval, a no stops it.
    canStop: (order, policy) => order.state === 'approved' && delayOf(order, policy) > 0,
    quorums: ({ intent, row }, policy) => {
      const quorum = quorumOfOrder(intent, policy, row.rule_id)
      return quorum ? [{ directory: policy, ...quorum }] : []
    },
    // An order that moves locks its sub-wallet before the log.
    lockBeforeLog: (tx, { row }) => lockSubWallets(tx, [row.sub_wallet_id]),
    keepPlace: async (tx, { row }, { personId, sequence }) => {
      askAlong(tx, tx.insertInto('order_log_place').values({ org_id: tx.orgId, order_id: row.id, sequence: BigInt(sequence), person_id: personId }))
    },
    decided: async (tx, needs, order, { verdict, personId, remark }) => {
      if (order.state === 'approved') await endLease(tx, order.row, 'released', needs.ports.clock.nowMs())
      const move = verdict === 'approved' ? ({ event: 'approve' } as const) : ({ event: 'reject', reason: remark } as const)
      return (await moveOrder(tx, needs, order, { ...move, actor: personId })).state
    },
    screened: async (tx, { ports }, order, { policy, kept }) => {
      const { intent, row } = order
      const ruleId = await ruleByScreening(tx, policy, { intent, ruleId: row.rule_id, kept }, ports.clock.nowMs())
      if (ruleId === row.rule_id) return
      await nameDeciders(tx, row.id, peopleAmong(policy, quorumOfOrder(intent, policy, ruleId)?.eligible ?? []))
      await noteOrder(tx, { ports }, order, { subStatus: row.sub_status ?? '', actor: 'server', reason: `screening: rule ${ruleId}`, set: { rule_id: ruleId } })
    },
    announce: (tx, { ports }, { row }) => announceAll(tx, ports, orderAnnouncements(row, { balance: false, todo: true })),
    poke: pokeTransfers,
    page: async (tx, context, { row }) => {
      const known = await destinationFacts(tx, context, row)
      const around = await orderAround(tx, context, row)
      const coin = await coinOfPlace(tx, context.networks, row)
      return async () => ({ coin, rule: row.rule_id, around, facts: known && { ...known, contract: await askIfContract(context, row) } })
    },
  },
}

async function describeOrders(viewer: Viewer, ids: readonly string[]): Promise<DescribedOrder[]> {
  const { tx, context, personId } = viewer
  const rows = await tx
    .selectFrom('transfer_order')
    .selectAll()
    .where('org_id', '=', tx.orgId)
    .where('id', 'in', [...ids])
    .execute()
  const view = await openViewOf(viewer)
  const quorums = await quorumsOf(view, rows)
  const quorumOf = (id: string) => known(quorums.get(id), `the quorum of order ${id}`)
  const orders = await describeTransactions(
    view,
    rows.map((row) => orderView(view, row, quorumOf(row.id))),
  )
  const around = await readAround(view, rows)
  return rows.map((row, i) => {
    const quorum = quorumOf(row.id)
    const order = at(orders, i)
    const symbol = assetName(order.symbol, order.token_id)
    const { worth, wallet_name, sub_wallet_name, chain, network, amount, to_label, imitates, initiator, status, sub_status, created_at } = order
    const isOpen = row.state === 'approving'
    return {
      item_id: row.id,
      kind: kindOfOrder(row),
      biz_id: row.id,
      title: titleOf({ ...order, symbol }, view.language),
      wallet_id: row.wallet_id,
      sub_wallet_id: row.sub_wallet_id,
      ...{ wallet_name, sub_wallet_name, symbol, chain, network, amount, worth },
      address_to: row.address_to,
      ...{ to_label, imitates },
      remark: row.remark,
      initiator,
      node: {
        no: quorum.step + 1,
        total: quorum.steps,
        need: quorum.threshold,
        done: quorum.threshold - quorum.missing,
        waiting_for: isOpen ? quorum.waiting.map(view.personName) : [],
      },
      mine: roleOf(row, quorum, personId),
      state: isOpen ? 'wait' : 'done',
      ...{ status, sub_status },
      risk: risksOf(row, { ...around, imitates: imitates !== null, nowMs: view.nowMs }),
      approval_url: approvalUrl(context, row.intent_hash),
      expire_at: Number(row.expires_at),
      created_at,
    }
  })
}

function roleOf(row: OrderRow, quorum: Quorum, personId: string): OrderItem['mine'] {
  // Under a rule that passes an order by the signature of the person who asks, they are asked for it like anybody else.
  if (row.initiator === personId) return row.state === 'approving' && quorum.waiting.includes(personId) ? 'decide' : 'initiator'
  if (quorum.approvals.some((each) => each.personId === personId)) return 'decided'
  return row.state === 'approving' && quorum.eligible.includes(personId) ? 'decide' : 'watch'
}

type Around = Awaited<ReturnType<typeof readAround>>

/** What to look at before deciding. */
function risksOf(row: OrderRow, { own, paid, imitates, nowMs }: Pick<Around, 'own' | 'paid'> & { imitates: boolean; nowMs: number }): OrderItem['risk'] {
  const isOpen = row.state === 'approving'
  const isOwn = own.has(row.address_to)
  return [
    ...(imitates ? ['lookalike' as const] : []),
    // A name alone is no reason to trust: the viewer may have given it in their own address book.
    ...(isOpen && row.replaces === null && !isOwn && !paid.has(row.address_to) ? ['first_seen' as const] : []),
    ...(row.replaces === null && isOwn ? ['own' as const] : []),
    ...(isOpen && expiresSoon(Number(row.expires_at), nowMs) ? ['expires_soon' as const] : []),
  ]
}

/** Which destinations are the organisation's own, and which ones a payment was signed for. */
async function readAround({ tx }: ViewContext, rows: readonly OrderRow[]) {
  const destinations = rows.map(({ address_to: to }) => to)
  const own = await tx.selectFrom('address').select('address').where('org_id', '=', tx.orgId).where('address', 'in', destinations).execute()
  const paid = await tx
    .selectFrom('transfer_order')
    .select('address_to')
    .distinct()
    .where('org_id', '=', tx.orgId)
    .where(IS_SIGNED_FOR)
    .where('address_to', 'in', destinations)
    .execute()
  return {
    own: new Set(own.map((each) => each.address)),
    paid: new Set(paid.map((each) => each.address_to)),
  }
}
