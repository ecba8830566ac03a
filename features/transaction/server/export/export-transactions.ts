import { AppError, type InputOf, type Language, type OutputOf } from '@holdfast/contract'
import type { exportTransactions as endpoint, listTransactions } from '../../contract.ts'
import { readTransactions } from '../view/describe-transactions.ts'
import { EXPORT_COLUMNS, EXPORT_WORDS, type ExportColumn } from './export-words.ts'
import { countTransactions, findTransactions } from '../filter-transactions.ts'
import { kindIn } from './kind-words.ts'
import { KOINLY_COLUMNS, koinlyCells } from './koinly-cells.ts'
import { type Moved, movedBy } from './moved-money.ts'
import type { ViewContext } from '../view/view-context.ts'
import { XERO_COLUMNS, xeroCells } from './xero-cells.ts'
import { assetName, CSV_START, last, writeCsvLine } from '@holdfast/units'

type Written = OutputOf<typeof listTransactions>['list'][number] & { approved_by: string[] } & Pick<Moved, 'left'>

/** Transactions in one part: small enough to be read and sent in a moment, however long the list is. */
const PART_ROWS = 1000

/**
 * One part of the filtered list as CSV, the newest transactions first. The first part begins the file. Each part says where
 * the next one goes on, so that a list of any length needs the memory of one part, and what arrives meanwhile is not in it.
 */
export async function exportTransactions(view: ViewContext, { tz, layout, ...filter }: Omit<InputOf<typeof endpoint>, 'fiat'>) {
  const timeIn = clockOf(tz)
  const isFirst = filter.max_id === undefined
  const found = await findTransactions(view, filter, { limit: PART_ROWS + 1, offset: 0 })
  const part = found.slice(0, PART_ROWS)
  const rows = await readTransactions(view, part)
  const cellsOfRow = {
    all: (row: Written) => allCells(view.language, row, timeIn),
    koinly: koinlyCells,
    xero: (row: Written) => xeroCells(row, kindIn(view.language, row), timeIn),
  }[layout]
  const head = { all: headOf(view.language, tz), koinly: KOINLY_COLUMNS, xero: XERO_COLUMNS }[layout]
  return {
    csv: (isFirst ? CSV_START + writeCsvLine(head) : '') + rows.flatMap(cellsOfRow).map(writeCsvLine).join(''),
    rows: part.length,
    total: isFirst ? await countTransactions(view, filter) : null,
    next_id: found.length > part.length ? last(part).id : null,
  }
}

function headOf(language: Language, tz: string): string[] {
  const { columns } = EXPORT_WORDS[language]
  return EXPORT_COLUMNS.map((column) => columns[column].replace('{zone}', tz))
}

/** A line of a transaction, and one more for every other coin that left with it. */
function allCells(language: Language, row: Written, timeIn: (ms: number) => string): string[][] {
  const cells = cellsOf(language, row, timeIn)
  const others = movedBy(row).out.slice(1)
  const bare = { amount: '', currency: '', worth: '', feeCoin: '', feePaid: '', feeWorth: '', feeCap: '' }
  const lines = [cells, ...others.map(({ unit, contract, amount }) => ({ ...cells, ...bare, coin: unit, contract: contract ?? '', out: amount }))]
  return lines.map((line) => EXPORT_COLUMNS.map((column) => line[column]))
}

/** Writes moments as the clocks of a time zone show them: 2026-11-21 09:05:00. Throws where there is no such zone. */
export function clockOf(timeZone: string): (ms: number) => string {
  try {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    return (ms) => format.format(ms)
  } catch (cause) {
    throw new AppError('invalid_parameters', { cause, details: { field: 'tz', reason: 'it must be a time zone such as Europe/Berlin' } })
  }
}

/**
 * What is written of a transaction, column by column; empty if there is nothing to write. What came in and went out, and the fee that was paid, add up to
 * what the ledger has; what was asked for stands apart from that.
 */
export function cellsOf(language: Language, row: Written, timeIn: (ms: number) => string): Record<ExportColumn, string> {
  const { statuses, yes } = EXPORT_WORDS[language]
  const { in: came, out, fee } = movedBy(row)
  const first = out[0] ?? came[0]
  const isAbout = row.replaces != null
  return {
    time: timeIn(row.created_at),
    utc: new Date(row.created_at).toISOString(),
    type: kindIn(language, row),
    does: row.stake?.title ?? row.call?.method ?? '',
    status: statuses[row.type][row.status] ?? '',
    statusNumber: String(row.status),
    subStatus: row.sub_status,
    wallet: row.sub_wallet_name,
    network: row.network,
    coin: first?.unit ?? assetName(row.symbol, row.token_id),
    contract: (first ? first.contract : row.contract_address) ?? '',
    amount: isAbout ? '' : row.amount,
    in: came[0]?.amount ?? '',
    out: out[0]?.amount ?? '',
    currency: row.worth?.at_time == null ? '' : row.worth.currency,
    worth: row.worth?.at_time ?? '',
    feeCoin: row.fee === null && row.real_fee === null ? '' : row.fee_symbol,
    feePaid: fee ?? '',
    feeWorth: row.worth?.fee ?? '',
    feeCap: row.fee ?? '',
    from: row.address_from ?? '',
    fromLabel: row.from_label ?? '',
    to: isAbout ? '' : row.address_to,
    toLabel: row.to_label ?? '',
    takenBy: row.taken_by ?? '',
    about: row.replaces ?? '',
    txid: row.txid ?? '',
    block: row.tx_height ?? '',
    initiator: row.initiator?.name ?? '',
    approvals: row.approvals ? `${row.approvals.done} / ${row.approvals.need}` : '',
    approvers: row.approved_by.join('; '),
    category: row.category ?? '',
    tags: row.tags.join('; '),
    note: row.note,
    remark: row.remark,
    suspicious: row.suspicious ? yes : '',
    requestId: row.request_id ?? '',
    id: row.id,
  }
}
