import { AppError, type InputOf, type Language, type OutputOf } from '@holdfast/contract'
import type { exportTransactions as endpoint, listTransactions } from '@holdfast/features/transaction/contract'
import { countTransactions, findTransactions, kindIn, readPayoutOutputs, readTransactions, type ViewContext } from '@holdfast/features/transaction/server'
import { assetName, CSV_START, last, writeCsvLine } from '@holdfast/units'
import { bookLines, type Booked } from './book-lines.ts'
import { EXPORT_COLUMNS, EXPORT_WORDS, type ExportColumn } from './export-words.ts'
import { KOINLY_COLUMNS, koinlyCells } from './koinly-cells.ts'
import { shareOut } from './money-text.ts'
import { RECEIPT_WORDS } from './receipt-words.ts'
import { XERO_COLUMNS, xeroCells } from './xero-cells.ts'

export type Written = OutputOf<typeof listTransactions>['list'][number] & Booked & { approved_by: { name: string; by: string | null }[] }

/** Transactions in one part: small enough to be read and sent in a moment, however long the list is. */
const PART_ROWS = 1000

/** What is left of an export: all of it, or what is older than `max_id`, as it stands now. */
export async function exportLeft(view: ViewContext, filter: Omit<InputOf<typeof endpoint>, 'fiat' | 'tz' | 'layout'>) {
  const rows = await countTransactions(view, filter)
  return { rows, parts: Math.ceil(rows / PART_ROWS) }
}

/**
 * One part of the filtered list as CSV, the newest transactions first. The first part begins the file. Each part says where
 * the next one goes on, so that a list of any length needs the memory of one part, and what arrives meanwhile is not in it.
 */
export async function exportTransactions(view: ViewContext, { tz, layout, ...filter }: Omit<InputOf<typeof endpoint>, 'fiat'>) {
  const clock = clockOf(tz)
  const isFirst = filter.max_id === undefined
  const found = await findTransactions(view, filter, { limit: PART_ROWS + 1, offset: 0 })
  const part = found.slice(0, PART_ROWS)
  const rows = await readTransactions(view, part)
  const outputs = await readPayoutOutputs(
    view,
    rows.filter((each) => each.type === 'withdraw' && each.recipients !== undefined && each.replaces === null),
  )
  const columns = EXPORT_COLUMNS.filter((column) => column !== 'utc' || !clock.isUtc)
  const cellsOfRow = {
    all: (row: Written) => exportCells(view.language, row, clock.timeIn).map((cells) => columns.map((column) => cells[column])),
    koinly: koinlyCells,
    xero: (row: Written) => xeroCells(row, kindsOf(view.language, row), clock.timeIn),
  }[layout]
  const words = EXPORT_WORDS[view.language].columns
  const head = { all: columns.map((column) => words[column].replace('{zone}', tz)), koinly: KOINLY_COLUMNS, xero: XERO_COLUMNS }[layout]
  const lines = rows.flatMap((row) => cellsOfRow({ ...row, outputs: outputs.get(row.id) }))
  return {
    csv: (isFirst ? CSV_START + writeCsvLine(head) : '') + lines.map(writeCsvLine).join(''),
    rows: part.length,
    total: isFirst ? await countTransactions(view, filter) : null,
    next_id: found.length > part.length ? last(part).id : null,
  }
}

/** What a transaction is called, and what the line of its fee is called. */
export function kindsOf(language: Language, row: Written) {
  const kind = kindIn(language, row)
  return { kind, feeKind: EXPORT_WORDS[language].feeOf(kind) }
}

/** Writes moments as the clocks of a time zone show them: 2026-11-21 09:05:00. Throws where there is no such zone. */
export function clockOf(timeZone: string): { timeIn: (ms: number) => string; isUtc: boolean } {
  try {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    return { timeIn: (ms) => format.format(ms), isUtc: format.resolvedOptions().timeZone === 'UTC' }
  } catch (cause) {
    throw new AppError('invalid_parameters', { cause, details: { field: 'tz', reason: 'it must be a time zone such as Europe/Berlin' } })
  }
}

type Cells = Record<ExportColumn, string>
/** What belongs to a transaction once, however many lines it has. */
const ONCE = { amount: '', worth: '', feeCoin: '', feePaid: '', feeWorth: '', feeCap: '' }

