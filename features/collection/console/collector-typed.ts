/** The numbers of a collector, as they are typed. */
export type NumbersTyped = { fee: string; transactions: string; days: string }

/** The greatest of the whole numbers. */
export const MOST = { transactions: 1_000_000, days: 366 } as const

const isWhole = (text: string, most: number) => /^[1-9]\d{0,6}$/.test(text) && Number(text) <= most
const isAmount = (text: string) => /^(0|[1-9]\d{0,30})(\.\d{1,18})?$/.test(text) && /[1-9]/.test(text)

const trimmed = ({ fee, transactions, days }: NumbersTyped): NumbersTyped => ({ fee: fee.trim(), transactions: transactions.trim(), days: days.trim() })

/** The numbers as the call takes them; undefined while one is missing or wrong. */
export function numbersOf(typed: NumbersTyped): { fee_max: string; transactions: number; days: number } | undefined {
  const { fee, transactions, days } = trimmed(typed)
  if (!isAmount(fee) || !isWhole(transactions, MOST.transactions) || !isWhole(days, MOST.days)) return undefined
  return { fee_max: fee, transactions: Number(transactions), days: Number(days) }
}

/** Which of the numbers are wrong. A field that is empty is missing, which its label says. */
export function wrongNumbers(typed: NumbersTyped): Record<keyof NumbersTyped, boolean> {
  const { fee, transactions, days } = trimmed(typed)
  return {
    fee: fee !== '' && !isAmount(fee),
    transactions: transactions !== '' && !isWhole(transactions, MOST.transactions),
    days: days !== '' && !isWhole(days, MOST.days),
  }
}
