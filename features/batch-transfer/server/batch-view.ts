import { FEE_TIERS } from '@holdfast/chain-core'
import { PAYOUTS } from '@holdfast/chain-evm/codec'
import { answerPage, AppError, type InputOf, type Language, type OutputOf } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { approvalUrl } from '@holdfast/features/approval-url'
import type { ServerContext } from '@holdfast/features/context'
import { currentPolicy } from '@holdfast/features/policy/server'
import { ownCoin } from '@holdfast/features/network/server'
import { readPayer } from '@holdfast/features/transfer/server'
import { readNamedSubWallets } from '@holdfast/features/wallet/server'
import { balances } from '@holdfast/ledger'
import { machineSpeakers } from '@holdfast/policy'
import { bytesToUuid, formatAmount, known, last, type OrganisationId } from '@holdfast/units'
import { sql } from 'kysely'
import type { getBatch, listBatches, listBatchRows } from '../contract.ts'
import type { LineState } from '../shapes-contract.ts'
import { coinOf } from './drafts.ts'
import { batchOf, type BatchRow, readBatchRow } from './move-batch.ts'
import { payableLines } from './payable-lines.ts'
import { hasPayouts, readReadiness } from './by-contract.ts'
import { type BatchQuote, quoteBatch, togetherOf } from './quote-batch.ts'
import type { LineFault, LineWarning } from './read-lines.ts'
import { faultView, warningView } from './words.ts'

type Needs = Pick<ServerContext, 'db' | 'ports' | 'networks' | 'settings'>
type View = Needs & { tx: OrganisationTx }
type Row = OutputOf<typeof listBatchRows>['list'][number]

/** What became of a line, by its batch and its order. A line that is wrong is never paid. */
const STATE_OF_LINE = sql<LineState>`case
  when l.faults <> '[]'::jsonb or (b.intent is not null and l.order_id is null) then 'not_executed'
  when o.id is null and (b.is_final or b.state = 'stopped') then 'not_executed'
  when o.id is null then 'pending'
  when o.state = 'completed' or (o.state = 'failed' and p.arrived) then 'completed'
  when o.state in ('failed', 'dropped', 'replaced') then 'failed'
  when o.is_final then 'not_executed'
  else 'processing' end`

/** Lines with their batch `b`, their order `o`, which may not be there yet, and what that says of them alone, `p`, where it pays several. */
const LINES = sql`batch_transfer_line l
  join batch_transfer b on b.org_id = l.org_id and b.id = l.batch_id
  left join transfer_order o on o.org_id = l.org_id and o.id = l.order_id and o.batch_id = l.batch_id
  left join order_output p on p.org_id = l.org_id and p.order_id = o.id and p.address = l.address`

export type Sums = { counts: Record<LineState, number>; lines: number; wrong: number; total: bigint; paid: bigint }
const NONE = { pending: 0, processing: 0, completed: 0, failed: 0, not_executed: 0 }

/** How far batches are, by their lines. */
export async function readSums(tx: OrganisationTx, ids: readonly string[]): Promise<(id: string) => Sums> {
  const { rows } = await sql<{ id: string; state: LineState; lines: bigint; wrong: bigint; payable: string; given: string }>`
    select l.batch_id as id, ${STATE_OF_LINE} as state, count(*) as lines, count(*) filter (where l.faults <> '[]'::jsonb) as wrong,
        coalesce(sum(l.amount) filter (where l.faults = '[]'::jsonb), 0) as payable, coalesce(sum(l.amount), 0) as given
      from ${LINES} where l.org_id = ${tx.orgId} and l.batch_id = any(${[...ids]}::uuid[]) group by 1, 2`.execute(tx)
  const by = Map.groupBy(rows, (row) => row.id)
  return (id) => {
    const own = by.get(id) ?? []
    const counts = { ...NONE, ...Object.fromEntries(own.map(({ state, lines }) => [state, Number(lines)])) }
    const sum = (of: (row: (typeof own)[number]) => bigint) => own.reduce((all, row) => all + of(row), 0n)
    const paid = sum(({ state, given }) => (state === 'completed' ? BigInt(given) : 0n))
    const [lines, wrong] = [Number(sum((row) => BigInt(row.lines))), Number(sum((row) => BigInt(row.wrong)))]
    return { counts, lines, wrong, total: sum(({ payable }) => BigInt(payable)), paid }
  }
}

/** How those are called who ask for batches: people, and machines of the policy in force. */
export async function requesterNames(tx: OrganisationTx): Promise<(id: string) => string> {
  const [people, { policy }] = await Promise.all([tx.selectFrom('person').select(['id', 'name']).where('org_id', '=', tx.orgId).execute(), currentPolicy(tx)])
  const machines = machineSpeakers(policy).map(({ id, name }): [string, string] => [bytesToUuid(id), name])
  const names = new Map<string, string>([...machines, ...people.map(({ id, name }): [string, string] => [id, name])])
  return (id) => names.get(id) ?? id
}

