import type { OutputOf } from '@holdfast/contract'
import type { listTransactions } from '@holdfast/features/transaction/contract'
import { subWalletPath } from '@holdfast/features/wallet/server'
import { bookLines, type Booked } from './book-lines.ts'
import { rounded } from './money-text.ts'

type Row = OutputOf<typeof listTransactions>['list'][number] & Booked

/** The columns of the bank statement that Xero reads, by their places. They are names of another program and stay in English. */
export const XERO_COLUMNS = ['*Date', '*Amount', 'Payee', 'Description', 'Reference']

/** What a line is called, and what the line of its fee is called. */
type Kind = { kind: string; feeKind: string }

/**
 * The lines of a transaction: its value at the time and that of its fee, in hundredths of the currency; money that leaves is below zero. None
 * where nothing moved. A value that is not known is left empty, for a person to fill in: Xero takes no line without one, and a guess would be wrong.
 */
export function xeroCells(row: Row, { kind, feeKind }: Kind, timeIn: (ms: number) => string): string[][] {
  const date = timeIn(row.updated_at).slice(0, 10)
  const write = (called: string, sign: '' | '-', { amount, unit }: { amount: string; unit: string }, value: string | null | undefined, payee: string) => {
    const shown = value == null ? '' : sign + rounded(value, 2)
    // A statement has no line of nothing.
    if (/^-?0\.00$/.test(shown)) return []
    const text = [called, `${amount} ${unit}`, subWalletPath(row), row.category, row.remark, row.note].filter(Boolean).join(' · ')
    return [[date, shown, payee, text, row.txid ?? '']]
  }
  const payer = row.from_label ?? row.address_from ?? ''
  const lines = bookLines(row)
  const moved = lines.flatMap((line) => [
    ...(line.in ? write(kind, '', line.in, line.worth, payer) : []),
    ...(line.out ? write(kind, '-', line.out, line.worth, line.to.label ?? line.to.address ?? '') : []),
  ])
  // Fees go to whoever makes the blocks, and to no recipient.
  const fees = lines.flatMap(({ fee }) => (fee === null ? [] : write(feeKind, '-', { amount: fee, unit: row.fee_symbol }, row.worth?.fee, row.network)))
  return [...moved, ...fees]
}
