import type { OutputOf } from '@holdfast/contract'
import type { listTransactions } from '../../contract.ts'
import { type Moved, movedBy } from './moved-money.ts'

type Row = OutputOf<typeof listTransactions>['list'][number]

/** The columns of the bank statement that Xero reads, by their places. They are names of another program and stay in English. */
export const XERO_COLUMNS = ['*Date', '*Amount', 'Payee', 'Description', 'Reference']

/**
 * The lines of a transaction: its value at the time and that of its fee, in hundredths of the currency, cut; money that leaves is below zero. None
 * where nothing moved. A value that is not known is left empty, for a person to fill in: Xero takes no line without one, and a guess would be wrong.
 */
export function xeroCells(row: Row & Pick<Moved, 'left'>, kind: string, timeIn: (ms: number) => string): string[][] {
  const { in: came, out, fee } = movedBy(row)
  const isIn = row.type === 'deposit'
  const date = timeIn(row.updated_at).slice(0, 10)
  const payee = (isIn ? (row.from_label ?? row.address_from) : (row.to_label ?? row.address_to)) ?? ''
  const line = (value: string | null | undefined, sign: '' | '-', amount: string, unit: string) => {
    const shown = value == null ? '' : sign + hundredths(value)
    // A statement has no line of nothing.
    if (/^-?0\.00$/.test(shown)) return []
    const text = [kind, `${amount} ${unit}`, row.category, row.remark, row.note].filter(Boolean).join(' · ')
    return [[date, shown, payee, text, row.txid ?? '']]
  }
  const worthOf = ({ contract }: { contract: string | null }) => (contract === row.contract_address ? row.worth?.at_time : null)
  return [
    ...came.flatMap((each) => line(worthOf(each), '', each.amount, each.unit)),
    ...out.flatMap((each) => line(worthOf(each), '-', each.amount, each.unit)),
    ...(fee === null ? [] : line(row.worth?.fee, '-', fee, row.fee_symbol)),
  ]
}

function hundredths(value: string): string {
  const [whole, fraction = ''] = value.split('.')
  return `${whole}.${fraction.padEnd(2, '0').slice(0, 2)}`
}