/**
 * The lines of a transaction, column by column; empty if there is nothing to write. Whoever is paid has a line, every coin that left has one, and what
 * moved nothing has one all the same. What came in and went out, and the fees that were paid, add up to what the ledger has; what was asked for stands
 * apart from that.
 */
export function exportCells(language: Language, row: Written, timeIn: (ms: number) => string): Cells[] {
  const cells = commonCells(language, row, timeIn)
  const lines = bookLines(row)
  const { outputs = [] } = row
  const currency = row.worth?.currency ?? ''
  // Before it is paid, too, it says whom it is to pay.
  const unpaid = lines.some((line) => line.out) ? [] : outputs
  const values = shareOut(
    row.worth?.at_time ?? null,
    unpaid.map(({ amount }) => amount),
  )
  const told = unpaid.map(
    (each, i): Partial<Cells> => ({
      ...(i === 0 ? {} : ONCE),
      ...{ amount: each.amount, to: each.address_to, toLabel: each.label ?? '', memo: each.memo ?? '', worth: values[i] ?? '' },
    }),
  )
  const booked = lines.map((line, i): Partial<Cells> => {
    const moved = line.in ?? line.out
    if (!moved) return { feePaid: line.fee ?? '' }
    const isOfPayout = outputs.length > 0
    return {
      ...(i === 0 ? {} : ONCE),
      ...(isOfPayout && { amount: moved.amount, memo: line.to.memo ?? '' }),
      ...{ coin: moved.unit, contract: moved.contract ?? '', in: line.in?.amount ?? '', out: line.out?.amount ?? '', feePaid: line.fee ?? '' },
      ...{ worth: line.worth ?? '', currency: line.worth === null ? '' : currency, to: line.to.address ?? '', toLabel: line.to.label ?? '' },
    }
  })
  if (unpaid.length > 0) return told.map((each, i) => ({ ...cells, ...each, ...(i === 0 && { feePaid: lines[0]?.fee ?? '' }) }))
  return booked.length > 0 ? booked.map((each) => ({ ...cells, ...each })) : [cells]
}

/** What every line of a transaction says alike, as far as it moved nothing. */
function commonCells(language: Language, row: Written, timeIn: (ms: number) => string): Cells {
  const { statuses, yes } = EXPORT_WORDS[language]
  const isAbout = row.replaces != null
  return {
    time: timeIn(row.created_at),
    utc: new Date(row.created_at).toISOString(),
    type: kindIn(language, row),
    does: row.stake?.title ?? row.call?.method ?? '',
    status: statuses[row.type][row.status] ?? '',
    statusNumber: String(row.status),
    subStatus: row.sub_status,
    wallet: row.wallet_name,
    subWallet: row.sub_wallet_name,
    network: row.network,
    coin: assetName(row.symbol, row.token_id),
    contract: row.contract_address ?? '',
    amount: isAbout ? '' : row.amount,
    in: '',
    out: '',
    currency: row.worth?.at_time == null ? '' : row.worth.currency,
    worth: row.worth?.at_time ?? '',
    feeCoin: row.fee === null && row.real_fee === null ? '' : row.fee_symbol,
    feePaid: '',
    feeWorth: row.worth?.fee ?? '',
    feeCap: row.fee ?? '',
    from: row.address_from ?? '',
    fromLabel: row.from_label ?? '',
    to: isAbout ? '' : row.address_to,
    toLabel: isAbout ? '' : (row.to_label ?? ''),
    takenBy: row.taken_by ?? '',
    memo: row.memo ?? '',
    about: row.replaces ?? '',
    txid: row.txid ?? '',
    block: row.tx_height ?? '',
    initiator: row.initiator?.name ?? '',
    approvals: row.approvals ? `${row.approvals.done} / ${row.approvals.need}` : '',
    approvers: row.approved_by.map(({ name, by }) => (by === null ? name : `${name} (${RECEIPT_WORDS[language].inPlace(by)})`)).join('; '),
    category: row.category ?? '',
    tags: row.tags.join('; '),
    note: row.note,
    remark: row.remark,
    suspicious: row.suspicious ? yes : '',
    requestId: row.request_id ?? '',
    id: row.id,
  }
}
