import type { OutputOf } from '@holdfast/contract'
import type { listTransactions } from '@holdfast/features/transaction/contract'
import { subWalletPath } from '@holdfast/features/wallet/server'
import { bookLines, type Booked } from './book-lines.ts'

type Row = OutputOf<typeof listTransactions>['list'][number] & Booked

/** The columns of the CSV that Koinly reads from anywhere. They are names of another program and stay in English. */
export const KOINLY_COLUMNS = [
  'Date',
  'Sent Amount',
  'Sent Currency',
  'Received Amount',
  'Received Currency',
  'Fee Amount',
  'Fee Currency',
  'Net Worth Amount',
  'Net Worth Currency',
  'Label',
  'Description',
  'TxHash',
]

/** The lines of a transaction, times in UTC; none if nothing moved. A fee alone is a cost. */
export function koinlyCells(row: Row): string[][] {
  const date = `${new Date(row.updated_at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  const text = [subWalletPath(row), row.category, row.remark, row.note].filter(Boolean).join(' · ')
  const worthOf = (value: string | null | undefined) => (value == null ? ['', ''] : [value, row.worth?.currency ?? ''])
  const ends = (label: string) => [label, text, row.txid ?? '']
  return bookLines(row).map((line) => {
    if (!line.in && !line.out) return [date, line.fee ?? '', row.fee_symbol, '', '', '', '', ...worthOf(row.worth?.fee), ...ends('cost')]
    const [sent, received] = [line.out, line.in].map((each) => (each ? [each.amount, each.unit] : ['', '']))
    const fee = line.fee === null ? ['', ''] : [line.fee, row.fee_symbol]
    return [date, ...(sent ?? []), ...(received ?? []), ...fee, ...worthOf(line.worth), ...ends('')]
  })
}
