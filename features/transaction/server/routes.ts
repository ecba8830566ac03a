import { AppError, type Language } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { readMail } from '@holdfast/features/mail/server'
import { readOutOfOffice } from '@holdfast/features/team/server'
import type { Fiat } from '@holdfast/features/price/contract'
import { troubleIn } from '@holdfast/features/network/server'
import { requireSubWallet } from '@holdfast/features/wallet/server'
import { type CallerContext, handle, type HandledEndpoint } from '@holdfast/http'
import { proposalErrors } from '@holdfast/features/proposal/errors'
import { wordFor } from '@holdfast/features/proposal/server'
import * as contract from '../contract.ts'
import { broughtBy } from './view/brought-by.ts'
import { depositTimeline, depositView, pendingTimeline, pendingView } from './view/deposit-view.ts'
import { describeTransaction, readCosts } from './view/describe-transactions.ts'
import { listPending } from './list-pending.ts'
import { listTransactions } from './list-transactions.ts'
import { isLeased, intentOf, type OrderRow, refusalsOf, screeningsShown, canTakeBack } from '@holdfast/features/transfer/server'
import { listViews, saveView } from './saved-views.ts'
import { readAllowanceSpends } from './view/read-rows.ts'
import { payoutOutputs, payoutView } from './view/payout-outputs.ts'
import { actorName, orderView, type Quorum, quorumOf } from './view/order-view.ts'
import { allowanceSpendTimeline, allowanceSpendView } from './view/allowance-spend-view.ts'
import { claimSteps, heldFacts, waitingClaims } from './view/read-claims.ts'
import { replacementHistory } from './view/replacement-history.ts'
import { openView, type ViewContext, type Viewer } from './view/view-context.ts'

type Caller = { orgId: string; language: Language; personId?: string }

/** Looks at transactions for a caller, in a transaction of the database. */
export function viewing({ db, networks, ports }: ServerContext) {
  return <T>({ orgId, personId, language }: Caller, act: (viewer: Viewer) => Promise<T>, fiat: Fiat = 'USD'): Promise<T> =>
    db.asOrganisation(orgId, (tx) => act({ tx, networks, language, nowMs: ports.clock.nowMs(), fiat, ...(personId !== undefined && { personId }) }))
}

/** Whoever looks: a person sees what their own contacts are called. */
const viewerOf = ({ requester, orgId, language }: CallerContext): Caller => ({ orgId, language, ...('personId' in requester && requester) })

/** What has been paid and received, each with its story and its proof. */
export function transactionEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, ports } = context
  const asViewer = viewing(context)
  const withView = <T>(caller: Caller, act: (view: ViewContext) => Promise<T>, fiat?: Fiat): Promise<T> =>
    asViewer(caller, async (viewer) => act(await openView(viewer)), fiat)
  return [
    handle(contract.listTransactions, (caller, input) => asViewer(viewerOf(caller), (viewer) => listTransactions(viewer, input), input.fiat), 'machines too'),
    handle(contract.listPending, ({ orgId, language }, { sub_wallet_id, fiat }) =>
      db.asOrganisation(orgId, async (tx) => {
        if (sub_wallet_id !== undefined) await requireSubWallet(tx, sub_wallet_id)
        return listPending(tx, context.networks, { subWalletId: sub_wallet_id, nowMs: ports.clock.nowMs(), fiat, language })
      }),
    ),
    handle(contract.listSavedViews, ({ orgId, personId }) => db.asOrganisation(orgId, (tx) => listViews(tx, personId))),
    handle(contract.saveView, ({ orgId, personId }, input) => db.asOrganisation(orgId, (tx) => saveView(tx, personId, input, ports.clock.nowMs()))),
    handle(contract.getWithdrawal, (caller, { id, fiat }) => withView(viewerOf(caller), (view) => readWithdrawal(context, view, id), fiat), 'machines too'),
    handle(contract.getPayout, (viewer, { id }) =>
      withView(viewer, async (view) => {
        const row = await view.tx.selectFrom('transfer_order').selectAll().where('org_id', '=', view.tx.orgId).where('id', '=', id).executeTakeFirst()
        if (!row) throw new AppError(proposalErrors.order_not_found)
        return payoutView(view, row)
      }),
    ),
    handle(contract.getDeposit, (caller, { id, fiat }) => withView(viewerOf(caller), (view) => readDeposit(view, id), fiat), 'machines too'),
    handle(contract.getAllowanceSpend, (viewer, { id, fiat }) => withView(viewer, (view) => readAllowanceSpend(view, id), fiat)),
  ]
}

async function readWithdrawal(context: ServerContext, view: ViewContext, id: string) {
  const row = await view.tx.selectFrom('transfer_order').selectAll().where('org_id', '=', view.tx.orgId).where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError(proposalErrors.order_not_found)
  return orderDetail(context, view, row)
}

async function readDeposit(view: ViewContext, id: string) {
  const { tx } = view
  const deposits = tx.selectFrom('deposit').selectAll().where('org_id', '=', tx.orgId)
  const waiting = await tx.selectFrom('waiting_deposit').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirst()
  if (waiting && waiting.state !== 'in_block') {
    const shown = await describeTransaction(view, pendingView(view, waiting))
    return { ...shown, held: null, claims: [], timeline: pendingTimeline(waiting) }
  }
  // Once a block has what waited, it goes on as the deposit of that block.
  const row = waiting
    ? await deposits
        .where('chain', '=', waiting.chain)
        .where('txid', '=', waiting.txid)
        .where('tx_index', '=', waiting.tx_index)
        .orderBy('created_at', 'desc')
        .executeTakeFirst()
    : await deposits.where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError(proposalErrors.order_not_found)
  const held = await heldFacts(view, row)
  const shown = await describeTransaction(view, depositView(view, row, (await waitingClaims(view, [row])).get(row.id)))
  return { ...shown, ...held, timeline: [...claimSteps(held), ...depositTimeline(row)].toSorted((a, b) => a.at - b.at) }
}