/** Batches as lists show them. */
export async function batchViews(view: View, rows: readonly BatchRow[]) {
  const { tx, networks } = view
  const [sums, places, nameOf] = await Promise.all([
    readSums(
      tx,
      rows.map(({ id }) => id),
    ),
    readNamedSubWallets(
      tx,
      rows.map((row) => row.sub_wallet_id),
    ),
    requesterNames(tx),
  ])
  return rows.map((row) => {
    const { decimals } = coinOf({ networks }, row).asset
    const place = known(places.get(row.sub_wallet_id), `sub-wallet ${row.sub_wallet_id}`)
    const { total, paid, ...counted } = sums(row.id)
    return {
      batch_id: row.id,
      ...{ state: row.state, is_final: row.is_final, reason: row.reason, waits_for: row.waits_for, wallet_id: row.wallet_id },
      ...{ sub_wallet_id: row.sub_wallet_id, wallet_name: place.wallet_name, sub_wallet_name: place.sub_wallet_name },
      ...{ chain: row.chain, network: networks.find(row.chain)?.name ?? row.chain, symbol: row.symbol, file_name: row.file_name },
      initiator: { person_id: row.initiator as string, name: nameOf(row.initiator) },
      ...{ retry_of: row.retry_of, execution: row.execution, mode: row.mode, remark: row.remark },
      approval_url: row.intent_hash === null ? null : approvalUrl(view, row.intent_hash),
      ...counted,
      total: formatAmount(total, decimals),
      paid: formatAmount(paid, decimals),
      created_at: Number(row.created_at),
      expire_at: row.expires_at === null ? null : Number(row.expires_at),
    }
  })
}

/** A page of batches, the newest first. */
export async function listOf(view: View, { status, wallet_id: walletId, page_no, page_size }: InputOf<typeof listBatches>) {
  const { tx } = view
  const wanted = tx
    .selectFrom('batch_transfer')
    .where('org_id', '=', tx.orgId)
    .$if(status !== undefined, (query) => query.where('state', '=', status ?? 'checked'))
    .$if(walletId !== undefined, (query) => query.where('wallet_id', '=', walletId as never))
  const [rows, counted] = await Promise.all([
    wanted
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(page_size)
      .offset((page_no - 1) * page_size)
      .execute(),
    wanted.select(({ fn }) => fn.countAll<bigint>().as('count')).executeTakeFirstOrThrow(),
  ])
  return answerPage({ page_no, page_size }, Number(counted.count), await batchViews(view, rows))
}

/** A batch with what it costs: now, or by what its transactions have paid. */
export async function infoOf(
  needs: Needs,
  { orgId, language }: { orgId: OrganisationId; language: Language },
  batchId: string,
): Promise<OutputOf<typeof getBatch>> {
  const found = await needs.db.asOrganisation(orgId, async (tx) => {
    const row = await readBatchRow(tx, batchId)
    const [[view], { lines }, booked, spent, flagged] = await Promise.all([
      batchViews({ ...needs, tx }, [row]),
      payableLines(tx, batchId),
      balances(tx, row.sub_wallet_id),
      sql<{ fees: string | null }>`select sum(fee_paid) as fees from transfer_order where org_id = ${orgId} and batch_id = ${batchId}`.execute(tx),
      sql<{ kind: LineWarning; lines: bigint }>`select kind, count(*) as lines from batch_transfer_line l, jsonb_array_elements_text(l.warnings) kind
        where l.org_id = ${orgId} and l.batch_id = ${batchId} group by 1`.execute(tx),
    ])
    return { row, view: known(view, `batch ${batchId}`), lines, booked, fees: BigInt(spent.rows[0]?.fees ?? 0), flagged: flagged.rows }
  })
  const { row, view, lines, booked, fees, flagged } = found
  const coin = coinOf(needs, row)
  const own = ownCoin(coin.network)
  const availableOf = (contract: string | null) => booked.find(({ asset }) => asset.chain === row.chain && asset.contract === contract)?.available ?? 0n
  const isDraft = row.state === 'checked' && lines.length > 0
  const asked = { ...coin, subWalletId: row.sub_wallet_id, lines }
  const [quote, byContract] = isDraft
    ? await Promise.all([quoteBatch(needs, orgId, { ...asked, mode: 'single' }).catch(unlessRefused), contractView(needs, orgId, asked)])
    : [undefined, null]
  const warnings = { duplicate: 0, lookalike: 0, contract: 0, first_seen: 0, ...Object.fromEntries(flagged.map((each) => [each.kind, Number(each.lines)])) }
  return {
    ...view,
    reason: reasonText(view.reason, language),
    address_from: batchOf(row)?.intent.from ?? null,
    available: formatAmount(availableOf(coin.asset.contract), coin.asset.decimals),
    fee_symbol: own.symbol,
    fee_available: formatAmount(availableOf(null), own.decimals),
    fee_paid: formatAmount(fees, own.decimals),
    fees: quote ? feesOf(quote, own.decimals) : null,
    by_contract: byContract,
    warnings,
  }
}

