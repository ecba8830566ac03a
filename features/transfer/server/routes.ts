import { AppError, type Language } from '@holdfast/contract'
import { toHex } from '@holdfast/encoding'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import type { OrganisationTx } from '@holdfast/db'
import { readMail } from '@holdfast/features/mail/server'
import { currentPolicy } from '@holdfast/features/strategy/server'
import { readOutOfOffice } from '@holdfast/features/team/server'
import type { Fiat } from '@holdfast/features/price/contract'
import { handle, type HandledEndpoint } from '@holdfast/http'
import { openPdfDesk, PdfDeskBusy } from '@holdfast/pdf'
import { sha256 } from '@noble/hashes/sha2.js'
import * as contract from '../contract.ts'
import { broughtBy } from './brought-by.ts'
import { depositTimeline, depositView, waitingTimeline, waitingView } from './deposit-view.ts'
import { describeTransactions, readCosts } from './describe-transactions.ts'
import { exportTransactions } from './export-transactions.ts'
import { listTransactions } from './list-transactions.ts'
import { isLeased } from './lease-slot.ts'
import { liftDeposit, liftInfo } from './lift-deposit.ts'
import { listMarks, markTransactions } from './mark-transactions.ts'
import { listViews, saveView } from './saved-views.ts'
import { payoutOutputs, payoutView } from './payout-outputs.ts'
import { actorName, orderView, type Quorum, quorumOf } from './order-view.ts'
import { type OrderRow } from './read-order.ts'
import { pullTimeline, pullView, readPulls } from './pull-view.ts'
import { claimSteps, heldFacts, waitingClaims } from './read-claims.ts'
import { type Receipted, receiptSheet } from './receipt.ts'
import { refusalsOf } from './refusals.ts'
import { resumeOrder } from './resume-order.ts'
import { pokeTransfers } from './run-transfers.ts'
import { replacementHistory } from './replacement-history.ts'
import { speedUp, speedUpInfo } from './speed-up.ts'
import { statusOf } from './states.ts'
import { canTakeBack } from './take-back.ts'
import { openView, readHeights, type ViewContext } from './view-context.ts'

type Viewer = { orgId: string; personId: string; language: Language }