async function readAllowanceSpend(view: ViewContext, id: string) {
  const [row] = await readAllowanceSpends(view.tx, [id])
  if (!row) throw new AppError(proposalErrors.order_not_found)
  const shown = await describeTransaction(view, allowanceSpendView(view, row))
  const acknowledged = row.acknowledged_by === null ? null : { by: view.personName(row.acknowledged_by), at: Number(row.acknowledged_at) }
  return { ...shown, timeline: allowanceSpendTimeline(view, row), told: row.reason === null ? null : troubleIn(view.language, row.reason), acknowledged }
}

/** One transaction of any kind with its whole story. Throws `order_not_found`. */
export function readRecord(context: ServerContext, view: ViewContext, { id, type }: { id: string; type: contract.TransactionKind }) {
  if (type === 'withdraw') return readWithdrawal(context, view, id)
  return type === 'deposit' ? readDeposit(view, id) : readAllowanceSpend(view, id)
}

/** One order with its whole story. */
export async function orderDetail(context: ServerContext, view: ViewContext, row: OrderRow) {
  const { tx } = view
  const [quorum, events, costs, away, canTake, reminded, stoppable, brought, outputs, history, screenings] = await Promise.all([
    quorumOf(view, row),
    tx.selectFrom('transfer_event').selectAll().where('org_id', '=', tx.orgId).where('order_id', '=', row.id).orderBy('seq').execute(),
    readCosts(tx, [row]),
    readOutOfOffice(tx, view.nowMs),
    canTakeBack(tx, row),
    remindedOf(view, row.id),
    stoppableOf(view, row),
    broughtBy(view, row),
    payoutOutputs(view, row),
    replacementHistory(context, view, row),
    view.policy(row.policy_version).then((policy) => screeningsShown(tx, policy, { row, intent: intentOf(row) }, view.nowMs)),
  ])
  const timeline = [
    ...events.map((each) => ({
      state: each.state,
      sub_status: each.sub_status ?? '',
      at: Number(each.at),
      actor: actorName(view, each.actor),
      reason: each.reason,
    })),
    ...approvalSteps(view, quorum),
  ]
  const shown = await describeTransaction(view, orderView(view, row, quorum, costs.get(row.id)))
  const rule = context.networks.find(row.chain)?.codec.slotRule
  const counts = rule !== undefined && isLeased(rule)
  return {
    ...shown,
    intent_hash: toHex(row.intent_hash),
    approval_url: approvalUrl(context, row.intent_hash),
    expire_at: Number(row.expires_at),
    stoppable,
    can_take_back: canTake,
    policy_version: Number(row.policy_version),
    rule_id: quorum.ruleId,
    rule_name: quorum.ruleName,
    batch_id: row.batch_id,
    approvers: quorum.eligible.map((id) => approverView(view, quorum, id, away)),
    nonce: row.slot !== null && counts ? String(row.slot) : null,
    timeline: timeline.toSorted((a, b) => a.at - b.at),
    refusals: refusalsOf(row).map(({ signer, check, reason, atMs }) => ({ signer, check, reason, at: atMs })),
    ...{ reminded, brought, outputs, screenings },
    ...history,
  }
}

/** Who reminded the approvers last, and what became of the letters. */
async function remindedOf({ tx, personName }: ViewContext, orderId: string) {
  const reminder = await tx.selectFrom('order_reminder').selectAll().where('org_id', '=', tx.orgId).where('order_id', '=', orderId).executeTakeFirst()
  if (!reminder) return null
  const at = Number(reminder.reminded_at)
  const letters = await readMail(tx, { topic: 'order_waits', aboutId: orderId, sinceMs: at })
  return { at, by: personName(reminder.person_id), times: reminder.times, letters }
}

/** Until when an order that has its approvals can still be stopped, and what became of the letters that say so. */
async function stoppableOf({ tx, nowMs }: ViewContext, { id, batch_id: batchId, state, sub_status: subStatus, signable_at: signableAt }: OrderRow) {
  if (state !== 'approved' || subStatus !== 'cooling' || signableAt === null || Number(signableAt) <= nowMs) return null
  return { until: Number(signableAt), letters: await readMail(tx, { topic: 'order_stoppable', aboutId: batchId ?? id, sinceMs: 0 }) }
}

function approvalSteps(view: ViewContext, { approvals }: Quorum) {
  return approvals.map(({ personId, decision, atMs, forId }) => ({
    state: 'approving',
    sub_status: decision === 'approve' ? 'approved' : 'rejected',
    at: atMs,
    actor: view.personName(personId),
    ...(forId === null ? {} : { in_place_of: view.personName(forId) }),
    reason: null,
  }))
}

function approverView(view: ViewContext, { approvals, people }: Quorum, id: string, away: Awaited<ReturnType<typeof readOutOfOffice>>) {
  const [{ word: approval, by }, absence] = [wordFor(approvals, id), away.get(id)]
  const state = approval === undefined ? ('waiting' as const) : approval.decision === 'approve' ? ('approved' as const) : ('rejected' as const)
  return {
    person_id: id,
    name: view.personName(id),
    state,
    only_stops: !people.includes(id),
    at: approval?.atMs ?? null,
    by: by && view.personName(by),
    away: absence?.now ? { until: absence.to, delegate: absence.delegate?.name ?? null } : null,
  }
}
