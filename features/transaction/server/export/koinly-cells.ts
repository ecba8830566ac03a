import type { OutputOf } from '@holdfast/contract'
import type { listTransactions } from '../../contract.ts'
import { type Moved, movedBy } from './moved-money.ts'

type Row = OutputOf<typeof listTransactions>['list'][number]

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

/**
 * The lines of a transaction, times in UTC; none if nothing moved. Of what moved several coins the first line has the fee; a fee alone is a cost.
 */
export function koinlyCells(row: Row & Pick<Moved, 'left'>): string[][] {
  const { worth } = row
  const { in: came, out, fee } = movedBy(row)
  const date = `${new Date(row.updated_at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  const text = [row.category, row.remark, row.note].filter(Boolean).join(' · ')
  const ends = (label: string) => [label, text, row.txid ?? '']
  // A value is known of what the row is about, and of nothing else that went with it.
  const worthOf = ({ contract }: { contract: string | null }) =>
    contract === row.contract_address ? [worth?.at_time ?? '', moneyOf(row, worth?.at_time)] : ['', '']
  if (came.length + out.length === 0 && fee !== null)
    return [[date, fee, row.fee_symbol, '', '', '', '', worth?.fee ?? '', moneyOf(row, worth?.fee), ...ends('cost')]]
  return [
    ...came.map((each) => [date, '', '', each.amount, each.unit, '', '', ...worthOf(each), ...ends('')]),
    ...out.map((each, i) => [
      date,
      each.amount,
      each.unit,
      '',
      '',
      ...(i === 0 && fee !== null ? [fee, row.fee_symbol] : ['', '']),
      ...worthOf(each),
      ...ends(''),
    ]),
  ]
}

const moneyOf = ({ worth }: Row, value: string | null | undefined): string => (value == null ? '' : (worth?.currency ?? ''))