/** What has been paid and received, each with its story and its proof. */
export function transferEndpoints(context: ServerContext): HandledEndpoint[] {
  const { db, networks, ports } = context
  const desk = openPdfDesk(ports)
  const withView = async <T>({ orgId, personId, language }: Viewer, act: (view: ViewContext) => Promise<T>, fiat: Fiat = 'USD'): Promise<T> => {
    const heights = await readHeights(db)
    return db.asOrganisation(orgId, async (tx) => act(await openView(tx, { networks, language, nowMs: ports.clock.nowMs(), fiat, personId, heights })))
  }
  return [
    handle(contract.listTransactions, (viewer, input) => withView(viewer, (view) => listTransactions(view, input), input.fiat)),
    handle(contract.exportTransactions, (viewer, input) => withView(viewer, (view) => exportTransactions(view, input), input.fiat)),
    handle(contract.markTransactions, ({ orgId, personId }, input) =>
      db.asOrganisation(orgId, async (tx) => ({ marked: await markTransactions(tx, input, { personId, nowMs: ports.clock.nowMs() }) })),
    ),
    handle(contract.listMarks, (viewer) => withView(viewer, listMarks)),
    handle(contract.listSavedViews, ({ orgId, personId }) => db.asOrganisation(orgId, (tx) => listViews(tx, personId))),
    handle(contract.saveView, ({ orgId, personId }, input) => db.asOrganisation(orgId, (tx) => saveView(tx, personId, input, ports.clock.nowMs()))),
    handle(contract.getWithdrawal, (viewer, { id, fiat }) => withView(viewer, (view) => readWithdrawal(context, view, id), fiat)),
    handle(contract.getPayout, (viewer, { id }) =>
      withView(viewer, async (view) => {
        const row = await view.tx.selectFrom('transfer_order').selectAll().where('org_id', '=', view.tx.orgId).where('id', '=', id).executeTakeFirst()
        if (!row) throw new AppError('order_not_found')
        return payoutView(view, row)
      }),
    ),
    handle(contract.getDeposit, (viewer, { id, fiat }) => withView(viewer, (view) => readDeposit(view, id), fiat)),
    handle(contract.getPull, (viewer, { id, fiat }) => withView(viewer, (view) => readPull(view, id), fiat)),
    handle(contract.getReceipt, async (viewer, { id, type, tz, fiat }) => {
      const readers = { deposit: readDeposit, pull: readPull, withdraw: (view: ViewContext, orderId: string) => readWithdrawal(context, view, orderId) }
      const write = async (view: ViewContext) => {
        const row = await readers[type](view, id)
        return receiptSheet(row, { ...(await readAround(view, viewer.personId, row)), tz })
      }
      const sheet = await withView(viewer, write, fiat)
      const pdf = await desk.write(sheet, viewer.orgId).catch((cause: unknown) => {
        throw cause instanceof PdfDeskBusy ? new AppError('receipts_busy', { cause }) : cause
      })
      return { pdf: Buffer.from(pdf).toString('base64'), file_name: `holdfast-${type}-${id}.pdf` }
    }),
    handle(contract.resumeWithdrawal, async ({ orgId, personId }, { id }) => {
      const { row, state } = await db.asOrganisation(orgId, (tx) => resumeOrder(tx, context, id, personId))
      pokeTransfers(context)
      return { status: statusOf(state), sub_status: row.sub_status ?? '' }
    }),
    handle(contract.getSpeedUp, async (viewer, { trans_id }) => (await liftInfo(context, viewer, trans_id)) ?? speedUpInfo(context, viewer, trans_id)),
    handle(contract.speedUp, async ({ orgId, personId, language }, input) => {
      const caller = { orgId, personId, language }
      const { order, needsApproval } = (await liftDeposit(context, caller, input)) ?? (await speedUp(context, caller, input))
      if (!needsApproval) pokeTransfers(context)
      return {
        new_trans_id: order.row.id,
        needs_approval: needsApproval,
        approval_url: needsApproval ? approvalUrl(context, order.row.intent_hash) : null,
        status: statusOf(order.state),
        sub_status: order.row.sub_status ?? '',
      }
    }),
    handle(contract.getEvidence, ({ orgId }, { id, kind, number }) =>
      db.asOrganisation(orgId, async (tx) => {
        const order = await tx.selectFrom('transfer_order').select(['id', 'refusal']).where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirst()
        if (!order) throw new AppError('order_not_found')
        const stored = kind === 'signature' ? await bundleOf(tx, id, number) : undefined
        const bundle = kind === 'signature' ? stored && Buffer.from(stored.bundle).toString('base64') : refusalsOf(order).at(-1)?.bundle
        if (!bundle) throw new AppError('resource_not_found')
        return { bundle, file_name: evidenceName(kind, id, number), fingerprint: toHex((await currentPolicy(tx)).fingerprint) }
      }),
    ),
  ]
}

/** The bundle of one of an order's signatures: of the first, unless another one is named. */
async function bundleOf(tx: OrganisationTx, orderId: string, number: number | undefined): Promise<{ bundle: Uint8Array } | undefined> {
  const later =
    number === undefined
      ? undefined
      : await tx
          .selectFrom('replacement_evidence')
          .select('bundle')
          .where('org_id', '=', tx.orgId)
          .where('order_id', '=', orderId)
          .where('number', '=', number)
          .executeTakeFirst()
  if (later || (number !== undefined && number > 1)) return later
  return tx.selectFrom('evidence').select('bundle').where('org_id', '=', tx.orgId).where('order_id', '=', orderId).executeTakeFirst()
}

async function readWithdrawal(context: ServerContext, view: ViewContext, id: string) {
  const row = await view.tx.selectFrom('transfer_order').selectAll().where('org_id', '=', view.tx.orgId).where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('order_not_found')
  return orderDetail(context, view, row)
}

