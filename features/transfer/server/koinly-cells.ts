import type { OutputOf } from '@holdfast/contract'
import { assetName } from '@holdfast/units'
import type { listTransactions } from '../contract.ts'
import { movedBy } from './moved-money.ts'

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
 * The line of a payment or a deposit, times in UTC; none where nothing moved.
 */
export function koinlyCells(row: Row): string[][] {
  const { real_fee: fee, worth } = row
  const date = `${new Date(row.updated_at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
  const text = [row.category, row.remark, row.note].filter(Boolean).join(' · ')
  const ends = (label: string) => [label, text, row.txid ?? '']
  const whole = movedBy(row)
  if (whole === 'nothing') return []
  if (whole === 'fee') return [[date, fee ?? '', row.fee_symbol, '', '', '', '', worth?.fee ?? '', moneyOf(row, worth?.fee), ...ends('cost')]]
  const moved = /[1-9]/.test(row.amount) ? [row.amount, assetName(row.symbol, row.token_id)] : ['', '']
  const value = [worth?.at_time ?? '', moneyOf(row, worth?.at_time)]
  if (row.type === 'deposit') return [[date, '', '', ...moved, '', '', ...value, ...ends('')]]
  return [[date, ...moved, '', '', fee ?? '', fee === null ? '' : row.fee_symbol, ...value, ...ends('')]]
}

const moneyOf = ({ worth }: Row, value: string | null | undefined): string => (value == null ? '' : (worth?.currency ?? ''))
