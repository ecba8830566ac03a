import type { OrganisationTx } from '@holdfast/db'
import { contractFields } from '@holdfast/features/network/server'
import { at, assetName, formatAmount, known } from '@holdfast/units'
import { orderView, quorumsOf } from './order-view.ts'
import { depositView, pendingView } from './deposit-view.ts'
import type { Found } from '../filter-transactions.ts'
import { leftBy, orderKind, type OrderRow, purposeOf } from '@holdfast/features/transfer/server'
import { imitatedBy, labelOf } from '@holdfast/features/known-address/server'
import { namedWords } from '@holdfast/features/proposal/server'
import { allowanceSpendView } from './allowance-spend-view.ts'
import { waitingClaims } from './read-claims.ts'
import { readWorths } from './read-worths.ts'
import type { ViewContext } from './view-context.ts'

export type Shown = ReturnType<typeof orderView> | ReturnType<typeof depositView> | ReturnType<typeof allowanceSpendView>
export type TransactionView = Awaited<ReturnType<typeof readTransactions>>[number]

/** A coin that moved, and how much of it in decimal text. */
export type MovedCoin = { unit: string; contract: string | null; amount: string }

/** Payments, deposits and allowance spends as lists show them, in the order in which they were found. */
export async function readTransactions(view: ViewContext, found: readonly Found[]) {
  const idsOf = (type: Found['type']) => found.filter((each) => each.type === type).map((each) => each.id)
  const facts = view.ask(
    'facts',
    found.map(({ id }) => id),
  )
  const [orders, deposits, allowanceSpends] = await Promise.all([
    readOrders(view, idsOf('withdraw')),
    readDeposits(view, idsOf('deposit')),
    view.ask('allowanceSpends', idsOf('pull')),
    facts,
  ])
  const all = [...orders, ...deposits, ...allowanceSpends.map((row) => ({ ...allowanceSpendView(view, row), approved_by: [] }))]
  const rows = new Map(all.map((row) => [row.id, row]))
  return describeTransactions(
    view,
    found.flatMap(({ id }) => rows.get(id) ?? []),
    facts,
  )
}

/** One row with what is known around it. */
export async function describeTransaction<Row extends Shown>(view: ViewContext, row: Row) {
  return at(await describeTransactions(view, [row]), 0)
}

/** Adds what is known around some rows: the names of their sub-wallets, what they were worth, names of addresses and what they imitate, how they were filed. */
export async function describeTransactions<Row extends Shown>(
  view: ViewContext,
  rows: readonly Row[],
  asked = view.ask(
    'facts',
    rows.map(({ id }) => id),
  ),
) {
  const addresses = new Set(rows.flatMap((row) => [row.address_to, ...(row.address_from ? [row.address_from] : [])]))
  const [facts, subWallets, knownAddresses, worths] = await Promise.all([
    asked,
    view.ask('subWallets', [...new Set(rows.map((row) => row.sub_wallet_id))]),
    view.ask('addresses', [...addresses]),
    asked.then((facts) => readWorths(view, rows, facts)),
  ])
  return rows.map((row, i) => {
    const { category, tags, note, suspicious, requestId, notify } = known(facts.get(row.id), `what is known of ${row.id}`)
    const other = row.type === 'deposit' ? row.address_from : row.address_to
    const imitated = other === null ? undefined : imitatedBy(knownAddresses, other)
    return {
      ...row,
      request_id: row.type === 'withdraw' ? requestId : null,
      ...known(subWallets.get(row.sub_wallet_id), `the sub-wallet of ${row.id}`),
      worth: worths[i] ?? null,
      source: row.type === 'withdraw' ? row.source : ('chain' as const),
      from_label: labelOf(knownAddresses, row.address_from),
      to_label: labelOf(knownAddresses, row.address_to),
      imitates: imitated ? { address: imitated.address, label: imitated.label, kind: imitated.kind } : null,
      suspicious: suspicious ?? imitated !== undefined,
      category,
      tags,
      note,
      notify,
    }
  })
}

async function readOrders(view: ViewContext, ids: string[]) {
  if (ids.length === 0) return []
  const approvals = view.ask('approvals', ids)
  const rows = await view.ask('orders', ids)
  const [quorums, costs, left] = await Promise.all([quorumsOf(view, rows, approvals), readCosts(view.tx, rows), readLeft(view, rows)])
  return rows.map((row) => {
    const quorum = known(quorums.get(row.id), `the quorum of order ${row.id}`)
    const shown = orderView(view, row, quorum, costs.get(row.id))
    return { ...shown, approved_by: namedWords(quorum.approvals, quorum.approved, view.personName), left: left.get(row.id) }
  })
}

/** What cancellations cost that the chain took, by their ids: the ledger has it with the payment, whose place they took. */
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

/** What left by orders that move more than their amount, or another sum: calls of contracts, and tokens with which coin goes along. By the ledger. */
async function readLeft(view: ViewContext, rows: readonly OrderRow[]): Promise<Map<string, MovedCoin[]>> {
  const found = new Map<string, MovedCoin[]>()
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
  const { deposits, waiting } = await view.ask('deposits', ids)
  const claims = await waitingClaims(view, deposits)
  const views = [...deposits.map((row) => depositView(view, row, claims.get(row.id))), ...waiting.map((row) => pendingView(view, row))]
  return views.map((shown) => ({ ...shown, approved_by: [] }))
}