async function readDeposit(view: ViewContext, id: string) {
  const { tx } = view
  const deposits = tx.selectFrom('deposit').selectAll().where('org_id', '=', tx.orgId)
  const waiting = await tx.selectFrom('waiting_deposit').selectAll().where('org_id', '=', tx.orgId).where('id', '=', id).executeTakeFirst()
  if (waiting && waiting.state !== 'in_block') {
    const [shown] = await describeTransactions(view, [waitingView(view, waiting)])
    return { ...shown!, held: null, claims: [], timeline: waitingTimeline(waiting) }
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
  if (!row) throw new AppError('order_not_found')
  const held = await heldFacts(view, row)
  const [shown] = await describeTransactions(view, [depositView(view, row, (await waitingClaims(view, [row])).get(row.id))])
  return { ...shown!, ...held, timeline: [...claimSteps(held), ...depositTimeline(row)].toSorted((a, b) => a.at - b.at) }
}

async function readPull(view: ViewContext, id: string) {
  const [row] = await readPulls(view.tx, [id])
  if (!row) throw new AppError('order_not_found')
  const [shown] = await describeTransactions(view, [pullView(view, row)])
  const acknowledged = row.acknowledged_by === null ? null : { by: view.personName(row.acknowledged_by), at: Number(row.acknowledged_at) }
  return { ...shown!, timeline: pullTimeline(view, row), told: row.reason, acknowledged }
}

/** What a receipt says beside the transaction itself. */
async function readAround(view: ViewContext, personId: string, { id }: Receipted) {
  const { tx, language, nowMs } = view
  const { name } = await tx.selectFrom('organisation').select('name').where('id', '=', tx.orgId).executeTakeFirstOrThrow()
  const stored = await tx.selectFrom('evidence').select('bundle').where('org_id', '=', tx.orgId).where('order_id', '=', id).executeTakeFirst()
  const evidence = stored ? { fileName: evidenceName('signature', id), digest: toHex(sha256(stored.bundle)) } : null
  const fingerprint = toHex((await currentPolicy(tx)).fingerprint)
  return { language, nowMs, organisation: name, person: view.personName(personId), fingerprint, evidence }
}

const evidenceName = (kind: 'signature' | 'refusal', id: string, number?: number) =>
  `holdfast-${kind}-${id}${number === undefined ? '' : `-${number}`}.evidence`

/** One order with its whole story. */
export async function orderDetail(context: ServerContext, view: ViewContext, row: OrderRow) {
  const { tx } = view
  const quorum = await quorumOf(view, row)
  const request = await tx.selectFrom('idempotency').select('request_id').where('org_id', '=', tx.orgId).where('result_id', '=', row.id).executeTakeFirst()
  const events = await tx.selectFrom('transfer_event').selectAll().where('org_id', '=', tx.orgId).where('order_id', '=', row.id).orderBy('seq').execute()
  const timeline = [
    ...events.map((each) => ({
      state: each.state,
      sub_status: each.sub_status ?? '',
      at: Number(each.at),
      actor: actorName(view, each.actor),
      reason: each.reason,
    })),
    ...voiceSteps(view, quorum),
  ]
  const cost = (await readCosts(tx, [row])).get(row.id)
  const [shown] = await describeTransactions(view, [orderView(view, row, quorum, request?.request_id ?? null, cost)])
  const rule = context.networks.find(row.chain)?.codec.slotRule
  const counts = rule !== undefined && isLeased(rule)
  const away = await readOutOfOffice(tx, view.nowMs)
  return {
    ...shown!,
    intent_hash: toHex(row.intent_hash),
    approval_url: approvalUrl(context, row.intent_hash),
    expire_at: Number(row.expires_at),
    can_take_back: await canTakeBack(tx, row),
    policy_version: Number(row.policy_version),
    rule_id: quorum.ruleId,
    approvers: quorum.eligible.map((id) => approverView(view, quorum, id, away)),
    reminded: await remindedOf(view, row.id),
    nonce: row.slot !== null && counts ? String(row.slot) : null,
    timeline: timeline.toSorted((a, b) => a.at - b.at),
    refusals: refusalsOf(row).map(({ signer, check, reason, atMs }) => ({ signer, check, reason, at: atMs })),
    brought: await broughtBy(view, row),
    outputs: await payoutOutputs(view, row),
    ...(await replacementHistory(context, view, row)),
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

function voiceSteps(view: ViewContext, { voices }: Quorum) {
  return voices.map(({ personId, decision, atMs }) => ({
    state: 'approving',
    sub_status: decision === 'approve' ? 'approved' : 'rejected',
    at: atMs,
    actor: view.personName(personId),
    reason: null,
  }))
}

function approverView(view: ViewContext, { voices }: Quorum, id: string, away: Awaited<ReturnType<typeof readOutOfOffice>>) {
  const voice = voices.find((each) => each.personId === id)
  const state = voice === undefined ? ('waiting' as const) : voice.decision === 'approve' ? ('approved' as const) : ('rejected' as const)
  const absence = away.get(id)
  return {
    person_id: id,
    name: view.personName(id),
    state,
    at: voice?.atMs ?? null,
    away: absence?.now ? { until: absence.to, delegate: absence.delegate?.name ?? null } : null,
  }
}