/** Whether a contract could pay the lines, and what that would cost. */
async function contractView(needs: Needs, orgId: OrganisationId, asked: Omit<Parameters<typeof quoteBatch>[2], 'mode'>) {
  const { network, asset, subWalletId, lines } = asked
  if (!hasPayouts(network) || togetherOf(asked, lines, 'contract') === 1) return null
  const { address } = await needs.db.asOrganisation(orgId, (tx) => readPayer(tx, { subWalletId, network }))
  const total = lines.reduce((sum, { amount }) => sum + amount, 0n)
  const { readiness, allowance } = await readReadiness(network, asset, address, total)
  const quote = readiness === 'ready' ? await quoteBatch(needs, orgId, { ...asked, mode: 'contract' }).catch(unlessRefused) : undefined
  return {
    ...{ address: PAYOUTS, readiness, allowance: allowance === null ? null : formatAmount(allowance, asset.decimals) },
    fees: quote ? feesOf(quote, ownCoin(network).decimals) : null,
  }
}

function unlessRefused(cause: unknown): undefined {
  if (cause instanceof AppError) return undefined
  throw cause
}

function feesOf({ transactions, together, caps }: BatchQuote, decimals: number) {
  const shown = (amount: bigint) => formatAmount(amount, decimals)
  return {
    transactions,
    together,
    tiers: caps.map((cap, i) => ({ tier: FEE_TIERS[i] ?? 'normal', cap: shown(cap), total: shown(cap * BigInt(transactions)) })),
  }
}

const ENDED: Record<string, Record<Language, string>> = {
  expired: { en_US: 'Its time was over.', zh_CN: '已过有效期。' },
  superseded: { en_US: 'The policy was replaced, so no signer signs for it any more.', zh_CN: '策略已变更，签名方不再签名。' },
}

/** Why a batch ended: in the words of who ended it, or of this server. */
const reasonText = (reason: string | null, language: Language): string | null => (reason === null ? null : (ENDED[reason]?.[language] ?? reason))

type Found = {
  line: number
  given_address: string
  given_amount: string
  address: string | null
  amount: string | null
  memo: string | null
  faults: LineFault[]
  warnings: LineWarning[]
  state: LineState
  order_id: string | null
  txid: string | null
  sub_status: string | null
  is_asked: boolean
  retried_in: string | null
}

/** A page of the lines of a batch, in the sequence of its file. */
export async function rowsOf(view: View, language: Language, input: InputOf<typeof listBatchRows>) {
  const { tx, networks } = view
  const { batch_id: batchId, state, after = 0, page_no, page_size } = input
  const { decimals } = coinOf({ networks }, await readBatchRow(tx, batchId)).asset
  const matches =
    state === undefined ? sql`true` : state === 'flagged' ? sql`(l.faults <> '[]'::jsonb or l.warnings <> '[]'::jsonb)` : sql`${STATE_OF_LINE} = ${state}`
  const from = sql`${LINES} where l.org_id = ${tx.orgId} and l.batch_id = ${batchId} and l.line > ${after} and ${matches}`
  const [counted, { rows }] = await Promise.all([
    sql<{ count: bigint }>`select count(*) as count from ${from}`.execute(tx),
    sql<Found>`select l.line, l.given_address, l.given_amount, l.address, l.amount, l.memo, l.faults, l.warnings, ${STATE_OF_LINE} as state,
        o.id as order_id, o.txid, o.sub_status, b.state <> 'checked' as is_asked, l.retried_in
      from ${from} order by l.line limit ${page_size} offset ${(page_no - 1) * page_size}`.execute(tx),
  ])
  const list = rows.map((row): Row => rowView(row, decimals, language))
  const page = answerPage({ page_no, page_size }, Number(counted.rows[0]?.count ?? 0), list)
  return { ...page, next: page.has_more && list.length > 0 ? String(last(list).line) : null }
}

function rowView(row: Found, decimals: number, language: Language): Row {
  const { line, faults, warnings, state, memo, order_id, txid, sub_status, retried_in } = row
  return {
    line,
    address: row.address ?? row.given_address,
    amount: row.amount === null ? row.given_amount : formatAmount(BigInt(row.amount), decimals),
    ...{ memo, state, order_id, txid, sub_status, retried_in },
    errors: faults.map((fault) => faultView(fault, language)),
    warnings: warnings.map((kind) => warningView(kind, language)),
    can_retry: row.is_asked && faults.length === 0 && (state === 'failed' || state === 'not_executed') && retried_in === null,
  }
}

/** Lines of a batch that can be asked for again, of those that are named: each as its file had it. They are locked. */
export async function retryableLines(tx: OrganisationTx, batchId: string, lines: readonly number[]) {
  const { rows } = await sql<{ line: number; address: string; amount: string; memo: string | null }>`
    select l.line, l.address, l.amount, l.memo from ${LINES}
      where l.org_id = ${tx.orgId} and l.batch_id = ${batchId} and l.line = any(${[...lines]}::integer[]) and b.state <> 'checked'
        and l.faults = '[]'::jsonb and l.retried_in is null and ${STATE_OF_LINE} in ('failed', 'not_executed')
      order by l.line for no key update of l`.execute(tx)
  return rows
}
