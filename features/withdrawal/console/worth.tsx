import { useFiat } from '@holdfast/features/price/console'
import { MISSING, summaryMoney } from '@holdfast/ui'
import { worthOf } from './draft.ts'

type WorthProps = {
  amount: string
  /** Of one; without it nothing is shown. */
  price: string | null | undefined
}

/** What an amount is worth now, beside its digits. */
export function Worth({ amount, price }: WorthProps) {
  const { fiat } = useFiat()
  const worth = summaryMoney(worthOf(amount, price), fiat)
  return worth === MISSING ? null : <span className="hf-small hf-muted hf-numbers hf-nowrap">≈ {worth}</span>
}
