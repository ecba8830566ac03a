import type { OrganisationTx } from '@holdfast/db'
import { contractFields } from '@holdfast/features/network/server'
import { at, assetName, formatAmount, known } from '@holdfast/units'
import { approvedBy, orderView, quorumsOf } from './order-view.ts'
import { depositView, waitingView } from './deposit-view.ts'
import type { Found } from '../filter-transactions.ts'
import type { Moved } from '../export/moved-money.ts'
import { leftBy, orderKind, type OrderRow, purposeOf } from '@holdfast/features/transfer/server'
import { imitatedBy, labelOf, readKnownAddresses } from '@holdfast/features/known-address/server'
import { readNotifyStandings } from './notify-states.ts'
import { pullView, readPulls } from './pull-view.ts'
import { waitingClaims } from './read-claims.ts'
import { readWorths } from './read-worths.ts'
import type { ViewContext } from './view-context.ts'

export type Shown = ReturnType<typeof orderView> | ReturnType<typeof depositView> | ReturnType<typeof pullView>
export type TransactionView = Awaited<ReturnType<typeof readTransactions>>[number]

const UNMARKED = { category: null, tags: [] as string[], note: '', suspicious: null }

/** Payments, deposits and pulls as lists show them, in the order in which they were found. */
export async function readTransactions(view: ViewContext, found: readonly Found[]) {
  const idsOf = (type: Found['type']) => found.filter((each) => each.type === type).map((each) => each.id)
  const pulls = (await readPulls(view.tx, idsOf('pull'))).map((row) => ({ ...pullView(view, row), approved_by: [] }))
  const all = [...(await readOrders(view, idsOf('withdraw'))), ...(await readDeposits(view, idsOf('deposit'))), ...pulls]
  const rows = new Map(all.map((row) => [row.id, row]))
  return describeTransactions(
    view,
    found.flatMap(({ id }) => rows.get(id) ?? []),
  )
}

/** One row with what is known around it. */
export async function describeTransaction<Row extends Shown>(view: ViewContext, row: Row) {
  return at(await describeTransactions(view, [row]), 0)
}

/** Adds what is known around some rows: what they were worth, names of addresses and what they imitate, how they were filed. */
export async function describeTransactions<Row extends Shown>(view: ViewContext, rows: readonly Row[]) {
  const marks = await readMarks(
    view.tx,
    rows.map((row) => row.id),
  )
  const addresses = await readKnownAddresses(
    view,
    rows.flatMap((row) => [row.address_to, ...(row.address_from ? [row.address_from] : [])]),
  )
  const worths = await readWorths(view, rows)
  const standings = await readNotifyStandings(
    view.tx,
    rows.map((row) => row.id),
  )
  return rows.map((row, i) => {
    const { category, tags, note, suspicious } = marks.get(row.id) ?? UNMARKED
    const other = row.type === 'deposit' ? row.address_from : row.address_to
    const imitated = other === null ? undefined : imitatedBy(addresses, other)
    return {
      ...row,
      worth: worths[i] ?? null,
      source: row.type === 'withdraw' ? ('web' as const) : ('chain' as const),
      from_label: labelOf(addresses, row.address_from),
      to_label: labelOf(addresses, row.address_to),
      imitates: imitated ? { address: imitated.address, label: imitated.label, kind: imitated.kind } : null,
      suspicious: suspicious ?? imitated !== undefined,
      category,
      tags,
      note,
      notify: standings.get(row.id) ?? null,
    }
  })
}

async function readOrders(view: ViewContext, ids: string[]) {
  if (ids.length === 0) return []
  const rows = await view.tx.selectFrom('transfer_order').selectAll().where('org_id', '=', view.tx.orgId).where('id', 'in', ids).execute()
  const requests = await view.tx
    .selectFrom('idempotency')
    .select(['request_id', 'result_id'])
    .where('org_id', '=', view.tx.orgId)
    .where('result_id', 'in', ids)
    .execute()
  const requestOf = new Map(requests.map((each) => [each.result_id, each.request_id]))
  const quorums = await quorumsOf(view, rows)
  const costs = await readCosts(view.tx, rows)
  const left = await readLeft(view, rows)
  return rows.map((row) => {
    const quorum = known(quorums.get(row.id), `the quorum of order ${row.id}`)
    const shown = orderView(view, row, quorum, requestOf.get(row.id) ?? null, costs.get(row.id))
    return { ...shown, approved_by: approvedBy(quorum).map(view.personName), left: left.get(row.id) }
  })
}

/** What cancellations cost that the chain took, by their ids: the books have it with the payment, whose place they took. */
export async function readCosts(tx: OrganisationTx, rows: readonly OrderRow[]): Promise<Map<string, bigint>> {
  const stood = rows.filter((row) => purposeOf(row) === 'cancel' && row.state === 'completed')
  if (stood.length === 0) return new Map()
  const payments = await tx
    .selectFrom('transfer_order')
    .select(['id', 'fee_paid'])
    .where('org_id', '=', tx.orgId)
    .where(
      'id',
      'in',
      stood.flatMap(({ replaces }) => replaces ?? []),
    )
    .execute()
  const fees = new Map(payments.map(({ id, fee_paid }) => [id, fee_paid]))
  return new Map(
    stood.flatMap(({ id, replaces }) => {
      const fee = replaces === null ? null : fees.get(replaces)
      return fee == null ? [] : [[id, fee] as const]
    }),
  )
}

/** What left by orders that move more than their amount, or another sum: calls of contracts, and tokens with which coin goes along. By the books. */
async function readLeft(view: ViewContext, rows: readonly OrderRow[]): Promise<Map<string, NonNullable<Moved['left']>>> {
  const found = new Map<string, NonNullable<Moved['left']>>()
  for (const row of rows) {
    if ((!orderKind(row).subjects.includes('contractCall') && row.postage === 0n) || (row.state !== 'completed' && row.state !== 'failed')) continue
    const left = await leftBy(view.tx, row)
    found.set(
      row.id,
      left.map(({ asset: { chain, contract }, amount }) => {
        const listed = view.networks.byContract(chain, contract ?? '')
        const { token_id, contract_address } = contractFields(contract ?? '')
        return {
          unit: assetName(listed?.symbol ?? contract_address ?? '', token_id),
          contract: contract_address,
          amount: formatAmount(amount, listed?.decimals ?? 0),
        }
      }),
    )
  }
  return found
}

async function readDeposits(view: ViewContext, ids: string[]) {
  if (ids.length === 0) return []
  const rows = await view.tx.selectFrom('deposit').selectAll().where('org_id', '=', view.tx.orgId).where('id', 'in', ids).execute()
  const claims = await waitingClaims(view, rows)
  const waiting = await view.tx.selectFrom('waiting_deposit').selectAll().where('org_id', '=', view.tx.orgId).where('id', 'in', ids).execute()
  const views = [...rows.map((row) => depositView(view, row, claims.get(row.id))), ...waiting.map((row) => waitingView(view, row))]
  return views.map((shown) => ({ ...shown, approved_by: [] }))
}

async function readMarks(tx: OrganisationTx, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>()
  const rows = await tx
    .selectFrom('transaction_mark')
    .select(['transaction_id', 'category', 'tags', 'note', 'suspicious'])
    .where('org_id', '=', tx.orgId)
    .where('transaction_id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.transaction_id, row]))
}
